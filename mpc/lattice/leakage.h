// leakage — how far an answer's hints are from bits that depend on a' and the holder's key alone (condition (d) of
// masked_product.h).
//
// The noise of a coefficient is a sum of `terms` errors times words of k bits, and it depends on the peer's share. A hint differs
// from the hint without noise if the noise carries b' over one of 2^(k+3) boundaries: with a probability of at most
// E|noise|·2^(k+3) / Q. The formula is for uniform words, as shares of masks are; for the worst words the bound is 2.2 times as
// large. The sum of these over all wanted coefficients of all answers bounds the statistical distance of a session.
#pragma once

#include <cstdint>

namespace tacit::mpc::lattice {

// The standard deviation of the noise of a coefficient.
double noise_deviation(int k, std::int64_t terms);

// The bound for one hint. `terms`: coefficients of the multipliers that may differ from zero.
double hint_leakage(int k, std::int64_t terms, int modulus_bits);

// The bound of a session (leakage_units.h) as a number.
inline constexpr double kMostLeakageOfSession = 0x1p-40;
// Throws ConfigError if a session with the leakage `so_far` must not make answers with `more`, in units of leakage_units.h. The
// last guard: a run's whole leakage is planned and checked before it begins (gnn/run/bounded_leakage.h).
void expect_bounded_leakage(std::int64_t so_far, std::int64_t more);

// A product takes the next modulus if its own bound is larger. The choice does not depend on earlier products, so neither does the
// cost of a product. With 150 or 180 bits a session may have at least 16,384 products.
inline constexpr double kMostLeakageOfProduct = 0x1p-54;

}  // namespace tacit::mpc::lattice
