// RunFailed — how a rank's run ended before its time: what the user is told, and what the process says to its shell.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace tacit::launcher {

class RunFailed : public std::runtime_error {
 public:
  // `signals`: held back until this has been told (Interruption).
  RunFailed(int exit_code, const std::string& message, std::string detail, std::shared_ptr<const void> signals = {})
      : std::runtime_error(message), exit_code_(exit_code), detail_(std::move(detail)), signals_(std::move(signals)) {}

  int exit_code() const { return exit_code_; }
  const std::string& detail() const { return detail_; }  // for this rank's own user: where to go on from, and how
  void let_signals_through() { signals_.reset(); }       // once this has been told

 private:
  int exit_code_;
  std::string detail_;
  std::shared_ptr<const void> signals_;
};

}  // namespace tacit::launcher
