// BitTensor is a matrix of bits, 64 to the word: element i is bit i mod 64 of word i / 64, in
// row-major order.
//
// The bits after the last element are always zero. Every writer must keep them so. Tensors that `several` makes lie one after
// the other in one memory, so that they are drawn, received and sent as one; otherwise a tensor is a plain value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "mpc/ring/kept_memory.h"
#include "mpc/ring/ring.h"
#include "mpc/ring/word_memory.h"

namespace tacit::mpc {

class BitTensor {
 public:
  BitTensor() = default;
  explicit BitTensor(Shape shape) : BitTensor(shape, memory_for(words_for(shape.size())), 0) {}  // not initialised
  BitTensor(const BitTensor& other) : BitTensor(other.shape_) {
    std::copy(other.words_.begin(), other.words_.end(), words_.begin());
  }
  BitTensor(BitTensor&& other) noexcept
      : shape_(other.shape_), words_(std::exchange(other.words_, {})), memory_(std::move(other.memory_)) {}
  BitTensor& operator=(const BitTensor& other) { return *this = BitTensor(other); }
  BitTensor& operator=(BitTensor&& other) noexcept {
    shape_ = other.shape_;
    words_ = std::exchange(other.words_, {});
    memory_ = std::move(other.memory_);
    return *this;
  }
  ~BitTensor() = default;

  static BitTensor zeros(Shape shape) {
    BitTensor tensor(shape);
    std::fill(tensor.words_.begin(), tensor.words_.end(), 0);
    return tensor;
  }
  // `count` uninitialised tensors of one shape in one memory.
  static std::vector<BitTensor> several(Shape shape, std::int64_t count) {
    std::vector<BitTensor> tensors;
    tensors.reserve(static_cast<std::size_t>(count));
    const std::int64_t each = words_for(shape.size());
    const Memory memory = memory_for(each * count);
    for (std::int64_t i = 0; i < count; ++i) tensors.push_back(BitTensor(shape, memory, i * each));
    return tensors;
  }
  // The words of all tensors, if they follow each other in memory as `several` makes them; otherwise empty.
  static std::span<std::uint64_t> together(std::span<BitTensor> tensors) {
    if (tensors.empty()) return {};
    std::uint64_t* const begin = tensors.front().words_.data();
    std::uint64_t* end = begin;
    for (const BitTensor& tensor : tensors) {
      if (tensor.words_.data() != end) return {};
      end += tensor.words_.size();
    }
    return {begin, end};
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
  using Memory = std::shared_ptr<WordMemory>;
  static Memory memory_for(std::int64_t words) {
    return std::allocate_shared<WordMemory>(KeptAllocator<WordMemory>(), words);
  }
  BitTensor(Shape shape, const Memory& memory, std::int64_t begin)
      : shape_(shape),
        words_(memory->data() + begin, static_cast<std::size_t>(words_for(shape.size()))),
        memory_(memory) {}

  Shape shape_;
  std::span<std::uint64_t> words_;
  Memory memory_;  // perhaps of other tensors, too
};

}  // namespace tacit::mpc
