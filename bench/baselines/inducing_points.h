// Which nodes stand for all others.
#pragma once

#include "bench/baselines/kernel.h"

namespace tacit::gnn {

// One after another the node of which those before say the least, until `most` are chosen or the others follow from
// them: a pivoted Cholesky factorisation (Burt, Rasmussen, van der Wilk 2020). Of equals the first. Takes n m²
// multiply-adds.
Rows inducing_points(const Kernel& kernel, const Points& x, std::int64_t most);

}  // namespace tacit::gnn
