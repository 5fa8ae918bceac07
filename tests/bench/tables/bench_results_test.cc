#include "bench/tables/bench_results.h"

#include <gmock/gmock.h>

#include <fstream>
#include <map>

#include "bench/tables/bench_figures.h"
#include "bench/tables/bench_page.h"
#include "bench/tables/rank_figures.h"
#include "net/error.h"
#include "tests/launcher/commands/command.h"
#include "tests/launcher/report/well_formed.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Measurements scaling() {
  Measurements made("scaling", "tacit bench scaling");
  Table& ranks = made.table("ranks");
  for (int n = 1; n <= 3; ++n) {
    for (const char* rank : {"0", "dealer"}) {
      Row& row = ranks.add({{"parties", std::to_string(n)}, {"rank", rank}});
      row.figure(figure_name::kEpochTime, "s").add(0.001 * n);
      row.figure(figure_name::kEpochData, "MB").add(n == 1 ? 0 : 0.1 * n);
    }
  }
  return made;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(BenchResults, WriteJsonCsvAndAPage) {
  const TemporaryFolder folder;
  const BenchResults results(folder.path() / "made" / "here");
  results.write(scaling());
  const fs::path page = results.write_page();
  EXPECT_EQ(Json::parse(text_of(page.parent_path() / "scaling.json")), scaling().json());
  EXPECT_EQ(text_of(page.parent_path() / "scaling-ranks.csv"), scaling().tables().front().csv());
  const std::string html = text_of(page);
  EXPECT_EQ(what_is_wrong_with(html), "");
  EXPECT_THAT(html, HasSubstr("CrypTen, cloud nodes (the report)")) << "others' numbers are beside ours";
  EXPECT_THAT(html, HasSubstr("tacit bench scaling"));
  EXPECT_THAT(html, HasSubstr("\"title\":\"Time per epoch at rank 0\"")) << "figures are data of the page";
}

TEST(BenchResults, LeaveNothingOfAnEarlierRunAndNothingElseGoes) {
  const TemporaryFolder folder;
  const BenchResults results(folder.path());
  Measurements two("sweep", "a");
  for (const char* table : {"hidden", "layers"}) {
    Row& row = two.table(table).add({{table, "16"}});
    row.figure(figure_name::kUsualTime, "s").add(1);
  }
  results.write(two);
  results.write_page();
  std::ofstream(folder.path() / "sweep-mine.csv") << "mine";
  EXPECT_THROW(results.expect_whole("sweep", {"hidden"}), ConfigError) << "layers would be lost";
  EXPECT_NO_THROW(results.expect_whole("sweep", {"hidden", "layers", "ring"}));
  EXPECT_NO_THROW(results.expect_whole("scaling", {}));
  Measurements one("sweep", "b");
  one.table("hidden").add({{"hidden", "16"}}).figure(figure_name::kUsualTime, "s").add(2);
  results.write(one);
  results.write_page();
  EXPECT_TRUE(fs::exists(folder.path() / "sweep-hidden.csv"));
  EXPECT_FALSE(fs::exists(folder.path() / "sweep-layers.csv"));
  EXPECT_TRUE(fs::exists(folder.path() / "sweep-mine.csv"));
}

TEST(BenchResults, AreOnOnePageInAFixedOrder) {
  const TemporaryFolder folder;
  const BenchResults results(folder.path());
  results.write(Measurements("sweep", "b"));
  results.write(scaling());
  EXPECT_THAT(text_of(results.write_page()), Not(HasSubstr("The time that each benchmark took")))
      << "of files without it";
  Measurements timed("sweep", "b");
  timed.took(125);
  results.write(timed);
  EXPECT_THAT(text_of(results.write_page()), AllOf(HasSubstr("The time that each benchmark took"), HasSubstr("2 min")));
  const auto all = results.read();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].bench(), "scaling");
  EXPECT_EQ(all[1].bench(), "sweep");
  for (const char* last : {"preprocessing", "a", "data-parallel"}) results.write(Measurements(last, "c"));
  std::vector<std::string> names;
  for (const Measurements& one : results.read()) names.push_back(one.bench());
  EXPECT_THAT(names, testing::ElementsAre("scaling", "data-parallel", "sweep", "preprocessing", "a"));
  const std::string html = text_of(results.write_page());
  EXPECT_THAT(html, HasSubstr("Private training, data-parallel"));
  EXPECT_THAT(html, HasSubstr("Cleaning a raw table"));
}

TEST(BenchResults, ShowSpeedUpsBesidePublishedOnes) {
  Measurements made("data-parallel", "tacit bench data-parallel");
  for (const char* layout : {"1x1", "2x1"}) {
    Row& row = made.table("layouts").add({{"layout", layout}});
    row.figure(figure_name::kEpochTime, "s").add(1);
    row.figure("speed-up", "").add(1.5);
  }
  std::map<std::string, double> bars;
  for (const Figure& figure : figures_of(made)) {
    const auto& bar_figure = std::get<BarFigure>(figure);
    if (bar_figure.name != "data-parallel-speed-up") continue;
    for (const BarFigure::Bar& bar : bar_figure.bars) bars[bar.name] = bar.values.front();
  }
  EXPECT_EQ(bars.size(), 2u + 12u) << "ours, and two programs in six layouts each; no prices, nothing sequential";
  EXPECT_EQ(bars["Tacit, 2x1"], 1.5);
  EXPECT_DOUBLE_EQ(bars["package, 1x2"], 617.0 / 310);
  EXPECT_DOUBLE_EQ(bars["own all-reduce, four GPUs, 4x1"], 615 / 269.8);
}

TEST(BenchResults, ShowErrorsOfEachDataSetBesideTheReports) {
  Measurements made("accuracy", "tacit bench accuracy");
  for (const char* data : {"shared air", "own air"}) {
    Row& row = made.table("models").add({{"data", data}, {"model", "GCN on shares"}, {"epochs", "100"}});
    row.figure("test RMSE", "ug/m3").add(12);
  }
  std::map<std::string, std::size_t> bars;
  for (const Figure& figure : figures_of(made)) {
    const auto& bar_figure = std::get<BarFigure>(figure);
    bars[bar_figure.name] = bar_figure.bars.size();
  }
  EXPECT_EQ(bars["accuracy-test-shared-air"], 1u + 11u) << "ours, and the report's twelve with one dash";
  EXPECT_EQ(bars["accuracy-test-own-air"], 1u + 11u);
  EXPECT_EQ(bars["accuracy-train-own-air"], 8u) << "the report has no training error of GraphSAGE and Meaner";
}

TEST(BenchResults, ShowTheWorstSeedOfEachRateAndNumberOfParties) {
  Measurements made("divergence", "tacit bench divergence");
  const auto add = [&](const char* rate, const char* parties, const char* ours, const char* beside, double epoch) {
    Row& row = made.table("trainings")
                   .add({{"rate", rate}, {"parties", parties}, {"on shares", ours}, {"beside the twin", beside}});
    row.figure("last epoch on shares", "").add(epoch);
  };
  add("0.1", "1", "trains", "trains", 200);
  add("0.1", "5", "diverges", "diverges alone", 7);
  add("0.1", "5", "trains", "trains", 200);
  add("1", "5", "leaves its range", "diverges like the twin", 6);
  add("1", "1", "diverges", "unheard of", 6);
  const std::vector<Figure> figures = figures_of(made);
  ASSERT_EQ(figures.size(), 1u);
  const std::vector<std::vector<std::string>> rows = table_of(figures.front());
  using testing::ElementsAre;
  EXPECT_THAT(rows, ElementsAre(ElementsAre("rate", "1", "5"), ElementsAre("0.1", "trains", "diverges alone, epoch 7"),
                                ElementsAre("1", "", "diverges like the twin, epoch 6")));
  EXPECT_TRUE(is_empty(figures_of(Measurements("divergence", "x")).front())) << "a file without trainings has no cells";
  const std::string html = bench_page({made});
  EXPECT_EQ(what_is_wrong_with(html), "");
  EXPECT_THAT(html, HasSubstr("The exploding loss, mapped"));
  EXPECT_THAT(html, HasSubstr("resolve exploding loss values")) << "the report's words are beside ours";
}

TEST(BenchResults, OfNothingOrOfSomethingElseAreRefused) {
  const TemporaryFolder folder;
  EXPECT_THROW(BenchResults(folder.path()).write_page(), ConfigError);
  EXPECT_THROW(BenchResults(folder.path() / "none").write_page(), ConfigError);
  const auto refused = [&](const std::string& text) -> std::string {
    std::ofstream(folder.path() / "x.json") << text;
    try {
      BenchResults(folder.path()).write_page();
      return "";
    } catch (const ConfigError& error) {
      return error.what();
    }
  };
  EXPECT_THAT(refused("{}"), HasSubstr("is no file of measurements"));
  EXPECT_THAT(refused(""), HasSubstr("is no JSON"));
  EXPECT_THAT(refused("{\"bench\":"), HasSubstr("is no JSON"));
  EXPECT_THAT(refused(R"({"bench":"x","command":"","machine":)" + std::string(3'000'000, '[')),
              HasSubstr("is no JSON"));
  const std::string deep = std::string(3'000'000, '[') + std::string(3'000'000, ']');
  EXPECT_EQ(refused(R"({"bench":"x","command":"","machine":{"cpu":)" + deep + "}}"), "") << "and is not looked into";
}

TEST(BenchResults, OfAnybodyBecomeNoTags) {
  Measurements hostile("<script>", "</p><script>alert(1)</script>");
  hostile.table("<b>").add({{"<i>", "<img src=x>"}}).figure("<u>", "<s>").add(1);
  hostile.note("<script>");
  const std::string html = bench_page({hostile});
  EXPECT_EQ(what_is_wrong_with(html), "");
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
}

TEST(BenchPage, FoldsLongTablesButShowsTheirResult) {
  Measurements made("sweep", "x");
  for (int row = 0; row < 30; ++row) {
    made.table("numbers").add({{"n", std::to_string(row)}}).figure("time", "s").add(row);
    made.table("verdicts").add({{"n", std::to_string(row)}}).remark = "linearly";
  }
  const std::string html = bench_page({made});
  EXPECT_THAT(html, HasSubstr("<summary>numbers"));
  EXPECT_THAT(html, Not(HasSubstr("<summary>verdicts")));
  EXPECT_THAT(html, HasSubstr("linearly"));
}

TEST(BenchFigures, ShowOursAndOthersOnTheSameAxes) {
  const std::vector<Figure> figures = figures_of(scaling());
  const auto titled = [&](const std::string& title) -> const LineFigure& {
    for (const Figure& one : figures) {
      if (title_of(one) == title) return std::get<LineFigure>(one);
    }
    throw std::runtime_error("no figure \"" + title + "\"");
  };
  const LineFigure& time = titled("Time per epoch at rank 0");
  EXPECT_EQ(time.across, "parties");
  ASSERT_EQ(time.series.size(), 4u) << "ours, the report's, CrypTen's and MP-SPDZ's";
  EXPECT_EQ(time.series[0].points.size(), 3u);
  const LineFigure& data = titled("Data per epoch at one rank");
  EXPECT_EQ(data.series[0].points.size(), 2u) << "a party alone sends nothing: no place on a scale of powers";
  EXPECT_EQ(data.series[0].points[0].y, 0.2e6);
}

TEST(BenchFigures, OfAnUnknownBenchmarkAreNone) { EXPECT_TRUE(figures_of(Measurements("other", "x")).empty()); }

TEST(BenchPage, IsMadeAnewByTheCommand) {
  const TemporaryFolder folder;
  BenchResults(folder.path()).write(scaling());
  const Ran ran = tacit({"bench", "page", folder.path().string(), "--json"});
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_TRUE(fs::exists(ran.json()["report"].get<std::string>()));
  EXPECT_EQ(tacit({"bench", "page", (folder.path() / "none").string()}).exit_code, 2);
}

}  // namespace
}  // namespace tacit::launcher
