// The parts of r, the sum of all parties' words mod 2^64, that lifted values need: rho, the k low bits as a whole number, and r >> k.
//
// With c carries into bit k of the sum of the parties' low bits:
//
//   r >> k  =  the sum of each party's word >> k, and c
//   rho     =  the sum of each party's k low bits, less 2^k·c
#pragma once

#include "mpc/made/engine.h"

namespace tacit::mpc {

// The number of carries, from each of them as a word. Without carries (a single party): zero, held by party 0.
SharedWords carries_of(const Engine& engine, std::span<const SharedWords> carries, std::int64_t rows, int width);

// r >> k in the ring of `carries`; rho in Z_2^width, for width <= 128. `carries` has at least width-k bits; unused for width <= k.
SharedWords over_of(const Engine& engine, RingView r, int k, const SharedWords& carries);
SharedWords rho_of(const Engine& engine, RingView r, int k, const SharedWords& carries, int width);

}  // namespace tacit::mpc
