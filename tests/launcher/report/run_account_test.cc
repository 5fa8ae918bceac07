#include "launcher/report/run_account.h"

#include <gmock/gmock.h>

#include "launcher/job/job_text.h"
#include "launcher/report/predictions.h"
#include "launcher/report/run_figures.h"
#include "tests/launcher/job/small_job.h"
#include "tests/launcher/report/told_run.h"

namespace tacit::launcher {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(RunAccount, FindsAllRanksOrOneOrIsRefused) {
  const ToldRun run(3);
  run.train(2);
  std::filesystem::create_directory(run.path() / "rank7");     // an empty folder
  std::filesystem::copy(run.rank(0), run.path() / "rank0.1");  // moved aside
  std::filesystem::copy(run.rank(0), run.path() / "rankx");
  const RunAccount all = read_run(run.path());
  ASSERT_EQ(all.ranks.size(), 4u);
  EXPECT_EQ(all.ranks[3].role, "dealer");
  EXPECT_EQ(all.parties(), 3);
  EXPECT_EQ(all.result(), "finished");
  const RunAccount one = read_run(run.rank(2));
  ASSERT_EQ(one.ranks.size(), 1u);
  EXPECT_EQ(one.ranks[0].rank, 2);
  EXPECT_THAT(refusal([&] { read_run(run.path() / "rank7"); }),
              AllOf(HasSubstr("holds no run"), HasSubstr("--output")));
  EXPECT_THAT(refusal([&] { read_run(run.path() / "nowhere"); }), HasSubstr("is no folder"));
  EXPECT_FALSE(holds_a_run(run.path() / "nowhere"));
}

TEST(RunAccount, LeavesOutRanksOfAnEarlierRunWithMoreParties) {
  const ToldRun three(3), two(2);
  three.train(1);
  two.train(1);
  std::filesystem::copy(three.rank(3), two.rank(3), std::filesystem::copy_options::recursive);
  EXPECT_EQ(read_run(two.path()).ranks.size(), 3u);
}

// Folders that were put together by hand: medians of two jobs would be true of neither.
TEST(RunAccount, OfRanksOfTwoJobsIsOfTheFirstJobAndNamesTheOtherRanks) {
  const ToldRun run(2), other(2), three(3);
  run.train(2);
  std::filesystem::remove_all(run.rank(1));
  run.started(1, "told", "d2");
  run.epoch(1, 1, 5);
  const RunAccount mixed = read_run(run.path());
  ASSERT_EQ(mixed.ranks.size(), 2u);
  EXPECT_EQ(mixed.rank(1), nullptr);
  EXPECT_THAT(mixed.complaints, ElementsAre(AllOf(HasSubstr("rank 1"), HasSubstr("another job"), HasSubstr("rank 0"),
                                                  HasSubstr("left out"))));
  other.train(2);
  three.train(2);
  std::filesystem::remove_all(other.rank(2));
  std::filesystem::copy(three.rank(2), other.rank(2), std::filesystem::copy_options::recursive);
  const RunAccount sizes = read_run(other.path());
  EXPECT_EQ(sizes.ranks.size(), 2u);
  EXPECT_THAT(sizes.complaints, ElementsAre(AllOf(HasSubstr("rank 2"), HasSubstr("a run of 3 parties"))));
}

TEST(RunAccount, OfAPartyWhereTheDealersShouldBeSaysSo) {
  const ToldRun run(2);
  run.train(2);
  std::filesystem::remove_all(run.rank(2));
  std::filesystem::copy(run.rank(1), run.rank(2), std::filesystem::copy_options::recursive);
  EXPECT_THAT(read_run(run.path()).complaints, ElementsAre(AllOf(HasSubstr("rank 2"), HasSubstr("a party"))));
}

TEST(RunAccount, HasTheResultOfItsWorstRank) {
  const ToldRun run;
  run.train(1);
  run.started(1);
  EXPECT_EQ(read_run(run.path()).result(), "finished") << "the summary is from before, and nothing else has ended";
  std::filesystem::remove(run.rank(1) / "summary.json");
  EXPECT_EQ(read_run(run.path()).result(), "running");
  run.event(0, {{"event", "failed"}, {"error", "rank 1 was lost"}});
  std::filesystem::remove(run.rank(0) / "summary.json");
  EXPECT_EQ(read_run(run.path()).result(), "failed");
}

TEST(RunAccount, HasTheSharedSettingsWithTheirSources) {
  ReadJob job = read(kSmallJob);
  job.job.keys.identity.pattern = "/home/somebody/secret.key";
  const std::vector<ToldSetting> settings =
      settings_in("# rank: 0 (--rank)\n\n" + to_toml(job.job, job.sources), "job.toml");
  const auto named = [&](const std::string& key) {
    return *std::find_if(settings.begin(), settings.end(), [&](const ToldSetting& one) { return one.key == key; });
  };
  EXPECT_EQ(named("training.epochs").value, "20");
  EXPECT_EQ(named("training.epochs").source, "small.toml:11");
  EXPECT_EQ(named("training.seed").source, "default");
  for (const ToldSetting& one : settings) EXPECT_THAT(one.value, testing::Not(HasSubstr("secret"))) << one.key;
}

TEST(RunAccount, HasThePartThatMakesCorrelationsAndReadsARecordWithoutIt) {
  const auto cost_of = [](bool dealer, const Json& more) {
    const ToldRun run(2, dealer);
    run.train(1);
    run.event(0, {{"event", "epoch"}, {"epoch", 2}, {"loss", 1}, {"stated", more}});
    const RunAccount account = read_run(run.path());
    EXPECT_TRUE(account.complaints.empty());
    return std::pair(account.ranks.front().stated_by_protocol.at(0).cost, *account.ranks.front().epochs.at(2).stated);
  };
  const auto [made, bounded] =
      cost_of(false, {{"rounds", 1}, {"made_rounds", -4}, {"made_bytes", 1e300}, {"made_leakage", -1}});
  EXPECT_EQ(made.made_rounds, 3);
  EXPECT_EQ(made.made_bytes, 150);
  EXPECT_EQ(made.made_leakage, std::int64_t{3} << 44);
  EXPECT_EQ(bounded.made_leakage, 0);
  EXPECT_EQ(bounded.made_rounds, 0);
  EXPECT_EQ(bounded.made_bytes, 0);
  const auto [dealt, older] = cost_of(true, {{"rounds", 1}, {"bytes", 5}});
  EXPECT_EQ(dealt.made_bytes, 0);
  EXPECT_EQ(older.bytes, 5);
  EXPECT_EQ(older.made_rounds, 0);
  EXPECT_EQ(older.made_leakage, 0);
}

TEST(RunAccount, OfAJobThatCannotBeReadComplains) {
  const ToldRun run;
  run.train(1);
  run.write("rank0/job.toml", "name = 3\n");
  const RunAccount account = read_run(run.path());
  EXPECT_TRUE(account.settings.empty());
  EXPECT_THAT(account.complaints, ElementsAre(HasSubstr("rank0/job.toml:1")));
}

TEST(Predictions, AreEqualOrSayInHowManyEpochsTheyDiffer) {
  for (const int parties : {2, 3, 8}) {
    const ToldRun run(parties);
    run.train(4);
    const std::vector<Prediction> all = predictions_of(read_run(run.path()));
    ASSERT_EQ(all.size(), static_cast<std::size_t>(3 * parties + 2));
    for (const Prediction& one : all) {
      EXPECT_TRUE(one.equal()) << one.who << " " << one.what << ": " << one.stated << " " << one.measured;
      EXPECT_GT(one.stated, 0);
      EXPECT_EQ(one.epochs, 4);
    }
    run.epoch(0, 5, 1, +1);
    run.epoch(0, 6, 1, -1);
    const std::vector<Prediction> off = predictions_of(read_run(run.path()));
    EXPECT_EQ(off[1].what, "bytes to parties");
    EXPECT_EQ(off[1].stated, off[1].measured) << "one more and one less";
    EXPECT_FALSE(off[1].equal());
    EXPECT_EQ(off[1].differing, 2);
  }
}

TEST(Predictions, OfTheDealerWaitForItsEnd) {
  const ToldRun run;
  for (int rank = 0; rank <= 2; ++rank) run.started(rank);
  run.epoch(0, 1, 1);
  for (int epoch = 1; epoch <= 3; ++epoch) run.epoch(2, epoch, 0);  // the dealer runs ahead
  for (const Prediction& one : predictions_of(read_run(run.path()))) EXPECT_NE(one.who, "dealer");
}

const LineFigure& lines(const std::vector<Figure>& figures, const std::string& name) {
  return std::get<LineFigure>(
      *std::find_if(figures.begin(), figures.end(), [&](const Figure& one) { return name_of(one) == name; }));
}

std::vector<std::string> names(const LineFigure& figure) {
  std::vector<std::string> all;
  for (const Series& one : figure.series) all.push_back(one.name);
  return all;
}

TEST(RunFigures, DrawRanksThatAreAlikeAsOneAndManyAsASpread) {
  for (const int parties : {2, 3, 8, 9}) {
    const ToldRun run(parties);
    run.train(3);
    const RunFigures figures = figures_of(read_run(run.path()));
    const std::string together = parties == 2 ? "ranks 0 and 1" : fmt::format("ranks 0 to {}", parties - 1);
    if (parties <= 8) {
      EXPECT_THAT(names(lines(figures.epochs, "rounds")), ElementsAre(together, "dealer"));
      EXPECT_EQ(lines(figures.epochs, "time").series.size(), static_cast<std::size_t>(parties + 1)) << "all differ";
    } else {
      EXPECT_THAT(names(lines(figures.epochs, "time")),
                  ElementsAre("maximum of the parties", "median of the parties", "minimum of the parties", "dealer"));
      EXPECT_DOUBLE_EQ(lines(figures.epochs, "time").series[1].points[0].y, 0.010);
    }
  }
}

TEST(RunFigures, OfTheDealerEndWhereThePartiesDo) {
  const ToldRun run;
  for (int rank = 0; rank <= 2; ++rank) run.started(rank);
  run.epoch(0, 1, 1);
  for (int epoch = 1; epoch <= 3; ++epoch) run.epoch(2, epoch, 0);
  EXPECT_EQ(lines(figures_of(read_run(run.path())).epochs, "bytes").series.back().points.size(), 1u);
}

TEST(RunFigures, EvenOutTheBurstsOfTheDealer) {
  const ToldRun run;
  run.train(200);
  const RunAccount account = read_run(run.path());
  const RunFigures figures = figures_of(account);
  const Series& dealer = lines(figures.epochs, "bytes").series.back();
  EXPECT_EQ(dealer.name, "dealer, mean of 4 epochs");
  EXPECT_EQ(dealer.points.size(), 50u);
  EXPECT_EQ(dealer.points[7].y, 100);
}

TEST(Measures, OfADealerThatDealsInBurstsAreItsMean) {
  const ToldRun run;
  for (int rank = 0; rank <= 2; ++rank) run.started(rank);
  for (int epoch = 1; epoch <= 9; ++epoch) {
    for (int rank = 0; rank <= 1; ++rank) run.epoch(rank, epoch, 1);
    const int sent = epoch % 3 == 0 ? 360 : 0;
    run.event(2, {{"event", "epoch"}, {"epoch", epoch}, {"measured", {{"peers", {{"0", {{"payload_sent", sent}}}}}}}});
  }
  const RunAccount account = read_run(run.path());
  const EpochMeasure& bytes = epoch_measures().front();
  EXPECT_EQ(median_of(account.ranks[2], bytes), 120);
  EXPECT_EQ(median_of(account, bytes), 2 * 100 + 120);
}

TEST(RunFigures, ShowThePlainTwinBesideLossAndReadings) {
  const ToldRun run;
  run.train(3);
  run.write("plain/events.jsonl",
            R"({"event":"epoch","epoch":1,"loss":0.9,"readings":[{"what":"test rmse","value":9}]})"
            "\n"
            R"({"event":"epoch","epoch":2,"loss":0.8,"readings":[{"what":"test rmse","value":8}]})"
            "\n");
  const RunFigures figures = figures_of(read_run(run.path()));
  const LineFigure &loss = lines(figures.learning, "loss"), &rmse = lines(figures.learning, "metric-rmse");
  EXPECT_THAT(names(loss), ElementsAre("on shares", "on plain data"));
  EXPECT_EQ(loss.series[1].points[1].y, 0.8);
  EXPECT_THAT(names(rmse), ElementsAre("test rmse", "test rmse, plain data"));
}

TEST(RunFigures, AddUpBytesOfRanksWhereRunsAreCompared) {
  const ToldRun two(2), three(3);
  two.train(3);
  three.train(3);
  std::vector<RunAccount> runs = {read_run(two.path()), read_run(three.path())};
  runs[0].label = "two";
  runs[1].label = "three";
  const ComparedFigures figures = figures_of(groups_of(runs));
  const LineFigure& bytes = lines(figures.epochs, "bytes");
  ASSERT_THAT(names(bytes), ElementsAre("two", "three"));
  EXPECT_EQ(bytes.series[0].points[0].y, 2 * 100 + 2 * 50);
  EXPECT_EQ(bytes.series[1].points[0].y, 3 * 2 * 100 + 3 * 50);
  EXPECT_EQ(lines(figures.epochs, "time").series[1].points[0].y, 0.008) << "the slowest";
}

TEST(RunGroups, AreRunsThatDifferInTheSeedAlone) {
  std::vector<std::unique_ptr<ToldRun>> told;
  std::vector<RunAccount> runs;
  const auto add = [&](const std::string& label, const std::string& with, double loss) {
    told.push_back(std::make_unique<ToldRun>(2));
    for (int rank = 0; rank <= 2; ++rank) told.back()->started(rank);
    for (int epoch = 1; epoch <= 2; ++epoch) told.back()->epoch(0, epoch, loss * epoch);
    const ReadJob job = read(small_job_with("epochs = 20", with));
    told.back()->write("rank0/job.toml", to_toml(job.job, job.sources));
    runs.push_back(read_run(told.back()->path()));
    runs.back().label = label;
  };
  add("wide-1", "epochs = 20\nseed = 1", 1);
  add("long", "epochs = 21\nseed = 1", 9);
  add("wide-2", "epochs = 20\nseed = 2", 2);
  add("wide-3", "epochs = 20\nseed = 3", 6);
  const std::vector<RunGroup> groups = groups_of(runs);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].label, "wide, 3 seeds");
  EXPECT_EQ(groups[0].runs.size(), 3u);
  EXPECT_EQ(groups[1].label, "long");
  const ComparedFigures figures = figures_of(groups);
  const LineFigure& loss = lines(figures.learning, "loss");
  ASSERT_THAT(names(loss), ElementsAre("wide, 3 seeds", "long"));
  EXPECT_EQ(loss.series[0].points[1].y, 6) << "the mean of 2, 4 and 12";
  EXPECT_NEAR(loss.series[0].deviation[1], std::sqrt((16 + 4 + 36) / 2.0), 1e-12);
  EXPECT_TRUE(loss.series[1].deviation.empty());
}

TEST(RunGroups, OfUnknownSettingsAreOneRunEach) {
  const ToldRun run;
  run.train(1);
  EXPECT_EQ(groups_of({read_run(run.path()), read_run(run.path())}).size(), 2u);
}

}  // namespace
}  // namespace tacit::launcher
