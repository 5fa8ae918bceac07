// RingTensor — a matrix over Z_2^k, one word an element, row after row; RingView — a look at one, transposed or not.
//
// Every word of a RingTensor is reduced mod 2^k, always: whatever writes to one sees to it. So nothing above bit k can
// leave under a k-bit mask, be shifted down, or be compared.
// Thread: as a plain value.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>

#include "mpc/ring/ring.h"

namespace tacit::mpc {

// Not aligned as Eigen would: how it allocates and frees then depends on the vectors, and the sanitizer, that a file is
// compiled for, and the programs that use this library need not be compiled as it is.
inline constexpr int kRowAfterRow = Eigen::RowMajor | Eigen::DontAlign;

// What a kernel reads. One of the strides is 1 (or the tensor is a single row or column). The memory must outlive it.
struct RingView {
  const std::uint64_t* words = nullptr;
  Shape shape;
  std::int64_t row_stride = 0;
  std::int64_t col_stride = 1;

  RingView transposed() const { return {words, shape.transposed(), col_stride, row_stride}; }
  std::uint64_t at(std::int64_t row, std::int64_t col) const { return words[row * row_stride + col * col_stride]; }
};

class RingTensor {
 public:
  RingTensor() = default;
  RingTensor(Shape shape, int bits) : words_(shape.rows, shape.cols), bits_(bits) {  // not initialised
    TACIT_CHECK(bits >= 1 && bits <= kWordBits);
  }
  static RingTensor zeros(Shape shape, int bits) {
    RingTensor tensor(shape, bits);
    tensor.words_.setZero();
    return tensor;
  }

  Shape shape() const { return {words_.rows(), words_.cols()}; }
  std::int64_t size() const { return words_.size(); }
  int bits() const { return bits_; }

  std::uint64_t* data() { return words_.data(); }
  const std::uint64_t* data() const { return words_.data(); }
  std::span<std::uint64_t> words() { return {words_.data(), static_cast<std::size_t>(words_.size())}; }
  std::span<const std::uint64_t> words() const { return {words_.data(), static_cast<std::size_t>(words_.size())}; }
  RingView view() const { return {words_.data(), shape(), words_.cols(), 1}; }

 private:
  Eigen::Matrix<std::uint64_t, Eigen::Dynamic, Eigen::Dynamic, kRowAfterRow> words_;
  int bits_ = kWordBits;
};

}  // namespace tacit::mpc
