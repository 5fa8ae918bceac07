#include "gnn/metric/divergence.h"

#include <gmock/gmock.h>

#include <cmath>

namespace tacit::gnn {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(DivergenceGuard, IsALossAHundredTimesTheFirstOrBelowZero) {
  EXPECT_NO_THROW(expect_converging(99, 1, 5));
  EXPECT_NO_THROW(expect_converging(0.5, 1e-9, 5));  // if the first loss is almost zero, noise may be larger
  EXPECT_NO_THROW(expect_converging(-1e-3, 1, 5));
  EXPECT_THROW(expect_converging(101, 1, 5), TrainingDiverged);
  EXPECT_THROW(expect_converging(-1, 1, 5), TrainingDiverged);
  EXPECT_THROW(expect_converging(NAN, 1, 5), TrainingDiverged);
  EXPECT_THROW(expect_converging(INFINITY, 1, 5), TrainingDiverged);
}

// The dealer may see the message, but losses are only for the parties.
TEST(DivergenceGuard, TellsTheLossesToThisRankAlone) {
  try {
    expect_converging(777, 1.5, 12, 10);
    FAIL();
  } catch (const TrainingDiverged& error) {
    EXPECT_THAT(error.what(), HasSubstr("epoch 12"));
    EXPECT_THAT(error.what(), HasSubstr("Lower the learning rate"));
    EXPECT_THAT(error.what(), HasSubstr("the last good checkpoint is from epoch 10"));
    EXPECT_THAT(error.what(), Not(HasSubstr("777")));
    EXPECT_THAT(error.local_detail(), HasSubstr("777"));
  }
}

// A negative loss has not grown.
TEST(DivergenceGuard, IsNotBlamedForALossThatLeftItsRange) {
  try {
    expect_converging(-1, 1, 5);
    FAIL();
  } catch (const TrainingDiverged& error) {
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("left its declared range"), Not(HasSubstr("diverged"))));
  }
}

TEST(DivergenceGuard, OfANumberThatOneRankAloneMaySeeIsToldToOthersWithoutTheEpoch) {
  const auto told = [](mpc::To to) {
    try {
      judged_among(to, [] { expect_converging(777, 1.5, 12); });
    } catch (const TrainingDiverged& error) {
      EXPECT_THAT(error.what(), HasSubstr("epoch 12"));
      return error.told();
    }
    return std::string("nothing was thrown");
  };
  EXPECT_EQ(told(mpc::To::rank(1)), "its training diverged");
  EXPECT_EQ(told(mpc::To::everyone()), "");
}

}  // namespace
}  // namespace tacit::gnn
