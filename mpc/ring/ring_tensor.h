// RingTensor is a matrix over Z_2^k, one word an element, in row-major order. RingView refers to a
// tensor, transposed or not.
//
// Every word of a RingTensor is always reduced mod 2^k. Every writer must keep it so. Therefore no
// bit above k can leave under a k-bit mask, be shifted down, or influence a comparison. Thread: as
// a plain value.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <span>

#include "mpc/ring/ring.h"
#include "mpc/ring/word_memory.h"

namespace tacit::mpc {

// DontAlign, because Eigen's aligned allocation depends on the vector instructions and the
// sanitizer for which a file is compiled. Programs with other compiler options can then use this
// library.
inline constexpr int kRowAfterRow = Eigen::RowMajor | Eigen::DontAlign;

// The argument of a kernel. One of the strides is 1, or the tensor is a single row or column. The
// memory must outlive the view.
struct RingView {
  const std::uint64_t* words = nullptr;
  Shape shape;
  std::int64_t row_stride = 0;
  std::int64_t col_stride = 1;

  RingView transposed() const { return {words, shape.transposed(), col_stride, row_stride}; }
  std::uint64_t at(std::int64_t row, std::int64_t col) const { return words[row * row_stride + col * col_stride]; }
  // The words lie side by side, row after row.
  bool row_major() const {
    return (row_stride == shape.cols || shape.rows <= 1) && (col_stride == 1 || shape.cols <= 1);
  }
};

class RingTensor {
 public:
  RingTensor() = default;
  RingTensor(Shape shape, int bits) : shape_(shape), words_(shape.size()), bits_(bits) {  // not initialised
    TACIT_CHECK(bits >= 1 && bits <= kWordBits);
  }
  static RingTensor zeros(Shape shape, int bits) {
    RingTensor tensor(shape, bits);
    std::fill_n(tensor.words_.data(), tensor.size(), 0);
    return tensor;
  }

  Shape shape() const { return shape_; }
  std::int64_t size() const { return words_.size(); }
  int bits() const { return bits_; }

  std::uint64_t* data() { return words_.data(); }
  const std::uint64_t* data() const { return words_.data(); }
  std::span<std::uint64_t> words() { return {words_.data(), static_cast<std::size_t>(words_.size())}; }
  std::span<const std::uint64_t> words() const { return {words_.data(), static_cast<std::size_t>(words_.size())}; }
  RingView view() const { return {words_.data(), shape(), shape_.cols, 1}; }

 private:
  Shape shape_;
  WordMemory words_;
  int bits_ = kWordBits;
};

}  // namespace tacit::mpc
