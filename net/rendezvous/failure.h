// Failure is the reason why a rendezvous ends. All ranks report the same sentence, culprit and exit
// code.
#pragma once

#include <exception>
#include <string>

#include "net/error.h"

namespace tacit::net {

inline constexpr std::int64_t kMaxFailureText = 1024;

struct Failure {
  Exit exit = Exit::kNet;
  int culprit = -1;  // rank; -1: unknown, or an error that the user can fix
  std::string text;

  bool operator==(const Failure&) const = default;
};

// Converts `error` to a message for the other ranks. An exception that is not a tacit Error counts
// as a bug at `rank`.
Failure failure_of(const std::exception_ptr& error, int rank);

// Converts a failure back to a ConfigError, NetError or ProtocolError.
std::exception_ptr error_of(const Failure& failure);
[[noreturn]] void raise(const Failure& failure);

}  // namespace tacit::net
