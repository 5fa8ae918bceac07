#include "bench/tables/gradient_account.h"

#include <gmock/gmock.h>

#include <fstream>

#include "launcher/json.h"
#include "net/error.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using testing::HasSubstr;

Json account_of(double first, double others) {
  Json json = {{"way", "ring"},
               {"rank", 1},
               {"ranks", 2},
               {"digest", "abcdef"},
               {"parameters", 9231114},
               {"wall_seconds", 4},
               {"cpu_seconds", 3},
               {"resident_bytes", 1000},
               {"bytes_sent", 70},
               {"bytes_received", 60},
               {"packets_sent", 7},
               {"packets_received", 6},
               {"losses", {{{"iteration", 20}, {"loss", 2.5}}}}};
  for (int i = 0; i < 5; ++i) {
    const double seconds = i == 0 ? first : others + i;
    json["iterations"].push_back(
        {{"seconds", seconds}, {"computing", 1}, {"waiting", 0.5}, {"hidden", 0.25}, {"communicating", 2}});
  }
  json["epochs"] = {{{"epoch", 1}, {"train_loss", 2.2}, {"test_loss", 2.1}, {"correct", 30}, {"tested", 200}},
                    {{"epoch", 2}, {"train_loss", 2.0}, {"test_loss", 0}, {"correct", 0}, {"tested", 0}}};
  return json;
}

class GradientAccountTest : public testing::Test {
 protected:
  GradientRankAccount read(const Json& json) {
    const auto file = folder_.path() / "rank.json";
    std::ofstream(file) << json.dump();
    return read_gradient_rank(file, "ring", 1);
  }
  std::string refusal(const Json& json) {
    try {
      read(json);
      return "";
    } catch (const ProtocolError& error) {
      return error.what();
    }
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(GradientAccountTest, LeavesTheFirstIterationOut) {
  GradientAccount account{{read(account_of(100, 1)), read(account_of(100, 3))}};
  EXPECT_DOUBLE_EQ(account.mean_iteration(39)->seconds, 3 + 2.5) << "the rank that takes longest counts";
  EXPECT_DOUBLE_EQ(account.mean_iteration(2)->seconds, 3 + 1.5) << "the first ones after it";
  EXPECT_DOUBLE_EQ(account.mean_iteration(39)->hidden, 0.25);
  account.ranks[1].iterations.resize(1);
  EXPECT_FALSE(account.mean_iteration(39).has_value());
}

TEST_F(GradientAccountTest, HasTestResultsOfEpochsThatWereTested) {
  const GradientAccount account{{read(account_of(1, 1))}};
  EXPECT_DOUBLE_EQ(*account.epoch(1)->accuracy, 15);
  EXPECT_DOUBLE_EQ(*account.epoch(1)->test_loss, 2.1);
  EXPECT_FALSE(account.epoch(2)->accuracy.has_value());
  EXPECT_FALSE(account.epoch(2)->test_loss.has_value());
  EXPECT_EQ(account.epoch(3), nullptr);
  EXPECT_EQ(account.ranks[0].cpu_percent(), 75);
  EXPECT_EQ(account.ranks[0].losses.at(20), 2.5);
}

TEST_F(GradientAccountTest, TellsWhetherAllRanksHaveTheSameWeights) {
  GradientAccount account{{read(account_of(1, 1)), read(account_of(1, 1))}};
  EXPECT_TRUE(account.ends_alike());
  account.ranks[1].digest = "other";
  EXPECT_FALSE(account.ends_alike());
}

TEST_F(GradientAccountTest, HasTheIterationThatDiverged) {
  Json json = account_of(1, 1);
  EXPECT_EQ(GradientAccount{{read(json)}}.diverged(), 0);
  json["diverged"] = 7;
  Json sooner = json;
  sooner["diverged"] = 6;
  sooner["iterations"] = Json::array();
  const GradientAccount account{{read(account_of(1, 1)), read(json), read(sooner)}};
  EXPECT_EQ(account.diverged(), 6);
}

TEST_F(GradientAccountTest, IsRefusedIfItIsAnotherRanksOrIncomplete) {
  const auto with = [](const char* key, Json value) {
    Json json = account_of(1, 1);
    json[key] = std::move(value);
    return json;
  };
  EXPECT_EQ(refusal(account_of(1, 1)), "");
  EXPECT_THAT(refusal(with("way", "buckets")), HasSubstr("measurements of the way \"buckets\""));
  EXPECT_THAT(refusal(with("rank", 0)), HasSubstr("measurements of rank 0"));
  EXPECT_THAT(refusal(with("iterations", Json::array())), HasSubstr("no iteration"));
  EXPECT_THAT(refusal(with("digest", 7)), HasSubstr("without a digest"));
  EXPECT_THAT(refusal("x"), HasSubstr("no JSON"));
}

}  // namespace
}  // namespace tacit::launcher
