// The errors of every layer, and the exit codes they end a process with.
//
// A message says what failed, at which rank and step, what was expected, and what to try. It may reach every rank, so
// it never holds secret words, and no value of anybody's data. What only this rank may read goes into the local detail.
// A message that names a file, or a place in one, is for this rank's own user, too: others are told another, which
// about_own() sees to.
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
  const std::string& told() const { return told_; }                  // to others, instead of the message; often empty

 protected:
  Error(Exit exit, const std::string& message, std::string local_detail = "", std::string told = "")
      : std::runtime_error(message), exit_(exit), local_detail_(std::move(local_detail)), told_(std::move(told)) {}

  Exit exit_;
  std::string local_detail_, told_;
};

// The user can fix it: a file, a key, an address, a job.
class ConfigError : public Error {
 public:
  explicit ConfigError(const std::string& message, std::string local_detail = "", std::string told = "")
      : Error(Exit::kConfig, message, std::move(local_detail), std::move(told)) {}

  // Others are told of `thing` ("its checkpoints"), and what is wrong with it if that was said. The innermost holds.
  void is_about(std::string_view thing);

 private:
  bool has_thing_ = false;
};

// A peer, a link or a time-out: the same run may work when started again. `culprit` is the rank at fault, -1 if
// unknown.
class NetError : public Error {
 public:
  explicit NetError(const std::string& message, int culprit = -1) : Error(Exit::kNet, message), culprit_(culprit) {}
  int culprit() const { return culprit_; }

 private:
  int culprit_;
};

// A peer deviated, or runs something else than we do. `culprit` is the rank at fault, -1 if unknown.
class ProtocolError : public Error {
 public:
  explicit ProtocolError(const std::string& message, int culprit = -1)
      : Error(Exit::kProtocol, message), culprit_(culprit) {}
  int culprit() const { return culprit_; }

 private:
  int culprit_;
};

// Our own bug. Not an Error on purpose: nobody should catch it to go on.
class BrokenInvariant : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// Of an error in what is this rank's own, its files above all, others are told the kind of thing alone, and what is
// wrong with it ("cannot be written: No space left on device") where that is said without a name or a place.
[[noreturn]] void rethrow_about_own(std::string_view thing);

template <typename Act>
decltype(auto) about_own(std::string_view thing, Act act) {
  try {
    return act();
  } catch (...) {
    rethrow_about_own(thing);
  }
}

// What a process ends with. Not an Error, and not want of memory: our bug.
Exit exit_of(const std::exception& error);

[[noreturn]] void report_broken_invariant(const char* condition, const char* file, int line);

// What main() does with anything that got out: prints one line to stderr and gives the exit code.
int report_and_exit_code(const std::exception& error, const char* program);

}  // namespace tacit

// True in every build: an invariant of this program, never a judgement on input.
#define TACIT_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::tacit::report_broken_invariant(#condition, __FILE__, __LINE__))
