// A training that stops half-way and resumes in another session equals the uninterrupted training.
#include <gtest/gtest.h>

#include "gnn/checkpoint/resume.h"
#include "gnn/metric/divergence.h"
#include "tests/gnn/checkpoint/sample_store.h"
#include "tests/gnn/train/sample_run.h"

namespace tacit::gnn {
namespace {

// Every kind of state: momentum, weight decay, dropout.
Sample small_sample() {
  Sample sample = sensors_sample(GraphKind::kPublic);
  sample.plan.optimiser = SgdOptions{.momentum = 0.9, .weight_decay = 5e-4};
  sample.plan.rate.initial = 0.05;
  sample.plan.epochs = 20;
  sample.plan.checkpoint_every = 5;
  sample.plan.top = {64, 16};
  sample.plan.model.layers.insert(sample.plan.model.layers.begin() + 1,
                                  LayerSpec{.kind = LayerSpec::Kind::kDropout, .rate = 0.5});
  return sample;
}

constexpr double kTolerance = 3e-3;

// One party in one session: begins, or resumes from `from`. If `until` is set, the party ends there
// without a goodbye.
struct Training {
  const SampleFolder& folder;
  const Sample& sample;
  int session_number = 1;
  std::optional<CheckpointId> from;
  std::optional<StateLayout> layout = {};  // of `from`, for the dealer

  Events go(mpc::Session& session, int rank, bool is_dealer,
            const std::function<void(TrainingState&)>& spoil = {}) const {
    Events events;
    std::optional<CheckpointStore> store;
    StoreOptions options = folder.options(rank);
    options.folder = folder.path("rank " + std::to_string(rank));
    options.parties = session.parties();
    if (!is_dealer) store.emplace(options);
    const auto prepare = [&](Trainer& trainer) {
      const mpc::Nonce nonce = nonce_of(session_number);
      if (from && is_dealer) {
        trainer.restore(restored_by_dealer(session, layout.value()));
      } else if (from) {
        TrainingState state = store->resume(session, nonce, *from);
        if (spoil) spoil(state);
        trainer.restore(std::move(state));
      } else if (store) {
        store->begin(session, nonce);
      }
      if (store) trainer.on_checkpoint([&](const TrainingState& state) { store->save(session, state); });
    };
    return secret_run(session, sample, {}, prepare);
  }
};

// The layout is equal at every party. It is read before the parties run, because each party deletes
// files of its own folder when it begins.
StateLayout layout_of(const SampleFolder& folder, int parties, const CheckpointId& id) {
  StoreOptions options = folder.options(0);
  options.folder = folder.path("rank 0");
  options.parties = parties;
  for (const ResumePoint& point : CheckpointStore(options).find().usable) {
    if (point.id == id) return point.layout;
  }
  throw std::runtime_error("rank 0 has no such checkpoint");
}

void expect_like(const Events& first, const Events& second, const Events& twin) {
  Events all = first;
  all.insert(all.end(), second.begin(), second.end());
  EXPECT_LE(largest_difference(all, twin), kTolerance);
  EXPECT_EQ(second.front().epoch, first.back().epoch + 1);
}

class ResumedTraining : public testing::Test {
 protected:
  ResumedTraining() { first_half_.plan.epochs = 10; }

  SampleFolder folder_;
  const Sample sample_ = small_sample();
  Sample first_half_ = sample_;
  const Events twin_ = plain_run(sample_);
};

TEST_F(ResumedTraining, FollowsTheTwinInTheClear) {
  mpc::ClearSession first(1, 1), second(1, 2);
  const Events begun = Training{folder_, first_half_, 1, {}}.go(first, 0, false);
  const Events rest = Training{folder_, sample_, 2, CheckpointId{nonce_of(1), 10}}.go(second, 0, false);
  ASSERT_EQ(begun.size(), 10U);
  ASSERT_EQ(rest.size(), 10U);
  expect_like(begun, rest, twin_);
}

TEST_F(ResumedTraining, FollowsTheTwinForAnyNumberOfParties) {
  for (const int parties : {2, 3}) {
    const SampleFolder folder;
    Events begun;
    mpc::run_parties(parties, [&](mpc::Session& session, int rank) {
      const Events events = Training{folder, first_half_, 1, {}}.go(session, rank, rank == parties);
      if (rank == 0) begun = events;
    });
    const CheckpointId id{nonce_of(1), 10};
    const Training second{folder, sample_, 2, id, layout_of(folder, parties, id)};
    mpc::run_parties(parties,
                     [&](mpc::Session& session, int rank) {
                       const Events rest = second.go(session, rank, rank == parties);
                       EXPECT_EQ(rest.size(), 10U);
                       if (rank == 0) expect_like(begun, rest, twin_);
                     },
                     {.planned = false});  // a planning session knows no checkpoint
  }
}

// The tolerance above would reveal any loss of state.
TEST_F(ResumedTraining, StraysFromTheTwinWithoutItsVelocitiesOrItsDropoutPasses) {
  const std::vector<std::function<void(TrainingState&)>> spoils = {
      [](TrainingState& state) { state.optimiser.tensors.clear(); },
      [](TrainingState& state) { state.training_passes = 0; },
  };
  for (const auto& spoil : spoils) {
    const SampleFolder folder;
    mpc::ClearSession first, second;
    Events all = Training{folder, first_half_, 1, {}}.go(first, 0, false);
    const Events rest = Training{folder, sample_, 2, CheckpointId{nonce_of(1), 10}}.go(second, 0, false, spoil);
    all.insert(all.end(), rest.begin(), rest.end());
    EXPECT_GT(largest_difference(all, twin_), 30 * kTolerance);
  }
}

// A party that was killed after the last checkpoint has not seen the results.
TEST_F(ResumedTraining, OfAFinishedJobTellsItsMetricsAndDoesNothingElse) {
  mpc::ClearSession first, second;
  const Events finished = Training{folder_, first_half_, 1, {}}.go(first, 0, false);
  const Events again = Training{folder_, first_half_, 2, CheckpointId{nonce_of(1), 10}}.go(second, 0, false);
  ASSERT_EQ(again.size(), 1U);
  EXPECT_FALSE(again[0].loss);
  EXPECT_EQ(again[0].epoch, 10);
  ASSERT_EQ(again[0].readings.size(), finished.back().readings.size());
  EXPECT_EQ(second.reveals().size(), again[0].readings.size() + 1) << "the metrics, and that no range was left";
  for (std::size_t i = 0; i < again[0].readings.size(); ++i) {
    EXPECT_NEAR(again[0].readings[i].value, finished.back().readings[i].value, 1e-2);
  }
}

TEST_F(ResumedTraining, OfAnotherModelIsRefused) {
  mpc::ClearSession first;
  Training{folder_, first_half_, 1, {}}.go(first, 0, false);
  Sample wider = sample_;
  wider.plan.model.layers.front().outputs = 32;
  Sample plain = sample_;
  std::get<SgdOptions>(plain.plan.optimiser).momentum = 0;
  for (const Sample& other : {wider, plain}) {
    mpc::ClearSession second;
    EXPECT_THROW((Training{folder_, other, 2, CheckpointId{nonce_of(1), 10}}.go(second, 0, false)), ConfigError);
  }
}

TEST(Divergence, NamesTheLastCheckpointThatWasGood) {
  Sample sample = sensors_sample(GraphKind::kPublic);
  sample.plan.rate.initial = 2;
  sample.plan.checkpoint_every = 1;
  sample.plan.audit_every = 0;  // an audit would name the range that is left before
  mpc::ClearSession session;
  std::int64_t last = 0;
  try {
    secret_run(session, sample, {}, [&](Trainer& trainer) {
      trainer.on_checkpoint([&](const TrainingState& state) { last = state.epochs; });
    });
    FAIL();
  } catch (const TrainingDiverged& error) {
    const std::string expected = "the last good checkpoint is from epoch " + std::to_string(last - 1);
    EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace tacit::gnn
