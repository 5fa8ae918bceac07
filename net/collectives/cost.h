// Cost is the traffic of a step at one rank, known before the step runs. Tests compare it with the
// measured traffic.
#pragma once

#include <cstdint>

namespace tacit::net {

struct Cost {
  std::int64_t rounds = 0;  // number of sequential messages; equal at every rank
  std::int64_t bytes = 0;   // payload that the rank sends
  std::int64_t messages = 0;

  bool operator==(const Cost&) const = default;
  Cost& operator+=(const Cost& other) {
    rounds += other.rounds;
    bytes += other.bytes;
    messages += other.messages;
    return *this;
  }
};

}  // namespace tacit::net
