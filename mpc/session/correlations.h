// Correlations — where a party's correlated randomness comes from: today a dealer, later the parties among themselves.
//
// A protocol asks in the same order at every rank. Masks are the party's own share of a uniform value that nobody
// knows. Dealt values are shares of something computed from masks; a request says what, and which of the party's own
// masks it is computed from, which a source without a dealer starts from.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "mpc/ring/bit_tensor.h"
#include "mpc/ring/ring_tensor.h"

namespace tacit::mpc {

enum class Correlation : std::uint8_t {
  kProduct = 1,        // lx·ly, elementwise
  kMatrixProduct = 2,  // lx·ly
  kWrap = 3,           // what lifts r: r >> k, and bit k-1 of r
  kBitProducts = 4,    // products of subsets of mask bits
  kSelection = 5,      // mu, r·mu and what lifts them
  kPermutation = 6,    // the masks in the key's order
  kLookUp = 7,         // a table of a function of lx, and that times ly
  kWinner = 8,         // a table over patterns of mask bits, and that times ly
};

class Correlations {
 public:
  virtual ~Correlations() = default;

  // Everything that is asked for until the next call belongs to this operation.
  virtual void begin(std::int64_t operation) = 0;

  virtual RingTensor mask(Shape shape, int bits) = 0;
  virtual BitTensor mask_bits(Shape shape) = 0;

  // One tensor of this shape for each width.
  struct Request {
    Correlation what = Correlation::kProduct;
    Shape shape;
    std::vector<int> widths;
    std::vector<RingView> masks;
  };
  virtual std::vector<RingTensor> dealt(const Request& request) = 0;

  struct BitRequest {
    Correlation what = Correlation::kBitProducts;
    Shape shape;
    int count = 0;
    std::vector<const BitTensor*> masks;
  };
  virtual std::vector<BitTensor> dealt_bits(const BitRequest& request) = 0;

  // How long this party has waited for what somebody else had to make.
  virtual std::chrono::nanoseconds waited() const = 0;

  // The key of a permutation that party `owner` knows: drawn by the source and the owner, empty at the others.
  virtual std::vector<std::int64_t> permutation_key(int owner, std::int64_t size) = 0;
};

}  // namespace tacit::mpc
