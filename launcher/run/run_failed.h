// RunFailed — how a rank's run ended before its time: what the user is told, and what the process says to its shell.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace tacit::launcher {

class RunFailed : public std::runtime_error {
 public:
  RunFailed(int exit_code, const std::string& message, std::string detail)
      : std::runtime_error(message), exit_code_(exit_code), detail_(std::move(detail)) {}

  int exit_code() const { return exit_code_; }
  const std::string& detail() const { return detail_; }  // for this rank's own user: where to go on from, and how

 private:
  int exit_code_;
  std::string detail_;
};

}  // namespace tacit::launcher
