#include "mpc/kernels/row_moves.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "tests/mpc/kernels/tensors.h"

namespace tacit::mpc {
namespace {

std::vector<std::int32_t> shuffled(std::int64_t count, unsigned seed) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  return order;
}

class RowMoves : public testing::TestWithParam<int> {
 protected:
  Workers workers_{GetParam()};
  const std::vector<Shape> shapes_ = {{0, 3}, {1, 1}, {5, 0}, {7, 3}, {40000, 1}, {3001, 17}};
};

TEST_P(RowMoves, AddRowsInAnotherOrder) {
  for (const Shape shape : shapes_) {
    const std::int64_t given = shape.rows - shape.rows / 3;
    const RingTensor a = random_tensor({given, shape.cols}, 64, 1), b = random_tensor(shape, 64, 2);
    const std::vector<std::int32_t> from = shuffled(shape.rows, 3);
    RingTensor out(shape, 51), expected(shape, 51);
    for (std::int64_t row = 0; row < shape.rows; ++row) {
      for (std::int64_t col = 0; col < shape.cols; ++col) {
        const std::uint64_t own = row < given ? a.data()[row * shape.cols + col] : 0;
        expected.data()[row * shape.cols + col] =
            (own + b.data()[from[static_cast<std::size_t>(row)] * shape.cols + col]) & low_bits(51);
      }
    }
    add_rows(a, b, from, out, workers_);
    EXPECT_EQ(words_of(out), words_of(expected));
  }
}

TEST_P(RowMoves, PlaceRowsAndLeaveOthersOut) {
  for (const Shape shape : shapes_) {
    const RingTensor a = random_tensor(shape, 40, 4);
    const std::vector<std::int32_t> to = shuffled(shape.rows, 5);
    RingTensor out({shape.rows / 2, shape.cols}, 40);
    place_rows(a, to, out, workers_);
    for (std::int64_t row = 0; row < shape.rows; ++row) {
      const std::int64_t place = to[static_cast<std::size_t>(row)];
      for (std::int64_t col = 0; col < shape.cols && place < out.shape().rows; ++col) {
        ASSERT_EQ(out.data()[place * shape.cols + col], a.data()[row * shape.cols + col]);
      }
    }
  }
}

TEST_P(RowMoves, PlaceTheRowsOfAViewInANarrowerRing) {
  for (const Shape shape : shapes_) {
    const RingTensor a = random_tensor({shape.rows, 2 * shape.cols}, 64, 4);
    const RingView right{a.data() + shape.cols, shape, 2 * shape.cols, 1};
    const std::vector<std::int32_t> to = shuffled(shape.rows, 5);
    RingTensor out({shape.rows / 2, shape.cols}, 40);
    place_rows(right, to, out, workers_);
    for (std::int64_t row = 0; row < shape.rows; ++row) {
      const std::int64_t place = to[static_cast<std::size_t>(row)];
      for (std::int64_t col = 0; col < shape.cols && place < out.shape().rows; ++col) {
        ASSERT_EQ(out.data()[place * shape.cols + col], right.at(row, col) & low_bits(40));
      }
    }
  }
}

TEST_P(RowMoves, SumUpAndTakeDifferences) {
  for (const Shape shape : shapes_) {
    const RingTensor a = random_tensor(shape, 38, 6);
    RingTensor sums(shape, 38), expected(shape, 38);
    std::copy_n(a.data(), a.size(), sums.data());
    for (std::int64_t i = 0; i < a.size(); ++i) {
      const std::uint64_t before = i < shape.cols ? 0 : expected.data()[i - shape.cols];
      expected.data()[i] = (before + a.data()[i]) & low_bits(38);
    }
    sum_up(sums, workers_);
    EXPECT_EQ(words_of(sums), words_of(expected));
    take_differences(sums, workers_);
    EXPECT_EQ(words_of(sums), words_of(a));
  }
}

TEST_P(RowMoves, ScaleRows) {
  for (const Shape shape : shapes_) {
    const RingTensor a = random_tensor(shape, 64, 7), by = random_tensor({shape.rows, 1}, 64, 8);
    RingTensor out(shape, 33);
    scale_rows(a, by.view(), out, workers_);
    for (std::int64_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(out.data()[i], (a.data()[i] * by.data()[i / shape.cols]) & low_bits(33));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, RowMoves, testing::Values(1, 2, 3));

}  // namespace
}  // namespace tacit::mpc
