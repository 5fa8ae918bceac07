// Inside gives mpc/'s own files access to the contents of values. A program must not use it.
#pragma once

#include <algorithm>
#include <utility>

#include "mpc/correlations/correlations.h"
#include "mpc/ring/kept_memory.h"
#include "mpc/session/saved_share.h"
#include "mpc/session/values.h"

namespace tacit::mpc {

// mu of a Bits as additive shares, in the widest ring requested so far.
struct Bits::Widened {
  int ring_bits = 0;  // 0: not yet dealt; equal at every rank
  Held<RingTensor> mask;

  bool serves(int bits) const { return ring_bits >= bits; }
  void widen(int bits) { ring_bits = std::max(ring_bits, bits); }
};

class Inside {
 public:
  static Share share(Shape shape, Format format, RingTensor words) {
    TACIT_CHECK(words.shape() == shape && words.bits() == format.ring_bits);
    Share made = nothing(shape, format);
    made.words_ = held(std::move(words));
    return made;
  }
  static Share nothing(Shape shape, Format format) {  // the share of a rank without contents: the dealer
    Share made;
    set(made, shape, format);
    return made;
  }
  static Held<RingTensor> held(RingTensor words) {
    return std::allocate_shared<const RingTensor>(KeptAllocator<RingTensor>(), std::move(words));
  }
  static bool held(const Share& share) { return share.words_ != nullptr; }
  static const RingTensor& words(const Share& share) { return *share.words_; }
  static const Held<RingTensor>& held_words(const Share& share) { return share.words_; }

  static SavedShare saved(const Share& share);  // empty at the dealer
  static RingTensor words(const SavedShare& saved);

  static Masked masked(Shape shape, Format format, Held<RingTensor> revealed, Held<RingTensor> mask) {
    Masked made;
    set(made, shape, format);
    made.public_ = std::move(revealed);
    made.mask_ = std::move(mask);
    return made;
  }
  static Masked masked(Shape shape, Format format, RingTensor revealed, RingTensor mask) {
    return masked(shape, format, held(std::move(revealed)), held(std::move(mask)));
  }
  // Views in the program's orientation, transposed or not.
  static RingView revealed(const Masked& m) { return turned(*m.public_, m); }
  static RingView mask(const Masked& m) { return turned(*m.mask_, m); }
  static bool transposed(const Masked& m) { return m.transposed_; }
  // The tensors that hold the rows of a masked value, and perhaps other rows.
  static const Held<RingTensor>& owner_of_public(const Masked& m) { return m.public_; }
  static const Held<RingTensor>& owner_of_mask(const Masked& m) { return m.mask_; }
  static RowsOfOwner rows_of_owner(const Masked& m) { return {m.first_row_, m.transposed_}; }
  // Without a transposition; a copy of the rows if the value is some rows of a larger one. Null at a rank without contents. Of a
  // plan's mask, which has no words, the mask itself.
  static Held<RingTensor> held_public(const Masked& m) { return its_rows(m.public_, m); }
  static Held<RingTensor> held_mask(const Masked& m) { return its_rows(m.mask_, m); }

  static Shown shown(Shape shape, Format format, Held<RingTensor> revealed, Held<RingTensor> mask) {
    Shown made;
    set(made, shape, format);
    made.public_ = std::move(revealed);
    made.mask_ = std::move(mask);
    return made;
  }
  static const Held<RingTensor>& held_public(const Shown& s) { return s.public_; }
  static const Held<RingTensor>& held_mask(const Shown& s) { return s.mask_; }
  static const RingTensor& revealed(const Shown& s) { return *s.public_; }
  static const RingTensor& mask(const Shown& s) { return *s.mask_; }

  static Bits bits(Shape shape, Held<BitTensor> revealed, Held<BitTensor> mask) {
    Bits made;
    made.shape_ = shape;
    made.public_ = std::move(revealed);
    made.mask_ = std::move(mask);
    made.widened_ = std::make_shared<Bits::Widened>();
    return made;
  }
  static const BitTensor& revealed(const Bits& b) { return *b.public_; }
  static const BitTensor& mask(const Bits& b) { return *b.mask_; }
  static auto& widened(const Bits& b) { return *b.widened_; }

  static Public revealed(Shape shape, Matrix value) {
    Public made = unseen(shape);
    made.value_ = std::make_shared<const Matrix>(std::move(value));
    return made;
  }
  static Public unseen(Shape shape) {
    Public made;
    made.shape_ = shape;
    return made;
  }
  static bool seen(const Public& p) { return p.value_ != nullptr; }
  static const Matrix& value(const Public& p) {
    TACIT_CHECK(seen(p));
    return *p.value_;
  }

  // A mask of a plan: a tensor without words, by which equal masks are known. A new mask has a new one.
  static Held<RingTensor> identity() { return std::make_shared<const RingTensor>(); }
  static bool is_identity(const RingTensor& mask, Shape of) { return mask.shape() == Shape() && of != Shape(); }

  static PublicReader reader() { return {}; }

 private:
  static void set(Value& value, Shape shape, Format format) {
    value.shape_ = shape;
    value.format_ = format;
  }
  static RingView rows_in(const RingTensor& tensor, const Masked& m) {
    RingView view = tensor.view();
    view.words += m.first_row_ * view.row_stride;
    view.shape.rows = m.transposed_ ? m.shape_.cols : m.shape_.rows;
    return view;
  }
  static RingView turned(const RingTensor& tensor, const Masked& m) {
    const RingView view = rows_in(tensor, m);
    return m.transposed_ ? view.transposed() : view;
  }
  static Held<RingTensor> its_rows(const Held<RingTensor>& tensor, const Masked& m) {
    if (tensor == nullptr || is_identity(*tensor, m.shape())) return tensor;
    const RingView view = rows_in(*tensor, m);
    if (view.shape == tensor->shape()) return tensor;
    RingTensor some(view.shape, tensor->bits());
    std::copy_n(view.words, some.size(), some.data());
    return std::make_shared<const RingTensor>(std::move(some));
  }
};

}  // namespace tacit::mpc
