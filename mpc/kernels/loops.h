// Loops — the kernels that a compiler makes wide by itself, compiled once for each kind of instructions.
//
// n is a count of words; `mask` holds the bits of the result's ring; pointers may be equal but not overlap otherwise.
#pragma once

#include <cstdint>

#include "mpc/kernels/cpu.h"

namespace tacit::mpc {

// The bits of (word ^ flip) + constant, for 64 words to the word of a plane. out[j] is the plane of bit first + j.
struct PlanesWords {
  using Word = std::uint64_t;
  const Word* words;
  Word constant, flip;
  int first, count;
  Word* const* out;
};

// A party's share of x, from m = x + offset + r, its share of r, and in a wider ring its shares of the terms of the wrap
// (mpc/protocols/wrap.h), which are null otherwise: out = ((m - offset) & all) - r + (over + sigma·[top bit of m not set])·2^k.
struct LiftWords {
  using Word = std::uint64_t;
  const Word *m, *r, *over, *sigma;
  Word* out;
  int bits;  // k, of m's ring
  Word offset;
  Word all;   // all ones at the party that adds the public part, else 0
  Word mask;  // the bits of out's ring
};

// A party's share of x or 0 by a bit b, from delta = b ^ mu and its shares of mu, mu·r, and mu times the terms of the wrap:
// mu_x = (m - offset)·mu - mu_r + wrap, out = delta ? x - mu_x : mu_x.
struct SelectWords {
  using Word = std::uint64_t;
  LiftWords lift;
  const Word* delta;  // a bit for each word
  const Word *mu, *mu_r, *mu_over, *mu_sigma;
};

// The dealer's terms of the wrap of r modulo 2^bits (mpc/protocols/wrap.h): over = r >> bits, in the ring of `mask`, and sigma = the top
// bit of r modulo 2^bits. With mu, a word of 0 or 1 for each element, also both times mu; otherwise the last three are null.
struct WrapTerms {
  using Word = std::uint64_t;
  const Word* r;
  int bits;
  Word mask;
  Word *over, *sigma;
  const Word* mu;
  Word *mu_over, *mu_sigma;
};

// A party's share of the product of two shown values (mpc/protocols/lifted_product.h). `each` words of y,
// one after the other, share a word of x.
struct LiftedProductWords {
  using Word = std::uint64_t;
  struct Factor {
    const Word *m, *r, *over, *sigma;
    int bits;
    Word offset;
  };
  Factor x, y;
  const Word *rho_rho, *rho_sigma, *sigma_rho,
      *sigma_sigma;  // shares of products of the masks' parts; the last one may be null
  std::int64_t each;
  Word all;  // all ones at the party that adds the public part, else 0
  Word mask;
  Word* out;
};

// The dealer's products of the masks' parts for a lifted product. rho = r modulo 2^bits; sigma_sigma may be null.
struct LiftedProductTerms {
  using Word = std::uint64_t;
  const Word *rx, *ry;
  int x_bits, y_bits;
  std::int64_t each;
  Word mask, over_x, over_y;  // the bits of the rings of rho_rho, of sigma_rho, of rho_sigma
  Word *rho_rho, *rho_sigma, *sigma_rho, *sigma_sigma;
};

// Words of bits, 64 elements each. out[set - 1] is the product of the factors in the set, for each non-empty set of factors.
struct SubsetWords {
  using Word = std::uint64_t;
  const Word* const* factors;
  int count;  // at most 8
  Word* const* out;
};

// A party's shares of "c < r" and "c = r" for a group of bits (mpc/protocols/subset_products.h). same[j]: bit j of c is not
// set; dealt[set - 1]: the party's share of the product of r's bits in the set.
struct GroupWords {
  using Word = std::uint64_t;
  const Word* const* same;
  const Word* const* dealt;
  int bits;  // at most 8
  Word all;  // as in LiftWords
  Word *generate, *propagate;
};

// A party's share of the borrow over groups, from the opened deltas and the dealt products in their order.
struct CarryWords {
  using Word = std::uint64_t;
  const Word* const* delta_g;
  const Word* const* delta_p;  // of the groups from 1 on
  const Word* const* dealt;
  int groups;  // at most 8
  Word all;
  Word* out;
};

struct Loops {
  using Word = std::uint64_t;

  void (*add)(const Word* a, const Word* b, Word* out, std::int64_t n, Word mask);
  void (*subtract)(const Word* a, const Word* b, Word* out, std::int64_t n, Word mask);
  void (*negate)(const Word* a, Word* out, std::int64_t n, Word mask);
  void (*multiply)(const Word* a, const Word* b, Word* out, std::int64_t n, Word mask);
  void (*scale)(const Word* a, Word factor, Word* out, std::int64_t n, Word mask);
  void (*add_constant)(const Word* a, Word constant, Word* out, std::int64_t n, Word mask);
  void (*add_with_constant)(const Word* a, const Word* b, Word constant, Word* out, std::int64_t n, Word mask);
  void (*reduce)(const Word* a, Word* out, std::int64_t n, Word mask);
  // ((a + offset) & wide) >> bits
  void (*drop_bits)(const Word* a, int bits, Word offset, Word* out, std::int64_t n, Word wide);
  // dx·(dy - ly) - lx·dy + gamma, or with 0 for the first dy
  void (*product)(const Word* const* dx_lx_dy_ly_gamma, bool first, Word* out, std::int64_t n, Word mask);

  // out[r] = Σ_k m[r·row_stride + k]·x[k]; nothing overlaps.
  void (*dot)(const Word* m, std::int64_t row_stride, std::int64_t rows, std::int64_t depth, const Word* x, Word* out);
  // out[c] = Σ_k x[k]·m[k·row_stride + c]; nothing overlaps.
  void (*combine)(const Word* m, std::int64_t row_stride, std::int64_t depth, std::int64_t cols, const Word* x,
                  Word* out);
  // Σ_i c(first + i)·x[i] for i below n. SplitMix64 makes the coefficients c.
  Word (*sum_with_coefficients)(const Word* x, std::int64_t n, Word first);
  // A row of sparse times dense: out[c] = Σ_e values[e]·x[cols[e]·n + c] for c below n, the row length of x.
  void (*combine_sparse)(const Word* values, const std::int32_t* cols, std::int64_t entries, const Word* x,
                         std::int64_t n, Word* out, Word mask);

  // out[64·w + i] = bit i of bits[w]
  void (*widen)(const Word* bits, std::int64_t words, Word* out);
  // Bit i of out[j] = bit j of in[i], for i and j below 64; in place, too.
  void (*transpose_bits)(const Word* in, Word* out);
  void (*bit_planes)(const PlanesWords& words, std::int64_t begin, std::int64_t end);  // counts words of a plane

  // The steps of mpc/protocols on words begin … end - 1 of each tensor.
  void (*lift)(const LiftWords& words, std::int64_t begin, std::int64_t end);
  void (*select)(const SelectWords& words, std::int64_t begin, std::int64_t end);  // begin is divisible by 64
  void (*wrap_terms)(const WrapTerms& words, std::int64_t begin, std::int64_t end);
  void (*lifted_product)(const LiftedProductWords& words, std::int64_t begin, std::int64_t end);  // counts words of y
  void (*lifted_product_terms)(const LiftedProductTerms& words, std::int64_t begin, std::int64_t end);
  void (*subset_products)(const SubsetWords& words, std::int64_t begin, std::int64_t end);
  void (*group_shares)(const GroupWords& words, std::int64_t begin, std::int64_t end);
  void (*carry_share)(const CarryWords& words, std::int64_t begin, std::int64_t end);
};

const Loops& loops(Instructions instructions);

// Defined in loops_*.cc. The functions for other processor architectures exist only there.
const Loops& loops_portable();
const Loops& loops_avx2();
const Loops& loops_avx512();

}  // namespace tacit::mpc
