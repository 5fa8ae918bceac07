// The products of bits that a comparison needs (GroupProductsRequest, CarryProductsRequest; protocols/subset_products.h has their
// order). Each product takes one AND, of a product with one bit fewer and its lowest bit.
//
// Rounds      group products: hi for an adder of many elements (adders.h), one for each bit of the largest group but one, and two
//             that bind; carry products: one for each propagate mask, and one that binds
// Sends       n = 2: an adder; 2 bits an element for each product of two or more bits, and 64 for each bit that is bound: all but
//             the highest of each group, and every propagate mask
#pragma once

#include "mpc/correlations/correlations.h"
#include "mpc/made/engine.h"

namespace tacit::mpc {

std::vector<SharedBits> made(Engine& engine, const GroupProductsRequest& request);
std::vector<SharedBits> made(Engine& engine, const CarryProductsRequest& request);

}  // namespace tacit::mpc
