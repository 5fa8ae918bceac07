// The errors that end a training early, as gnn/ writes them.
#include "bench/tables/training_end.h"

#include <gtest/gtest.h>

#include "bench/data/sensors.h"
#include "bench/tables/demo_job.h"
#include "bench/tables/moved_twins.h"
#include "gnn/metric/divergence.h"
#include "gnn/train/range_left.h"

namespace tacit::launcher {
namespace {

using Kind = TrainingEnd::Kind;

std::optional<TrainingEnd> end_after_loss(double loss, std::optional<std::int64_t> good = {}) {
  try {
    gnn::expect_converging(loss, 1, 17, good);
    return std::nullopt;
  } catch (const gnn::TrainingDiverged& error) {
    return end_in(error.what());
  }
}

TEST(TrainingEnd, OfALossThatGrewIsADivergenceInThatEpoch) {
  for (const std::optional<std::int64_t> good : {std::optional<std::int64_t>(), std::optional<std::int64_t>(3)}) {
    const auto end = end_after_loss(101, good);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->kind, Kind::kDiverged);
    EXPECT_EQ(end->epoch, 17);
    EXPECT_FALSE(end->loss);
  }
}

TEST(TrainingEnd, OfAnImpossibleLossIsALeftRange) {
  const auto end = end_after_loss(-1);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->kind, Kind::kLeftRange);
  EXPECT_EQ(end->epoch, 17);
}

TEST(TrainingEnd, OfAnAuditIsALeftRangeInItsEpoch) {
  const gnn::TrainingPlan plan = demo_job(2, 5).training;
  for (const std::int64_t epoch : {0, 6}) {
    const std::string sentence =
        gnn::sentence_of({{gnn::Watched::kWeights, gnn::Watched::kGradients}, epoch, 0, std::nullopt}, plan);
    for (const std::string& told : {sentence, "rank 0 (party, 127.0.0.1:9) gave up: " + sentence}) {
      const auto end = end_in(told);
      ASSERT_TRUE(end) << told;
      EXPECT_EQ(end->kind, Kind::kLeftRange);
      EXPECT_EQ(end->epoch, epoch) << told;
    }
  }
}

TEST(TrainingEnd, OfAnotherErrorIsNone) {
  EXPECT_FALSE(end_in(""));
  EXPECT_FALSE(end_in("rank 1 lost the link to rank 0 in epoch 4"));
}

TEST(TrainingEnd, OfTheTwinFollowsTheGuard) {
  Job job = demo_job(2, 20);
  const gnn::GraphData whole = gnn::make_sensors({});
  const TrainingEnd trained = end_of_twin(job, whole);
  EXPECT_EQ(trained.kind, Kind::kTrained);
  EXPECT_EQ(trained.epoch, 20);
  ASSERT_TRUE(trained.loss);
  job.training.rate.initial = 1;
  const TrainingEnd diverged = end_of_twin(job, whole);
  EXPECT_EQ(diverged.kind, Kind::kDiverged);
  EXPECT_LT(diverged.epoch, 20);
  ASSERT_TRUE(diverged.loss);
  EXPECT_GT(*diverged.loss, 10 * *trained.loss);
}

TEST(TrainingEnd, IsComparedWithTheTwins) {
  const TrainingEnd trained, diverged{TrainingEnd::Kind::kDiverged, 6, {}}, left{TrainingEnd::Kind::kLeftRange, 5, {}};
  EXPECT_EQ(text_of(beside_twin(trained, trained)), "trains");
  EXPECT_EQ(text_of(beside_twin(trained, diverged)), "the twin diverges alone");
  for (const TrainingEnd& early : {diverged, left}) {
    EXPECT_EQ(text_of(beside_twin(early, diverged)), "diverges like the twin");
    EXPECT_EQ(text_of(beside_twin(early, trained)), "diverges alone");
  }
}

TEST(MovedTwins, StayCloseToASteadyTraining) {
  const Job job = demo_job(2, 5);
  const gnn::GraphData whole = gnn::make_sensors({});
  const double own = *end_of_twin(job, whole).loss;
  const LastLosses losses = losses_of_moved_twins(job, whole, own);
  EXPECT_LE(losses.least, own);
  EXPECT_GE(losses.most, own);
  EXPECT_GT(losses.range(), 0);
  EXPECT_LT(losses.range(), 0.02 * own);
}

TEST(MovedTwins, AdmitALossBesideThemByTheirRangeOrByTheAllowedDistance) {
  const LastLosses losses{2, 3};
  EXPECT_TRUE(losses.admit(2.5, 0));
  EXPECT_TRUE(losses.admit(1, 0));
  EXPECT_TRUE(losses.admit(4, 0));
  EXPECT_FALSE(losses.admit(0.9, 0));
  EXPECT_FALSE(losses.admit(4.1, 0));
  EXPECT_TRUE(losses.admit(4.1, 1.5));
}

}  // namespace
}  // namespace tacit::launcher
