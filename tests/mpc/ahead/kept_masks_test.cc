// Programs whose masks stay while their correlations are made ahead: the ciphertexts are kept over batches and decisions, the values are
// those of the clear session, and plan, statement and traffic agree (run_parties).
#include <gtest/gtest.h>

#include <mutex>

#include "mpc/protocols/decide.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/reveal.h"
#include "mpc/protocols/show.h"
#include "mpc/ring/public_matrix.h"
#include "mpc/session/local.h"
#include "mpc/session/plan_session.h"
#include "tests/mpc/operators.h"
#include "tests/mpc/run_program.h"

namespace tacit::mpc {
namespace {

constexpr CorrelationsFrom kSource = CorrelationsFrom::kAheadBySoftSpoken;
constexpr Format kWide{60, 6};

Matrix small_numbers(std::int64_t rows, std::int64_t cols, int seed) {
  Matrix values(rows, cols);
  for (Eigen::Index i = 0; i < values.size(); ++i) values.data()[i] = static_cast<double>((i * seed) % 13) - 6;
  return values;
}

Share numbers_of(Session& s, const Matrix& values) {
  return input(s, s.parties() - 1, shape_of(values), kWide, &values, "numbers");
}

// The masks of one matrix, of rows of it, and of its transposition, times new masks each time.
Function products_with_one_mask(int times, bool decides) {
  return [times, decides](Session& s) {
    const Matrix a_values = small_numbers(90, 120, 3);
    const Masked a = mask(s, numbers_of(s, a_values));
    Share sum = numbers_of(s, Matrix::Zero(70, 4));
    sum = scale(sum, 1, kWide.fraction_bits);
    for (int i = 1; i <= times; ++i) {
      const Matrix x_values = small_numbers(120, 4, i + 4), y_values = small_numbers(90, 4, i + 7);
      const std::vector<Share> both{numbers_of(s, x_values), numbers_of(s, y_values)};
      const std::vector<Masked> masked_both = mask(s, both);
      sum = sum + rows(matmul(s, a, masked_both[0]), 0, 70);
      sum = sum + rows(matmul(s, a.transposed(), masked_both[1]), 50, 120);
      sum = sum + matmul(s, a.rows(20, 90), masked_both[0]);
      sum = sum + rows(matmul(s, a.rows(0, 70).transposed(), masked_both[1].rows(20, 90)), 0, 70);
      if (!decides) continue;
      const Public seen = reveal(s, column_sums(sum), To::rank(0), "the sums so far");
      const bool stop = decide(
          s, [&](const PublicReader& read) { return read(seen)(0, 0) == 0.5 || i == times - 1; }, "whether to stop");
      if (stop) break;
    }
    return sum;
  };
}

TEST(KeptMasks, GiveTheValuesOfTheClearSessionAtThePlannedCost) {
  const Function program = products_with_one_mask(6, false);
  const Matrix expected = revealed_in_the_clear(program);
  for (const int parties : {2, 3}) EXPECT_EQ(revealed_by_parties(parties, program, {.from = kSource}), expected);
  EXPECT_EQ(revealed_by_parties(2, program, {.from = CorrelationsFrom::kAheadByFerret}), expected);
}

TEST(KeptMasks, StayOverDecisions) {
  const Function program = products_with_one_mask(5, true);
  const Matrix expected = revealed_in_the_clear(program);
  for (const int parties : {2, 3}) EXPECT_EQ(revealed_by_parties(parties, program, {.from = kSource}), expected);
}

// One mask in products of two widths has ciphertexts for each.
TEST(KeptMasks, ServeProductsOfTwoWidths) {
  const Function program = [](Session& s) {
    const Matrix a_values = small_numbers(80, 90, 3);
    const Masked a = mask(s, numbers_of(s, a_values));
    Share sum = narrow(scale(numbers_of(s, Matrix::Zero(80, 3)), 1, kWide.fraction_bits), 44);
    for (int i = 1; i <= 4; ++i) {
      const Matrix y_values = small_numbers(90, 3, i + 4);
      const Share y = numbers_of(s, y_values);
      const std::vector<Share> both{y, narrow(y, 44)};
      const std::vector<Masked> ys = mask(s, both);
      sum = sum + narrow(matmul(s, a, ys[0]), 44) + matmul(s, a, ys[1]);
    }
    return sum;
  };
  const Matrix expected = revealed_in_the_clear(program);
  for (const int parties : {2, 3}) EXPECT_EQ(revealed_by_parties(parties, program, {.from = kSource}), expected);
}

// Local functions of a mask: each makes a new mask at a party, and on a plan.
TEST(KeptMasks, OfLocalFunctionsAreKnownToThePlan) {
  const Function program = [](Session& s) {
    const Matrix column_values = small_numbers(80, 1, 5), wide_values = small_numbers(80, 90, 7);
    const Masked column = mask(s, numbers_of(s, column_values)), wide = mask(s, numbers_of(s, wide_values));
    const Masked repeated = repeat_cols(column, 90), same = reshaped(wide, {80, 90});
    const Masked turned = reshaped(wide, {90, 80}), both = beside(std::array{wide, repeated});
    const PublicMatrix units(Matrix::Ones(80, 90), 0, "units");
    Share sum = scale(numbers_of(s, Matrix::Zero(60, 3)), 1, kWide.fraction_bits);
    const Masked shown_form = masked(s, show(s, narrow(numbers_of(s, wide_values), 40)));
    for (int i = 1; i <= 4; ++i) {
      const Matrix y_values = small_numbers(180, 3, i);
      const Masked y = mask(s, numbers_of(s, y_values));
      const Masked each_time = product(units, wide, s.workers());
      for (const Masked& m : {repeated, wide, same, each_time}) {
        sum = sum + rows(matmul(s, m, y.rows(0, 90)), 0, 60);
      }
      sum = sum + rows(matmul(s, turned, y.rows(5, 85)), 0, 60);
      sum = sum + rows(matmul(s, both, y), 0, 60);
      sum = narrow(sum, 40);
      sum = sum + rows(matmul(s, shown_form, y.rows(0, 90)), 0, 60);
    }
    return sum;
  };
  const Matrix expected = revealed_in_the_clear(program);
  for (const int parties : {2, 3}) EXPECT_EQ(revealed_by_parties(parties, program, {.from = kSource}), expected);
}

// The bytes that a party sends in each of several equal steps.
std::vector<std::int64_t> bytes_of_steps(int parties, int steps) {
  PlanSession plan(parties, parties, 0, net::AllReducePlan({{0, net::AllReduce::kDirect}}), kSource);
  const Masked a = mask(plan, numbers_of(plan, small_numbers(300, 300, 3)));
  std::vector<std::int64_t> bytes;
  for (int i = 0; i < steps; ++i) {
    const Cost before = plan.stated();
    matmul(plan, a, mask(plan, numbers_of(plan, small_numbers(300, 2, 5))));
    bytes.push_back((plan.stated() - before).made_bytes);
  }
  return bytes;
}

TEST(KeptMasks, SendAnswersAloneFromTheThirdProductOn) {
  const std::vector<std::int64_t> bytes = bytes_of_steps(2, 5);
  EXPECT_GT(bytes[1], bytes[0]);
  EXPECT_LT(bytes[2], bytes[0] / 4);
  EXPECT_EQ(bytes[3], bytes[2]);
  EXPECT_EQ(bytes[4], bytes[2]);
}

}  // namespace
}  // namespace tacit::mpc
