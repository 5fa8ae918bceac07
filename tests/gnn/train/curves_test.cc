// Training on secrets follows the twin (plaintext reference) in double precision, epoch by epoch,
// and reveals exactly the values that the plan lists.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gnn/metric/divergence.h"
#include "gnn/train/range_left.h"
#include "tests/gnn/train/sample_run.h"

namespace tacit::gnn {
namespace {

struct Curve {
  const char* name;
  Sample (*sample)();
  mpc::Format top;
  double difference;  // at most, in every epoch
};

class Curves : public testing::TestWithParam<Curve> {
 protected:
  Curves() : sample_(GetParam().sample()) { sample_.plan.top = GetParam().top; }

  void expect_like(const Events& events, const Events& twin) const {
    EXPECT_LE(largest_difference(events, twin), GetParam().difference);
    ASSERT_EQ(events.back().readings.size(), twin.back().readings.size());
    for (std::size_t i = 0; i < twin.back().readings.size(); ++i) {
      const double expected = twin.back().readings[i].value;
      // A node on the edge of two classes may fall either way.
      const bool counts = twin.back().readings[i].what.metric == Metric::kAccuracy;
      EXPECT_NEAR(events.back().readings[i].value, expected, counts ? 0.02 : 0.01 * expected)
          << name_of(twin.back().readings[i].what.metric);
    }
  }

  Sample sample_;
};

INSTANTIATE_TEST_SUITE_P(Data, Curves,
                         testing::Values(Curve{"PublicSensors64f16", public_sensors, {64, 16}, 1e-2},
                                         Curve{"PublicSensors64f13", public_sensors, {64, 13}, 1e-2},
                                         Curve{"PublicSensors48f12", public_sensors, {48, 12}, 2e-2},
                                         Curve{"PrivateSensors64f16", private_sensors, {64, 16}, 1e-2},
                                         Curve{"PrivateSensors64f13", private_sensors, {64, 13}, 1e-2},
                                         Curve{"PrivateSensors48f12", private_sensors, {48, 12}, 2e-2},
                                         Curve{"Communities64f16", communities_sample, {64, 16}, 1e-2},
                                         Curve{"Communities64f13", communities_sample, {64, 13}, 1e-2},
                                         Curve{"Communities48f12", communities_sample, {48, 12}, 2e-2}),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(Curves, FollowTheTwinInTheClear) {
  mpc::ClearSession session;
  expect_like(secret_run(session, sample_), plain_run(sample_));
  EXPECT_TRUE(session.range_violations().empty());
}

TEST_P(Curves, FollowTheTwinForAnyNumberOfParties) {
  const Events twin = plain_run(sample_);
  EXPECT_LT(*twin.back().loss, *twin.front().loss / 2);  // the training makes progress
  for (const int parties : {2, 3, 5}) {
    mpc::run_parties(parties, [&](mpc::Session& session, int rank) {
      const Events events = secret_run(session, sample_);
      if (rank == 0) expect_like(events, twin);
    });
  }
}

TEST_P(Curves, RevealWhatThePlanLists) {
  sample_.plan.epochs = 3;
  sample_.plan.evaluate_every = 2;
  sample_.plan.loss_to = mpc::To::rank(1);
  for (Revealed& metric : sample_.plan.metrics) metric.to = mpc::To::rank(0);
  mpc::run_parties(3, [&](mpc::Session& session, int rank) {
    const Events events = secret_run(session, sample_);
    const std::string watch = kAuditReason;  // in each of 3 epochs, and in both evaluations
    std::vector<std::pair<std::string, std::int64_t>> expected{{watch, 5}, {"training loss", 3}};
    for (const Revealed& metric : sample_.plan.metrics) {
      expected.emplace_back(fmt::format("test {}", name_of(metric.metric)), 2);  // after epochs 2 and 3
    }
    std::vector<std::pair<std::string, std::int64_t>> revealed;
    for (const mpc::Reveal& reveal : session.reveals()) {
      revealed.emplace_back(reveal.reason, reveal.count);
      if (reveal.reason == watch) continue;
      EXPECT_EQ(reveal.elements, reveal.count);
      EXPECT_EQ(reveal.to, mpc::To::rank(reveal.reason == "training loss" ? 1 : 0));
    }
    EXPECT_EQ(revealed, expected);
    // The guard judges each loss and each metric.
    ASSERT_EQ(session.decisions().size(), 1u);
    EXPECT_EQ(session.decisions().front().reason, kDivergenceGuard);
    EXPECT_EQ(session.decisions().front().count, 3 + 2 * std::ssize(sample_.plan.metrics));
    for (const EpochEvent& event : events) {
      EXPECT_EQ(event.loss.has_value(), rank == 1);
      EXPECT_EQ(event.readings.empty(), rank != 0 || event.epoch == 1);
    }
  });
}

Sample communities_with_decay() {
  Sample sample = communities_sample();
  sample.plan.rate.initial = 0.02;
  sample.plan.optimiser = AdamOptions{.weight_decay = 5e-4};
  sample.plan.epochs = 60;
  return sample;
}

TEST(Adam, FollowsTheTwin) {
  const Sample sample = communities_with_decay();
  const Events twin = plain_run(sample);
  EXPECT_LT(*twin.back().loss, *twin.front().loss / 2);
  mpc::ClearSession clear;
  EXPECT_LE(largest_difference(secret_run(clear, sample), twin), 2e-2);
  EXPECT_TRUE(clear.range_violations().empty());
  for (const int parties : {2, 3}) {
    mpc::run_parties(parties, [&](mpc::Session& session, int rank) {
      const Events events = secret_run(session, sample);
      if (rank == 0) {
        EXPECT_LE(largest_difference(events, twin), 2e-2);
      }
    });
  }
}

TEST(Divergence, EndsTheJobAtTheRanksThatSeeTheLoss) {
  Sample sample = public_sensors();
  sample.plan.rate.initial = 8;
  mpc::ClearSession watched;
  EXPECT_THROW(secret_run(watched, sample), RangeLeft);  // the cause comes before its consequence
  sample.plan.audit_every = 0;
  mpc::ClearSession session;
  EXPECT_THROW(secret_run(session, sample), TrainingDiverged);
}

}  // namespace
}  // namespace tacit::gnn
