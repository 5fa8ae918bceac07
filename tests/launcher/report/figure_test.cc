// The numbers of a figure: for the script of a page, for readers without scripts, for programs.
#include "launcher/report/figure.h"

#include <gmock/gmock.h>

namespace tacit::launcher {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Scale = LineFigure::Scale;

LineFigure line_figure(std::vector<Series> series, Scale scale = Scale::kFitting) {
  return {"loss", "Loss", Quantity::kNumber, scale, std::move(series)};
}

TEST(Figure, HasAllItsPlacesOnceAndNullWhereASeriesHasNone) {
  const Json json = page_json(line_figure({{"a", {{1, 0.25}, {2, 0.5}}}, {"b", {{2, 1}, {4, 3}}}}));
  EXPECT_EQ(json["x"], Json::array({1.0, 2.0, 4.0}));
  EXPECT_EQ(json["series"][0]["y"], Json::array({0.25, 0.5, nullptr}));
  EXPECT_EQ(json["series"][1]["y"], Json::array({nullptr, 1.0, 3.0}));
  EXPECT_FALSE(json["series"][0].contains("low")) << "there is no band";
  EXPECT_EQ(json["together"], 1);
}

TEST(Figure, OfManyEpochsHasTheMedianTheMinimumAndTheMaximumOfEachBucket) {
  constexpr int kEpochs = 100'000, kTogether = 100;
  Series series{"a", {}};
  for (int i = 0; i < kEpochs; ++i) series.points.push_back({1.0 + i, i == 4321 ? 1e6 : i == 7777 ? -1e6 : i % 10});
  const Json json = page_json(line_figure({series, {"sparse", {{50, 7}, {60, 9}, {100'000, 3}}}}));
  EXPECT_EQ(json["together"], kTogether);
  ASSERT_EQ(json["x"].size(), 1000u);
  EXPECT_EQ(json["x"][0], 50.5);
  const Json &dense = json["series"][0], &sparse = json["series"][1];
  EXPECT_EQ(dense["y"][0], 4.5);
  EXPECT_EQ(dense["y"][43], 5) << "a peak in place of a 1 hardly moves the median";
  EXPECT_EQ(dense["high"][43], 1e6);
  EXPECT_EQ(dense["low"][77], -1e6);
  EXPECT_EQ(sparse["y"][0], 8);
  EXPECT_EQ(sparse["y"][1], nullptr);
  EXPECT_EQ(sparse["y"][999], 3);
  EXPECT_LT(json.dump().size(), 60'000u);
}

TEST(Figure, HasABandOfTheDeviation) {
  const Json json = page_json(line_figure({{"a", {{1, 4}, {2, 5}}, 0, Series::Stroke::kSolid, {1, 0.5}}}));
  EXPECT_EQ(json["series"][0]["low"], Json::array({3.0, 4.5}));
  EXPECT_EQ(json["series"][0]["high"], Json::array({5.0, 5.5}));
}

TEST(Figure, IsLogarithmicWhereItsValuesSpanADecade) {
  const auto is_logarithmic = [](std::vector<Point> points) {
    return page_json(line_figure({{"a", std::move(points)}}, Scale::kLogarithmic))["log"].get<bool>();
  };
  EXPECT_TRUE(is_logarithmic({{1, 10}, {2, 1}}));
  EXPECT_FALSE(is_logarithmic({{1, 9}, {2, 1}}));
  EXPECT_FALSE(is_logarithmic({{1, 9}, {2, 0}}));
}

TEST(Figure, EndsItsScaleBelowAPeakAndSaysSo) {
  Series series{"a", {{1, 5000}}};
  for (int epoch = 2; epoch <= 100; ++epoch) series.points.push_back({1.0 * epoch, 100});
  LineFigure figure = {"bytes", "Bytes", Quantity::kBytes, Scale::kFromZero, {series}};
  const auto peak = peak_of(figure);
  ASSERT_TRUE(peak);
  EXPECT_EQ(peak->top, 130);
  EXPECT_EQ(peak->sentence, "Beyond the scale: 5.000 kB in epoch 1.");
  EXPECT_EQ(page_json(figure)["top"], 130);
  figure.scale = Scale::kFitting;
  EXPECT_FALSE(peak_of(figure));
}

TEST(Figure, IsATableOfItsPlacesOrASummaryOfMany) {
  EXPECT_THAT(
      table_of(line_figure({{"a", {{1, 0.25}}}, {"b", {{1, 2}, {2, 3}}}})),
      ElementsAre(ElementsAre("epoch", "a", "b"), ElementsAre("1", "0.2500", "2.000"), ElementsAre("2", "", "3.000")));
  Series series{"a", {}};
  for (int epoch = 1; epoch <= 99; ++epoch) series.points.push_back({1.0 * epoch, 100.0 - epoch});
  EXPECT_THAT(table_of(line_figure({series})),
              ElementsAre(testing::_, ElementsAre("a", "99", "99.00", "1.000", "50.00", "99.00", "1.000")));
  EXPECT_THAT(table_of(BarFigure{"p", "P", Quantity::kBytes, {"sent", "dealt"}, {{"mask", {1000, 0}}}}),
              ElementsAre(ElementsAre("", "sent", "dealt"), ElementsAre("mask", "1.000 kB", "0 B")));
}

TEST(Figure, IsWrittenAsCsv) {
  EXPECT_EQ(csv_of(line_figure({{"a, \"b\"", {{1, 0.1}}}, {"c", {{1, 2}, {2, 1e-9}}}})),
            "epoch,\"a, \"\"b\"\"\",c\n1,0.1,2\n2,,1e-09\n");
  EXPECT_EQ(csv_of(BarFigure{"p", "P", Quantity::kBytes, {"sent"}, {{"mask", {1000}}}}), "name,sent\nmask,1000\n");
}

TEST(Figure, OfCellsNamesTheKindOfEach) {
  using Cell = CellFigure::Cell;
  const CellFigure map = {"map",
                          "Map",
                          "rate",
                          "n",
                          {"0.1", "1"},
                          {"2", "5"},
                          {{"trains", 2}, {"diverges", 1}},
                          {{Cell{0, ""}, Cell{}}, {Cell{1, "epoch 6"}, Cell{7, "x"}}}};
  EXPECT_THAT(table_of(map), ElementsAre(ElementsAre("rate", "2", "5"), ElementsAre("0.1", "trains", ""),
                                         ElementsAre("1", "diverges, epoch 6", "")));
  EXPECT_EQ(csv_of(map), "rate,2,5\n0.1,trains,\n1,diverges,\n");
  EXPECT_EQ(json_of(map)["cells"], Json::parse(R"([["trains", ""], ["diverges", ""]])"));
  const Json page = page_json(map);
  EXPECT_EQ(page["kinds"][1], Json::parse(R"({"name": "diverges", "colour": 1})"));
  EXPECT_EQ(page["cells"], Json::parse(R"([[{"kind": 0, "text": ""}, null], [{"kind": 1, "text": "epoch 6"}, null]])"));
}

TEST(Figure, IsEmptyWithoutPoints) {
  EXPECT_TRUE(is_empty(line_figure({{"none", {}}})));
  EXPECT_TRUE(is_empty(BarFigure{"a", "A", Quantity::kCount, {"k"}, {{"none", {0}}}}));
  EXPECT_TRUE(is_empty(CellFigure{"a", "A", "r", "c", {"1"}, {"2"}, {{"k", 0}}, {{CellFigure::Cell{}}}}));
  EXPECT_FALSE(is_empty(CellFigure{"a", "A", "r", "c", {"1"}, {"2"}, {{"k", 0}}, {{CellFigure::Cell{0, ""}}}}));
  EXPECT_FALSE(is_empty(BarFigure{"a", "A", Quantity::kCount, {"k"}, {{"some", {1}}}}));
}

}  // namespace
}  // namespace tacit::launcher
