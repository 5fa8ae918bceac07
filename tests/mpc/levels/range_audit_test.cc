#include "mpc/levels/range_audit.h"

#include <gtest/gtest.h>

#include "tests/mpc/run_program.h"

namespace tacit::mpc {
namespace {

class Audit : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Parties, Audit, testing::Values(1, 2, 3, 5));

// Whether the audit of these values against these bounds says that something is outside.
void expect_audit(int parties, const Matrix& first, double bound_of_first, const Matrix& second, double bound_of_second,
                  bool outside) {
  const auto program = [&](Session& s, int rank) {
    const std::vector<Share> both{s.input(0, shape_of(first), {51, 13}, &first, "first"),
                                  s.input(parties - 1, shape_of(second), {38, 2}, &second, "second")};
    RangeAudit audit(s);
    for (int epoch = 0; epoch < 2; ++epoch) {
      const std::vector<Shown> shown = s.show(both);
      audit.watch(shown[0], bound_of_first);
      audit.watch(shown[1], bound_of_second);
      const std::int64_t rounds = s.stated().rounds;
      const Public answer = audit.reveal_whether_any_was_outside("audit of ranges");
      EXPECT_LE(s.stated().rounds - rounds, 6);
      if (rank < parties) {
        EXPECT_EQ(value_of(answer)(0, 0), outside ? 1 : 0);
      }
    }
    ASSERT_EQ(s.reveals().size(), 1U);
    EXPECT_EQ(s.reveals()[0].elements, 2);
  };
  run_parties(parties, program);
  ClearSession clear(parties);
  program(clear, 0);
}

TEST_P(Audit, SaysWhetherAnythingIsOutsideItsRange) {
  Matrix first = Matrix::Random(7, 9) * 3, second = Matrix::Random(65, 1) * 100;
  first(3, 4) = 3;
  first(0, 0) = -3;
  expect_audit(GetParam(), first, 3, second, 100, false);
  expect_audit(GetParam(), first, 3 - 1.0 / 8192, second, 100, true);
  second(64, 0) = -100.25;
  expect_audit(GetParam(), first, 3, second, 100, true);
  second(64, 0) = 1e9;
  expect_audit(GetParam(), first, 3, second, 100, true);
}

TEST_P(Audit, OfNothingFindsNothing) { expect_audit(GetParam(), Matrix::Zero(0, 3), 3, Matrix::Zero(1, 1), 0, false); }

}  // namespace
}  // namespace tacit::mpc
