#include "bench/tables/gradient_statements.h"

#include <gmock/gmock.h>

#include "bench/tables/gradient_figures.h"
#include "bench/tables/gradients.h"

namespace tacit::launcher {
namespace {

using namespace gradient_name;
using testing::HasSubstr;

using Runs = std::vector<double>;

void add_runs(Row& row, const char* figure, const Runs& runs) {
  for (const double run : runs) row.figure(figure, "").add(run);
}

Row& row_of(Table& table, const std::string& way, const std::string& rank = "") {
  return rank.empty() ? table.add({{"way", way}}) : table.add({{"way", way}, {"rank", rank}});
}

// The verdict and the numbers for the sentence that contains `words`; "": the sentence was not judged.
std::string verdict_on(const Measurements& measured, const std::string& words) {
  const Table* said = measured.find(kSaid);
  if (said == nullptr) return "";
  for (const Row& row : said->rows) {
    if (row.label("the document").find(words) != std::string::npos)
      return row.label("verdict") + ": " + row.label("here");
  }
  return "";
}

TEST(GradientStatements, JudgeCostsByIntervals) {
  Measurements made("gradients", "x");
  const auto add = [&](const char* way, const Runs& cpu, const Runs& memory, const Runs& sent, const Runs& time) {
    for (const char* rank : {"0", kWorker}) {
      Row& row = row_of(made.table(kRanks), way, rank);
      add_runs(row, kCpuOfRank, cpu);
      add_runs(row, kResident, memory);
      add_runs(row, kSent, sent);
      add_runs(row, kReceived, sent);
    }
    add_runs(row_of(made.table(kWays), way), kIteration, time);
  };
  add("single", {90, 91, 92}, {900, 900, 900}, {0, 0, 0}, {1.6, 1.61, 1.62});
  add("gather-scatter", {40, 41, 42}, {400, 401, 402}, {111, 111, 111}, {1.2, 1.21, 1.22});
  add("per-layer", {60, 61, 62}, {420, 421, 422}, {55, 55, 55}, {0.9, 1.0, 0.95});
  add("buckets", {80, 81, 82}, {430, 431, 432}, {55.1, 55.1, 55.1}, {0.95, 0.9, 1.0});
  add_gradient_statements(made);
  EXPECT_THAT(verdict_on(made, "CPU"), HasSubstr("comes out here: a worker's CPU: gather-scatter 41.00 +- 2.484 %"));
  EXPECT_THAT(verdict_on(made, "memory"),
              HasSubstr("comes out here: a worker has 401 MB (gather-scatter) to 431 MB (buckets)"))
      << "the single process is no worker";
  EXPECT_THAT(verdict_on(made, "more bytes than data parallel"),
              HasSubstr("does not come out here: sent and received by rank 0"))
      << "the all-reduces are alike, within 1 %";
  EXPECT_THAT(verdict_on(made, "an iteration takes longest"), HasSubstr("cannot be told from these runs"))
      << "the intervals of buckets and per-layer overlap";
  EXPECT_EQ(verdict_on(made, "accuracy falls"), "") << "no batches were measured";
  EXPECT_EQ(verdict_on(made, "asynchronous"), "");
  for (const Row& row : made.find(kSaid)->rows) EXPECT_LT(row.label("here").size(), 300u) << "the page reads no more";
}

TEST(GradientStatements, JudgeBucketsBatchesAndAsynchronousUpdates) {
  Measurements made("gradients", "x");
  const auto add_bucket = [&](const char* size, const Runs& sent, const Runs& time) {
    Row& row = made.table(kBucketSizes).add({{"bucket", size}});
    add_runs(row, kSent, sent);
    add_runs(row, kIteration, time);
  };
  add_bucket("5MB", {60, 60, 60}, {1, 1, 1.001});
  add_bucket("25MB", {50, 50, 50}, {1.2, 1.2, 1.201});
  add_runs(made.table(kBatches).add({{"batch", "64"}}), kTestAccuracy, {20, 21, 22});
  add_runs(made.table(kBatches).add({{"batch", "128"}}), kTestAccuracy, {24, 25, 26});
  for (const auto& [way, time, sent, accuracy] :
       {std::tuple("per-layer", Runs{1, 1, 1}, Runs{50, 50, 50}, Runs{20, 21, 22}),
        std::tuple("async", Runs{0.8, 0.81, 0.8}, Runs{100, 100, 100}, Runs{19, 22, 22})}) {
    add_runs(row_of(made.table(kWays), way), kIteration, time);
    add_runs(row_of(made.table(kRanks), way, kWorker), kSent, sent);
    add_runs(row_of(made.table(kLearning), way), kTestAccuracy, accuracy);
  }
  add_gradient_statements(made);
  EXPECT_THAT(verdict_on(made, "larger bucket moves fewer bytes"), HasSubstr("comes out here"));
  EXPECT_THAT(verdict_on(made, "larger bucket takes more time"), HasSubstr("comes out here"));
  EXPECT_THAT(verdict_on(made, "accuracy falls as the batch grows"),
              HasSubstr("does not come out here: accuracy by batch: 128 25"));
  EXPECT_THAT(verdict_on(made, "less time"), HasSubstr("comes out here: async 0.8"));
  EXPECT_THAT(verdict_on(made, "move more bytes"), HasSubstr("comes out here"));
  EXPECT_THAT(verdict_on(made, "lower accuracy"), HasSubstr("cannot be told"));
  EXPECT_THAT(verdict_on(made, "lower accuracy"), HasSubstr("a race may have changed its accuracy"));
}

Measurements with_models(const char* digest_of_ring) {
  Measurements made("gradients", "x");
  for (const char* seed : {"1", "2", "3"}) {
    for (const char* way : {"per-layer", "ring"}) {
      const bool same = way == std::string("per-layer") || digest_of_ring == std::string("aa");
      made.table(kModels).add({{"trained", "one epoch"},
                               {"seed", seed},
                               {"way", way},
                               {"weights", same ? "aa" : digest_of_ring},
                               {"as the first of its group", same ? "yes" : "no"}});
    }
  }
  add_runs(row_of(made.table(kLearning), "ring"), kTestAccuracy, {17.5, 19, 21.25});
  add_gradient_statements(made);
  return made;
}

TEST(GradientStatements, EqualWeightsRefuteALossOfInformation) {
  const std::string equal = verdict_on(with_models("aa"), "loss of information");
  EXPECT_THAT(
      equal,
      HasSubstr(
          "does not come out here: 2 synchronous ways end with the same weights, bit for bit, with each of 3 seeds"));
  EXPECT_THAT(equal, HasSubstr("Seeds alone move the accuracy from 17.50 to 21.25 %"));
  EXPECT_THAT(verdict_on(with_models("bb"), "loss of information"),
              HasSubstr("cannot be told from these runs: 1 of 2 ways end with other weights"));
}

TEST(GradientStatements, OfNothingAreNone) {
  Measurements made("gradients", "x");
  add_gradient_statements(made);
  EXPECT_EQ(made.find(kSaid), nullptr);
}

TEST(GradientFigures, AppearOnlyForTrainingsThatWereMade) {
  Measurements made("gradients", "x");
  for (const Figure& figure : gradient_figures(made)) EXPECT_TRUE(is_empty(figure)) << title_of(figure);
  add_runs(made.table(kBatches).add({{"batch", "64"}}), kTestAccuracy, {20, 21, 22});
  add_runs(made.table(kBatches).add({{"batch", "128"}}), kTestAccuracy, {24, 25, 26});
  add_runs(row_of(made.table(kWays), "buckets"), kIteration, {0.5, 0.6});
  std::vector<std::string> shown;
  for (const Figure& figure : gradient_figures(made)) {
    if (!is_empty(figure)) shown.push_back(name_of(figure));
  }
  EXPECT_THAT(shown, testing::ElementsAre("gradients-time", "gradients-batch-accuracy"));
}

TEST(GradientFigures, ShowTheDocumentsNumbersAndIntervals) {
  Measurements made("gradients", "x");
  add_runs(row_of(made.table(kLearning), "buckets"), kTestAccuracy, {20, 21, 22});
  add_runs(made.table(kBatches).add({{"batch", "64"}}), kTestAccuracy, {20, 21, 22});
  for (const Figure& figure : gradient_figures(made)) {
    if (name_of(figure) == "gradients-accuracy") {
      const auto& bars = std::get<BarFigure>(figure).bars;
      ASSERT_EQ(bars.size(), 1u + 4u);
      EXPECT_EQ(bars[0].values[0], 21);
      EXPECT_THAT(bars[0].name, HasSubstr("buckets (± 2.48"));
      EXPECT_EQ(bars[1].name, "the document, single node");
      EXPECT_EQ(bars[1].values[0], 19.35);
    }
    if (name_of(figure) == "gradients-batch-accuracy") {
      EXPECT_NEAR(std::get<LineFigure>(figure).series.front().deviation.front(), 2.484, 0.001);
    }
  }
}

}  // namespace
}  // namespace tacit::launcher
