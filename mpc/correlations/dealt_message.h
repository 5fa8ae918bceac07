// The format of the dealer's messages: a tag with their purpose, then packed tensors.
//
// Of the n shares of a dealt value, n-1 come from seeds. The message is the last share, the
// correction. The parties receive corrections in turn.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "mpc/correlations/correlations.h"

namespace tacit::mpc {

inline constexpr std::int64_t kDealtTagBytes = 16;

struct DealtTag {
  std::int64_t operation = 0;
  std::uint32_t message = 0;  // number within the session, mod 2^32
  Correlation what = Correlation::kProduct;

  std::array<std::byte, static_cast<std::size_t>(kDealtTagBytes)> bytes() const;
};

// The party that receives the correction with this message number.
inline int receiver_of(std::int64_t message, int parties) { return static_cast<int>(message % parties); }

}  // namespace tacit::mpc
