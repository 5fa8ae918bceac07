#include "mpc/kernels/matmul.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/mpc/kernels/tensors.h"

namespace tacit::mpc {
namespace {

struct Sizes {
  std::int64_t rows, depth, cols;
};

// Empty, single, below and above the edge of every tile, long and thin in both directions.
const std::vector<Sizes> kSizes = {{0, 0, 0},     {0, 3, 5},     {3, 0, 5},    {3, 5, 0},    {1, 1, 1},    {1, 7, 1},
                                   {5, 1, 7},     {2, 2, 2},     {3, 4, 5},    {6, 9, 8},    {7, 8, 9},    {11, 3, 15},
                                   {12, 16, 16},  {13, 17, 17},  {24, 33, 31}, {25, 64, 33}, {1, 65, 9},   {1, 3, 100},
                                   {9, 65, 1},    {100, 3, 1},   {1, 1, 40},   {40, 1, 1},   {61, 2, 3},   {2, 61, 70},
                                   {16, 7, 2},    {300, 5, 2},   {2, 300, 16}, {17, 321, 3}, {3, 700, 19}, {16, 640, 7},
                                   {40, 700, 50}, {70, 19, 300}, {12, 33, 35}, {24, 260, 41}};

struct Operands {
  Operands(Sizes sizes, int bits, bool largest)
      : a(largest ? largest_tensor({sizes.rows, sizes.depth}, bits)
                  : random_tensor({sizes.rows, sizes.depth}, bits, 1)),
        b(largest ? largest_tensor({sizes.depth, sizes.cols}, bits)
                  : random_tensor({sizes.depth, sizes.cols}, bits, 2)),
        a_transposed(transposed_copy(a)),
        b_transposed(transposed_copy(b)) {}

  RingView a_view(bool transposed) const { return transposed ? a_transposed.view().transposed() : a.view(); }
  RingView b_view(bool transposed) const { return transposed ? b_transposed.view().transposed() : b.view(); }

  RingTensor a, b, a_transposed, b_transposed;
};

void expect_product(RingView a, RingView b, Into into, int bits, Workers& workers, Instructions instructions) {
  const RingTensor before = random_tensor({a.shape.rows, b.shape.cols}, bits, 3);
  RingTensor out = before;
  matmul(a, b, into, out, workers, instructions);
  ASSERT_EQ(words_of(out), words_of(product_by_definition(a, b, into, before)))
      << text(a.shape) << " times " << text(b.shape) << " in " << bits << " bits, strides " << a.row_stride << ", "
      << a.col_stride << " and " << b.row_stride << ", " << b.col_stride << ", into " << static_cast<int>(into);
}

class MatmulOn : public testing::TestWithParam<Instructions> {
 protected:
  Workers workers_;
};

TEST_P(MatmulOn, EqualsItsDefinitionForAllShapesRingsAndTranspositions) {
  for (const Sizes& sizes : kSizes) {
    for (const int bits : kRings) {
      const Operands operands(sizes, bits, false);
      RingTensor out({sizes.rows, sizes.cols}, bits);
      const RingTensor expected = product_by_definition(operands.a.view(), operands.b.view(), Into::kSet, out);
      for (const bool a_transposed : {false, true}) {
        for (const bool b_transposed : {false, true}) {
          std::ranges::fill(out.words(), low_bits(bits));
          matmul(operands.a_view(a_transposed), operands.b_view(b_transposed), Into::kSet, out, workers_, GetParam());
          ASSERT_EQ(words_of(out), words_of(expected))
              << text(operands.a.shape()) << (a_transposed ? ", transposed," : "") << " times "
              << text(operands.b.shape()) << (b_transposed ? ", transposed," : "") << " in " << bits << " bits";
        }
      }
    }
  }
}

TEST_P(MatmulOn, AddsToAndSubtractsFromWhatIsThere) {
  for (const Sizes& sizes : kSizes) {
    for (const int bits : {1, 52, 64}) {
      const Operands operands(sizes, bits, false);
      for (const Into into : {Into::kAdd, Into::kSubtract}) {
        for (const bool transposed : {false, true}) {
          expect_product(operands.a_view(transposed), operands.b_view(false), into, bits, workers_, GetParam());
        }
      }
    }
  }
}

TEST_P(MatmulOn, IsExactForTheLargestWordsAndLongSums) {
  for (const Sizes& sizes : {Sizes{3, 5000, 2}, Sizes{1, 5000, 1}, Sizes{13, 900, 17}}) {
    for (const int bits : kRings) {
      const Operands operands(sizes, bits, true);
      expect_product(operands.a_view(false), operands.b_view(true), Into::kSet, bits, workers_, GetParam());
      expect_product(operands.a_view(true), operands.b_view(false), Into::kAdd, bits, workers_, GetParam());
    }
  }
}

TEST_P(MatmulOn, TakesOperandsOfWiderRingsAndReducesTheResult) {
  for (const Sizes& sizes : {Sizes{7, 33, 9}, Sizes{30, 1, 30}, Sizes{1, 40, 20}, Sizes{20, 40, 1}}) {
    const Operands operands(sizes, kWordBits, false);
    for (const int bits : kRings) {
      expect_product(operands.a_view(false), operands.b_view(false), Into::kSet, bits, workers_, GetParam());
      expect_product(operands.a_view(true), operands.b_view(true), Into::kSubtract, bits, workers_, GetParam());
    }
  }
}

// Large enough that rows, columns or the inner dimension are cut into tasks.
TEST_P(MatmulOn, IsTheSameOnAnyNumberOfThreads) {
  for (const Sizes& sizes : {Sizes{300, 40, 200}, Sizes{16, 300, 700}, Sizes{700, 300, 16}, Sizes{15, 9000, 17},
                             Sizes{2000, 200, 1}, Sizes{1, 200, 2000}}) {
    const Operands operands(sizes, kWordBits, false);
    for (const bool a_transposed : {false, true}) {
      const RingTensor before = random_tensor({sizes.rows, sizes.cols}, 52, 5);
      const RingTensor expected =
          product_by_definition(operands.a_view(a_transposed), operands.b_view(false), Into::kSubtract, before);
      for (const int threads : {1, 2, 3, 8}) {
        Workers workers(threads);
        RingTensor out = before;
        matmul(operands.a_view(a_transposed), operands.b_view(false), Into::kSubtract, out, workers, GetParam());
        ASSERT_EQ(words_of(out), words_of(expected)) << threads << " threads, depth " << sizes.depth;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Available, MatmulOn, testing::ValuesIn(available_instructions()),
                         [](const auto& which) { return std::string(name(which.param)); });

TEST(Matmul, TakesTheBestInstructionsByItself) {
  const Operands operands({20, 30, 40}, kWordBits, false);
  Workers workers;
  RingTensor out = RingTensor::zeros({20, 40}, 40);
  matmul(operands.a.view(), operands.b.view(), Into::kSet, out, workers);
  EXPECT_EQ(words_of(out), words_of(product_by_definition(operands.a.view(), operands.b.view(), Into::kSet,
                                                          RingTensor({20, 40}, 40))));
}

TEST(Matmul, RefusesShapesThatDoNotAgree) {
  Workers workers;
  const RingTensor a = RingTensor::zeros({2, 3}, 64), b = RingTensor::zeros({4, 5}, 64);
  RingTensor out = RingTensor::zeros({2, 5}, 64);
  EXPECT_THROW(matmul(a.view(), b.view(), Into::kSet, out, workers), BrokenInvariant);
  const RingTensor c = RingTensor::zeros({3, 4}, 64);
  EXPECT_THROW(matmul(a.view(), c.view(), Into::kSet, out, workers), BrokenInvariant);
}

}  // namespace
}  // namespace tacit::mpc
