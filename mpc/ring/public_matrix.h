// PublicMatrix is a matrix in fixed point that all parties know. A share can be multiplied by it
// without a round.
#pragma once

#include <string_view>
#include <utility>

#include "mpc/ring/fixed_point.h"

namespace tacit::mpc {

class PublicMatrix {
 public:
  // Encodes as encode_public does.
  PublicMatrix(const Matrix& values, int fraction_bits, std::string_view name)
      : PublicMatrix(encode_public(values, {kWordBits, fraction_bits}, name), fraction_bits) {}
  // Takes words in units, mod 2^64.
  PublicMatrix(RingTensor words, int fraction_bits)
      : words_(std::move(words)), shape_(words_.shape()), fraction_bits_(fraction_bits) {
    TACIT_CHECK(words_.bits() == kWordBits);
  }
  // For a planning session: the shape without words.
  PublicMatrix(Shape shape, int fraction_bits) : shape_(shape), fraction_bits_(fraction_bits) {}

  Shape shape() const { return shape_; }
  int fraction_bits() const { return fraction_bits_; }
  const RingTensor& words() const { return words_; }  // mod 2^64

 private:
  RingTensor words_;
  Shape shape_;
  int fraction_bits_;
};

}  // namespace tacit::mpc
