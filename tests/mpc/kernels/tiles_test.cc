// All tiles that this machine runs, whether or not matmul chooses them here.
#include "mpc/kernels/tiles.h"

#include <gtest/gtest.h>

#include "mpc/kernels/matmul_block.h"
#include "tests/mpc/kernels/tensors.h"

namespace tacit::mpc {
namespace {

class TilesOf : public testing::TestWithParam<const Tiles*> {
 protected:
  // A guard word after each row of the result must not change.
  void expect_product(const RingTensor& a, const RingTensor& b, Into into, int bits) {
    const Shape shape = {a.shape().rows, b.shape().cols};
    const RingTensor before = random_tensor(shape, bits, 3);
    std::vector<std::uint64_t> out(static_cast<std::size_t>(shape.rows * (shape.cols + 1)), 99);
    for (std::int64_t i = 0; i < shape.size(); ++i) {
      out[static_cast<std::size_t>(i / shape.cols * (shape.cols + 1) + i % shape.cols)] = before.data()[i];
    }
    multiply_block(*GetParam(), a.view(), b.view(), into, low_bits(bits), out.data(), shape.cols + 1);
    const RingTensor expected = product_by_definition(a.view(), b.view(), into, before);
    for (std::int64_t row = 0; row < shape.rows; ++row) {
      for (std::int64_t col = 0; col <= shape.cols; ++col) {
        const std::uint64_t word = col < shape.cols ? expected.view().at(row, col) : 99;
        ASSERT_EQ(out[static_cast<std::size_t>(row * (shape.cols + 1) + col)], word)
            << "row " << row << ", column " << col << " of " << text(shape) << " in " << bits << " bits";
      }
    }
  }
};

TEST_P(TilesOf, EveryNumberOfRowsAndColumnsIsExactAndStaysWithinItself) {
  const Tiles& tiles = *GetParam();
  for (std::int64_t rows = 1; rows <= tiles.rows + 1; ++rows) {
    for (std::int64_t cols = 1; cols <= tiles.cols + 1; ++cols) {
      const RingTensor a = random_tensor({rows, 5}, kWordBits, 1), b = random_tensor({5, cols}, kWordBits, 2);
      for (const Into into : {Into::kSet, Into::kAdd, Into::kSubtract})
        expect_product(a, b, into, GetParam()->widest_ring);
    }
  }
}

TEST_P(TilesOf, TheLargestWordsAreExactInEveryRing) {
  for (const int bits : kRings) {
    if (bits > GetParam()->widest_ring) continue;
    expect_product(largest_tensor({7, 2000}, kWordBits), largest_tensor({2000, 9}, kWordBits), Into::kSet, bits);
  }
}

INSTANTIATE_TEST_SUITE_P(Available, TilesOf, testing::ValuesIn(available_tiles()), [](const auto& which) {
  return std::string(which.param->name) + "_" + std::to_string(which.param->widest_ring);
});

}  // namespace
}  // namespace tacit::mpc
