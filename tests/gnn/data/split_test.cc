#include "gnn/data/split.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include <tuple>

#include "gnn/data/holding.h"
#include "gnn/data/part_check.h"
#include "tests/gnn/data/refusal.h"
#include "tests/gnn/data/small_graph.h"

namespace tacit::gnn {
namespace {

using testing::HasSubstr;

std::vector<GraphData> all_parts(const GraphData& whole, const Ownership& ownership, int parties) {
  std::vector<GraphData> parts;
  for (int rank = 0; rank < parties; ++rank) parts.push_back(part_of(whole, ownership, rank, parties));
  return parts;
}

std::vector<std::pair<std::int64_t, std::int64_t>> sorted(const Edges& edges) {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (std::size_t e = 0; e < edges.from.size(); ++e) pairs.emplace_back(edges.from[e], edges.to[e]);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

void expect_same(const GraphData& found, const GraphData& whole) {
  EXPECT_EQ(found.nodes, whole.nodes);
  EXPECT_EQ(found.own_rows, std::nullopt);
  EXPECT_EQ(found.x, whole.x);
  ASSERT_EQ(found.sparse_x.has_value(), whole.sparse_x.has_value());
  if (whole.sparse_x) {
    EXPECT_EQ(found.sparse_x->shape, whole.sparse_x->shape);
    EXPECT_EQ(found.sparse_x->row_begin, whole.sparse_x->row_begin);
    EXPECT_EQ(found.sparse_x->cols, whole.sparse_x->cols);
    EXPECT_EQ(found.sparse_x->values, whole.sparse_x->values);
  }
  EXPECT_EQ(found.classes, whole.classes);
  EXPECT_EQ(found.targets, whole.targets);
  EXPECT_EQ(found.train_mask, whole.train_mask);
  EXPECT_EQ(found.val_mask, whole.val_mask);
  EXPECT_EQ(found.test_mask, whole.test_mask);
  ASSERT_TRUE(found.edges);
  EXPECT_EQ(sorted(*found.edges), sorted(*whole.edges));
}

// Splits `total` columns or rows raggedly: the first rank gets most, and the last rank gets none.
std::string ragged(std::string_view word, std::int64_t total, int parties) {
  const int between = std::max(parties - 2, 0);
  std::string text = fmt::format("{} {}", word, total - between);
  for (int rank = 0; rank < between; ++rank) text += ",1";
  return parties > 1 ? text + ",0" : text;
}

void expect_round_trip(const GraphData& whole, const Ownership& ownership, int parties) {
  SCOPED_TRACE(fmt::format("{} parties, {} / {} / {} / {}", parties, to_text(ownership.features),
                           to_text(ownership.edges), to_text(ownership.labels), to_text(ownership.masks)));
  const std::vector<GraphData> parts = all_parts(whole, ownership, parties);
  std::vector<Announcement> held;
  for (int rank = 0; rank < parties; ++rank) {
    const GraphData& part = parts[static_cast<std::size_t>(rank)];
    EXPECT_EQ(refusal([&] { check_part(part, ownership, rank, parties, "part.npz"); }), "accepted");
    held.push_back(announcement_of(part));
  }
  EXPECT_EQ(agreed_holding(ownership, held), planned_holding(whole, ownership, parties));
  expect_same(merge(parts, ownership), whole);
}

class SplitRoundTrip : public testing::TestWithParam<std::tuple<int, bool, bool>> {};

std::string name_of_case(const testing::TestParamInfo<SplitRoundTrip::ParamType>& tested) {
  const auto [parties, sparse, classes] = tested.param;
  return fmt::format("{}Parties{}{}", parties, sparse ? "Sparse" : "Dense", classes ? "Classes" : "Targets");
}

INSTANTIATE_TEST_SUITE_P(Split, SplitRoundTrip,
                         testing::Combine(testing::Values(1, 2, 3, 5), testing::Bool(), testing::Bool()), name_of_case);

TEST_P(SplitRoundTrip, PassesTheCheckAndIsUndoneByMergeForEveryOwnership) {
  const auto [parties, sparse, classes] = GetParam();
  const GraphKind kind = {.sparse = sparse, .classes = classes};
  const GraphData whole = some_graph(kind);
  const std::string last = fmt::format("rank {}", parties - 1);
  std::vector<std::string> labels = {"public", last, "rows"};
  if (!classes) labels.insert(labels.end(), {"columns", ragged("columns", kind.targets, parties)});
  int cases = 0;
  for (const std::string& features : {std::string("public"), last, std::string("columns"), std::string("rows"),
                                      ragged("columns", kind.features, parties), ragged("rows", kind.nodes, parties)}) {
    for (const std::string& edges : {std::string("public"), last, std::string("edges"), std::string("any")}) {
      for (const std::string& of_labels : labels) {
        for (const char* masks : {"public", "rank 0", "rows"}) {
          expect_round_trip(whole, owned(features, edges, of_labels, masks), parties);
          ++cases;
        }
      }
    }
  }
  EXPECT_EQ(cases, 6 * 4 * (classes ? 3 : 5) * 3);
}

TEST(Split, KeepsTheWeightsOfEdgesAndAddsUpThoseOfAnybody) {
  const GraphData whole = some_graph({.weighted = true});
  const auto weight_of = [](const Edges& edges) {
    std::map<std::pair<std::int64_t, std::int64_t>, double> weights;
    for (std::size_t e = 0; e < edges.weights.size(); ++e) weights[{edges.from[e], edges.to[e]}] += edges.weights[e];
    return weights;
  };
  for (const char* edges : {"public", "rank 1", "edges", "any"}) {
    const Ownership ownership = owned("columns", edges, "rank 0", "public");
    const GraphData back = merge(all_parts(whole, ownership, 3), ownership);
    EXPECT_EQ(weight_of(*back.edges), weight_of(*whole.edges)) << edges;
  }
  const Ownership rows = owned("rows", "any", "rows", "rows");
  std::vector<GraphData> parts = all_parts(whole, rows, 2);
  EXPECT_EQ(weight_of(*merge(parts, rows).edges), weight_of(*whole.edges)) << "each edge is at one rank";
  parts[1].edges->add(*parts[0].edges, 0);
  const std::pair ends{parts[0].edges->from[0], parts[0].edges->to[0]};
  EXPECT_EQ(weight_of(*merge(parts, rows).edges).at(ends), 2 * weight_of(*whole.edges).at(ends));
}

TEST(Split, GivesEachRankWhatItOwnsAndNoMore) {
  const GraphData whole = some_graph({.nodes = 5, .features = 4, .targets = 1});
  const Ownership ownership = owned("columns 1,3", "edges 2,3", "rank 1", "rows");
  const GraphData first = part_of(whole, ownership, 0, 2), second = part_of(whole, ownership, 1, 2);
  EXPECT_EQ(*first.x, whole.x->leftCols(1));
  EXPECT_EQ(*second.x, whole.x->rightCols(3));
  EXPECT_FALSE(first.targets);
  EXPECT_EQ(second.targets, whole.targets);
  EXPECT_EQ(first.own_rows, (NodeRange{0, 2}));
  EXPECT_EQ(second.own_rows, (NodeRange{2, 3}));
  EXPECT_EQ(*first.train_mask, NodeMask(whole.train_mask->begin(), whole.train_mask->begin() + 2));
  EXPECT_EQ(*second.test_mask, NodeMask(whole.test_mask->begin() + 2, whole.test_mask->end()));
  EXPECT_THAT(first.edges->from, testing::Each(testing::Lt(2)));
  EXPECT_THAT(second.edges->from, testing::Each(testing::AllOf(testing::Ge(2), testing::Lt(5))));
  EXPECT_EQ(first.edges->size() + second.edges->size(), whole.edges->size());
}

TEST(Split, GivesEachRankTheNamesOfItsOwnFeatures) {
  GraphData whole;
  whole.nodes = 4;
  whole.x = Matrix::Random(4, 3);
  whole.feature_names = {"a", "b", "c"};
  Ownership columns, rows;
  columns.features = parse_ownership("columns 2,0,1", GraphPart::kFeatures);
  rows.features = parse_ownership("rows 3,1,0", GraphPart::kFeatures);
  const std::vector<GraphData> by_column = all_parts(whole, columns, 3), by_row = all_parts(whole, rows, 3);
  EXPECT_THAT(by_column[0].feature_names, testing::ElementsAre("a", "b"));
  EXPECT_THAT(by_column[1].feature_names, testing::IsEmpty());
  EXPECT_THAT(by_column[2].feature_names, testing::ElementsAre("c"));
  EXPECT_EQ(by_row[1].feature_names, whole.feature_names);
  EXPECT_THAT(by_row[2].feature_names, testing::IsEmpty());
  EXPECT_EQ(merge(by_column, columns).feature_names, whole.feature_names);
  EXPECT_EQ(merge(by_row, rows).feature_names, whole.feature_names);
  std::vector<GraphData> one_without = by_column;
  one_without[2].feature_names.clear();
  EXPECT_THAT(merge(one_without, columns).feature_names, testing::IsEmpty());
}

TEST(Split, LeavesOutWhatARankHoldsNothingOf) {
  const GraphData whole = some_graph({.nodes = 4, .features = 2});
  const Ownership ownership = owned("columns 0,2,0", "edges 4,0,0", "rows", "none");
  const GraphData first = part_of(whole, ownership, 0, 3), last = part_of(whole, ownership, 2, 3);
  EXPECT_FALSE(first.x);
  EXPECT_EQ(first.edges->size(), whole.edges->size());
  EXPECT_EQ(last.own_rows, (NodeRange{4, 0}));
  EXPECT_FALSE(last.x || last.edges || last.targets || last.train_mask || last.val_mask || last.test_mask);
}

TEST(Split, GivesAnEdgeThatAnybodyMayHoldToTheOwnersOfBothItsNodes) {
  GraphData whole = some_graph({.nodes = 4});
  whole.edges = Edges{{0, 1, 0, 3}, {1, 0, 3, 2}};
  const auto parts = all_parts(whole, owned("rows 2,2", "any", "rows", "rows"), 2);
  EXPECT_THAT(sorted(*parts[0].edges),
              testing::ElementsAre(testing::Pair(0, 1), testing::Pair(0, 3), testing::Pair(1, 0)));
  EXPECT_THAT(sorted(*parts[1].edges), testing::ElementsAre(testing::Pair(0, 3), testing::Pair(3, 2)));
  const auto without_owners = all_parts(whole, owned("columns", "any", "rank 0", "public"), 2);
  EXPECT_THAT(sorted(*without_owners[1].edges),
              testing::ElementsAre(testing::Pair(0, 1), testing::Pair(0, 3), testing::Pair(1, 0), testing::Pair(3, 2)));
}

TEST(Split, AnOwnerWithoutEdgesHasAnEmptyList) {
  GraphData whole = some_graph({.nodes = 4});
  whole.edges = Edges{{0, 1}, {3, 2}};
  const GraphData last = part_of(whole, owned("rows", "edges", "rows", "rows"), 1, 2);
  ASSERT_TRUE(last.edges);
  EXPECT_EQ(last.edges->size(), 0);
}

TEST(Split, ManyRanksMayShareFewColumnsOnlyIfTheJobSaysWhoHoldsNone) {
  const GraphData whole = some_graph({.features = 2});
  EXPECT_THAT(refusal([&] { part_of(whole, owned("columns", "public", "rank 0", "public"), 0, 3); }),
              HasSubstr("features: 2 columns for 3 ranks: give the number of each rank"));
  const Ownership said = owned("columns 1,0,1", "public", "rank 0", "public");
  expect_same(merge(all_parts(whole, said, 3), said), whole);
}

TEST(Split, RefusesAJobThatDoesNotFitTheGraph) {
  GraphData whole = some_graph({});
  const auto said = [&](const Ownership& ownership) { return refusal([&] { part_of(whole, ownership, 0, 2); }); };
  EXPECT_THAT(said(owned("columns 3,5", "public", "rank 0", "public")),
              HasSubstr("features: 3 + 5 columns for the ranks are more than the 7 there are"));
  EXPECT_THAT(said(owned("rows 3,5", "public", "rank 0", "public")),
              HasSubstr("rows 3,5: 3 + 5 nodes for the ranks are fewer than the 11 there are"));
  whole.train_mask.reset();
  EXPECT_THAT(said(owned("columns", "public", "rank 0", "public")),
              HasSubstr("masks: 'public', but the graph has none"));
  whole.edges.reset();
  EXPECT_THAT(said(owned("columns", "edges", "rank 0", "none")), HasSubstr("edges: 'edges', but the graph has none"));
  whole.targets.reset();
  EXPECT_THAT(said(owned("columns", "none", "rank 0", "none")), HasSubstr("labels: 'rank 0', but the graph has none"));
  EXPECT_EQ(said(owned("columns", "none", "none", "none")), "accepted");
}

}  // namespace
}  // namespace tacit::gnn
