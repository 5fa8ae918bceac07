// The planned memory of a training, from the words of its epochs.
#include "launcher/plan/memory_need.h"

#include <gmock/gmock.h>

namespace tacit::launcher {
namespace {

constexpr std::int64_t kUsual = 1'000'000, kMasked = 50'000'000, kEvaluation = 3'000'000, kWordBytes = 8;

MemoryNeed of_epochs(const std::vector<std::int64_t>& words) {
  gnn::PlannedRun run;
  run.batches = 1;
  for (const std::int64_t count : words) {
    gnn::PlannedRun::Step& epoch = run.epochs.emplace_back();
    epoch.work.words = count;
    epoch.cost.rounds = 13;
    run.stands_for.push_back(1);
  }
  return memory_need(run, 2);
}

// The values that the first epoch masks stay for all later epochs. The evaluation of the first epoch reads these
// values, too.
TEST(MemoryNeed, CountsMaskedValuesOfTheFirstEpochOnce) {
  const MemoryNeed without = of_epochs({kUsual, kUsual, kUsual, kUsual});
  const MemoryNeed with = of_epochs({kUsual + kMasked, kUsual, kUsual, kUsual});
  EXPECT_EQ(with.party - without.party, kMasked * kWordBytes);
  EXPECT_EQ(with.dealer - without.dealer, kMasked * kWordBytes / 2);
  EXPECT_EQ(with.party_on_device.stays, kMasked * kWordBytes);
  EXPECT_EQ(with.party_on_device.most, (kMasked + kUsual) * kWordBytes);
}

TEST(MemoryNeed, HasRoomForALaterEvaluation) {
  const MemoryNeed without = of_epochs({kUsual, kUsual, kUsual, kUsual});
  const MemoryNeed with = of_epochs({kUsual, kUsual, kUsual, kUsual + kEvaluation});
  EXPECT_EQ(with.party - without.party, (kEvaluation - kUsual) * kWordBytes);
}

// Without a dealer, a party has the masks of a dealer and the memory of its maker, besides its own.
TEST(MemoryNeed, OfAPartyWithAMakerIsThatOfBoth) {
  constexpr std::int64_t kMaker = std::int64_t{100} << 20;
  gnn::PlannedRun run;
  run.epochs.resize(4);
  run.stands_for = {1, 1, 1, 1};
  run.batches = run.measured_blocks = run.predicted_blocks = 1;
  for (gnn::PlannedRun::Step& epoch : run.epochs) epoch.work.words = kUsual;
  run.epochs.front().work.words += kMasked;
  const std::int64_t alone = memory_need(run, 2, false).party;
  run.making.memory = kMaker;
  const std::int64_t more = memory_need(run, 2, false).party - alone;
  EXPECT_GE(more, kMaker + kMasked / 2 * kWordBytes);
  EXPECT_LE(more, kMaker + (kMasked / 2 + kUsual) * kWordBytes + (1 << 20));
}

// A party takes a message as a whole, with what is unpacked from it; the dealer makes it as a whole.
TEST(MemoryNeed, HasRoomForTheLargestDealtMessage) {
  constexpr std::int64_t kDealt = 700 << 20, kQueue = 64 << 20;
  gnn::PlannedRun run;
  run.epochs.resize(1);
  run.stands_for = {1};
  run.total.cost.dealt_bytes = 2 * kDealt;
  const MemoryNeed without = memory_need(run, 2);
  run.most_dealt = kQueue;
  EXPECT_EQ(memory_need(run, 2).party, without.party);
  run.most_dealt = kDealt;
  EXPECT_EQ(memory_need(run, 2).party, without.party + 5 * (kDealt - kQueue) / 2);
  EXPECT_EQ(memory_need(run, 2).dealer, without.dealer + (5 * kDealt - 3 * kQueue) / 2);
}

// An operation that runs a hundred times frees its words each time. They are the step's peak if its values are fewer.
TEST(MemoryNeed, CountsWhatAnOperationFreesOnce) {
  constexpr std::int64_t kPassing = 7 * kUsual;
  gnn::PlannedRun run;
  run.batches = 1;
  run.epochs.resize(4);
  run.stands_for = {1, 1, 1, 1};
  for (gnn::PlannedRun::Step& epoch : run.epochs) epoch.work.words = kUsual;
  const MemoryNeed without = memory_need(run, 2);
  for (gnn::PlannedRun::Step& epoch : run.epochs) {
    epoch.work += mpc::Work{.words = 100 * kPassing, .passing = 100 * kPassing, .most_passing = kPassing};
    run.total = run.total + epoch;
  }
  const MemoryNeed with = memory_need(run, 2);
  EXPECT_EQ(with.party - without.party, (kPassing - kUsual) * kWordBytes);
  EXPECT_EQ(with.dealer - without.dealer, (kPassing / 2 - kUsual) * kWordBytes);
  EXPECT_EQ(with.party_on_device.most, without.party_on_device.most);
}

// The memory of normalising a private graph is given back before the epochs.
TEST(MemoryNeed, OfNormalisingCountsIfItIsMoreThanTheEpochs) {
  gnn::PlannedRun run;
  run.epochs.resize(1);
  run.stands_for = {1};
  run.sharing.work.words = 10 * kUsual;
  const std::int64_t without = memory_need(run, 2).party;
  run.sharing.work.words += 90 * kUsual;
  run.normalising = {90 * kUsual, 20 * kUsual};  // a job of one epoch is assumed to mask as many
  EXPECT_EQ(memory_need(run, 2).party, without);
  run.normalising.at_once = 25 * kUsual;
  EXPECT_EQ(memory_need(run, 2).party, without + 5 * kUsual * kWordBytes);
}

}  // namespace
}  // namespace tacit::launcher
