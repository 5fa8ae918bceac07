#include "bench/tables/gradient_options.h"

#include <gmock/gmock.h>

#include "bench/tables/gradient_plan.h"
#include "net/error.h"

namespace tacit::launcher {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <typename Parse>
std::string refusal(const Parse& parse) {
  try {
    parse();
    return "";
  } catch (const ConfigError& error) {
    return error.what();
  }
}

TEST(GradientOptions, NameTheWaysThatExistAndTheNearestOne) {
  EXPECT_THAT(parse_gradient_ways("buckets,single"), ElementsAre("buckets", "single"));
  const std::string unknown = refusal([] { parse_gradient_ways("single,bucket"); });
  EXPECT_THAT(unknown, HasSubstr("there is no way \"bucket\" to add up gradients, did you mean buckets?"));
  EXPECT_THAT(unknown, HasSubstr("single, gather-scatter, per-layer, ring, two-phase, buckets, secure-sum"));
  EXPECT_THAT(refusal([] { parse_gradient_ways("async"); }), HasSubstr("--update sync,async"));
  EXPECT_THAT(refusal([] { parse_gradient_ways("ring,ring"); }), HasSubstr("ring is listed twice"));
  EXPECT_NE(refusal([] { parse_gradient_ways(""); }), "");
  EXPECT_NE(refusal([] { parse_gradient_ways("ring,"); }), "");
}

TEST(GradientOptions, RefuseBucketsThatHoldNothing) {
  EXPECT_EQ(bytes_of_bucket("25MB"), 25'000'000);
  EXPECT_EQ(bytes_of_bucket("512KiB"), 512 << 10);
  EXPECT_THAT(parse_buckets("25MB,5MB"), ElementsAre("5MB", "25MB")) << "by size";
  for (const char* none : {"0", "0MB", "0B"}) EXPECT_NE(refusal([&] { parse_buckets(none); }), "") << none;
  EXPECT_THAT(refusal([] { parse_buckets("5MB,0MB"); }), HasSubstr("a bucket of 0MB holds no gradient"));
  for (const char* bad :
       {"", "25", "MB", "-5MB", "25TB", "5MB,,6MB", "9999999999999999999MB", "1024000MB", "1000KB,1MB"}) {
    EXPECT_NE(refusal([&] { parse_buckets(bad); }), "") << bad;
  }
}

TEST(GradientOptions, ListCounts) {
  EXPECT_THAT(parse_counts("1..4", "epochs"), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(parse_counts("256,64", "batches"), ElementsAre(64, 256));
  for (const char* bad : {"", "0", "-1", "3..1", "1,1", "x", "1..", "..2", "1..9999999"}) {
    EXPECT_THAT(refusal([&] { parse_counts(bad, "epochs"); }), testing::AnyOf(HasSubstr("epochs"), HasSubstr("twice")))
        << bad;
  }
}

TEST(GradientOptions, UpdatesAreSyncOrAsync) {
  EXPECT_TRUE(parse_updates("sync,async").sync && parse_updates("sync,async").async);
  EXPECT_FALSE(parse_updates("async").sync);
  for (const char* bad : {"", "sink", "sync,sync"}) EXPECT_NE(refusal([&] { parse_updates(bad); }), "") << bad;
}

GradientOptions all_options() {
  GradientOptions options;
  for (const GradientWay& way : gradient_ways()) options.ways.emplace_back(way.name);
  options.seeds = 2;
  return options;
}

std::vector<std::string> texts(const std::vector<GradientSettings>& trainings) {
  std::vector<std::string> all;
  for (const GradientSettings& one : trainings) all.push_back(one.text());
  return all;
}

TEST(GradientPlan, AsksTheQuestionsOfTheDocument) {
  const GradientOptions options = all_options();
  const GradientPlan plan(options, 8);
  EXPECT_THAT(texts(plan.ways(1)),
              ElementsAre("single, batch 256, seed 1", "gather-scatter, 4 x 64, seed 1", "per-layer, 4 x 64, seed 1",
                          "ring, 4 x 64, seed 1", "two-phase, 4 x 64, seed 1", "buckets of 25MB, 4 x 64, seed 1",
                          "secure-sum, 4 x 64, seed 1", "async, 4 x 64, seed 1"));
  EXPECT_THAT(
      texts(plan.buckets(2)),
      ElementsAre("buckets of 5MB, 4 x 64, 40 iterations, seed 2", "buckets of 10MB, 4 x 64, 40 iterations, seed 2",
                  "buckets of 25MB, 4 x 64, 40 iterations, seed 2", "buckets of 50MB, 4 x 64, 40 iterations, seed 2"));
  EXPECT_THAT(texts(plan.batches(1)), ElementsAre("gather-scatter, 4 x 64, seed 1", "gather-scatter, 4 x 128, seed 1",
                                                  "gather-scatter, 4 x 256, seed 1"));
  EXPECT_THAT(texts(plan.epochs(1)), ElementsAre("buckets of 25MB, 4 x 64, 10 epochs, seed 1"));
  EXPECT_THAT(texts(plan.same_model(1)), ElementsAre("buckets of 25MB, 4 x 64, 40 iterations, seed 1",
                                                     "single, batch 256 in 4 parts, 40 iterations, seed 1"));
  EXPECT_EQ(plan.same_model(1)[0].threads, plan.same_model(1)[1].threads) << "sums in the same order";
  EXPECT_EQ(plan.buckets(1)[0].test, 10) << "times need no test";
  EXPECT_EQ(plan.ways(1)[0].threads, 8);
  EXPECT_EQ(plan.ways(1)[1].threads, 2);
}

TEST(GradientPlan, HidesSumsOnALinkOnlyWhereACoreIsFree) {
  GradientOptions options = all_options();
  EXPECT_TRUE(GradientPlan(options, 4).hiding(1).empty());
  EXPECT_THAT(texts(GradientPlan(options, 5).hiding(1)),
              ElementsAre("buckets of 25MB, 4 x 64, 40 iterations, link 0.2ms,1Gbit, seed 1"));
  EXPECT_EQ(GradientPlan(options, 8).hiding(1)[0].threads, 1) << "8 threads of 4 ranks would leave no core";
  options.ways = {"ring"};
  EXPECT_TRUE(GradientPlan(options, 8).hiding(1).empty());
}

TEST(GradientPlan, HasEachTrainingOnce) {
  const GradientOptions options = all_options();
  const std::vector<GradientSettings> all = GradientPlan(options, 2).all();
  EXPECT_EQ(all.size(), 2u * (8 + 4 + 2 + 1 + 1)) << "gather and scatter of 64, and a bucket of 25MB, serve twice";
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(std::count(all.begin(), all.end(), all[i]), 1) << all[i].text();
    EXPECT_EQ(all[i].seed, i < all.size() / 2 ? 1u : 2u) << "a seed's trainings are next to each other";
  }
}

TEST(GradientPlan, LeavesOutUnwantedTrainings) {
  GradientOptions options = all_options();
  options.ways = {"single"};
  options.async = false;
  const GradientPlan single(options, 2);
  EXPECT_TRUE(single.buckets(1).empty() && single.batches(1).empty() && single.same_model(1).empty());
  EXPECT_THAT(texts(single.epochs(1)), ElementsAre("single, batch 256, 10 epochs, seed 1"));
  options.ways = {"ring", "two-phase"};
  options.batches = {32};
  options.epochs = {1};
  options.async = true;
  const GradientPlan two(options, 2);
  EXPECT_THAT(texts(two.all()),
              ElementsAre("ring, 4 x 32, seed 1", "two-phase, 4 x 32, seed 1", "async, 4 x 32, seed 1",
                          "ring, 4 x 32, seed 2", "two-phase, 4 x 32, seed 2", "async, 4 x 32, seed 2"));
  options.test = 4;
  options.ways = {"buckets"};
  EXPECT_EQ(GradientPlan(options, 2).buckets(1)[0].test, 4) << "there may be no more";
  options.ways.clear();
  EXPECT_THAT(texts(GradientPlan(options, 2).ways(1)), ElementsAre("async, 4 x 32, seed 1"));
}

}  // namespace
}  // namespace tacit::launcher
