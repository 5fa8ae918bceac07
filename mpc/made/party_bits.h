// The bits of each party's words, as values that this party alone holds.
#pragma once

#include <memory>
#include <vector>

#include "mpc/made/engine.h"

namespace tacit::mpc {

// The planes of words in one row, low to high.
std::vector<std::shared_ptr<const BitTensor>> planes_of(const RingTensor& words, int count, Workers& workers);

// By position, low to high, and party. `own`: this party's words, in row-major order; not read on a plan.
std::vector<std::vector<SharedBits>> bits_of_parties(Engine& engine, RingView own, int length);

}  // namespace tacit::mpc
