// Elementwise kernels over Z_2^k. Shapes must agree; results are in out's ring, from operands of that ring or wider.
#pragma once

#include "mpc/kernels/workers.h"
#include "mpc/ring/ring_tensor.h"

namespace tacit::mpc {

// `out` may be one of the operands.
void add(const RingTensor& a, const RingTensor& b, RingTensor& out, Workers& workers);
void subtract(const RingTensor& a, const RingTensor& b, RingTensor& out, Workers& workers);
void negate(const RingTensor& a, RingTensor& out, Workers& workers);
void multiply(const RingTensor& a, const RingTensor& b, RingTensor& out, Workers& workers);
void scale(const RingTensor& a, std::uint64_t factor, RingTensor& out, Workers& workers);
void add_constant(const RingTensor& a, std::uint64_t constant, RingTensor& out, Workers& workers);

// A party's side of a product: out = dx·(dy if `first`, else 0, minus ly) - lx·dy + gamma.
struct ProductTerms {
  const RingTensor& dx;
  const RingTensor& lx;
  const RingTensor& dy;
  const RingTensor& ly;
  const RingTensor& gamma;
  bool first = false;
};
void product(const ProductTerms& terms, RingTensor& out, Workers& workers);

// ((a + offset) mod 2^k) >> bits: a party's side of drop (truncation). out is in the ring of k - bits.
void drop_bits(const RingTensor& a, int bits, std::uint64_t offset, RingTensor& out, Workers& workers);

// a mod 2^k for a narrower or equal ring of out; and into a wider one (the same words).
void reduce(const RingTensor& a, RingTensor& out, Workers& workers);

}  // namespace tacit::mpc
