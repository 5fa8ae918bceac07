// A killed session, a bad disk or a stranger leaves files in a rank's folder. The next start removes the files, uses
// them if they are whole, or refuses with a sentence. It never counts too few reveals, and never begins anew without
// being asked.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "tests/launcher/run/ranks.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

const Words kTen = sets({"training.epochs=10", "training.evaluate_every=0"});

std::vector<fs::path> files(const fs::path& folder, const std::string& part) {
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename().string().find(part) != std::string::npos) all.push_back(entry.path());
  }
  return all;
}

void damage(const fs::path& file) {
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(90) << "damage";
}

Words resumed(Words words) {
  words.emplace_back("--resume");
  return words;
}

void expect_all_end_with_2(const std::vector<net::Ended>& ends) {
  for (const net::Ended& one : ends) EXPECT_EQ(one.exit_code, 2) << one;
}

// Copies the folders of a training of ten epochs with checkpoints after epochs 5 and 10. The training runs once for all tests here.
class LeftBehind : public testing::Test {
 protected:
  LeftBehind() {
    static const Trained trained;
    fs::copy(trained.ranks.path("out"), ranks_.path("out"), fs::copy_options::recursive);
  }

  fs::path checkpoints(int rank) const { return ranks_.output(rank) / "checkpoints"; }

  const Ranks ranks_;

 private:
  struct Trained {
    Trained() { expect_success(ranks.run_all("train", kTen)); }
    const Ranks ranks;
  };
};

TEST_F(LeftBehind, ADamagedAccountOfRevealsIsRefusedAtAllRanksWithTheRemedy) {
  for (const fs::path& ledger : files(checkpoints(1), "reveals-")) damage(ledger);
  const std::vector<net::Ended> ends = ranks_.run_all("train", resumed(kTen));
  expect_all_end_with_2(ends);
  EXPECT_THAT(ends[0].err, HasSubstr("its checkpoints have an account of reveals that is damaged"));
  EXPECT_THAT(ends[1].err, AllOf(HasSubstr("reveals-"), HasSubstr("--afresh"), HasSubstr("Bring it back")));
}

TEST_F(LeftBehind, AFifoWithTheSummarysNameDelaysNoRank) {
  fs::remove(ranks_.output(1) / "summary.json");
  ASSERT_EQ(::mkfifo((ranks_.output(1) / "summary.json").c_str(), 0600), 0);
  expect_success(ranks_.run_all("train", resumed(kTen)));
  EXPECT_EQ(ranks_.summary(1)["result"], "finished");
}

TEST_F(LeftBehind, AnAccountThatIsGoneIsSaid) {
  for (const fs::path& ledger : files(checkpoints(1), "reveals-")) fs::remove(ledger);
  const std::vector<net::Ended> ends = ranks_.run_all("train", resumed(kTen));
  expect_success(ends);
  EXPECT_THAT(ends[1].err, HasSubstr("has no account of reveals beside its checkpoints"));
  const Json summary = ranks_.summary(1);
  const auto loss =
      std::ranges::find_if(summary["reveals"], [](const Json& one) { return one["what"] == "training loss"; });
  ASSERT_NE(loss, summary["reveals"].end());
  EXPECT_EQ((*loss)["count"], 10) << "as the checkpoint counts";
}

TEST_F(LeftBehind, NothingBeginsAnewWhereAllCheckpointsOfAllPartiesAreDamaged) {
  for (const int rank : {0, 1}) {
    for (const fs::path& file : files(checkpoints(rank), ".checkpoint")) damage(file);
  }
  for (const int rank : {0, 1, 2}) {  // only the ledgers know about the reveals then
    std::ofstream(ranks_.output(rank) / "events.jsonl", std::ios::trunc);
  }
  const std::vector<net::Ended> ends = ranks_.run_all("train", kTen);
  expect_all_end_with_2(ends);
  for (const net::Ended& one : ends) EXPECT_THAT(one.err, HasSubstr("--afresh"));
  EXPECT_THAT(ends[1].err,
              HasSubstr("rank 0 kept a checkpoint of epoch 10, and has none of this job now that it can "));
}

TEST_F(LeftBehind, NothingBeginsAnewWhereTheFolderOfCheckpointsIsGone) {
  for (const int rank : {0, 1}) fs::remove_all(checkpoints(rank));
  const std::vector<net::Ended> ends = ranks_.run_all("train", resumed(kTen));
  expect_all_end_with_2(ends);
  EXPECT_THAT(ends[0].err, HasSubstr("rank 0 kept a checkpoint of epoch 10"));
}

TEST_F(LeftBehind, AFifoAmongTheCheckpointsIsPassedOverAndManyBadFilesAreFewLines) {
  ASSERT_EQ(::mkfifo((checkpoints(1) / "rank1-epoch00000099-a-b.checkpoint").c_str(), 0600), 0);
  for (int i = 0; i < 300; ++i) {
    std::ofstream(checkpoints(1) / fmt::format("rank1-epoch{:08}-x-y.checkpoint", 1000 + i)) << "no checkpoint";
  }
  const std::vector<net::Ended> ends = ranks_.run_all("train", resumed(kTen));
  expect_success(ends);
  EXPECT_THAT(ends[1].err, HasSubstr("298 more checkpoints in "));
  EXPECT_LT(std::ranges::count(ends[1].err, '\n'), 60);
}

TEST_F(LeftBehind, AFinishedRunSaysHowItsResultsAreToldAgain) {
  const std::vector<net::Ended> ends = ranks_.run_all("train", kTen);
  expect_all_end_with_2(ends);
  for (const net::Ended& one : ends) {
    EXPECT_THAT(one.err, HasSubstr("to print its results again, say --resume at every rank"));
  }
  const std::vector<net::Ended> again = ranks_.run_all("train", resumed(kTen));
  expect_success(again);
  EXPECT_THAT(again[0].out, HasSubstr("10 epochs, all of them in earlier sessions; this one took "));
  EXPECT_EQ(ranks_.events(0, "epoch").size(), 10u);
  EXPECT_EQ(ranks_.events(0, "evaluated").size(), 1u);
  // The repeated reveal gives the very share that was revealed: the same number to the last bit.
  const Json first = ranks_.events(0, "epoch").back()["readings"];
  ASSERT_EQ(first.size(), 2u);
  expect_success(ranks_.run_all("train", resumed(kTen)));
  const std::vector<Json> told = ranks_.events(0, "evaluated");
  ASSERT_EQ(told.size(), 2u);
  for (const Json& evaluated : told) EXPECT_EQ(evaluated["readings"], first);
  EXPECT_EQ(ranks_.summary(0)["readings"], first);
}

TEST(Killed, ASessionLeavesNothingThatTheNextStartDoesNotClearUp) {
  const Ranks ranks;
  std::vector<net::Process> all = ranks.start_all("train", sets({"training.epochs=1000000"}));
  ASSERT_TRUE(ranks.comes(0, "checkpoint") && ranks.comes(1, "checkpoint"));
  for (net::Process& one : all) one.signal(SIGKILL);
  ends_of(all);
  EXPECT_EQ(ranks.summary(1)["result"], "running");
  for (const char* name : {".summary.json.AbC123", ".job.toml.AbC123", ".model.npz.AbC123", ".predictions.npz.AbC123",
                           "checkpoints/.rank1-epoch00000005-x-y.checkpoint.AbC123"}) {
    std::ofstream(ranks.output(1) / name) << "half";
  }
  std::ofstream(ranks.output(1) / ".a.user's own") << "kept";
  // A prediction keeps the training's summary, except the entries that are no longer true.
  expect_success(ranks.run_all("predict", sets({"training.epochs=1000000", "reveal.predictions=0"})));
  EXPECT_EQ(ranks.summary(1)["result"], "failed");
  EXPECT_THAT(ranks.summary(1)["error"], HasSubstr("ended without an error message"));
  EXPECT_TRUE(files(ranks.output(1), "AbC123").empty());
  EXPECT_TRUE(files(ranks.output(1) / "checkpoints", "AbC123").empty());
  EXPECT_TRUE(fs::exists(ranks.output(1) / ".a.user's own"));
}

TEST(Resumed, ARunStatesTheEpochsAndTimeOfThisSession) {
  const Ranks ranks;
  const Words words = sets({"training.epochs=200"});
  std::vector<net::Process> all = ranks.start_all("train", words);
  ASSERT_TRUE(ranks.comes(0, "checkpoint") && ranks.comes(1, "checkpoint"));
  for (net::Process& one : all) one.signal(SIGKILL);
  ends_of(all);
  const std::vector<net::Ended> ends = ranks.run_all("train", words);
  expect_success(ends);
  const std::int64_t from = ranks.events(0, "resumed").back()["epoch"];
  EXPECT_THAT(ends[0].out,
              HasSubstr(fmt::format("200 epochs, the last {} of them in this session, which took ", 200 - from)));
}

TEST(EarlyStopping, SaysThatItStoppedAndWhy) {
  const Ranks ranks;
  const Words stopping =
      sets({"training.epochs=400", "training.optimiser.rate=0.000001", "training.stopping.patience=3",
            "training.stopping.metric=loss", "training.stopping.least_improvement=0.5"});
  const std::vector<net::Ended> ends = ranks.run_all("train", stopping);
  expect_success(ends);
  for (const net::Ended& one : ends) {
    EXPECT_THAT(one.out, AllOf(HasSubstr("training stopped early, after epoch "),
                               HasSubstr("the training loss had not become better by 0.5 for 3 epochs in a row")));
  }
  EXPECT_EQ(ranks.events(1, "stopped").size(), 1u);
  EXPECT_THAT(ranks.summary(2)["stopped"], HasSubstr("of 400 at most"));
}

}  // namespace
}  // namespace tacit::launcher
