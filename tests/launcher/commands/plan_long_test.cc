// `tacit plan` for trainings with more steps than are planned one by one.
#include <fmt/format.h>

#include <map>

#include "tests/launcher/commands/plan_of.h"

namespace tacit::launcher {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// An early end costs less, and the measurements before each session are unknown: the plan states
// both.
TEST_F(PlanOf, NamesCostsThatItCannotKnow) {
  make_data({"sensors", "--stations", "40"});
  const Ran ran = tacit({"plan", job_, "--set", "openings=measured", "--set",
                         "training.stopping={metric=\"loss\",patience=3}", "--set", "training.epochs=1000000"});
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("settled by the links"), HasSubstr("may stop early"), Not(HasSubstr("exactly")),
                             HasSubstr("of the epochs 10000 were planned one by one")));
}

// A long training costs as much as its epochs: epochs that are not planned one by one are added.
TEST_F(PlanOf, MoreEpochsThanArePlannedOneByOneAddUp) {
  make_data({"sensors", "--stations", "40"});
  const auto plan_of = [&](std::int64_t epochs, const std::string& every) {
    return tacit({"plan", job_, "--json", "--set", fmt::format("training.epochs={}", epochs), "--set",
                  "training.evaluate_every=" + every})
        .json();
  };
  for (const char* every : {"0", "7"}) {
    SCOPED_TRACE(every);
    const Json few = plan_of(10'000, every), many = plan_of(30'011, every);
    EXPECT_EQ(few["exact"], true);
    EXPECT_EQ(many["exact"], false);
    EXPECT_EQ(many["epochs"], 30'011);
    EXPECT_LE(many["planned_epochs"], 10'005) << "and at least one epoch of each kind";
    EXPECT_EQ(many["planned_epochs"], std::ssize(many["ranks"][0]["numbers_of_epochs"]));
    EXPECT_EQ(few["ranks"][0]["epoch"], many["ranks"][0]["epoch"]);
    const auto total = [](const Json& plan) { return plan["ranks"][0]["total"]["bytes"].get<double>(); };
    EXPECT_NEAR(total(many) / total(few), 3.0011, 0.005);
    std::map<std::string, std::int64_t> counts;
    for (const Json& reveal : many["reveals"]) counts[reveal["reason"]] = reveal["count"];
    EXPECT_EQ(counts["training loss"], 30'011);
    const std::int64_t evaluations = *every == '0' ? 1 : (30'011 + std::stoll(every) - 1) / std::stoll(every);
    EXPECT_EQ(counts["test rmse"], evaluations);
    EXPECT_EQ(counts["range watch: whether a declared range was left"], 30'011 + evaluations);
    EXPECT_GT(many["links"][0]["seconds"], 2.5 * few["links"][0]["seconds"].get<double>());
  }
}

}  // namespace
}  // namespace tacit::launcher
