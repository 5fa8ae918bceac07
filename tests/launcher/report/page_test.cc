// What a page says, and that it is one whatever is in the files.
#include <gmock/gmock.h>

#include "launcher/job/job_text.h"
#include "launcher/report/comparison_page.h"
#include "launcher/report/run_page.h"
#include "tests/launcher/job/small_job.h"
#include "tests/launcher/report/told_run.h"
#include "tests/launcher/report/well_formed.h"

namespace tacit::launcher {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string page_of_folder(const std::filesystem::path& folder) {
  const std::string page = page_of(read_run(folder));
  EXPECT_EQ(what_is_wrong_with(page), "");
  return page;
}

TEST(RunPage, TellsWhatTheRunDid) {
  for (const int parties : {2, 3, 8}) {
    const ToldRun run(parties);
    run.train(3);
    const std::string page = page_of_folder(run.path());
    EXPECT_THAT(page,
                AllOf(HasSubstr("<h1>told</h1>"), HasSubstr(fmt::format("{} parties and a dealer", parties)),
                      HasSubstr("finished · 3 of 10 epochs"), HasSubstr("All are equal."),
                      HasSubstr("data-label=\"what\">training loss</td>"), HasSubstr("data-label=\"to\">everyone</td>"),
                      HasSubstr("stop early"), HasSubstr("data-label=\"protocol\">mask</td>"),
                      HasSubstr("works together with the dealer")));
  }
}

TEST(RunPage, LoadsNothingAndRunsNothing) {
  const ToldRun run;
  run.train(3);
  const std::string page = page_of_folder(run.path());
  EXPECT_THAT(page, HasSubstr("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;"));
  for (const char* loads :
       {"<script", "<link", "<img", "<iframe", "src=", "href=\"h", "href=\"/", "url(", "@import", "onload"}) {
    EXPECT_THAT(page, Not(HasSubstr(loads)));
  }
}

TEST(RunPage, EscapesEverythingThatFilesSay) {
  const std::string hostile = "</title></style><script>alert(1)</script><img src=x onerror=\"alert(2)\">'&\u202e";
  const ToldRun run;
  for (int rank = 0; rank <= 2; ++rank) {
    run.event(rank, {{"event", "started"},
                     {"name", hostile},
                     {"role", rank < 2 ? "party" : "dealer"},
                     {"parties", 2},
                     {"time", hostile},
                     {"command", hostile},
                     {"job_digest", hostile},
                     {"versions", {{"tacit", hostile}}}});
    for (int epoch = 1; epoch < 3; ++epoch) {
      run.event(rank, {{"event", "epoch"},
                       {"epoch", epoch},
                       {"loss", 1},
                       {"time", hostile},
                       {"readings", Json::array({{{"what", hostile}, {"value", epoch}, {"to", hostile}}})}});
    }
    run.event(rank, {{"event", "phase"}, {"phase", hostile}, {"seconds", 1}});
    run.event(rank, {{"event", "revealed"},
                     {"reveals", Json::array({{{"what", hostile}, {"to", hostile}, {"count", 1}}})},
                     {"decisions", Json::array({{{"what", hostile}, {"count", 1}}})}});
    run.event(rank, {{"event", "failed"}, {"error", hostile}});
    run.write(fmt::format("rank{}/summary.json", rank),
              Json{{"stated_by_protocol", Json::array({{{"protocol", hostile}, {"bytes", 9}}})}}.dump());
    run.write(fmt::format("rank{}/job.toml", rank), "\"" + hostile + "\" = 1\n");
  }
  const std::string page = page_of_folder(run.path());
  EXPECT_THAT(page, AllOf(Not(HasSubstr("<script")), Not(HasSubstr("<img")), Not(HasSubstr("\u202e"))));
  EXPECT_THAT(page, HasSubstr("&lt;/title&gt;"));
  const std::vector<RunAccount> runs = {read_run(run.path()), read_run(run.path())};
  EXPECT_EQ(what_is_wrong_with(page_of(runs)), "");
  EXPECT_THAT(page_of(runs), Not(HasSubstr("<script")));
}

TEST(RunPage, OfARunWithoutEpochsSaysSoAndWhy) {
  const ToldRun run;
  for (int rank = 0; rank <= 2; ++rank) {
    run.started(rank);
    run.event(rank, {{"event", "failed"}, {"error", "rank 1 has no data"}});
  }
  const std::string page = page_of_folder(run.path());
  EXPECT_THAT(page, AllOf(HasSubstr("rank 0, rank 1, dealer: failed: rank 1 has no data"),
                          HasSubstr("No epoch has ended"), HasSubstr("Nothing, as far as the accounts here tell"),
                          Not(HasSubstr("<svg")), HasSubstr("failed · 0 of 10 epochs")));
}

TEST(RunPage, OfARunThatIsCutShortTellsWhatWasRevealedSoFar) {
  const ToldRun run;
  for (int rank = 0; rank <= 2; ++rank) run.started(rank);
  for (int rank = 0; rank <= 1; ++rank) {
    run.epoch(rank, 1, 1);
    run.epoch(rank, 2, 0.5);
    run.write(fmt::format("rank{}/events.jsonl", rank), R"({"event":"epoch","ep)");
  }
  const std::string page = page_of_folder(run.path());
  EXPECT_THAT(page, AllOf(HasSubstr("running, or ended without a word · 2 of 10 epochs"),
                          HasSubstr("No rank has told the whole of it"), HasSubstr("test rmse")));
}

TEST(RunPage, SaysWhichAccountsAreMissingAndWhatCouldNotBeRead) {
  const ToldRun run(3);
  run.train(2);
  std::filesystem::remove_all(run.rank(1));
  run.write("rank0/events.jsonl", "nonsense\n");
  EXPECT_THAT(page_of_folder(run.path()),
              AllOf(HasSubstr("The accounts of 1 rank are not here."), HasSubstr("rank0/events.jsonl:7: expected")));
  EXPECT_THAT(page_of_folder(run.rank(2)), HasSubstr("<h1>told</h1>"));
}

TEST(RunPage, SaysWhenAllKeysLayInOnePlace) {
  const ToldRun run;
  run.train(1);
  EXPECT_THAT(page_of_folder(run.path()), Not(HasSubstr("protected nobody")));
  run.write("keys/rank0.key", "");
  run.write("keys/rank1.key", "");
  EXPECT_THAT(page_of_folder(run.path()), HasSubstr("protected nobody"));
}

TEST(RunPage, TellsTheSizesOfDataAndModelAndTheHyperParameters) {
  const ToldRun run;
  run.train(1);
  run.event(0, {{"event", "agreed"},
                {"nodes", 1300},
                {"features", 17},
                {"targets", 3},
                {"classes", true},
                {"edges", 4242},
                {"train", 700},
                {"validation", 0},
                {"test", 600},
                {"parameters", 321}});
  const ReadJob job = read(kSmallJob);
  run.write("rank0/job.toml", to_toml(job.job, job.sources));
  const std::string page = page_of_folder(run.path());
  for (const char* fact :
       {"<dt>nodes</dt>\n<dd>1\u202f300", "<dt>features</dt>\n<dd>17", "<dt>edges</dt>\n<dd>4\u202f242",
        "<dt>classes</dt>\n<dd>3", "<dt>parameters</dt>\n<dd>321", "<dt>test nodes</dt>\n<dd>600"}) {
    EXPECT_THAT(page, HasSubstr(fact));
  }
  EXPECT_THAT(page, Not(HasSubstr("<dt>validation nodes</dt>"))) << "there are none";
  EXPECT_THAT(page, HasSubstr("data-label=\"hyper-parameter\">training.optimiser.rate</td>"));
  EXPECT_THAT(page, HasSubstr("<a href=\"#section1\">"));
  EXPECT_THAT(page, HasSubstr("<section id=\"section1\">"));
}

TEST(RunPage, NamesWhoseDataItIsButNoPath) {
  const ToldRun run;
  run.train(1);
  ReadJob job = read(kSmallJob);
  job.job.output = "/home/somebody/runs";
  run.write("rank0/job.toml", to_toml(job.job, job.sources));
  EXPECT_THAT(page_of_folder(run.path()), AllOf(HasSubstr("data-label=\"held by\">every party, some columns</td>"),
                                                HasSubstr("small.toml:11"), Not(HasSubstr("/home/somebody"))));
}

TEST(ComparisonPage, HasAColumnForEachRunAndTheSettingsThatDiffer) {
  for (const int count : {2, 5}) {
    std::vector<std::unique_ptr<ToldRun>> told;
    std::vector<RunAccount> runs;
    for (int i = 0; i < count; ++i) {
      told.push_back(std::make_unique<ToldRun>(2 + i % 2));
      told.back()->train(3 + i);
      const ReadJob job = read(small_job_with("epochs = 20", fmt::format("epochs = {}", 100 + i)));
      told.back()->write("rank0/job.toml", to_toml(job.job, job.sources));
      runs.push_back(read_run(told.back()->path()));
      runs.back().label = fmt::format("run <{}>", i);
    }
    const std::string page = page_of(runs);
    EXPECT_EQ(what_is_wrong_with(page), "");
    EXPECT_THAT(page, HasSubstr(fmt::format("Comparison of {} runs", count)));
    EXPECT_THAT(page, testing::ContainsRegex(">training.epochs</td><td[^>]*>100</td><td[^>]*>101</td>"));
    EXPECT_THAT(page, Not(HasSubstr(">training.seed</td>")));
    EXPECT_THAT(page, HasSubstr(fmt::format("run &lt;{}&gt;", count - 1)));
  }
}

TEST(ComparisonPage, NamesRunsByWhatTheirFoldersDoNotShare) {
  EXPECT_THAT(labels_of({"runs/a", "runs/b/"}), ElementsAre("a", "b"));
  EXPECT_THAT(labels_of({"one/out", "two/out"}), ElementsAre("one/out", "two/out"));
  EXPECT_THAT(labels_of({"out", "out"}), ElementsAre("run 1", "run 2"));
}

}  // namespace
}  // namespace tacit::launcher
