#include "launcher/launch/seeds.h"

#include <gmock/gmock.h>

#include "tests/gnn/data/refusal.h"

namespace tacit::launcher {
namespace {

using gnn::refusal;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Seeds, AreARangeOrAList) {
  EXPECT_THAT(parse_seeds("1..5"), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(parse_seeds("7..7"), ElementsAre(7));
  EXPECT_THAT(parse_seeds("9,0,4"), ElementsAre(9, 0, 4));
  EXPECT_EQ(parse_seeds("1..1000").size(), kMostSeeds);
}

TEST(Seeds, ThatAreWrittenWrongAreRefusedWithTheReason) {
  for (const char* text :
       {"", "a", "1..", "..3", "1..2..3", "-1..2", "1,,2", "1,2,", "1.5", "2 ,3", "99999999999999"}) {
    EXPECT_THAT(refusal([&] { parse_seeds(text); }), HasSubstr("expected a range as 1..5")) << text;
  }
  EXPECT_THAT(refusal([] { parse_seeds("5..1"); }), HasSubstr("below the first"));
  EXPECT_THAT(refusal([] { parse_seeds("3,4,3"); }), HasSubstr("3 is there twice"));
  EXPECT_THAT(refusal([] { parse_seeds("1..1001"); }), HasSubstr("more than 1000"));
}

TEST(FiguresOverSeeds, HaveMeanAndSampleDeviation) {
  FiguresOverSeeds figures;
  EXPECT_EQ(figures.text(), "");
  const auto seen = [](double value, const Json& plain) {
    return Json{{"what", "test accuracy"}, {"value", value}, {"plain", plain}};
  };
  const Json loss = {{"what", "training loss"}, {"value", nullptr}, {"plain", 2}};
  figures.add(Json::array({seen(0.5, 0.75)}));
  figures.add(Json::array({seen(0.75, nullptr), loss}));
  figures.add(Json::array({seen(1, 0.25)}));
  const Json json = figures.json();
  ASSERT_EQ(json.size(), 2);
  EXPECT_EQ(json[0]["mean"], 0.75);
  EXPECT_EQ(json[0]["deviation"], 0.25);
  EXPECT_EQ(json[0]["values"], Json::array({0.5, 0.75, 1.0}));
  EXPECT_EQ(json[0]["plain_mean"], 0.5);
  EXPECT_NEAR(json[0]["plain_deviation"].get<double>(), 0.35355339, 1e-8);
  EXPECT_EQ(json[1]["mean"], nullptr);
  EXPECT_EQ(json[1]["plain_mean"], 2);
  EXPECT_EQ(json[1]["plain_deviation"], nullptr);
  EXPECT_EQ(figures.text(),
            "mean of 3 seeds  on shares  deviation     on plain data  deviation\n"
            "test accuracy       0.7500     0.2500  0.5000 (2 seeds)     0.3536\n"
            "training loss            -          -  2.0000 (1 seeds)          -\n");
}

}  // namespace
}  // namespace tacit::launcher
