#include "launcher/report/figure.h"

#include <gmock/gmock.h>

#include "launcher/report/thin.h"

namespace tacit::launcher {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += name;
  return all;
}

TEST(Figure, LinesThatAreTheSameBecomeOne) {
  const std::vector<Point> low = {{1, 1}, {2, 1}}, high = {{1, 2}, {2, 2}};
  const auto merged_ones = merged({{"a", low, 0}, {"b", high, 1}, {"c", low, 2}, {"d", {{1, 1}}, 3}}, joined);
  ASSERT_EQ(merged_ones.size(), 3u);
  EXPECT_EQ(merged_ones[0].name, "ac");
  EXPECT_EQ(merged_ones[1].name, "b");
  EXPECT_EQ(merged_ones[2].name, "d") << "a shorter one is another";
}

TEST(Figure, BandsHaveTheMedianTheLeastAndTheMostOfEachPart) {
  std::vector<Point> points;
  for (int i = 0; i < 1007; ++i) points.push_back({1.0 * i, i == 432 ? 1e6 : i == 777 ? -1e6 : i % 10});
  const Bands bands = in_bands(points, 100);
  EXPECT_EQ(bands.together, 10u);
  ASSERT_EQ(bands.median.size(), 101u) << "the last part has 7 points";
  EXPECT_EQ(bands.median[0].x, 4.5);
  EXPECT_EQ(bands.median[0].y, 4.5);
  EXPECT_EQ(bands.median[43].y, 5.5) << "one peak moves no median";
  EXPECT_EQ(bands.most[43].y, 1e6);
  EXPECT_EQ(bands.least[77].y, -1e6);
  EXPECT_EQ(bands.median[100].x, 1003);
  EXPECT_EQ(bands.median[100].y, 3);
  EXPECT_EQ(in_bands({{1, 2}}, 100).median.size(), 1u);
  EXPECT_TRUE(in_bands({}, 100).median.empty());
}

TEST(Figure, IsEmptyWithoutPoints) {
  EXPECT_TRUE(is_empty(LineFigure{"a", "A", Quantity::kCount, LineFigure::Scale::kFitting, {{"none", {}}}}));
  EXPECT_TRUE(is_empty(BarFigure{"a", "A", Quantity::kCount, {"k"}, {{"none", {0}}}}));
  EXPECT_FALSE(is_empty(BarFigure{"a", "A", Quantity::kCount, {"k"}, {{"some", {1}}}}));
}

}  // namespace
}  // namespace tacit::launcher
