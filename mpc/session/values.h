// The types of values in a program: Share, Masked, Shown, Bits, Public. Shapes and formats are public;
// only the protocols access the contents.
//
// A program cannot print or compare a value, or branch on it. Values are handles to immutable
// contents. Copies are therefore cheap, and a forward pass may keep values for the backward pass.
//
// The contents depend on the interpreter of the program:
//
//              a party                         the dealer     the clear session
//   Share      its additive share              nothing        the value
//   Masked     Delta and its share of lambda   lambda         the value, no mask
//   Shown      M and its share of r            r              x + 2^(k-2), no mask
//   Bits       delta and its share of mu       mu             the bits, no mask
//   Public     the value                       nothing        the value
#pragma once

#include <memory>
#include <vector>

#include "mpc/ring/bit_tensor.h"
#include "mpc/ring/fixed_point.h"
#include "mpc/ring/ring_tensor.h"

namespace tacit::mpc {

class Inside;  // gives protocols access to the contents

template <typename Content>
// Null at a rank without contents; shared, since values are handles.
using Held = std::shared_ptr<const Content>;

class Value {
 public:
  Shape shape() const { return shape_; }
  Format format() const { return format_; }
  int ring_bits() const { return format_.ring_bits; }
  int fraction_bits() const { return format_.fraction_bits; }

 protected:
  Value() = default;
  ~Value() = default;
  Value(const Value&) = default;
  Value& operator=(const Value&) = default;

  Shape shape_;
  Format format_;

 private:
  friend class Inside;
};

// [x]: additive shares. Their sum is x mod 2^k.
class Share : public Value {
 public:
  Share() = default;

 private:
  friend class Inside;
  Held<RingTensor> words_;
};

// <x>, a masked sharing: Delta = x + lambda is public. A Masked takes part in any number of products.
class Masked : public Value {
 public:
  Masked() = default;
  Masked transposed() const {
    Masked turned = *this;
    turned.shape_ = shape_.transposed();
    turned.transposed_ = !transposed_;
    return turned;
  }
  // The masked form of the rows begin … end - 1, without another opening: the same words, and the same mask. The dealer takes
  // the mask of the same rows, so every rank must name the same rows.
  Masked rows(std::int64_t begin, std::int64_t end) const {
    TACIT_CHECK(!transposed_ && begin >= 0 && begin <= end && end <= shape_.rows);
    Masked some = *this;
    some.first_row_ += begin;
    some.shape_.rows = end - begin;
    return some;
  }

 private:
  friend class Inside;
  Held<RingTensor> public_;
  Held<RingTensor> mask_;       // in the value's ring or a wider one
  std::int64_t first_row_ = 0;  // the value's first row in these tensors, before a transposition
  bool transposed_ = false;
};

// A masked opening: M = x + 2^(k-2) + r is public, and gives the masked form, the lift (ring
// extension), the sign and the selection.
class Shown : public Value {
 public:
  Shown() = default;

 private:
  friend class Inside;
  Held<RingTensor> public_;
  Held<RingTensor> mask_;  // 64 bits an element
};

// <b>2, masked bits: delta = b ^ mu is public, 64 bits to the word.
class Bits {
 public:
  Bits() = default;
  Shape shape() const { return shape_; }

 private:
  friend class Inside;
  struct Widened;  // mu as additive shares, dealt at the first selection and reused by later ones
  Shape shape_;
  Held<BitTensor> public_;
  Held<BitTensor> mask_;
  std::shared_ptr<Widened> widened_;
};

// A revealed value. It is opaque: a program reads it in Session::decide and when it writes its
// output.
class Public {
 public:
  Public() = default;
  Shape shape() const { return shape_; }

 private:
  friend class Inside;
  Shape shape_;
  std::shared_ptr<const Matrix> value_;  // null at ranks that are not recipients
};

// Reads revealed values. Session::output and decide() pass one to the program.
class PublicReader {
 public:
  bool seen(const Public& value) const;  // false at a rank that is not a recipient
  const Matrix& operator()(const Public& value) const;

 private:
  friend class Inside;
  PublicReader() = default;
};

}  // namespace tacit::mpc
