// Cost — what a step costs one rank, known before it runs. Tests hold every step to it: measured = stated.
#pragma once

#include <cstdint>

namespace tacit::net {

struct Cost {
  std::int64_t rounds = 0;  // messages that wait for one another; the same at every rank
  std::int64_t bytes = 0;   // of payload that the rank sends
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
