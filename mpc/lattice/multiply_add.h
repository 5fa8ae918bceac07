// multiply_add — the inner loop of an answer: sums of products of transforms, without reduction.
#pragma once

#include <span>

#include "mpc/lattice/prime.h"
#include "mpc/lattice/primes.h"

namespace tacit::mpc::lattice {

// A ciphertext's two halves and a multiplier, one limb each: kDegree words.
struct LimbProduct {
  const std::uint64_t* a = nullptr;
  const std::uint64_t* b = nullptr;
  const std::uint64_t* multiplier = nullptr;
};

// Terms that fit a sum: a product is below 4p^2 < 2^102.
inline constexpr std::int64_t kMostTerms = std::int64_t{1} << 25;

// a += the sum of the products' a·multiplier, value by value; b likewise. At most kGroup products.
inline constexpr std::int64_t kGroup = 4;
void multiply_add(std::span<const LimbProduct> products, Wide* a, Wide* b);

}  // namespace tacit::mpc::lattice
