// The errors of every layer, and the exit codes of the process.
//
// A message names the failed operation, the rank and the step, the expected value, and a remedy. The
// message may reach every rank, so it never contains secret words or values of a data set.
// Information for this rank's user only goes into `local_detail`. A message that names a file, or a
// position in one, is for this rank's user, too: about_own() gives the other ranks a different
// message.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace tacit {

enum class Exit : int { kOk = 0, kConfig = 2, kNet = 3, kProtocol = 4, kBug = 70 };

class Error : public std::runtime_error {
 public:
  Exit exit() const { return exit_; }
  const std::string& local_detail() const { return local_detail_; }  // for this rank's own user; often empty
  // The message for the other ranks. Empty: they receive the message of this rank.
  const std::string& told() const { return told_; }

 protected:
  Error(Exit exit, const std::string& message, std::string local_detail = "", std::string told = "")
      : std::runtime_error(message), exit_(exit), local_detail_(std::move(local_detail)), told_(std::move(told)) {}

  Exit exit_;
  std::string local_detail_, told_;
};

// An error that the user can fix: a file, a key, an address, a job.
class ConfigError : public Error {
 public:
  explicit ConfigError(const std::string& message, std::string local_detail = "", std::string told = "")
      : Error(Exit::kConfig, message, std::move(local_detail), std::move(told)) {}

  // Names the affected `thing` ("its checkpoints") for the other ranks, and keeps the cause in
  // their message if it has one. The innermost call wins.
  void is_about(std::string_view thing);

 private:
  bool has_thing_ = false;
};

// A peer, a link or a time-out. The same run may succeed when it is started again. `culprit` is the
// rank at fault, -1 if unknown.
class NetError : public Error {
 public:
  explicit NetError(const std::string& message, int culprit = -1) : Error(Exit::kNet, message), culprit_(culprit) {}
  int culprit() const { return culprit_; }

 private:
  int culprit_;
};

// A peer deviated from the protocol, or runs a different program. `culprit` is the rank at fault,
// -1 if unknown.
class ProtocolError : public Error {
 public:
  explicit ProtocolError(const std::string& message, int culprit = -1)
      : Error(Exit::kProtocol, message), culprit_(culprit) {}
  int culprit() const { return culprit_; }

 private:
  int culprit_;
};

// A bug of this program. Deliberately not an Error: no caller should catch it and continue.
class BrokenInvariant : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// Rethrows an error that concerns this rank's own files or data. The other ranks learn only the
// kind of thing, and the cause ("cannot be written: No space left on device") if its text contains
// no name and no position.
[[noreturn]] void rethrow_about_own(std::string_view thing);

template <typename Act>
decltype(auto) about_own(std::string_view thing, Act act) {
  try {
    return act();
  } catch (...) {
    rethrow_about_own(thing);
  }
}

// The message about an error at this rank for the other ranks. `more` follows where they get less than this rank's own message.
std::string reason_for_others(const std::exception& error, std::string_view more = "");

// The exit code for an error. An exception that is neither an Error nor a lack of memory counts as
// a bug.
Exit exit_of(const std::exception& error);

[[noreturn]] void report_broken_invariant(const char* condition, const char* file, int line);

// For main(): prints an uncaught exception to stderr, one line for the message and one for the local
// detail, and returns the exit code.
int report_and_exit_code(const std::exception& error, const char* program);

}  // namespace tacit

// Checks an invariant of this program, in every build. Never use it to judge input.
#define TACIT_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::tacit::report_broken_invariant(#condition, __FILE__, __LINE__))
