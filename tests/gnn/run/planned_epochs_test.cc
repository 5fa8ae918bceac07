// A long training is planned by some of its epochs and batches, which stand for the others: the costs equal a plan of all.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>

#include "gnn/run/openings.h"
#include "gnn/run/planned_run.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/planned_job.h"
#include "tests/mpc/costs_by_part.h"
#include "tests/sanitized.h"

namespace tacit::gnn {
namespace {

// The epochs of a long training that are not planned cost as much as the planned ones, and evaluate
// as often.
TEST(PlannedRun, OfSomeEpochsCostsWhatOneOfAllDoes) {
  for (const std::int64_t every : {0, 1, 2, 3, 7, 15, 30, 39, 40, 50}) {
    for (const bool by_metric : {false, true}) {
      if (by_metric && every == 0) continue;  // a stop by a metric that is never evaluated
      SCOPED_TRACE(testing::Message() << every << (by_metric ? ", stopped by a metric" : ""));
      Job job = with_all_reveals(sensors_job(ownership_of("columns", "public", "rank 0", "rank 1")));
      job.training.epochs = 40;
      job.training.batch = 20;
      job.training.evaluate_every = every;
      job.training.stopping = EarlyStopping{.judged = {.metric = {}, .patience = 100, .least_improvement = 0}};
      if (by_metric) {
        job.training.stopping->judged.metric = job.training.metrics.front().metric;
        job.training.stopping->judged.part = job.training.metrics.front().part;
      }
      const DataAgreement agreement = agreement_for(job, 3);
      const auto batches = std::ssize(agreement.training_sizes);
      ASSERT_GT(batches, 1);
      const auto run_of = [&](std::int64_t most_steps) {
        return planned_run(job.data, job.training, agreement, {3, 1, *plan_of(Openings::kBySize, 3), most_steps});
      };
      const PlannedRun all = run_of(40 * batches);
      EXPECT_EQ(all.left_out.epochs, 0);
      for (const std::int64_t few : {6, 7, 12}) {
        SCOPED_TRACE(few);
        const PlannedRun some = run_of(few * batches);
        EXPECT_EQ(some.left_out.epochs + std::ssize(some.epochs), 40);
        EXPECT_LE(std::ssize(some.epochs), few + 6) << "one of each kind at least";
        std::int64_t stood_for = 0;
        for (std::size_t i = 0; i < some.numbers.size(); ++i) {
          EXPECT_EQ(some.epochs[i], all.epochs[static_cast<std::size_t>(some.numbers[i]) - 1]) << some.numbers[i];
          stood_for += some.stands_for[i];
        }
        EXPECT_EQ(stood_for, 40);
        EXPECT_EQ(some.total.cost, all.total.cost);
        EXPECT_EQ(some.total.work.words, all.total.work.words);
        EXPECT_EQ(some.usual_epoch(), all.usual_epoch());
        EXPECT_EQ(some.epochs.back(), all.epochs.back());
        ASSERT_EQ(some.reveals.size(), all.reveals.size());
        for (std::size_t i = 0; i < all.reveals.size(); ++i) {
          EXPECT_EQ(some.reveals[i].reason, all.reveals[i].reason);
          EXPECT_EQ(some.reveals[i].count, all.reveals[i].count) << all.reveals[i].reason;
          EXPECT_EQ(some.reveals[i].elements, all.reveals[i].elements) << all.reveals[i].reason;
        }
        ASSERT_EQ(some.decisions.size(), all.decisions.size());
        if (!all.decisions.empty()) {
          EXPECT_EQ(some.decisions[0].count, all.decisions[0].count);
        }
        EXPECT_EQ(some.profile.epochs, std::ssize(some.epochs) - 1);
        EXPECT_EQ(costs_by_part(some.profile.first_epoch), costs_by_part(all.profile.first_epoch));
        EXPECT_EQ(costs_by_part(some.profile.before), costs_by_part(all.profile.before));
      }
    }
  }
}

// Adam's first steps look roots up and cost more than later ones.
TEST(PlannedRun, OfSomeEpochsCostsWhatOneOfAllDoesByAdam) {
  for (const std::optional<std::int64_t> batch : {std::optional<std::int64_t>(), std::optional<std::int64_t>(20)}) {
    for (const std::int64_t epochs : {10, 17, 22, 23, 24, 60}) {
      SCOPED_TRACE(testing::Message() << epochs << " epochs, in batches: " << batch.has_value());
      Job job = with_all_reveals(sensors_job(ownership_of("columns", "public", "rank 0", "rank 1")));
      job.training.optimiser = AdamOptions{};
      job.training.epochs = epochs;
      job.training.batch = batch.value_or(job.training.batch);
      job.training.evaluate_every = 7;
      const DataAgreement agreement = agreement_for(job, 3);
      const auto run_of = [&](std::int64_t most_steps) {
        return planned_run(job.data, job.training, agreement, {3, 1, *plan_of(Openings::kBySize, 3), most_steps});
      };
      const PlannedRun all = run_of(1000), some = run_of(8);
      EXPECT_EQ(all.left_out.epochs, 0);
      EXPECT_TRUE(some.left_out.epochs > 0 || epochs < 60);
      for (std::size_t i = 0; i < some.numbers.size(); ++i) {
        EXPECT_EQ(some.epochs[i], all.epochs[static_cast<std::size_t>(some.numbers[i]) - 1]) << some.numbers[i];
      }
      EXPECT_EQ(some.total.cost, all.total.cost);
      if (epochs == 60) {
        EXPECT_EQ(some.usual_epoch(), all.usual_epoch());
        EXPECT_LT(2 * all.usual_epoch().cost.dealt_bytes, 3 * all.epochs[1].cost.dealt_bytes);
      }
    }
  }
}

// The range watch masks the weights for the next epoch, but not in the last one.
TEST(PlannedRun, OfSomeEpochsCostsWhatOneOfAllDoesHoweverOftenRangesAreWatched) {
  for (const std::int64_t audits : {0, 1, 2, 5, 100}) {
    for (const std::int64_t kept : {0, 1, 7, 10}) {
      SCOPED_TRACE(testing::Message() << "audits " << audits << ", checkpoints " << kept);
      Job job = with_all_reveals(sensors_job(ownership_of("columns", "public", "rank 0", "rank 1")));
      job.training.epochs = 100;
      job.training.evaluate_every = 4;
      job.training.audit_every = audits;
      job.training.checkpoint_every = kept;
      const DataAgreement agreement = agreement_for(job, 3);
      const auto run_of = [&](std::int64_t most_steps) {
        return planned_run(job.data, job.training, agreement, {3, 1, *plan_of(Openings::kBySize, 3), most_steps});
      };
      const PlannedRun all = run_of(100), some = run_of(8);
      EXPECT_EQ(all.left_out.epochs, 0);
      EXPECT_GT(some.left_out.epochs, 0);
      for (std::size_t i = 0; i < some.numbers.size(); ++i) {
        EXPECT_EQ(some.epochs[i], all.epochs[static_cast<std::size_t>(some.numbers[i]) - 1]) << some.numbers[i];
      }
      EXPECT_EQ(some.total.cost, all.total.cost);
      EXPECT_EQ(some.usual_epoch(), all.usual_epoch());
    }
  }
}

// Steps are in the top ring at any rate: a schedule changes no costs.
TEST(PlannedRun, CostsTheSameAtEveryRate) {
  for (const double momentum : {0.0, 0.9}) {
    std::vector<mpc::Cost> costs;
    for (const double rate : {4.0, 0.1, 1e-3, 1e-6}) {
      Job job = sensors_job(ownership_of("columns", "public", "rank 0", "rank 1"));
      job.training.rate.initial = rate;
      std::get<SgdOptions>(job.training.optimiser) = {.momentum = momentum, .weight_decay = 5e-4};
      const PlannedRun run =
          planned_run(job.data, job.training, agreement_for(job, 3), {3, 1, *plan_of(Openings::kBySize, 3), 8});
      costs.push_back(run.total.cost);
    }
    for (const mpc::Cost& cost : costs) EXPECT_EQ(cost, costs.front());
  }
}

// Only a few batches of each shape are planned, whether or not their losses are added up to be revealed.
TEST(PlannedRun, OfSomeBatchesCostsWhatOneOfAllDoes) {
  struct Trained {
    std::optional<mpc::To> loss_to;
    OptimiserOptions by;
  };
  for (const Trained& trained : {Trained{mpc::To::everyone(), SgdOptions{}}, Trained{std::nullopt, SgdOptions{}},
                                 Trained{mpc::To::everyone(), AdamOptions{}}}) {
    SCOPED_TRACE(testing::Message() << "optimiser " << trained.by.index());
    Job job = with_all_reveals(sensors_job(ownership_of("columns", "public", "rank 0", "rank 1")));
    job.training.loss_to = trained.loss_to;
    job.training.optimiser = trained.by;
    job.training.epochs = 9;
    job.training.batch = 1;
    const DataAgreement agreement = agreement_for(job, 3);
    for (const Openings openings : {Openings::kDirect, Openings::kBySize, Openings::kTwoPhase}) {
      const auto run_of = [&](std::int64_t most_steps) {
        return planned_run(job.data, job.training, agreement, {3, 1, *plan_of(openings, 3), most_steps});
      };
      const PlannedRun all = run_of(1'000'000), some = run_of(60);
      EXPECT_EQ(all.batches, some.batches);
      EXPECT_EQ(some.left_out.batches, 0) << "all are in the cost, none by a guess";
      EXPECT_EQ(all.epochs.size(), 9u);
      for (std::size_t e = 0; e < some.epochs.size(); ++e) {
        EXPECT_EQ(some.epochs[e], all.epochs[static_cast<std::size_t>(some.numbers[e]) - 1]) << some.numbers[e];
      }
      EXPECT_EQ(some.sharing, all.sharing);
      EXPECT_EQ(some.total.cost, all.total.cost);
      EXPECT_EQ(some.total.work.words, all.total.work.words);
      EXPECT_EQ(some.reveals[0].count, all.reveals[0].count);
      // Adam's first steps need more batches in a planned epoch, so that fewer epochs are planned.
      ASSERT_TRUE(some.epochs.size() == all.epochs.size() || trained.by.index() == 1);
      if (some.epochs.size() == all.epochs.size()) expect_same_costs(some.profile, all.profile, 1);
    }
  }
}

// Over a public graph each batch may read a different number of nodes: then the cost of most
// batches is an estimate.
TEST(PlannedRun, OfBatchesOfManyShapesCostsAboutWhatOneOfAllDoes) {
  Job job = with_all_reveals(sensors_job(ownership_of("columns", "public", "rank 0", "public")));
  job.training.batch = 1;
  const DataAgreement agreement = agreement_for(job, 2);
  const auto run_of = [&](std::int64_t most_steps) {
    return planned_run(job.data, job.training, agreement, {2, 0, *plan_of(Openings::kDirect, 2), most_steps});
  };
  const PlannedRun all = run_of(1'000'000), some = run_of(1);
  EXPECT_EQ(all.left_out.batches, 0);
  EXPECT_GT(some.left_out.batches, 1);
  EXPECT_NEAR(static_cast<double>(some.total.cost.bytes), static_cast<double>(all.total.cost.bytes),
              0.1 * static_cast<double>(all.total.cost.bytes));
}

// The time and the memory of a plan do not grow with the number of batches.
TEST(PlannedRun, OfAMillionRowsTakesSeconds) {
  Job job = with_all_reveals(rows_job(ownership_of("columns", "none", "rank 0", "public")));
  job.training.batch = 256;
  DataAgreement agreement = agreement_for(job, 2);
  agreement.holding.nodes = 1'225'000;
  for (Block& block : agreement.holding.x) block.rows = agreement.holding.nodes;
  for (Block& block : agreement.holding.y) block.rows = block.empty() ? 0 : agreement.holding.nodes;
  agreement.counts = {1'000'000, 100'000, 125'000};
  const std::clock_t begin = std::clock();
  const PlannedRun run = planned_run(job.data, job.training, agreement, {2, 0, net::AllReducePlan::unmeasured(2)});
  EXPECT_LT(std::clock() - begin, 60 * CLOCKS_PER_SEC) << "the processor takes a second where no sanitizer watches";
  EXPECT_EQ(run.batches, 3907);
  EXPECT_GT(run.predicted_blocks, run.measured_blocks);
  EXPECT_EQ(run.measured_blocks, 1);
  EXPECT_EQ(run.left_out.batches, 0);
}

TEST(PlannedRun, AnEvaluationOfManyRowsLooksAtThoseOfItsMetricsAlone) {
  Job job = many_rows_job(ownership_of("columns", "none", "rank 0", "public"));
  job.training.epochs = 2;
  const DataAgreement agreement = agreement_for(job, 2);
  const auto evaluation_of = [&](Part part) {
    job.training.metrics.at(0).part = part;
    const PlannedRun run = planned_run(job.data, job.training, agreement, {2, 0, net::AllReducePlan::unmeasured(2)});
    return run.epochs.at(1).cost.bytes - run.epochs.at(0).cost.bytes;
  };
  // 30 training nodes.
  const auto tested = static_cast<double>(agreement.counts.test);
  ASSERT_GT(tested, 150);
  EXPECT_GT(static_cast<double>(evaluation_of(Part::kTest) - evaluation_of(Part::kTrain)),
            static_cast<double>(evaluation_of(Part::kTest)) * (1 - 30 / tested) * 0.9);
}

// Two metrics with periods of their own: every kind of epoch is planned, and counted once for each occurrence.
TEST(PlannedRun, OfSomeEpochsCostsWhatOneOfAllDoesWithPeriodsOfMetrics) {
  const std::vector<std::vector<std::int64_t>> all_periods = {{2, 5}, {3, 0}, {7, 30}, {1, 4},
                                                              {4, 6}, {5, 6}, {20, 39}};
  for (const std::vector<std::int64_t>& periods : all_periods) {
    SCOPED_TRACE(testing::Message() << periods[0] << ", " << periods[1]);
    Job job = sensors_job(ownership_of("columns", "public", "rank 0", "rank 1"));
    job.training.epochs = 100;
    job.training.metrics = {{Metric::kRootMeanSquaredError, Part::kTest, mpc::To::everyone(), periods[0]},
                            {Metric::kR2, Part::kTest, mpc::To::everyone(), periods[1]}};
    const DataAgreement agreement = agreement_for(job, 3);
    const auto run_of = [&](std::int64_t most_steps) {
      return planned_run(job.data, job.training, agreement, {3, 1, *plan_of(Openings::kBySize, 3), most_steps});
    };
    const PlannedRun all = run_of(100);
    EXPECT_EQ(all.left_out.epochs, 0);
    for (const std::int64_t few : {6, 8, 12}) {
      const PlannedRun some = run_of(few);
      EXPECT_GT(some.left_out.epochs, 0);
      EXPECT_EQ(some.left_out.epochs + std::ssize(some.epochs), 100);
      for (std::size_t i = 0; i < some.numbers.size(); ++i) {
        EXPECT_EQ(some.epochs[i], all.epochs[static_cast<std::size_t>(some.numbers[i]) - 1]) << some.numbers[i];
      }
      EXPECT_EQ(some.total.cost, all.total.cost) << few;
      EXPECT_EQ(some.usual_epoch(), all.usual_epoch());
      ASSERT_EQ(some.reveals.size(), all.reveals.size());
      for (std::size_t i = 0; i < all.reveals.size(); ++i) {
        EXPECT_EQ(some.reveals[i].count, all.reveals[i].count) << all.reveals[i].reason;
      }
    }
  }
}

// 32 kinds of evaluations, and a cycle of 2,310 epochs; or a cycle of 10^10 epochs.
TEST(PlannedRun, OfEpochsWithManyPeriodsOfMetricsTakesLittleTime) {
  Job job = sensors_job(ownership_of("columns", "public", "rank 0", "rank 1"));
  for (const std::vector<std::int64_t>& periods :
       {std::vector<std::int64_t>{2, 3, 5, 7, 11}, std::vector<std::int64_t>{99'991, 99'989}}) {
    job.training.epochs = 1'000'000'000;
    job.training.metrics.clear();
    for (std::size_t i = 0; i < periods.size(); ++i) {
      constexpr std::array kOfTargets = {Metric::kRootMeanSquaredError, Metric::kMeanAbsoluteError, Metric::kLoss,
                                         Metric::kR2, Metric::kExplainedVariance};
      job.training.metrics.push_back({kOfTargets[i], Part::kTest, mpc::To::everyone(), periods[i]});
    }
    const auto begun = std::chrono::steady_clock::now();
    const PlannedRun run =
        planned_run(job.data, job.training, agreement_for(job, 2), {2, 0, net::AllReducePlan::unmeasured(2), 50});
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20 * kSlowdown));
    EXPECT_LT(std::ssize(run.epochs), 500);
    for (std::size_t i = 0; i < periods.size(); ++i) {
      const std::string name = name_of(job.training.metrics[i]);
      const auto line = std::find_if(run.reveals.begin(), run.reveals.end(),
                                     [&](const mpc::Reveal& one) { return one.reason == name; });
      ASSERT_NE(line, run.reveals.end());
      const bool last = job.training.epochs % periods[i] == 0;
      EXPECT_EQ(line->count, job.training.epochs / periods[i] + (last ? 0 : 1)) << name;
    }
  }
}

TEST(PlannedRun, AUsualEpochIsNeitherTheFirstNorTheLast) {
  Job job = with_all_reveals(sensors_job(ownership_of("columns", "public", "rank 0", "public")));
  for (const std::int64_t epochs : {3, 4}) {
    job.training.epochs = epochs;
    const PlannedRun run =
        planned_run(job.data, job.training, agreement_for(job, 2), {2, 0, net::AllReducePlan::unmeasured(2)});
    ASSERT_EQ(std::ssize(run.epochs), epochs);
    EXPECT_NE(&run.usual_epoch(), &run.epochs.front());
    EXPECT_NE(&run.usual_epoch(), &run.epochs.back());
  }
}

TEST(PlannedRun, AUsualEpochHasNoEvaluation) {
  Job job = with_all_reveals(sensors_job(ownership_of("columns", "public", "rank 0", "public")));
  job.training.epochs = 10;
  job.training.evaluate_every = 3;
  const PlannedRun run =
      planned_run(job.data, job.training, agreement_for(job, 2), {2, 0, net::AllReducePlan::unmeasured(2)});
  EXPECT_EQ(run.usual_epoch(), run.epochs[4]);
  EXPECT_LT(run.usual_epoch().cost.rounds, run.epochs[5].cost.rounds);
  EXPECT_GT(run.sharing.work.words, 0);
}

}  // namespace
}  // namespace tacit::gnn
