// The aims of `tacit bench gradients` on time.
#pragma once

#include <string>
#include <vector>

#include "bench/tables/measurements.h"

namespace tacit::launcher {

inline constexpr const char* kLinkOfAim = "0.2ms,1Gbit";

// The part of an all-reduce by buckets of 25 MB that is hidden on the link kLinkOfAim. `hidden`: in %, by seed; empty if
// it was not measured, because `why_not`.
Aim hiding_aim(const std::vector<double>& hidden, int ranks, int cores, const std::string& why_not);

// Our buckets over TLS beside PyTorch's DistributedDataParallel over plain TCP, and both over plain TCP. `ratios`: our time
// over PyTorch's, by seed; empty if PyTorch was not measured, because `why_not`.
std::vector<Aim> ddp_aims(const std::vector<double>& ratios, const std::string& why_not);

}  // namespace tacit::launcher
