// A seed that every run of a test has.
#pragma once

#include "mpc/random/pair_seed.h"

namespace tacit::mpc {

inline PairSeed fixed_seed(unsigned char number) {
  net::Secret seed(PairSeed::kSeedBytes);
  seed.bytes()[0] = static_cast<std::byte>(number);
  return PairSeed(std::move(seed), Nonce{});
}

}  // namespace tacit::mpc
