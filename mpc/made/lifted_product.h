// The products of masks and of the terms of their wraps that the product of two lifted values needs (LiftedProductRequest): as
// products of masks (mask_products.h).
//
// Rounds      max(k, l) for adders of many elements (adders.h), n-1 to widen, n to multiply, and three that bind
// Sends       as mask_products.h: rho_x·rho_y takes min(k, l) products with a bit, and all other terms together three
#pragma once

#include "mpc/correlations/correlations.h"
#include "mpc/made/engine.h"

namespace tacit::mpc {

std::vector<SharedWords> made(Engine& engine, const LiftedProductRequest& request);

}  // namespace tacit::mpc
