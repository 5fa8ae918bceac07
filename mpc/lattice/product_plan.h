// product_plan — how the parties make a masked product: its modulus, its blocks, and the operand that each party encrypts. A plan
// depends on public shapes, the width and the number of parties alone, so all parties have the same plan.
#pragma once

#include <vector>

#include "mpc/lattice/blocks.h"
#include "mpc/lattice/primes.h"

namespace tacit::mpc::lattice {

// kLeft, kRight: each party of a pair encrypts its share of this operand, and its peer answers with its share of the other one.
// kBoth: the first party of a pair (encrypts_for) encrypts both, and the second answers with both cross terms in one sum.
enum class Encrypted : unsigned char { kLeft, kRight, kBoth };

struct ProductPlan {
  int modulus = 0;
  int bits = 0;
  Blocks blocks;
  Encrypted encrypted = Encrypted::kLeft;
  double leakage = 0;  // of one party's answers to all others

  bool left() const { return encrypted != Encrypted::kRight; }
  bool right() const { return encrypted != Encrypted::kLeft; }
  // Ciphertexts of one party: of the left operand, block (x, t) after block, and then of the right one, (t, y).
  std::int64_t left_ciphertexts() const;
  std::int64_t ciphertexts() const;
  std::int64_t ciphertexts_bytes() const { return ciphertexts() * lattice::modulus(modulus).message_bytes(); }
  // Answers to one holder: block (x, y) after block.
  std::int64_t answer_bytes(std::int64_t x, std::int64_t y) const;
  std::int64_t answers_bytes() const;

  // True if `holder` encrypts for `peer`, who answers.
  bool encrypts_for(int holder, int peer) const;
  // The bytes that a pair of parties sends, in both directions; and the part of the answers.
  std::int64_t pair_bytes() const;
  std::int64_t pair_answer_bytes() const;
};

// The largest message. A product with larger ones is cut into several.
inline constexpr std::int64_t kMostMessageBytes = std::int64_t{256} << 20;

// A part of a product, and its plan: rows from m, columns from p, terms from c on, and their counts.
struct PlannedPart {
  ProductSize first;
  ProductPlan plan;
};

// The parts, one after the other; usually one. With the fewest bytes among all blocks.
std::vector<PlannedPart> planned_parts(const ProductSize& size, int bits, int parties,
                                       std::int64_t most_bytes = kMostMessageBytes);

// The products for which the layout of a kept operand is chosen: as many as a training of a few epochs has. More products would
// favour layouts with more ciphertexts and fewer answers.
inline constexpr std::int64_t kProductsOfKept = 24;
// The parts of a product whose left or right operand is encrypted once, for many products: with the fewest bytes of its ciphertexts
// and kProductsOfKept answers. Both parties of a pair encrypt this operand.
std::vector<PlannedPart> kept_parts(const ProductSize& size, int bits, int parties, bool left,
                                    std::int64_t most_bytes = kMostMessageBytes);

}  // namespace tacit::mpc::lattice
