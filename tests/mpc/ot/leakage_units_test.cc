// Sums of leakage are whole numbers, rounded up, that end at the largest number.
#include "mpc/ot/leakage_units.h"

#include <gtest/gtest.h>

#include "mpc/lattice/leakage.h"
#include "mpc/ot/lock_step.h"
#include "mpc/session/cost.h"

namespace tacit::mpc {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

TEST(LeakageUnits, RoundUpAndEndAtTheLargestNumber) {
  EXPECT_EQ(leakage_units(0), 0);
  EXPECT_EQ(leakage_units(0x1p-200), 1);
  EXPECT_EQ(leakage_units(0x1p-90), 1);
  EXPECT_EQ(leakage_units(0x1.8p-90), 2);
  EXPECT_EQ(leakage_units(0x1p-28), std::int64_t{1} << 62);
  EXPECT_EQ(leakage_units(0x1p-27), kLargest);
  EXPECT_EQ(leakage_units(1), kLargest);
}

TEST(LeakageUnits, HaveTheBoundOfASession) {
  EXPECT_EQ(leakage_units(lattice::kMostLeakageOfSession), kMostLeakage);
  EXPECT_EQ(log2_of_leakage(kMostLeakage), -40);
  EXPECT_DOUBLE_EQ(log2_of_leakage(kMostLeakage * 3 / 2), -40 + std::log2(1.5));
}

TEST(LeakageUnits, OfCostsAddUpWithoutWrapping) {
  MadeCost made{.leakage = kLargest - 1};
  made += MadeCost{.leakage = 1};
  EXPECT_EQ(made.leakage, kLargest);
  made += MadeCost{.leakage = kMostLeakage};
  EXPECT_EQ(made.leakage, kLargest);
  Cost cost{.made_leakage = kLargest - 5};
  cost += Cost{.made_leakage = 5};
  EXPECT_EQ(cost.made_leakage, kLargest);
  cost += Cost{.made_leakage = 1};
  EXPECT_EQ(cost.made_leakage, kLargest);
  cost -= Cost{.made_leakage = 7};
  EXPECT_EQ(cost.made_leakage, kLargest - 7);
}

TEST(LeakageUnits, OfManyTasksEndAtTheLargestNumber) {
  PairNetwork plan(0, 2);
  plan.add_leakage(kMostLeakage);
  auto out = plan.messages(), in = plan.messages();
  plan.exchange(out, in);
  const auto trace = std::make_shared<const MadeTrace>(plan.take_trace());
  const auto leakage = [&](std::int64_t times) {
    const LockStep::PlannedTask tasks{trace, times};
    return LockStep::cost(std::span(&tasks, 1)).leakage;
  };
  EXPECT_EQ(leakage(1), kMostLeakage);
  EXPECT_EQ(leakage(3000), 3000 * kMostLeakage);  // more than run together
  EXPECT_EQ(leakage(std::int64_t{1} << 20), kLargest);
}

TEST(LeakageUnits, GuardASession) {
  lattice::expect_bounded_leakage(0, kMostLeakage);
  lattice::expect_bounded_leakage(kMostLeakage - 1, 1);
  EXPECT_THROW(lattice::expect_bounded_leakage(kMostLeakage, 1), ConfigError);
  EXPECT_THROW(lattice::expect_bounded_leakage(1, kLargest), ConfigError);
}

}  // namespace
}  // namespace tacit::mpc
