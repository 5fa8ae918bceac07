// Products of the masks' low bits rho and their top bits sigma (MaskProductsRequest), and the same products of one pair of masks
// (LiftedProductRequest).
//
// rho of each mask comes from an adder (mask_parts.h), and so do its bits. A product of several factors is made of the product of
// all factors but one. sigma is one bit: it multiplies words. rho multiplies words bit by bit: its bit j, words of j bits less; the
// term of its highest bit is the product with sigma as well. Products share their parts, in the widest ring that is needed.
//
// Rounds      the longest adder, n-1 to widen its carries, n for each factor after the first, and those that bind
// Sends       n = 2: the adder of each mask of k bits with its carry (4k bits, and 2k bound bits); bits-1 to widen each. For a
//             factor sigma 2·bits, for a factor rho 2·bits - j for each bit j < k; and 64 bits to bind each bit that multiplies.
//             x·y of 25 bits each in Z_2^64, with all terms: 7.8 kbit an element and pair for n = 2 (4.8 of them bind bits), 10.0
//             for n = 3, in 31 and 57 rounds
// Papers      lifted_product.h, lifted_polynomial.h
#pragma once

#include "mpc/correlations/correlations.h"
#include "mpc/made/engine.h"

namespace tacit::mpc {

std::vector<SharedWords> made(Engine& engine, const MaskProductsRequest& request);

}  // namespace tacit::mpc
