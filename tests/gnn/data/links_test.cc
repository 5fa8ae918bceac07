#include "gnn/data/links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "gnn/data/graph_npz.h"
#include "gnn/data/split.h"
#include "net/error.h"
#include "tests/gnn/data/refusal.h"
#include "tests/gnn/ownership_of.h"
#include "tests/temporary_folder.h"

namespace tacit::gnn {
namespace {

using Pair = std::pair<std::int64_t, std::int64_t>;

std::set<Pair> pairs_in(const Edges& edges) {
  std::set<Pair> pairs;
  for (std::size_t i = 0; i < edges.from.size(); ++i) pairs.emplace(edges.from[i], edges.to[i]);
  return pairs;
}

// Random edges, each in both directions, and a loop.
GraphData random_graph(std::int64_t nodes, std::size_t links, std::uint64_t seed = 3) {
  std::mt19937_64 random(seed);
  GraphData graph;
  graph.nodes = nodes;
  graph.x = Matrix::Ones(nodes, 2);
  graph.edges.emplace();
  std::set<Pair> known;
  while (known.size() < links) {
    const auto one = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(nodes));
    const auto other = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(nodes));
    if (one >= other || !known.emplace(one, other).second) continue;
    graph.edges->from.insert(graph.edges->from.end(), {one, other});
    graph.edges->to.insert(graph.edges->to.end(), {other, one});
  }
  graph.edges->from.push_back(1);
  graph.edges->to.push_back(1);
  return graph;
}

TEST(Links, AreDividedIntoPartsOfTheirSize) {
  const GraphData graph = random_graph(400, 20000);
  const LinkParts links = links_of(graph, {.validation = 0.1, .test = 0.25});
  EXPECT_EQ(links.size(), 20000);
  // Six deviations of a binomial distribution.
  EXPECT_NEAR(static_cast<double>(links.validation.size()), 2000, 6 * std::sqrt(20000 * 0.1 * 0.9));
  EXPECT_NEAR(static_cast<double>(links.test.size()), 5000, 6 * std::sqrt(20000 * 0.25 * 0.75));
  std::set<Pair> all;
  for (const Edges* part : {&links.train, &links.validation, &links.test}) {
    for (const Pair& pair : pairs_in(*part)) {
      EXPECT_LT(pair.first, pair.second);
      EXPECT_TRUE(all.insert(pair).second);
    }
  }
}

TEST(Links, OfAnotherSeedAreDividedInAnotherWay) {
  const GraphData graph = random_graph(100, 2000);
  const auto tested = [&](std::uint64_t seed) { return pairs_in(links_of(graph, {.test = 0.5, .seed = seed}).test); };
  EXPECT_EQ(tested(1), tested(1));
  std::set<Pair> both;
  const std::set<Pair> one = tested(1), other = tested(2);
  std::set_intersection(one.begin(), one.end(), other.begin(), other.end(), std::inserter(both, both.begin()));
  EXPECT_NEAR(static_cast<double>(both.size()), 500, 6 * std::sqrt(2000 * 0.25 * 0.75));
}

// For every owner of edges: a link is in the same part, and counts once. Validation and test links pass no message.
TEST(Links, OfAllOwnersTogetherAreThoseOfTheWholeGraph) {
  const GraphData whole = random_graph(60, 500);
  const LinkPlan plan{.validation = 0.2, .test = 0.3};
  const GraphData apart = with_links_apart(whole, plan);
  for (const int parties : {2, 3, 5}) {
    for (const char* edges : {"edges", "rank 1"}) {
      SCOPED_TRACE(testing::Message() << parties << " " << edges);
      Ownership ownership = ownership_of("rows", edges, "none", "none");
      ownership.pairs = true;
      LinkParts links;
      Edges messages;
      for (int rank = 0; rank < parties; ++rank) {
        const GraphData part = with_links_apart(part_of(whole, ownership, rank, parties), plan);
        const auto add_all = [](const Edges& from, Edges& to) {
          for (std::size_t e = 0; e < from.from.size(); ++e) to.add(from, e);
        };
        add_all(part.links->train, links.train);
        add_all(part.links->validation, links.validation);
        add_all(part.links->test, links.test);
        if (part.edges) add_all(*part.edges, messages);
      }
      // In the same order: a twin trains on the same batches.
      if (edges == std::string("rank 1")) {
        EXPECT_EQ(links.train.from, apart.links->train.from);
      }
      EXPECT_EQ(pairs_in(links.train), pairs_in(apart.links->train));
      EXPECT_EQ(links.train.size(), apart.links->train.size());
      EXPECT_EQ(pairs_in(links.test), pairs_in(apart.links->test));
      EXPECT_EQ(messages.size(), apart.edges->size());
      EXPECT_EQ(pairs_in(messages), pairs_in(*apart.edges));
      for (const Pair& pair : pairs_in(apart.links->test)) {
        EXPECT_FALSE(pairs_in(messages).contains(pair));
        EXPECT_FALSE(pairs_in(messages).contains({pair.second, pair.first}));
      }
    }
  }
  EXPECT_TRUE(pairs_in(*apart.edges).contains({1, 1}));
  EXPECT_EQ(apart.edges->size(), 2 * apart.links->train.size() + 1);
  EXPECT_EQ(with_links_apart(apart, plan).links->test.from, apart.links->test.from);
}

TEST(Links, ThatLeadOneWayAreRefusedWhereTheirFileShowsIt) {
  GraphData graph = random_graph(20, 30);
  PartOwnership owned = parse_ownership("edges", GraphPart::kEdges);
  EXPECT_NO_THROW(check_links(graph, {}, owned, "a file"));
  graph.edges->from.push_back(19);
  graph.edges->to.push_back(0);
  ASSERT_FALSE(pairs_in(*graph.edges).contains({0, 19}));
  EXPECT_THROW(check_links(graph, {}, owned, "a file"), ConfigError);
  graph.own_rows = NodeRange{10, 10};  // node 0 is another owner's
  EXPECT_NO_THROW(check_links(graph, {}, owned, "a file"));
  for (const char* all : {"public", "rank 0"}) {
    owned = parse_ownership(all, GraphPart::kEdges);
    EXPECT_THROW(check_links(graph, {}, owned, "a file"), ConfigError);
  }
}

// The parts of the files count, in an .npz file and for every owner of edges, and not the seed.
TEST(Links, AreInThePartsThatFilesState) {
  GraphData whole = random_graph(60, 500);
  const LinkPlan plan{.seed = 4, .from_files = true};
  std::map<Pair, std::int64_t> stated;
  for (std::size_t e = 0; e < whole.edges->from.size(); ++e) {
    const auto [smaller, larger] = std::minmax(whole.edges->from[e], whole.edges->to[e]);
    const std::int64_t part = (smaller * 7 + larger) % 3;
    whole.edges->parts.push_back(part);
    if (smaller != larger) stated[{smaller, larger}] = part;
  }
  const TemporaryFolder folder;
  write_graph_npz(folder.path() / "whole.npz", whole);
  const GraphData read = read_graph_npz(Npz(folder.path() / "whole.npz"));
  EXPECT_EQ(read.edges->parts, whole.edges->parts);
  Ownership ownership = ownership_of("rows", "edges", "none", "none");
  std::int64_t seen = 0, messages = 0;
  for (int rank = 0; rank < 3; ++rank) {
    const GraphData part = part_of(read, ownership, rank, 3);
    EXPECT_NO_THROW(check_links(part, plan, ownership.edges, "a file"));
    const GraphData apart = with_links_apart(part, plan);
    const std::array<const Edges*, 3> parts = {&apart.links->train, &apart.links->validation, &apart.links->test};
    for (std::size_t number = 0; number < 3; ++number) {
      for (const Pair& pair : pairs_in(*parts[number])) {
        EXPECT_EQ(stated.at(pair), static_cast<std::int64_t>(number));
        ++seen;
      }
    }
    for (const auto& [from, to] : pairs_in(*apart.edges)) {
      if (from == to) continue;
      EXPECT_EQ(stated.at(std::minmax(from, to)), 0);
      ++messages;
    }
  }
  EXPECT_EQ(seen, 500);
  const auto trained = std::count_if(stated.begin(), stated.end(), [](const auto& one) { return one.second == 0; });
  EXPECT_EQ(messages, 2 * trained);
  std::vector<GraphData> all;
  for (int rank = 0; rank < 3; ++rank) all.push_back(part_of(read, ownership, rank, 3));
  EXPECT_EQ(merge(all, ownership).edges->parts.size(), whole.edges->parts.size());
}

TEST(Links, WithMissingOrContradictingPartsAreRefused) {
  const LinkPlan plan{.from_files = true};
  const PartOwnership owned = parse_ownership("public", GraphPart::kEdges);
  GraphData graph = random_graph(20, 30);
  const auto refused = [&] { return refusal([&] { check_links(graph, plan, owned, "a file"); }); };
  EXPECT_THAT(refused(), testing::HasSubstr("a file: edge_part: it is missing, and the job says data.links.split"));
  EXPECT_THROW(with_links_apart(graph, plan), ConfigError);
  graph.edges->parts.assign(graph.edges->from.size(), 0);
  EXPECT_NO_THROW(check_links(graph, plan, owned, "a file"));
  graph.edges->parts[3] = 2;
  EXPECT_THAT(refused(), testing::HasSubstr("the edges 2 and 3 join the same nodes and have different parts"));
  graph.edges->parts[3] = 3;
  EXPECT_THAT(refused(), testing::HasSubstr("the part of edge 3 is not one of train, validation and test"));
  graph.edges->parts.pop_back();
  EXPECT_THROW(check(graph, "a file"), ConfigError);
}

TEST(DrawnPairs, AreDifferentAndNoLinks) {
  const GraphData graph = random_graph(40, 200);
  const LinkPlan plan;
  const LinkParts links = links_of(graph, plan);
  // All pairs but ten are links or drawn.
  const LinkParts drawn = drawn_pairs(plan, 40, links, 400, 100, 70);
  EXPECT_EQ(drawn.train.size(), 400);
  EXPECT_EQ(drawn.validation.size(), 100);
  EXPECT_EQ(drawn.test.size(), 70);
  std::set<Pair> all;
  for (const LinkParts* some : {&links, &drawn}) {
    for (const Edges* part : {&some->train, &some->validation, &some->test}) {
      for (const Pair& pair : pairs_in(*part)) {
        EXPECT_LT(pair.first, pair.second);
        all.insert(pair);
      }
    }
  }
  EXPECT_EQ(all.size(), 770);
  EXPECT_THROW(drawn_pairs(plan, 40, links, 400, 100, 81), ConfigError);
  EXPECT_NO_THROW(drawn_pairs(plan, 40, {}, 400, 100, 81));
}

TEST(DrawnPairs, AreDrawnEvenly) {
  constexpr std::int64_t kNodes = 20, kPairs = kNodes * (kNodes - 1) / 2, kTimes = 2000;
  std::vector<std::int64_t> counts(kNodes * kNodes);
  for (std::uint64_t seed = 0; seed < kTimes; ++seed) {
    const Edges drawn = drawn_pairs({.seed = seed}, kNodes, {}, 38, 0, 0).train;
    for (std::size_t i = 0; i < drawn.from.size(); ++i) {
      ++counts[static_cast<std::size_t>(drawn.from[i] * kNodes + drawn.to[i])];
    }
  }
  const double part = 38.0 / kPairs, deviation = std::sqrt(kTimes * part * (1 - part));
  for (std::int64_t one = 0; one < kNodes; ++one) {
    for (std::int64_t other = one + 1; other < kNodes; ++other) {
      EXPECT_NEAR(static_cast<double>(counts[static_cast<std::size_t>(one * kNodes + other)]), kTimes * part,
                  6 * deviation);
    }
  }
}

TEST(Pairs, AreReadAndWritten) {
  const TemporaryFolder folder;
  GraphData graph = random_graph(12, 20);
  graph.pairs = Edges{{0, 5, 11}, {7, 2, 0}};
  write_graph_npz(folder.path() / "graph.npz", graph);
  const GraphData read = read_graph_npz(Npz(folder.path() / "graph.npz"));
  EXPECT_EQ(read.pairs->from, graph.pairs->from);
  EXPECT_EQ(read.pairs->to, graph.pairs->to);
  for (const Edges& wrong : {Edges{{0}, {12}}, Edges{{-1}, {2}}, Edges{{3}, {3}}}) {
    graph.pairs = wrong;
    EXPECT_THROW(check(graph, "a file"), ConfigError);
  }
}

}  // namespace
}  // namespace tacit::gnn
