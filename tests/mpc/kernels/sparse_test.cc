#include "mpc/kernels/sparse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "tests/mpc/kernels/tensors.h"

namespace tacit::mpc {
namespace {

using testing::HasSubstr;

// Each entry is present with probability `density`; row 1 and column 2 are empty.
SparseMatrix random_sparse(Shape shape, double density, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::bernoulli_distribution there(density);
  SparseMatrix m;
  m.shape = shape;
  m.fraction_bits = 13;
  m.row_begin.push_back(0);
  for (std::int64_t r = 0; r < shape.rows; ++r) {
    for (std::int64_t c = 0; c < shape.cols; ++c) {
      if (r == 1 || c == 2 || !there(random)) continue;
      m.cols.push_back(static_cast<std::int32_t>(c));
      m.values.push_back(random());  // with signs
    }
    m.row_begin.push_back(m.entries());
  }
  return m;
}

RingTensor dense(const SparseMatrix& m) {
  RingTensor tensor = RingTensor::zeros(m.shape, kWordBits);
  for (std::int64_t r = 0; r < m.shape.rows; ++r) {
    const auto row = static_cast<std::size_t>(r);
    for (auto e = static_cast<std::size_t>(m.row_begin[row]); e < static_cast<std::size_t>(m.row_begin[row + 1]); ++e) {
      tensor.data()[r * m.shape.cols + m.cols[e]] = m.values[e];
    }
  }
  return tensor;
}

class SparseOn : public testing::TestWithParam<int> {
 protected:
  Workers workers_{GetParam()};
};

TEST_P(SparseOn, TimesDenseEqualsDenseTimesDense) {
  for (const Shape shape : {Shape{0, 0}, Shape{0, 4}, Shape{4, 0}, Shape{1, 1}, Shape{3, 50}, Shape{200, 61}}) {
    const SparseMatrix m = random_sparse(shape, 0.3, 1);
    check(m);
    for (const std::int64_t cols : {0, 1, 7, 8, 16, 17, 41, 100}) {
      for (const int bits : kRings) {
        const RingTensor x = random_tensor({shape.cols, cols}, bits == 31 ? kWordBits : bits, 2);
        RingTensor out = random_tensor({shape.rows, cols}, bits, 3);
        matmul(m, x, out, workers_);
        const RingTensor all = dense(m);
        ASSERT_EQ(words_of(out), words_of(product_by_definition(all.view(), x.view(), Into::kSet, out)))
            << text(shape) << " times " << cols << " columns in " << bits << " bits";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, SparseOn, testing::Values(1, 3));

TEST(Sparse, TransposedIsWellFormedAndTheSameMatrixTurned) {
  for (const Shape shape : {Shape{0, 0}, Shape{0, 4}, Shape{4, 0}, Shape{3, 50}, Shape{70, 61}}) {
    const SparseMatrix m = random_sparse(shape, 0.2, 4);
    const SparseMatrix t = m.transposed();
    check(t);
    EXPECT_EQ(t.shape, shape.transposed());
    EXPECT_EQ(t.fraction_bits, m.fraction_bits);
    EXPECT_EQ(words_of(dense(t)), words_of(transposed_copy(dense(m))));
    const SparseMatrix back = t.transposed();
    EXPECT_EQ(back.row_begin, m.row_begin);
    EXPECT_EQ(back.cols, m.cols);
    EXPECT_EQ(back.values, m.values);
  }
}

// 3 × 4 with the entries (0, 1), (0, 3), (2, 0), (2, 2).
SparseMatrix well_formed() { return {{3, 4}, {0, 2, 2, 4}, {1, 3, 0, 2}, {1, 2, 3, 4}, 0}; }

struct Flaw {
  const char* name;
  std::function<void(SparseMatrix&)> make;
  const char* sentence;
};

class SparseCheck : public testing::TestWithParam<Flaw> {};

TEST_P(SparseCheck, NamesWhatIsWrongAndWhere) {
  SparseMatrix m = well_formed();
  check(m);
  GetParam().make(m);
  try {
    check(m);
    FAIL() << "expected a ConfigError";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().sentence));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Flaws, SparseCheck,
    testing::Values(
        Flaw{"NegativeShape", [](SparseMatrix& m) { m.shape.cols = -1; }, "3 x -1"},
        Flaw{"TooFewRows", [](SparseMatrix& m) { m.row_begin.pop_back(); }, "has 3 row limits; expected one more"},
        Flaw{"FirstRow", [](SparseMatrix& m) { m.row_begin[0] = 1; }, "row 0 begins at entry 1"},
        Flaw{"RowsThatFall", [](SparseMatrix& m) { m.row_begin[1] = 3; }, "row 1 ends at entry 2, before its begin, 3"},
        Flaw{"RowBeyondTheEnd", [](SparseMatrix& m) { m.row_begin[1] = 9; }, "row 0 ends at entry 9, but there are 4"},
        Flaw{"EntriesBehindTheRows", [](SparseMatrix& m) { m.row_begin[3] = 3; },
             "row 2 ends at entry 3, but there are 4"},
        Flaw{"ValueMissing", [](SparseMatrix& m) { m.values.pop_back(); }, "4 columns but 3 values"},
        Flaw{"ColumnNegative", [](SparseMatrix& m) { m.cols[0] = -1; },
             "row 0, entry 0 is in column -1; expected 0 to 3"},
        Flaw{"ColumnTooLarge", [](SparseMatrix& m) { m.cols[3] = 4; },
             "row 2, entry 3 is in column 4; expected 0 to 3"},
        Flaw{"ColumnsThatFall", [](SparseMatrix& m) { m.cols[3] = 0; },
             "row 2, entry 3 is in column 0 after column 0"}),
    [](const auto& which) { return std::string(which.param.name); });

TEST(Sparse, RefusesShapesThatDoNotAgree) {
  Workers workers;
  RingTensor out = RingTensor::zeros({3, 2}, 64), other = RingTensor::zeros({4, 2}, 64);
  EXPECT_THROW(matmul(well_formed(), RingTensor::zeros({3, 2}, 64), out, workers), BrokenInvariant);
  EXPECT_THROW(matmul(well_formed(), RingTensor::zeros({4, 2}, 64), other, workers), BrokenInvariant);
  EXPECT_THROW(matmul(well_formed(), RingTensor::zeros({4, 2}, 63), out, workers), BrokenInvariant);
}

}  // namespace
}  // namespace tacit::mpc
