// RunFailed — the early end of a rank's run, with the message for the user and the exit code.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace tacit::launcher {

class RunFailed : public std::runtime_error {
 public:
  // `signals`: keeps signals blocked until the message is printed (Interruption).
  RunFailed(int exit_code, const std::string& message, std::string detail, std::shared_ptr<const void> signals = {})
      : std::runtime_error(message), exit_code_(exit_code), detail_(std::move(detail)), signals_(std::move(signals)) {}

  int exit_code() const { return exit_code_; }
  const std::string& detail() const {
    return detail_;
  }  // for this rank's user only: the checkpoint and the command to resume
  void let_signals_through() { signals_.reset(); }  // after the message is printed

 private:
  int exit_code_;
  std::string detail_;
  std::shared_ptr<const void> signals_;
};

}  // namespace tacit::launcher
