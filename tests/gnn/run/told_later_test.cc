// The loss of an epoch is revealed during the next epoch, beside openings that happen anyway, and after the range watch's
// answer.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "gnn/data/split.h"
#include "gnn/metric/divergence.h"
#include "gnn/run/openings.h"
#include "gnn/run/planned_run.h"
#include "gnn/run/training_run.h"
#include "gnn/train/range_left.h"
#include "gnn/train/share_graph.h"
#include "mpc/session/clear_session.h"
#include "mpc/session/dealer_session.h"
#include "mpc/session/party_session.h"
#include "tests/gnn/checkpoint/sample_store.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/sample_jobs.h"
#include "tests/net/meshes.h"

namespace tacit::gnn {
namespace {

Job told_job() { return sensors_job(ownership_of("columns", "public", "rank 0", "public")); }

std::vector<GraphData> parts_of_two(const Job& job) {
  return {part_of(job.whole, job.data.ownership, 0, 2), part_of(job.whole, job.data.ownership, 1, 2)};
}

// Trains in this session. `own`: the session uses this rank's data; -1: the data of all ranks. `on_epoch` also gets the number of the epoch
// that is computed when the event comes.
using OnToldEpoch = std::function<void(const EpochEvent&, std::int64_t current)>;

void train_told(mpc::Session& session, const Job& job, int own, const OnToldEpoch& on_epoch) {
  const std::vector<GraphData> parts = parts_of_two(job);
  const PartOf part_at = [&](int rank) {
    return own == -1 || own == rank ? &parts[static_cast<std::size_t>(rank)] : nullptr;
  };
  const DataAgreement agreement = agreement_of(job.data, job.training, parts);
  Trainer trainer(session, job.training, share_graph(session, job.data, job.training, agreement, part_at));
  std::int64_t current = 1;
  trainer.between_epochs([&](std::int64_t epoch) { current = epoch + 1; });
  trainer.run([&](const EpochEvent& event) { on_epoch(event, current); });
}

std::int64_t count_of(const mpc::Session& session, std::string_view reason) {
  std::int64_t count = 0;
  for (const mpc::Reveal& line : session.reveals()) count += line.reason == reason ? line.count : 0;
  return count;
}

// For each event, the epoch during which it came.
std::vector<std::int64_t> told_in(const Job& job) {
  std::vector<std::int64_t> epochs;
  mpc::ClearSession session(2);
  train_told(session, job, -1, [&](const EpochEvent& event, std::int64_t current) {
    EXPECT_EQ(event.epoch, std::ssize(epochs) + 1);
    EXPECT_TRUE(event.loss.has_value());
    epochs.push_back(current);
  });
  return epochs;
}

TEST(ToldLater, AreTheEpochsThatNeitherEvaluateNorKeepNorEnd) {
  Job job = told_job();
  job.training.epochs = 8;
  job.training.evaluate_every = 3;
  EXPECT_THAT(told_in(job), testing::ElementsAre(2, 3, 3, 5, 6, 6, 8, 8));
  job.training.audit_every = 2;
  EXPECT_THAT(told_in(job), testing::ElementsAre(2, 3, 3, 5, 6, 6, 8, 8));
  job.training.audit_every = 0;
  EXPECT_THAT(told_in(job), testing::ElementsAre(2, 3, 3, 5, 6, 6, 8, 8));
  job.training.evaluate_every = 0;
  job.training.checkpoint_every = 4;
  EXPECT_THAT(told_in(job), testing::ElementsAre(2, 3, 4, 4, 6, 7, 8, 8));
  job.training.plateau = Plateau{};  // by the loss
  EXPECT_THAT(told_in(job), testing::ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
}

// An epoch with a checkpoint reveals its loss at once; other epochs reveal it later.
TEST(ToldLater, SavesTwoRoundsAnEpochAndNoByte) {
  for (const int parties : {2, 3, 5}) {
    const auto usual = [&](std::int64_t checkpoint_every) {
      Job job = told_job();
      job.training.epochs = 6;
      job.training.openings = Openings::kDirect;
      job.training.checkpoint_every = checkpoint_every;
      const DataAgreement agreement = agreement_of(job.data, job.training, parts_of_two(job));
      return planned_run(job.data, job.training, agreement, {parties, 0, *plan_of(Openings::kDirect, parties)})
          .epochs.at(3)
          .cost;
    };
    mpc::Cost later = usual(0);
    later.rounds += 2;
    EXPECT_EQ(later, usual(1));
  }
}

// One layer, no bias, and features without fraction bits, so that no product needs a lift: no job has fewer rounds.
Job job_of_fewest_rounds() {
  Job job = sensors_job(ownership_of("columns", "none", "rank 0", "public"));
  job.whole.edges.reset();
  job.whole.x = (*job.whole.x - job.whole.x->colwise().mean().replicate(job.whole.x->rows(), 1)).cwiseSign();
  job.whole.targets = job.whole.x->rowwise().mean();
  job.data.features = FeatureScaling::kWhole;
  job.data.standardise_targets = false;
  job.training.model.layers = {{.kind = LayerSpec::Kind::kDense, .outputs = 1, .bias = false}};
  job.training.metrics.clear();
  job.training.epochs = 6;
  job.training.openings = Openings::kDirect;
  return job;
}

// The errors and the gradients are opened in a round each, and these two rounds tell the epoch before.
TEST(ToldLater, HasBothItsRoundsInAnEpochOfTheFewestRounds) {
  Job job = job_of_fewest_rounds();
  EXPECT_THAT(told_in(job), testing::ElementsAre(2, 3, 4, 5, 6, 6));
  for (const int parties : {1, 2, 3, 5}) {
    const DataAgreement agreement = agreement_of(job.data, job.training, parts_of_two(job));
    const PlannedRun planned =
        planned_run(job.data, job.training, agreement, {parties, 0, *plan_of(Openings::kDirect, parties)});
    EXPECT_EQ(planned.epochs.at(3).cost.rounds, parties == 1 ? 0 : 3) << "the third is of the range watch";
  }
  net::run_ranks(net::mesh_kind("Memory").make(2, 1), [&](net::Mesh& mesh) {
    std::vector<std::int64_t> epochs;
    const auto note = [&](const EpochEvent& event, std::int64_t current) {
      EXPECT_EQ(event.loss.has_value(), mesh.world().is_party());
      epochs.push_back(current);
    };
    if (mesh.world().is_party()) {
      mpc::PartySession session(mesh, net::AllReducePlan::unmeasured(2));
      train_told(session, job, mesh.rank(), note);
    } else {
      mpc::DealerSession session(mesh);
      train_told(session, job, 2, note);
      session.flush();
    }
    EXPECT_THAT(epochs, testing::ElementsAre(2, 3, 4, 5, 6, 6)) << "rank " << mesh.rank();
  });
}

// Leaves the range of the weights after some epochs.
Job leaving_job() {
  Job job = told_job();
  job.training.ranges.weights = 1;
  job.training.ranges.activations = job.training.ranges.gradients = 1 << 14;
  job.training.rate.initial = 0.6;
  job.training.epochs = 40;
  return job;
}

struct Leaving {
  std::int64_t told = 0, counted = 0;
  std::string message;
};

template <typename Run>
Leaving leaving(mpc::Session& session, const Run& run) {
  Leaving seen;
  try {
    run([&](const EpochEvent& event, std::int64_t) { seen.told = event.epoch; });
  } catch (const RangeLeft& left) {
    seen.message = left.what();
  }
  seen.counted = count_of(session, kTrainingLossReason);
  return seen;
}

void expect_left_untold(const Leaving& seen) {
  EXPECT_GT(seen.told, 0) << "some epochs were in range: " << seen.message;
  EXPECT_THAT(seen.message,
              testing::StartsWith(fmt::format("epoch {}: the weights left their range of 1", seen.told + 1)));
  EXPECT_THAT(seen.message, testing::HasSubstr(fmt::format("after epoch {} may be wrong", seen.told)));
  EXPECT_EQ(seen.counted, seen.told) << "losses in the account of reveals";
}

TEST(ToldLater, ALossOfValuesThatLeftTheirRangeIsNotRevealed) {
  const Job job = leaving_job();
  mpc::ClearSession clear(2);
  expect_left_untold(leaving(clear, [&](const auto& note) { train_told(clear, job, -1, note); }));
  for (int run = 0; run < 3; ++run) {
    net::errors_of_ranks(net::mesh_kind("Memory").make(2, 1), [&](net::Mesh& mesh) {
      if (!mesh.world().is_party()) {
        mpc::DealerSession session(mesh);
        train_told(session, job, 2, [](const EpochEvent&, std::int64_t) {});
        return;
      }
      mpc::PartySession session(mesh, net::AllReducePlan::unmeasured(2));
      expect_left_untold(leaving(session, [&](const auto& note) { train_told(session, job, mesh.rank(), note); }));
    });
  }
}

// The checkpoint before the first epoch with an impossible loss.
TEST(ToldLater, ADivergenceNamesTheEpochAndTheCheckpointBeforeIt) {
  Job job = told_job();
  job.training.audit_every = 0;
  job.training.ranges.weights = job.training.ranges.activations = job.training.ranges.gradients = 1 << 14;
  job.training.rate.initial = 0.62;
  job.training.epochs = 50;
  job.training.checkpoint_every = 4;
  mpc::ClearSession session(2);
  std::int64_t told = 0;
  std::string message;
  try {
    train_told(session, job, -1, [&](const EpochEvent& event, std::int64_t) { told = event.epoch; });
  } catch (const TrainingDiverged& diverged) {
    message = diverged.what();
  }
  ASSERT_GT(told, 4) << message;
  ASSERT_NE((told + 1) % 4, 0) << "the epoch was reported during the next one";
  EXPECT_THAT(message, testing::HasSubstr(fmt::format("the loss of epoch {} ", told + 1)));
  const std::int64_t good = (told - 1) / 4 * 4;  // a loss judges the weights after the epoch before
  EXPECT_THAT(message, testing::HasSubstr(fmt::format("the last good checkpoint is from epoch {}", good)));
}

// A kill while an epoch is reported loses only its event: the next session reveals the same loss again.
TEST(ToldLater, ASessionThatEndsBeforeItToldAnEpochLosesThatEventAlone) {
  Job job = told_job();
  job.training.epochs = 12;
  job.training.checkpoint_every = 4;
  const SampleFolder folder;
  const auto told_until = [&](std::int64_t killed_in) {
    std::vector<std::pair<std::int64_t, double>> told;
    net::errors_of_ranks(net::mesh_kind("Memory").make(2, 1), [&](net::Mesh& mesh) {
      std::optional<GraphData> own;
      RunOptions options;
      if (mesh.world().is_party()) own = part_of(job.whole, job.data.ownership, mesh.rank(), 2);
      if (own) options.checkpoints = folder.options(mesh.rank());
      options.on_epoch = [&](const EpochEvent& event) {
        if (mesh.rank() != 0) return;
        told.emplace_back(event.epoch, event.loss.value());
        if (event.epoch == killed_in) throw std::runtime_error("killed");
      };
      run_training(mesh, job.data, job.training, own ? &*own : nullptr, options);
    });
    return told;
  };
  const auto first = told_until(5), second = told_until(5), last = told_until(0);
  ASSERT_EQ(first.size(), 5u);  // epoch 5 was reported in epoch 6
  EXPECT_EQ(second.front(), first.back()) << "the loss of the checkpoint's state, by the same share";
  ASSERT_EQ(last.size(), 8u);
  EXPECT_EQ(last.front(), first.back());
  EXPECT_EQ(last.back().first, 12);
}

}  // namespace
}  // namespace tacit::gnn
