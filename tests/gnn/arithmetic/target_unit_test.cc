// Several targets in the unit of the largest one: a target with too small a unit beside it counts as zero.
#include "gnn/arithmetic/target_unit.h"

#include <gmock/gmock.h>

#include <cmath>

#include "gnn/arithmetic/sharing.h"
#include "tests/mpc/run_program.h"

namespace tacit::gnn {
namespace {

mpc::Share in_the_largest_unit(mpc::Session& session) {
  Arithmetic arithmetic(session, {64, 13});
  const Matrix units{{0.75, 0.5, 0.5, 1, 0.5}};
  const Tensor unit = share_input(arithmetic, 0, mpc::shape_of(units), &units, Precision::kUnit, 1, "units");
  const ErrorSum::Unit common = TargetUnit{unit, unit, {20, 9, 8, 7, -20}}.common(arithmetic);
  EXPECT_EQ(common.exponent, 20);
  return common.row.share();
}

TEST(UnitsOfTargets, AreZeroBelowTheTwelfthPowerOfTwo) {
  const Matrix expected{{0.75, std::ldexp(0.5, -11), std::ldexp(0.5, -12), 0, 0}};
  const double step = std::ldexp(1.0, -16);
  EXPECT_LE((mpc::revealed_in_the_clear(in_the_largest_unit) - expected).cwiseAbs().maxCoeff(), step);
  for (const int parties : {2, 3, 5}) {
    EXPECT_LE((mpc::revealed_by_parties(parties, in_the_largest_unit) - expected).cwiseAbs().maxCoeff(),
              (1 + parties / 2.0) * step)
        << parties;
  }
}

}  // namespace
}  // namespace tacit::gnn
