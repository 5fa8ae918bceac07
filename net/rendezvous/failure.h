// Failure — why a rendezvous ends, as one rank tells it to the others: the same sentence, culprit and exit code at all.
#pragma once

#include <exception>
#include <string>

#include "net/error.h"

namespace tacit::net {

inline constexpr std::int64_t kMaxFailureText = 1024;

struct Failure {
  Exit exit = Exit::kNet;
  int culprit = -1;  // rank; -1: unknown, or the user's to fix
  std::string text;

  bool operator==(const Failure&) const = default;
};

// What `error` says to the others. An error that is not one of ours is a bug at `rank`.
Failure failure_of(const std::exception_ptr& error, int rank);

// The ConfigError, NetError or ProtocolError that it stands for.
std::exception_ptr error_of(const Failure& failure);
[[noreturn]] void raise(const Failure& failure);

}  // namespace tacit::net
