// Masking hides a rank's words before they leave for a sum. The masks of all parties add up to zero,
// so the sum is unchanged. mpc/random/pairwise_masking.h has the implementation.
#pragma once

#include <cstdint>
#include <span>

namespace tacit::net {

class Masking {
 public:
  virtual ~Masking() = default;

  // Adds fresh masks modulo 2^64. All parties call it in the same order with the same number of
  // words. Thread: one at a time.
  virtual void mask(std::span<std::uint64_t> words) = 0;
};

}  // namespace tacit::net
