#include "bench/data/distance_graph.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "bench/data/random_source.h"

namespace tacit::gnn {
namespace {

using Pair = std::pair<std::int64_t, std::int64_t>;

std::vector<Pair> pairs(const Edges& edges) {
  std::vector<Pair> all;
  for (std::size_t e = 0; e < edges.from.size(); ++e) all.emplace_back(edges.from[e], edges.to[e]);
  return all;
}

std::vector<Spot> scattered(std::size_t count, std::int64_t side) {
  RandomSource random(5);
  std::vector<Spot> places(count);
  for (Spot& place : places) place = {random.below(side), random.below(side)};
  return places;
}

TEST(DistanceGraph, JoinsEachToItsNearest) {
  for (const std::int64_t side : {1000, 12}) {  // the second has many ties, and two nodes in one place
    const std::vector<Spot> places = scattered(200, side);
    constexpr int kNeighbours = 5;
    std::set<Pair> expected;
    for (std::int64_t a = 0; a < std::ssize(places); ++a) {
      std::vector<Pair> by_distance;
      for (std::int64_t b = 0; b < std::ssize(places); ++b) {
        const std::int64_t dx = places[static_cast<std::size_t>(a)].x - places[static_cast<std::size_t>(b)].x;
        const std::int64_t dy = places[static_cast<std::size_t>(a)].y - places[static_cast<std::size_t>(b)].y;
        if (a != b) by_distance.emplace_back(dx * dx + dy * dy, b);
      }
      std::sort(by_distance.begin(), by_distance.end());
      for (int i = 0; i < kNeighbours; ++i) {
        expected.emplace(a, by_distance[static_cast<std::size_t>(i)].second);
        expected.emplace(by_distance[static_cast<std::size_t>(i)].second, a);
      }
    }
    const std::vector<Pair> found = pairs(distance_graph(places, kNeighbours));
    EXPECT_TRUE(std::includes(found.begin(), found.end(), expected.begin(), expected.end()));
    EXPECT_LE(found.size(), expected.size() + 10) << "more pairs than join components";
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    EXPECT_EQ(std::adjacent_find(found.begin(), found.end()), found.end());
  }
}

TEST(DistanceGraph, JoinsLonePairsWhereTheyComeNearest) {
  const std::vector<Spot> places = {{0, 0}, {1, 0}, {100, 0}, {101, 0}, {40, 0}, {41, 0}};
  EXPECT_THAT(pairs(distance_graph(places, 1)),
              testing::ElementsAre(Pair{0, 1}, Pair{1, 0}, Pair{1, 4}, Pair{2, 3}, Pair{2, 5}, Pair{3, 2}, Pair{4, 1},
                                   Pair{4, 5}, Pair{5, 2}, Pair{5, 4}));
}

TEST(DistanceGraph, JoinsAllToAllWhereThereAreFew) {
  EXPECT_EQ(distance_graph(scattered(4, 50), 6).size(), 4 * 3);
  EXPECT_EQ(distance_graph(scattered(1, 50), 6).size(), 0);
}

}  // namespace
}  // namespace tacit::gnn
