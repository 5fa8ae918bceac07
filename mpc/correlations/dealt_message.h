// The dealer's messages: a tag that says what it is for, then tensors, packed.
//
// Of n shares of what is dealt, n-1 come from seeds; the message is the last one, the correction, and goes to the party
// whose turn it is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "mpc/correlations/correlations.h"

namespace tacit::mpc {

inline constexpr std::int64_t kDealtTagBytes = 16;

struct DealtTag {
  std::int64_t operation = 0;
  std::uint32_t message = 0;  // within the session, mod 2^32
  Correlation what = Correlation::kProduct;

  std::array<std::byte, static_cast<std::size_t>(kDealtTagBytes)> bytes() const;
};

// The party that gets the correction of the message with this number.
inline int receiver_of(std::int64_t message, int parties) { return static_cast<int>(message % parties); }

}  // namespace tacit::mpc
