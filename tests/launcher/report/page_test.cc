// The content of a page. Any content of the files leads to a well-formed page.
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

TEST(RunPage, ShowsTheNumbersOfTheRun) {
  for (const int parties : {2, 3, 8}) {
    const ToldRun run(parties);
    run.train(3);
    const std::string page = page_of_folder(run.path());
    EXPECT_THAT(page, AllOf(HasSubstr("<h1>told</h1>"), HasSubstr(fmt::format("{} parties and a dealer", parties)),
                            HasSubstr("<span class=\"state finished\">finished</span>"), HasSubstr("3 of 10 epochs"),
                            HasSubstr("All are equal."), HasSubstr(">training loss</td>"), HasSubstr(">everyone</td>"),
                            HasSubstr(">stop early</td>"), HasSubstr(">mask</td>"),
                            HasSubstr("works together with the dealer")));
  }
}

// The run's resolved job; its digest is not compared.
void write_job(const ToldRun& run, std::string_view correlations) {
  run.write("rank0/job.toml", fmt::format("correlations = \"{}\"\n", correlations) +
                                  small_job_with("parties = 3", fmt::format("parties = {}", run.parties())));
}

TEST(RunPage, OfARunWithoutADealerTellsTheTrustAndThePartThatMadeCorrelations) {
  const ToldRun run(3, false);
  run.train(3);
  write_job(run, "pairwise");
  const std::string page = page_of_folder(run.path());
  EXPECT_THAT(page,
              AllOf(HasSubstr("3 parties, no dealer"), HasSubstr("Trust: there is no dealer"), HasSubstr("RLWE"),
                    HasSubstr("AES as a correlation-robust hash"), HasSubstr("CDH on ristretto255"),
                    HasSubstr("a party that deviates from the protocol is not covered"),
                    HasSubstr("bytes for correlations"), HasSubstr("<td>450</td>"),
                    HasSubstr("Not compared: the parties make correlations ahead"), HasSubstr("that every rank knows"),
                    HasSubstr("Lattice answers tell at most 2^-44.4 about a party’s masks.")));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("together with the dealer")), Not(HasSubstr("and a dealer")),
                          Not(HasSubstr("bytes dealt")), Not(HasSubstr("is not here")), Not(HasSubstr("are not here")),
                          Not(HasSubstr("dealer: mean"))));
}

TEST(RunPage, OfSeveralSessionsWithoutADealerTellsThatTheirLeakageAddsUp) {
  const ToldRun run(3, false);
  for (int rank = 0; rank < 3; ++rank) run.started(rank);  // a session that was lost
  run.train(3);
  write_job(run, "pairwise");
  EXPECT_THAT(page_of_folder(run.path()),
              HasSubstr("2^-44.4 about a party’s masks in the last of 2 sessions, whose bounds add up (each is at most "
                        "2^-40.0)."));
}

// A training that went on without a dealer leaves the folder of the first session's dealer.
TEST(RunPage, OfARunThatWentOnWithoutADealerLeavesTheEarlierDealerOut) {
  const ToldRun run(3);
  run.train(3);
  write_job(run, "pairwise");
  EXPECT_EQ(read_run(run.path()).ranks.size(), 3u);
  EXPECT_TRUE(read_run(run.path()).complaints.empty());
  EXPECT_THAT(page_of_folder(run.path()), HasSubstr("3 parties, no dealer"));
}

// The content of an element of the page, between its tags.
std::string content_of(const std::string& page, const std::string& open, const std::string& close) {
  const std::size_t begin = page.find(open) + open.size();
  return page.substr(begin, page.find(close, begin) - begin);
}

Json figures_in(const std::string& page) {
  return Json::parse(content_of(page, "<script type=\"application/json\" id=\"figures\">", "</script>"));
}

// Four epochs of a training that stops early and goes back to the second.
void train_to_a_best_epoch(const ToldRun& run) {
  run.started(0);
  for (const int epoch : {1, 2, 3, 4}) {
    const auto reading = [&](const char* what, double value) {
      return Json{{"what", what}, {"value", value}, {"to", "everyone"}, {"class_name", "very <grave>"}};
    };
    Json event = {{"event", "epoch"},
                  {"epoch", epoch},
                  {"loss", 1.0 / epoch},
                  {"readings", {reading("validation f1_class_1", 0.1 * epoch)}}};
    if (epoch == 4) {
      event["best"] = {{"epoch", 2},
                       {"readings", {reading("validation f1_class_1", 0.875), reading("test f1_class_1", 0.5)}}};
    }
    run.event(0, event);
  }
  run.event(0, {{"event", "stopped"}, {"epoch", 4}, {"why", "training stopped early, after epoch 4 of 10 at most"}});
}

TEST(RunPage, TellsWhenTheTrainingStoppedAndMarksTheBestModel) {
  const ToldRun run;
  train_to_a_best_epoch(run);
  const std::string page = page_of_folder(run.path());
  EXPECT_THAT(page, AllOf(HasSubstr("<p>Training stopped early, after epoch 4 of 10 at most.</p>"),
                          HasSubstr("f1 of very &lt;grave&gt;"), Not(HasSubstr("f1_class_1"))));
  const Json figures = figures_in(page);
  for (const char* title : {"Training loss", "f1 of very <grave>"}) {
    const auto figure =
        std::find_if(figures.begin(), figures.end(), [&](const Json& one) { return one["title"] == title; });
    ASSERT_NE(figure, figures.end()) << title;
    EXPECT_EQ((*figure)["marks"].dump(), R"([{"x":2.0,"text":"best model"},{"x":4.0,"text":"stopped"}])");
  }
  EXPECT_EQ(figures[1]["series"][0]["name"], "validation f1 of very <grave>");
}

TEST(RunPage, LoadsNothingAndRunsItsOwnScriptsAlone) {
  const ToldRun run;
  run.train(3);
  const std::string page = page_of_folder(run.path());
  EXPECT_THAT(page,
              testing::ContainsRegex(
                  "Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; "
                  "script-src 'sha256-[A-Za-z0-9+/]{43}=' 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'"));
  for (const char* loads : {"unsafe-inline", "<link", "<img", "<iframe", " src=", "href=\"h", "href=\"/", "url(",
                            "@import", "onload=", " style=", "sourceMappingURL"}) {
    EXPECT_THAT(page.substr(0, page.find("<script>")), Not(HasSubstr(loads)));
  }
  EXPECT_THAT(page, HasSubstr("Dan Vanderkam")) << "the licence of dygraphs";
}

TEST(RunPage, HasTheDataOfEachFigureForItsScriptAndAsATable) {
  const ToldRun run;
  run.train(3);
  const std::string page = page_of_folder(run.path());
  const Json figures = figures_in(page);
  ASSERT_EQ(figures.size(), 11u);
  EXPECT_EQ(figures[0]["title"], "Training loss");
  EXPECT_EQ(figures[0]["x"], Json::array({1.0, 2.0, 3.0}));
  EXPECT_EQ(figures[0]["series"][0]["y"], Json::array({1.0, 0.5, 0.333333}));
  for (std::size_t i = 1; i <= figures.size(); ++i) {
    EXPECT_THAT(page, HasSubstr(fmt::format("<figure id=\"figure{}\">", i)));
  }
  EXPECT_THAT(content_of(page, "<figure id=\"figure1\">", "</figure>"),
              AllOf(HasSubstr("<th class=\"word\">epoch</th><th>on shares</th>"), HasSubstr("<td>0.5000</td>")));
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
  const std::vector<RunAccount> runs = {read_run(run.path()), read_run(run.path())};
  EXPECT_EQ(what_is_wrong_with(page_of(runs)), "");
  for (const std::string& page : {page_of_folder(run.path()), page_of(runs)}) {
    EXPECT_THAT(page, AllOf(Not(HasSubstr("<script>alert")), Not(HasSubstr("<img")), Not(HasSubstr("\u202e"))));
    EXPECT_THAT(page, HasSubstr("&lt;/title&gt;"));
    const std::string data = content_of(page, "id=\"figures\">", "</script>");
    EXPECT_THAT(data, AllOf(Not(HasSubstr("<")), HasSubstr("\\u003c/title>")));
    EXPECT_GE(figures_in(page).size(), 2u) << "the page has a script element more, or the data end early";
  }
}

TEST(RunPage, OfARunWithoutEpochsSaysSoAndWhy) {
  const ToldRun run;
  for (int rank = 0; rank <= 2; ++rank) {
    run.started(rank);
    run.event(rank, {{"event", "failed"}, {"error", "rank 1 has no data"}});
  }
  const std::string page = page_of_folder(run.path());
  EXPECT_THAT(page, AllOf(HasSubstr("rank 0, rank 1, dealer: failed: rank 1 has no data"),
                          HasSubstr("No epoch has ended"), HasSubstr("Nothing, according to the accounts here"),
                          Not(HasSubstr("<figure")), HasSubstr("class=\"state failed\""), HasSubstr("0 of 10 epochs")));
}

TEST(RunPage, OfARunThatIsCutShortListsTheRevealsSoFar) {
  const ToldRun run;
  for (int rank = 0; rank <= 2; ++rank) run.started(rank);
  for (int rank = 0; rank <= 1; ++rank) {
    run.epoch(rank, 1, 1);
    run.epoch(rank, 2, 0.5);
    run.write(fmt::format("rank{}/events.jsonl", rank), R"({"event":"epoch","ep)");
  }
  const std::string page = page_of_folder(run.path());
  EXPECT_THAT(page, AllOf(HasSubstr("class=\"state running\""), HasSubstr("2 of 10 epochs"),
                          HasSubstr("No rank has ended well"), HasSubstr("test rmse")));
}

TEST(RunPage, NamesMissingAccountsAndUnreadableFiles) {
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
  for (const char* fact : {"<dt>nodes</dt><dd>1\u202f300", "<dt>features</dt><dd>17", "<dt>edges</dt><dd>4\u202f242",
                           "<dt>classes</dt><dd>3", "<dt>parameters</dt><dd>321", "<dt>test nodes</dt><dd>600"}) {
    EXPECT_THAT(page, HasSubstr(fact));
  }
  EXPECT_THAT(page, Not(HasSubstr("<dt>validation nodes</dt>"))) << "there are none";
  EXPECT_THAT(page, HasSubstr("<dt>training.optimiser.rate</dt><dd>"));
  EXPECT_THAT(page, HasSubstr("<a href=\"#section1\">"));
  EXPECT_THAT(page, HasSubstr("<section id=\"section1\">"));
}

TEST(RunPage, NamesTheOwnersOfDataButNoPath) {
  const ToldRun run;
  run.train(1);
  ReadJob job = read(kSmallJob);
  job.job.output = "/home/somebody/runs";
  run.write("rank0/job.toml", to_toml(job.job, job.sources));
  EXPECT_THAT(page_of_folder(run.path()), AllOf(HasSubstr(">every party, some columns</td>"),
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

TEST(ComparisonPage, OfSeveralSeedsHasTheirMeanAndDeviation) {
  std::vector<std::unique_ptr<ToldRun>> told;
  std::vector<RunAccount> runs;
  for (int seed = 1; seed <= 16; ++seed) {
    told.push_back(std::make_unique<ToldRun>());
    for (int rank = 0; rank <= 2; ++rank) told.back()->started(rank);
    told.back()->epoch(0, 1, seed);
    told.back()->epoch(0, 2, seed);
    const ReadJob job = read(small_job_with("epochs = 20", fmt::format("epochs = 20\nseed = {}", seed)));
    told.back()->write("rank0/job.toml", to_toml(job.job, job.sources));
    runs.push_back(read_run(told.back()->path()));
    runs.back().label = fmt::format("run-{}", seed);
  }
  const std::string page = page_of(runs);
  EXPECT_EQ(what_is_wrong_with(page), "");
  EXPECT_THAT(page, HasSubstr("<th>run, 16 seeds</th>"));
  EXPECT_THAT(page, HasSubstr(">training loss</td><td>8.500 ± 4.761</td>"));
  EXPECT_THAT(page, HasSubstr("<summary>each run</summary>"));
  EXPECT_THAT(page, HasSubstr(">training.seed</td><td>1, 2, 3, 4"));
  const Json loss = figures_in(page)[0];
  ASSERT_EQ(loss["series"].size(), 1u);
  EXPECT_NEAR(loss["series"][0]["low"][0], 8.5 - 4.761, 1e-3);
}

TEST(ComparisonPage, NamesRunsByTheDistinctPartOfTheirFolders) {
  EXPECT_THAT(labels_of({"runs/a", "runs/b/"}), ElementsAre("a", "b"));
  EXPECT_THAT(labels_of({"one/out", "two/out"}), ElementsAre("one/out", "two/out"));
  EXPECT_THAT(labels_of({"out", "out"}), ElementsAre("run 1", "run 2"));
}

}  // namespace
}  // namespace tacit::launcher
