// Chooses the inducing points: the nodes that stand for all others.
#pragma once

#include "bench/baselines/kernel.h"

namespace tacit::gnn {

// Chooses node after node, each time the node that the chosen ones predict worst (the first of equals), until `most`
// are chosen or the chosen ones determine the rest: a pivoted Cholesky factorisation (Burt, Rasmussen, van der Wilk
// 2020). Takes n m² multiply-adds.
Rows inducing_points(const Kernel& kernel, const Points& x, std::int64_t most);

}  // namespace tacit::gnn
