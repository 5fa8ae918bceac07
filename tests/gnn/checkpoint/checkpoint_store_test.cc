// A store's checkpoints: which it keeps, which it deletes, and which it returns.
#include "gnn/checkpoint/checkpoint_store.h"

#include <gmock/gmock.h>

#include "mpc/protocols/input.h"
#include "mpc/protocols/reveal.h"
#include "tests/gnn/checkpoint/sample_store.h"
#include "tests/mpc/run_program.h"

namespace tacit::gnn {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Stores : public testing::Test {
 protected:
  std::vector<std::int64_t> epochs() const {
    std::vector<std::int64_t> epochs;
    for (const ResumePoint& point : CheckpointStore(folder_.options()).find().usable) epochs.push_back(point.id.epoch);
    return epochs;
  }
  CheckpointStore begun(int session) {
    CheckpointStore store(folder_.options());
    store.begin(session_, nonce_of(session));
    return store;
  }
  void save(CheckpointStore& store, std::int64_t epoch) { store.save(session_, sample_state(session_, epoch)); }

  SampleFolder folder_;
  mpc::ClearSession session_;
};

TEST_F(Stores, GiveBackWhatWasSaved) {
  {
    CheckpointStore store = begun(1);
    save(store, 10);
  }
  mpc::ClearSession later;
  CheckpointStore store(folder_.options());
  const TrainingState state = store.resume(later, nonce_of(2), {nonce_of(1), 10});
  EXPECT_EQ(state.epochs, 10);
  EXPECT_EQ(state.training_passes, 10);
  EXPECT_EQ(state.optimiser.steps, 7);
  EXPECT_EQ(state.first_loss, 2.5);
  EXPECT_EQ(state.progress.stale, 3);
  EXPECT_EQ(state.progress.best, 0.75);
  ASSERT_TRUE(state.best);
  EXPECT_EQ(state.best->epoch, 10);
  ASSERT_EQ(state.best->parameters.size(), 2U);
  EXPECT_EQ(state.best->parameters[1].name(), "bias");
  EXPECT_EQ(state.plateau.stale, 2);
  EXPECT_EQ(state.plateau.best, 0.5);
  EXPECT_EQ(state.reductions, 4);
  ASSERT_EQ(state.parameters.size(), 2U);
  ASSERT_EQ(state.optimiser.tensors.size(), 1U);
  EXPECT_EQ(state.parameters[1].name(), "bias");
  EXPECT_EQ(state.parameters[1].bound(), 16);
  const mpc::Public weight = mpc::reveal(later, state.parameters[0].share(), mpc::To::everyone(), "a weight");
  EXPECT_NEAR(mpc::value_of(weight)(2, 1), kRareValue, 1e-4);
}

TEST_F(Stores, KeepTheNewestTwo) {
  CheckpointStore store = begun(1);
  for (const std::int64_t epoch : {10, 20, 30, 40}) save(store, epoch);
  EXPECT_THAT(epochs(), ElementsAre(40, 30));
}

TEST_F(Stores, KeepWhatTheyResumedFromUntilThereAreTwoNewerOnes) {
  {
    CheckpointStore store = begun(1);
    for (const std::int64_t epoch : {10, 20}) save(store, epoch);
  }
  mpc::ClearSession later;
  CheckpointStore store(folder_.options());
  store.resume(later, nonce_of(2), {nonce_of(1), 10});  // the others do not have 20
  EXPECT_THAT(epochs(), ElementsAre(20, 10));
  save(store, 15);
  EXPECT_THAT(epochs(), ElementsAre(15, 10));  // 20 belongs to a future that did not come
  save(store, 20);
  EXPECT_THAT(epochs(), ElementsAre(20, 15));
}

TEST_F(Stores, KnowTheNewestOneThoughTheClockWentBack) {
  {
    CheckpointStore store = begun(1);
    save(store, 10);
  }
  const fs::path saved = folder_.files().front();
  const mpc::StorageKey key = mpc::StorageKey::load(folder_.options().key);
  const CheckpointFile file = CheckpointFile::read(saved);
  CheckpointHeader header = file.header();
  header.saved_at += std::int64_t{3'600'000'000'000};
  const std::vector<std::byte> changed = encode_checkpoint(header, file.open(key), key);
  std::ofstream(saved, std::ios::binary).write(reinterpret_cast<const char*>(changed.data()), std::ssize(changed));
  mpc::ClearSession later;
  CheckpointStore store(folder_.options());
  store.resume(later, nonce_of(2), {nonce_of(1), 10});
  save(store, 20);
  EXPECT_THAT(epochs(), ElementsAre(20, 10));
}

TEST_F(Stores, LeaveOtherRunsAlone) {
  {
    CheckpointStore store = begun(1);
    save(store, 10);
  }
  CheckpointStore store = begun(2);
  for (const std::int64_t epoch : {1, 2, 3}) save(store, epoch);
  EXPECT_THAT(epochs(), ElementsAre(3, 2, 10));
}

TEST_F(Stores, PassOverARefusedFileAndSayWhy) {
  CheckpointStore store = begun(1);
  for (const std::int64_t epoch : {10, 20}) save(store, epoch);
  fs::resize_file(folder_.files().back(), 100);
  EXPECT_THAT(epochs(), ElementsAre(10));
  EXPECT_THAT(store.find().refused, ElementsAre(HasSubstr("is truncated: 100 of")));
}

TEST_F(Stores, RemoveWhatWasLeftUnfinished) {
  begun(1);
  for (const char* name : {".rank0-epoch00000001-a.checkpoint.Xy12Zz", ".rank1-epoch00000001-a.checkpoint.Xy12Zz"}) {
    std::ofstream(folder_.store() / name) << "half of one";
  }
  EXPECT_THAT(epochs(), IsEmpty());
  EXPECT_THAT(folder_.files(".Xy12Zz"), ElementsAre(folder_.store() / ".rank1-epoch00000001-a.checkpoint.Xy12Zz"));
}

TEST_F(Stores, SayWhenTheAgreedCheckpointIsGone) {
  begun(1);
  CheckpointStore store(folder_.options());
  try {
    store.resume(session_, nonce_of(2), {nonce_of(1), 10});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the checkpoint of epoch 10 that was agreed on is gone"));
  }
}

TEST_F(Stores, NeedAFolder) {
  StoreOptions options = folder_.options();
  options.folder = folder_.path("features");
  EXPECT_THROW(CheckpointStore{options}, ConfigError);
}

TEST_F(Stores, CountRevealsOfAllSessionsThatOfTheCrashedOneToo) {
  const auto reveal = [](mpc::Session& session, int times) {
    const mpc::Share x = mpc::constant(session, Matrix::Ones(1, 3), {64, 13}, "x");
    for (int i = 0; i < times; ++i) mpc::reveal(session, x, mpc::To::everyone(), "loss");
  };
  {
    CheckpointStore store = begun(1);
    reveal(session_, 4);
    save(store, 10);
    reveal(session_, 3);  // and here it ends
  }
  mpc::ClearSession later;
  CheckpointStore store(folder_.options());
  store.resume(later, nonce_of(2), {nonce_of(1), 10});
  reveal(later, 2);
  const std::vector<mpc::Reveal> account = store.reveals(later);
  ASSERT_EQ(account.size(), 1U);
  EXPECT_EQ(account[0].count, 9);
  EXPECT_EQ(account[0].elements, 27);

  mpc::ClearSession anew;
  CheckpointStore again(folder_.options());
  again.begin(anew, nonce_of(3));
  reveal(anew, 1);
  EXPECT_EQ(again.reveals(anew)[0].count, 10) << "the account is of all runs in the folder";
  StoreOptions other = folder_.options();
  other.job.fill(std::byte{2});
  mpc::ClearSession elsewhere;
  CheckpointStore of_another_job(other);
  of_another_job.begin(elsewhere, nonce_of(4));
  EXPECT_TRUE(of_another_job.reveals(elsewhere).empty());
}

}  // namespace
}  // namespace tacit::gnn
