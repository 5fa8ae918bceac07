// Transform — the negacyclic number-theoretic transform of degree N modulo a prime: products of polynomials modulo X^N + 1 become
// products value by value.
//
// The values are in the order in which the algorithm leaves them: both ends of a link must use the same transform. No branch and no
// address depends on the coefficients.
// Paper       Harvey, Faster Arithmetic for Number-Theoretic Transforms, 2014: values stay below 4p, or 2p on the way back
#pragma once

#include "mpc/lattice/residue_loops.h"

namespace tacit::mpc::lattice {

class Transform {
 public:
  explicit Transform(const Prime& prime, Instructions instructions = best_instructions());

  const Prime& prime() const { return prime_; }

  // In place: kDegree words below 4p, and so are the results. The words from `length` on, a public number, are zero.
  void forward(std::uint64_t* words, std::int64_t length = kDegree) const {
    loops_.forward(words, length, roots_, prime_.value());
  }

  // The way back, times `scale`, which must include inverse_degree(). Words below 2p; results below p.
  void backward(std::uint64_t* words, const Factor& scale) const {
    loops_.backward(words, inverse_roots_, scale, prime_.value());
  }
  std::uint64_t inverse_degree() const { return prime_.public_inverse(static_cast<std::uint64_t>(kDegree)); }

 private:
  Prime prime_;
  const ResidueLoops& loops_;
  Roots roots_, inverse_roots_;
};

}  // namespace tacit::mpc::lattice
