// BitTensor is a matrix of bits, 64 to the word: element i is bit i mod 64 of word i / 64, in
// row-major order.
//
// The bits after the last element are always zero. Every writer must keep them so.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "mpc/ring/ring.h"
#include "mpc/ring/uninitialised.h"

namespace tacit::mpc {

class BitTensor {
 public:
  BitTensor() = default;
  explicit BitTensor(Shape shape)  // not initialised
      : shape_(shape), words_(static_cast<std::size_t>(words_for(shape.size()))) {}
  static BitTensor zeros(Shape shape) {
    BitTensor tensor(shape);
    std::fill(tensor.words_.begin(), tensor.words_.end(), 0);
    return tensor;
  }
  // So many tensors of one shape, none initialised.
  static std::vector<BitTensor> several(Shape shape, std::int64_t count) {
    std::vector<BitTensor> tensors;
    tensors.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) tensors.emplace_back(shape);
    return tensors;
  }

  static constexpr std::int64_t words_for(std::int64_t bits) { return (bits + kWordBits - 1) / kWordBits; }

  Shape shape() const { return shape_; }
  std::int64_t size() const { return shape_.size(); }
  std::span<std::uint64_t> words() { return words_; }
  std::span<const std::uint64_t> words() const { return words_; }
  bool at(std::int64_t i) const {
    return ((words_[static_cast<std::size_t>(i / kWordBits)] >> (i % kWordBits)) & 1) != 0;
  }

  // The bits of the last word that hold elements.
  std::uint64_t last_word_mask() const {
    const auto rest = static_cast<int>(size() % kWordBits);
    return rest == 0 ? low_bits(kWordBits) : low_bits(rest);
  }
  void clear_padding() {
    if (!words_.empty()) words_.back() &= last_word_mask();
  }

 private:
  Shape shape_;
  UninitialisedVector<std::uint64_t> words_;
};

}  // namespace tacit::mpc
