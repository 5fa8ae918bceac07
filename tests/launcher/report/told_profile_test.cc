#include "launcher/run_fields.h"

#include <gmock/gmock.h>

#include <sstream>

#include "launcher/event_json.h"
#include "launcher/report/rank_account.h"

namespace tacit::launcher {
namespace {

using namespace std::chrono_literals;

std::optional<ToldProfile> profile_by(const std::string& summary) {
  RankAccount account;
  std::istringstream in(summary);
  read_summary(in, "rank0/summary.json", account);
  EXPECT_THAT(account.complaints, testing::IsEmpty());
  return account.profile;
}

gnn::TrainingProfile sample() {
  const mpc::Cost cost = {.rounds = 5, .bytes = 1000, .messages = 10, .dealt_bytes = 70, .dealt_messages = 2};
  const mpc::Profile::Protocol mask = {{"mask", 5, cost}, 1500us, {1000us, 250us}};
  const mpc::Profile::Protocol drop = {{"drop", 2, {}}, 100us, {}};
  gnn::TrainingProfile profile;
  profile.before.parts = {{"sharing the data", 2, 3ms, {mask}}};
  profile.first_epoch.parts = {{"loss", 1, 2ms, {}}};
  profile.epochs = 7;
  profile.later_epochs.parts = {{"layer 0 forward", 7, 4ms, {mask, drop}}, {"loss", 7, 1ms, {drop}}};
  profile.after.parts = {{"predicting", 1, 1s, {mask}}};
  return profile;
}

TEST(ToldProfile, EqualsTheProfileInARanksSummary) {
  const std::optional<ToldProfile> told = profile_by(Json{{"profile", json_of(sample())}}.dump());
  ASSERT_TRUE(told);
  EXPECT_EQ(told->epochs, 7);
  ASSERT_EQ(told->before.size(), 1u);
  EXPECT_EQ(told->before[0].part, "sharing the data");
  EXPECT_EQ(told->before[0].times, 2);
  ASSERT_EQ(told->first_epoch.size(), 1u);
  EXPECT_EQ(told->first_epoch[0].time.seconds, 0.002);
  ASSERT_EQ(told->after.size(), 1u);
  EXPECT_EQ(told->after[0].time.seconds, 1);
  ASSERT_EQ(told->parts.size(), 2u);
  const ToldProfile::Part& layer = told->parts[0];
  EXPECT_EQ(layer.part, "layer 0 forward");
  EXPECT_EQ(layer.times, 7);
  EXPECT_EQ(layer.time.seconds, 0.004);
  EXPECT_EQ(layer.time.waited_for_parties, 0.001);
  EXPECT_EQ(layer.time.waited_for_dealer, 0.00025);
  ASSERT_EQ(layer.protocols.size(), 2u);
  EXPECT_EQ(layer.protocols[0].protocol, "mask");
  EXPECT_EQ(layer.protocols[0].calls, 5);
  EXPECT_EQ(layer.protocols[0].time.seconds, 0.0015);
  EXPECT_EQ(layer.protocols[0].cost, sample().after.cost());
  EXPECT_EQ(layer.protocols[1].cost, mpc::Cost());
}

TEST(ToldProfile, IsNoneWhereTheSummaryHasNone) {
  EXPECT_FALSE(profile_by(R"({"result":"running"})"));
  EXPECT_FALSE(profile_by(R"({"profile":7})"));
  EXPECT_TRUE(profile_by(R"({"profile":{}})"));
}

TEST(ToldProfile, TakesNumbersOfNoOtherTypeAndWithinLimitsOnly) {
  const std::optional<ToldProfile> told = profile_by(
      R"({"profile":{"epochs":-1,"before":{},"first_epoch":"x","after":[1,null,{"protocols":[3]}],"parts":[)"
      R"({"part":5,"times":1e300,"seconds":-2,"waited_for_parties":1e300,"waited_for_dealer":"1","protocols":[)"
      R"({"protocol":"<b>","calls":2.0,"seconds":null,"cost":7},{"cost":{"bytes":-1,"rounds":3}}]}]}})");
  ASSERT_TRUE(told);
  EXPECT_EQ(told->epochs, 0);
  EXPECT_TRUE(told->before.empty());
  EXPECT_TRUE(told->first_epoch.empty());
  EXPECT_EQ(told->after.size(), 3u);
  ASSERT_EQ(told->parts.size(), 1u);
  const ToldProfile::Part& part = told->parts[0];
  EXPECT_EQ(part.part, "");
  EXPECT_EQ(part.times, 0);
  EXPECT_EQ(part.time.seconds, 0);
  EXPECT_EQ(part.time.waited_for_parties, kMostSecondsTold);
  EXPECT_EQ(part.time.waited_for_dealer, 0);
  ASSERT_EQ(part.protocols.size(), 2u);
  EXPECT_EQ(part.protocols[0].calls, 2);
  EXPECT_EQ(part.protocols[0].cost, mpc::Cost());
  EXPECT_EQ(part.protocols[1].cost.bytes, 0);
  EXPECT_EQ(part.protocols[1].cost.rounds, 3);
}

TEST(ToldProfile, NeverHoldsMoreThanItsLimits) {
  std::string many = "{}";
  for (std::size_t i = 0; i < 2 * kMostItems; ++i) many += ",{}";
  const std::optional<ToldProfile> told =
      profile_by(R"({"profile":{"before":[)" + many + R"(],"parts":[{"protocols":[)" + many + R"(]}]}})");
  ASSERT_TRUE(told);
  EXPECT_EQ(told->before.size(), kMostItems);
  EXPECT_EQ(told->parts.at(0).protocols.size(), kMostProtocolsTold);
}

}  // namespace
}  // namespace tacit::launcher
