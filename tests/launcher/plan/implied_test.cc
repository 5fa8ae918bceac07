// Several revealed numbers can imply another one. A plan lists the implied number only if one rank sees them all.
#include "launcher/plan/implied.h"

#include <gmock/gmock.h>

namespace tacit::launcher {
namespace {

using mpc::To;

std::vector<std::string> implied(To loss, To rmse, const Job& job = Job()) {
  return implied_by({{"training loss", loss, 10, 10}, {"test rmse", rmse, 1, 1}, {"test value (no data)", {}, 1, 1}},
                    job);
}

Job of_targets(bool standardised) {
  Job job;
  job.data.standardise_targets = standardised;
  return job;
}

TEST(Implied, ByLossAndRmseIsTheTargetsDeviationForARankThatSeesBoth) {
  const Job job = of_targets(true);
  const auto tells = [](const std::string& to) {
    return testing::ElementsAre(testing::AllOf(
        testing::HasSubstr("training loss and test rmse together tell the deviation"), testing::HasSubstr("to " + to)));
  };
  EXPECT_THAT(implied(To::everyone(), To::everyone(), job), tells("everyone"));
  EXPECT_THAT(implied(To::everyone(), To::rank(1), job), tells("rank 1"));
  EXPECT_THAT(implied(To::rank(0), To::everyone(), job), tells("rank 0"));
  EXPECT_THAT(implied(To::rank(2), To::rank(2), job), tells("rank 2"));
}

TEST(Implied, IsNothingIfNoRankSeesBothOrTargetsKeepTheirUnit) {
  const Job job = of_targets(true);
  EXPECT_THAT(implied(To::rank(0), To::rank(1), job), testing::IsEmpty());
  EXPECT_THAT(implied(To::everyone(), To::everyone(), of_targets(false)), testing::IsEmpty());
  EXPECT_THAT(implied_by({{"training loss", To::everyone(), 10, 10}, {"test mae", To::everyone(), 1, 1}}, job),
              testing::IsEmpty());
}

TEST(Implied, ByRmseAndR2OfOnePartIsTheDeviationOfItsTargets) {
  const auto implied_beside = [](const std::string& other, const Job& job) {
    return implied_by({{"test rmse", To::everyone(), 1, 1}, {other, To::rank(1), 1, 1}}, job);
  };
  const auto tells = testing::ElementsAre(testing::HasSubstr("tell the deviation of the test targets, to rank 1"));
  EXPECT_THAT(implied_beside("test r2", of_targets(true)), tells);
  EXPECT_THAT(implied_beside("test r2", of_targets(false)), tells);
  EXPECT_THAT(implied_beside("test loss", of_targets(true)), tells);
  EXPECT_THAT(implied_beside("test loss", of_targets(false)), testing::IsEmpty());
  EXPECT_THAT(implied_beside("train r2", of_targets(true)), testing::IsEmpty());
}

TEST(Implied, ByAccuracyAndTwoRatiosOfTwoClassesAreTheCounts) {
  const auto implied_of = [](std::int64_t classes, const std::vector<std::string>& what, To last) {
    Job job;
    job.data.classes = classes;
    std::vector<mpc::Reveal> reveals;
    for (const std::string& one : what) reveals.push_back({"test " + one, To::everyone(), 1, 1});
    reveals.back().to = last;
    return implied_by(reveals, job);
  };
  EXPECT_THAT(
      implied_of(2, {"accuracy", "recall", "f1"}, To::rank(1)),
      testing::ElementsAre(testing::HasSubstr(
          "accuracy, recall and f1 of the test nodes together tell the counts of the confusion matrix, to rank 1")));
  EXPECT_THAT(implied_of(2, {"accuracy", "precision", "recall", "f1"}, To::everyone()), testing::SizeIs(1));
  EXPECT_THAT(implied_of(2, {"accuracy", "f1"}, To::everyone()), testing::IsEmpty());
  EXPECT_THAT(implied_of(3, {"accuracy", "recall", "f1"}, To::everyone()), testing::IsEmpty());
}

}  // namespace
}  // namespace tacit::launcher
