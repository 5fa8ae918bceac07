#include "tests/mpc/kernels/tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace tacit::mpc {

RingTensor random_tensor(Shape shape, int bits, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  RingTensor tensor(shape, bits);
  for (std::uint64_t& word : tensor.words()) word = random() & low_bits(bits);
  return tensor;
}

RingTensor largest_tensor(Shape shape, int bits) {
  RingTensor tensor(shape, bits);
  std::ranges::fill(tensor.words(), low_bits(bits));
  return tensor;
}

RingTensor transposed_copy(const RingTensor& tensor) {
  RingTensor copy(tensor.shape().transposed(), tensor.bits());
  for (std::int64_t r = 0; r < copy.shape().rows; ++r) {
    for (std::int64_t c = 0; c < copy.shape().cols; ++c) {
      copy.data()[r * copy.shape().cols + c] = tensor.view().at(c, r);
    }
  }
  return copy;
}

BitTensor random_bits(Shape shape, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  BitTensor bits(shape);
  for (std::uint64_t& word : bits.words()) word = random();
  bits.clear_padding();
  return bits;
}

RingTensor product_by_definition(RingView a, RingView b, Into into, const RingTensor& out) {
  RingTensor result(out.shape(), out.bits());
  for (std::int64_t r = 0; r < a.shape.rows; ++r) {
    for (std::int64_t c = 0; c < b.shape.cols; ++c) {
      std::uint64_t sum = 0;
      for (std::int64_t k = 0; k < a.shape.cols; ++k) sum += a.at(r, k) * b.at(k, c);
      const std::uint64_t before = out.view().at(r, c);
      if (into == Into::kAdd) sum = before + sum;
      if (into == Into::kSubtract) sum = before - sum;
      result.data()[r * out.shape().cols + c] = sum & low_bits(out.bits());
    }
  }
  return result;
}

std::vector<std::uint64_t> words_of(const RingTensor& tensor) { return {tensor.words().begin(), tensor.words().end()}; }

std::string text(Shape shape) { return fmt::format("{} × {}", shape.rows, shape.cols); }

}  // namespace tacit::mpc
