// Compares every number that the tables show beside ours with the text that states it. The tables show no other number.
#include "bench/tables/others.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "bench/tables/rank_figures.h"

namespace tacit::launcher {
namespace {

using namespace figure_name;
using Labels = std::vector<std::pair<std::string, std::string>>;

// The stated values of one figure, row by row.
struct Stated {
  std::string figure, unit;
  std::vector<double> values;
  double factor = 1;  // from the unit of the text
};

// The stated values of the rows that have these labels, in their order.
struct StatedRows {
  std::string bench, table;  // table: the beginning of its name
  Labels labels;
  std::vector<Stated> figures;
};

constexpr double kEach = 1.0 / 200;  // one of 200 epochs

std::vector<StatedRows> all_stated() {
  constexpr double kGigabyte = 1e3, kMilliseconds = 1e-3;
  constexpr const char* kLayoutsOfGpus = "DP-SGD on GPUs, by layout";
  return {
      {"privacy",
       "SGD and DP-SGD",
       {},
       {{"usual epoch", "s", {5.15, 510}},
        {"longest epoch", "s", {5.322, 528}},
        {"shortest epoch", "s", {5.104, 487}},
        {"test accuracy", "%", {66, 66}},
        {"inversion", "%", {74, 61}}}},
      {"data-parallel",
       kLayoutsOfGpus,
       {{"layout", ""}},
       {{"longest epoch", "s", {5.322, 528}},
        {kEpochTime, "s", {5.15, 510}},
        {"shortest epoch", "s", {5.104, 487}},
        {"test accuracy", "%", {66, 66}}}},
      {"data-parallel",
       kLayoutsOfGpus,
       {{"training", "package"}},
       {{"longest epoch", "s", {619, 312, 181}},
        {kEpochTime, "s", {617, 310, 178}},
        {"shortest epoch", "s", {616, 309, 175}},
        {"test accuracy", "%", {62, 62, 61.5}}}},
      {"data-parallel",
       kLayoutsOfGpus,
       {{"training", "own all-reduce"}},
       {{"longest epoch", "s", {624, 311, 174}},
        {kEpochTime, "s", {615, 304, 173}},
        {"shortest epoch", "s", {611, 298, 171}},
        {"test accuracy", "%", {64.7, 65, 65.6}}}},
      {"data-parallel",
       kLayoutsOfGpus,
       {{"training", "package, four GPUs"}},
       {{"longest epoch", "s", {191.8, 176.8, 181.4}},
        {kEpochTime, "s", {190.3, 173.05, 175.3}},
        {"shortest epoch", "s", {189.3, 174.9, 177.6}},
        {"test accuracy", "%", {61.5, 61.5, 61.5}}}},
      {"data-parallel",
       kLayoutsOfGpus,
       {{"training", "own all-reduce, four GPUs"}},
       {{"longest epoch", "s", {273.9, 209.8, 174.3}},
        {kEpochTime, "s", {269.8, 205.7, 172.8}},
        {"shortest epoch", "s", {265.3, 204.9, 170.86}},
        {"test accuracy", "%", {65.4, 65.6, 65.6}}}},
      {"data-parallel",
       kLayoutsOfGpus,
       {{"training", "what 10 epochs cost"}},
       {{kWallClock, "s", {6300, 3205, 1813, 2144, 1937}}, {"price", "", {1.995, 2.03, 2.3, 2.72, 2.45}}}},
      {"data-parallel",
       kLayoutsOfGpus,
       {{"training", "what 10 epochs cost"}, {"layout", "1x1"}},
       {{"price of an hour", "", {1.14}}}},
      {"data-parallel",
       kLayoutsOfGpus,
       {{"training", "what 10 epochs cost"}, {"layout", "1x2"}},
       {{"price of an hour", "", {2.28}}}},
      {"data-parallel",
       kLayoutsOfGpus,
       {{"training", "what 10 epochs cost"}, {"layout", "1x4"}},
       {{"price of an hour", "", {4.56}}}},
      {"gradients",
       "VGG-11 on four nodes",
       {},
       {{"time of an iteration", "s", {1.611695872, 1.25639041, 0.9883078718, 0.7678834103}},
        {"test loss", "", {2.1339, 2.1436, 2.1378, 2.0405}},
        {"accuracy", "%", {1935, 1783, 1874, 2087}, 1.0 / 100}}},
      {"gradients",
       "Training loss on four nodes",
       {},
       {{"20", "", {2.6360, 3.5594, 2.6557, 2.4925}},
        {"40", "", {2.3483, 2.2741, 2.5257, 2.5330}},
        {"60", "", {2.3193, 2.3407, 2.2712, 2.2772}},
        {"80", "", {2.2596, 2.2693, 2.2324, 2.2006}},
        {"100", "", {2.2727, 2.2819, 2.2610, 2.2247}},
        {"120", "", {2.3303, 2.2220, 2.1850, 2.1788}},
        {"140", "", {2.2367, 2.1900, 2.2463, 2.1694}},
        {"160", "", {2.1522, 2.1110, 2.0676, 1.9958}},
        {"180", "", {2.0770, 2.1038, 2.0221, 1.9988}}}},
      {"two-machine",
       "CrypTen, two machines",
       {},
       {{kPackets, "", {1002480, 1015286}},
        {kEpochPackets, "", {1002480, 1015286}, kEach},
        {kData, "MB", {1685.89, 1683.56}},
        {kEpochData, "MB", {1685.89, 1683.56}, kEach},
        {kEpochTime, "s", {4.14, 4.13}},
        {"captured", "s", {844.239, 835.239}},
        {"rate", "MB/s", {1.997, 2.016}},
        {kCpu, "%", {39.61, 41.19}},
        {"memory of the machine", "%", {1.98, 1.90}}}},
      {"scaling",
       "CrypTen, cloud nodes (",
       {{"rank", "0"}},
       {{kWallClock, "s", {108.29, 176, 427.93, 549.3, 923.36}},
        {kPackets, "", {0, 939229, 4054223, 6383688, 10856337}},
        {kEpochPackets, "", {0, 939229, 4054223, 6383688, 10856337}, kEach},
        {kData, "MB", {0, 1.68, 4.0, 5.80, 7.67}, kGigabyte},
        {kEpochData, "MB", {0, 8.40, 20.0, 29.01, 38.34}},
        {kEpochTime, "s", {0.45, 0.78, 1.98, 2.54, 4.38}},
        {kCpu, "%", {98.70, 80.76, 53.74, 48.52, 41.74}},
        {"memory of the machine", "%", {29.94, 29.08, 29.84, 29.45, 29.55}}}},
      {"scaling",
       "CrypTen, cloud nodes (",
       {{"rank", "1"}},
       {{kWallClock, "s", {179.36, 427.92, 555.2, 956.17}},
        {kPackets, "", {935784, 4066562, 6364673, 10881596}},
        {kEpochPackets, "", {935784, 4066562, 6364673, 10881596}, kEach},
        {kData, "MB", {1.68, 4.01, 5.80, 7.67}, kGigabyte},
        {kEpochData, "MB", {8.43, 20.04, 29.01, 38.35}},
        {kEpochTime, "s", {0.78, 1.99, 2.58, 4.54}},
        {kCpu, "%", {80.1, 53.07, 47.68, 41.07}},
        {"memory of the machine", "%", {29.48, 29.16, 29.89, 29.32}}}},
      {"scaling", "About 320 MB", {}, {{kMemory, "MB", {320}}}},
      {"accuracy",
       "Models",
       {{"model", "plain GCN (the report)"}, {"epochs", "100"}, {"variances", "-"}},
       {{"train RMSE", "", {109.95}}, {"test RMSE", "", {49.6}}, {"training time", "s", {0.438}}}},
      {"accuracy",
       "Models",
       {{"model", "plain GCN (the report)"}, {"epochs", "all"}, {"variances", "-"}},
       {{"train RMSE", "", {40.211}}, {"test RMSE", "", {50.8}}, {"training time", "s", {4.22}}}},
      {"accuracy",
       "Models",
       {{"model", "Gaussian-process regression (the report)"}, {"epochs", "100"}, {"variances", "VAR"}},
       {{"train RMSE", "", {29.76}}, {"test RMSE", "", {30.41}}, {"training time", "s", {1176.45}}}},
      {"accuracy",
       "Models",
       {{"model", "Gaussian-process regression (the report)"}, {"epochs", "all"}, {"variances", "VAR"}},
       {{"train RMSE", "", {29.13}}, {"test RMSE", "", {29.74}}, {"training time", "s", {3433.04}}}},
      {"accuracy",
       "Models",
       {{"model", "variational Gaussian-process regression (the report)"}, {"epochs", "100"}, {"variances", "VAR"}},
       {{"train RMSE", "", {32.42}}, {"test RMSE", "", {33.05}}, {"training time", "s", {267.89}}}},
      {"accuracy",
       "Models",
       {{"model", "variational Gaussian-process regression (the report)"}, {"epochs", "all"}, {"variances", "VAR"}},
       {{"train RMSE", "", {29.89}}, {"test RMSE", "", {30.63}}, {"training time", "s", {1053.88}}}},
      {"accuracy",
       "Models",
       {{"model", "ANN (the report)"}, {"epochs", "100"}, {"variances", "-"}},
       {{"train RMSE", "", {47.04}}, {"test RMSE", "", {47.51}}, {"training time", "s", {51.78}}}},
      {"accuracy",
       "Models",
       {{"model", "ANN (the report)"}, {"epochs", "all"}, {"variances", "-"}},
       {{"train RMSE", "", {31.61}}, {"test RMSE", "", {32.49}}, {"training time", "s", {141.42}}}},
      {"accuracy",
       "Models",
       {{"model", "GraphSAGE (the report)"}, {"epochs", "100"}, {"variances", "-"}},
       {{"test RMSE", "", {35.45}}, {"training time", "s", {4654.64}}}},
      {"accuracy",
       "Models",
       {{"model", "GraphSAGE (the report)"}, {"epochs", "all"}, {"variances", "-"}},
       {{"test RMSE", "", {34.15}}, {"training time", "s", {4891.81}}}},
      {"accuracy", "Models", {{"model", "Meaner (the report)"}, {"epochs", "100"}, {"variances", "-"}}, {}},
      {"accuracy",
       "Models",
       {{"model", "Meaner (the report)"}, {"epochs", "all"}, {"variances", "-"}},
       {{"test RMSE", "", {33.84}}, {"training time", "s", {1578.64}}}},
      {"accuracy",
       "Sizes",
       {},
       {{"plain model", "kB", {2.3}}, {"encrypted model", "kB", {2.6}}, {"data", "MB", {0.14}}}},
      {"scaling",
       "CrypTen 775868a",
       {{"rank", "0"}},
       {{kEpochTime, "s", {0.131, 0.381, 0.519, 0.711}},
        {kAllData, "MB", {11.3, 30.0, 49.5, 73.5}},
        {kAllPackets, "", {1878, 6776, 12337, 23879}},
        {"CPU time per epoch", "s", {0.178, 0.323, 0.363, 0.335}}}},
      {"scaling",
       "MP-SPDZ 3a0a7b1, loopback",
       {{"rank", "all"}},
       {{kEpochTime, "s", {41.7, 64.6, 84.3, 106}, kMilliseconds},
        {kAllData, "MB", {8.11, 15.2, 22.3, 29.4}},
        {kEpochRounds, "", {62, 114, 167, 221}}}},
      {"scaling",
       "MP-SPDZ 3a0a7b1, other",
       {{"parties", "2"}},
       {{kEpochTime, "s", {20.1}, kMilliseconds}, {kAllData, "MB", {4.57}}}},
      {"scaling",
       "MP-SPDZ 3a0a7b1, other",
       {{"parties", "3"}},
       {{kEpochTime, "s", {6.3}, kMilliseconds}, {kAllData, "MB", {1.15}}, {kEpochRounds, "", {30}}}},
  };
}

Measurements whose(const std::string& bench, const std::string& begin) {
  for (const Measurements& one : others(bench)) {
    if (one.tables().front().name.starts_with(begin)) return one;
  }
  throw std::runtime_error("nothing of " + begin);
}

std::vector<Row> rows_with(const Table& table, const Labels& labels) {
  std::vector<Row> rows;
  for (const Row& row : table.rows) {
    const auto has = [&](const auto& label) { return row.label(label.first) == label.second; };
    if (std::all_of(labels.begin(), labels.end(), has)) rows.push_back(row);
  }
  return rows;
}

TEST(Others, HaveTheStatedNumbersAndNoOthers) {
  std::size_t stated = 0, stored = 0;
  for (const StatedRows& of : all_stated()) {
    const Measurements one = whose(of.bench, of.table);
    const std::vector<Row> rows = rows_with(one.tables().front(), of.labels);
    for (const Stated& figure : of.figures) {
      ASSERT_EQ(rows.size(), figure.values.size()) << of.table << ", " << figure.figure;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const Samples* samples = rows[i].find(figure.figure);
        ASSERT_TRUE(samples != nullptr) << of.table << ", " << figure.figure << ", row " << i;
        EXPECT_EQ(samples->unit(), figure.unit) << of.table << ", " << figure.figure;
        ASSERT_EQ(samples->values().size(), 1u) << of.table << ", " << figure.figure << ": there are no repetitions";
        const double value = figure.values[i] * figure.factor;
        // A value that was divided by 200 epochs has the digits of the undivided value.
        const double rounded = figure.factor == kEach ? 1e-4 : 1e-12;
        EXPECT_NEAR(samples->median(), value, rounded * value) << of.table << ", " << figure.figure << ", row " << i;
        ++stated;
      }
    }
  }
  for (const char* bench : {"scaling", "two-machine", "accuracy", "breakdown", "privacy", "data-parallel", "sweep",
                            "collectives", "divergence", "gradients"}) {
    for (const Measurements& one : others(bench)) {
      ASSERT_EQ(one.tables().size(), 1u) << "the page shows the first";
      for (const Row& row : one.tables().front().rows) stored += row.figures.size();
    }
  }
  EXPECT_EQ(stated, stored);
}

TEST(Others, SayOfHowManyPartiesTheyAre) {
  const auto parties = [](const std::string& begin, const Labels& labels) {
    std::string all;
    const Measurements one = whose("scaling", begin);
    for (const Row& row : rows_with(one.tables().front(), labels)) all += row.label("parties");
    return all;
  };
  EXPECT_EQ(parties("CrypTen, cloud nodes (", {{"rank", "0"}}), "12345");
  EXPECT_EQ(parties("CrypTen, cloud nodes (", {{"rank", "1"}}), "2345");
  EXPECT_EQ(parties("CrypTen 775868a", {{"rank", "0"}}), "2345");
  EXPECT_EQ(parties("MP-SPDZ 3a0a7b1, loopback", {{"rank", "all"}}), "2345");
  EXPECT_EQ(parties("MP-SPDZ 3a0a7b1, other", {}), "23");
}

TEST(Others, TellRangesInWordsAndInventNoMedian) {
  EXPECT_THAT(whose("scaling", "CrypTen 775868a").notes(), testing::Contains(testing::HasSubstr("268 to 288 MB")));
  EXPECT_THAT(whose("scaling", "MP-SPDZ 3a0a7b1, loopback").notes(),
              testing::Contains(testing::HasSubstr("has the dealer's too")));
}

TEST(Others, NameTheirLayouts) {
  const auto layouts = [](const std::string& training) {
    std::vector<std::string> all;
    const Measurements one = whose("data-parallel", "DP-SGD on GPUs");
    for (const Row& row : rows_with(one.tables().front(), {{"training", training}})) all.push_back(row.label("layout"));
    return all;
  };
  using testing::ElementsAre;
  EXPECT_THAT(layouts("package"), ElementsAre("1x1", "1x2", "1x4"));
  EXPECT_THAT(layouts("own all-reduce"), ElementsAre("1x1", "1x2", "1x4"));
  EXPECT_THAT(layouts("package, four GPUs"), ElementsAre("4x1", "2x2", "1x4"));
  EXPECT_THAT(layouts("own all-reduce, four GPUs"), ElementsAre("4x1", "2x2", "1x4"));
  EXPECT_THAT(layouts("what 10 epochs cost"), ElementsAre("1x1", "1x2", "1x4", "4x1", "2x2"));
}

// Table 5 of the report has six models, each after 100 epochs and in full.
TEST(Others, HaveEachModelOfTheReportTwice) {
  const Table table = whose("accuracy", "Models").tables().front();
  ASSERT_EQ(table.rows.size(), 12u);
  for (std::size_t i = 0; i < table.rows.size(); i += 2) {
    EXPECT_EQ(table.rows[i].label("model"), table.rows[i + 1].label("model"));
    EXPECT_EQ(table.rows[i].label("epochs") + table.rows[i + 1].label("epochs"), "100all");
  }
  const Row dashes = rows_with(table, {{"model", "Meaner (the report)"}, {"epochs", "100"}}).front();
  EXPECT_TRUE(dashes.figures.empty()) << "null in the file, a dash in the table";
  EXPECT_EQ(table.cells()[table.rows.size() - 1].back(), "-");
}

TEST(Others, TellOfTheExplodingLossInTheWordsOfTheReport) {
  const Measurements report = whose("divergence", "A GCN in CrypTen (the report)");
  ASSERT_EQ(report.tables().front().rows.size(), 1u);
  const Row& row = report.tables().front().rows.front();
  EXPECT_EQ(row.label("parties"), "2 and more");
  EXPECT_EQ(row.label("rate"), "any");
  EXPECT_EQ(row.label("on shares"), "the loss explodes at some epoch");
  EXPECT_EQ(row.remark, "sooner with more parties");
  EXPECT_THAT(report.notes(), testing::Contains(testing::HasSubstr("\"couldn't resolve exploding loss values\"")));
}

TEST(Others, TellWhichWayOfOursADocumentsWayIs) {
  using testing::ElementsAre;
  for (const char* table : {"VGG-11 on four nodes", "Training loss on four nodes"}) {
    std::vector<std::string> ways, ours, batches;
    const Measurements document = whose("gradients", table);
    for (const Row& row : document.tables().front().rows) {
      ways.push_back(row.label("way"));
      ours.push_back(row.label("ours"));
      batches.push_back(row.label("batch"));
    }
    EXPECT_THAT(ways,
                ElementsAre("single node", "gather and scatter", "all-reduce per layer", "distributed data parallel"));
    EXPECT_THAT(ours, ElementsAre("single", "gather-scatter", "per-layer", "buckets"));
    EXPECT_THAT(batches, ElementsAre("256", "4 x 64", "4 x 64", "4 x 64"));
  }
  EXPECT_EQ(whose("gradients", "Said in words").tables().front().rows.size(), 11u);
}

TEST(Others, HaveNoNumbersForOtherBenchmarks) { EXPECT_TRUE(others("sweep").empty()); }

}  // namespace
}  // namespace tacit::launcher
