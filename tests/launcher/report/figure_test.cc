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

TEST(Figure, ThinnedKeepsEndsAndPeaks) {
  std::vector<Point> points;
  for (int i = 0; i < 100'000; ++i) points.push_back({1.0 * i, i == 43'210 ? 1e6 : i == 777 ? -1e6 : i % 7});
  const std::vector<Point> few = thinned(points, 100);
  EXPECT_LE(few.size(), 400u);
  EXPECT_EQ(few.front().x, 0);
  EXPECT_EQ(few.back().x, 99'999);
  const auto has = [&](double y) {
    return std::any_of(few.begin(), few.end(), [&](const Point& p) { return p.y == y; });
  };
  EXPECT_TRUE(has(1e6));
  EXPECT_TRUE(has(-1e6));
  EXPECT_TRUE(std::is_sorted(few.begin(), few.end(), [](const Point& a, const Point& b) { return a.x < b.x; }));
  EXPECT_EQ(thinned({{1, 2}}, 100).size(), 1u);
}

TEST(Figure, IsEmptyWithoutPoints) {
  EXPECT_TRUE(is_empty(LineFigure{"a", "A", Quantity::kCount, LineFigure::Scale::kFitting, {{"none", {}}}}));
  EXPECT_TRUE(is_empty(BarFigure{"a", "A", Quantity::kCount, {"k"}, {{"none", {0}}}}));
  EXPECT_FALSE(is_empty(BarFigure{"a", "A", Quantity::kCount, {"k"}, {{"some", {1}}}}));
}

}  // namespace
}  // namespace tacit::launcher
