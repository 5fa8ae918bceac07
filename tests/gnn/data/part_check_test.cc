#include "gnn/data/part_check.h"

#include <gmock/gmock.h>

#include "gnn/data/split.h"
#include "tests/gnn/data/refusal.h"
#include "tests/gnn/data/small_graph.h"

namespace tacit::gnn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// The check's finding on rank 1's part, of 3 ranks, after a spoiling change.
template <typename Spoil>
std::string said_of_part(const Ownership& ownership, Spoil spoil) {
  GraphData part = part_of(some_graph({}), ownership, 1, 3);
  check_part(part, ownership, 1, 3, "b.npz");
  spoil(part);
  return refusal([&] { check_part(part, ownership, 1, 3, "b.npz"); });
}

const Ownership& usual() {
  static const Ownership ownership = owned("columns 3,2,2", "edges 4,4,3", "rank 1", "public");
  return ownership;
}

TEST(CheckPart, SaysWhatIsMissing) {
  EXPECT_THAT(said_of_part(usual(), [](GraphData& part) { part.x.reset(); }),
              AllOf(HasSubstr("b.npz: x: the job says 'features: columns 3,2,2'"),
                    HasSubstr("missing, and rank 1 must hold it; add it")));
  EXPECT_THAT(said_of_part(usual(), [](GraphData& part) { part.targets.reset(); }),
              HasSubstr("y: the job says 'labels: rank 1': it is missing"));
  EXPECT_THAT(said_of_part(usual(), [](GraphData& part) { part.edges.reset(); }),
              HasSubstr("edge_index: the job says 'edges: edges 4,4,3': it is missing"));
  EXPECT_THAT(said_of_part(usual(), [](GraphData& part) { part.train_mask.reset(); }),
              HasSubstr("train_mask: the job says 'masks: public': it is missing"));
  EXPECT_EQ(said_of_part(usual(), [](GraphData& part) { part.val_mask.reset(); }), "accepted")
      << "not every graph has one";
}

TEST(CheckPart, SaysWhatIsTooMuch) {
  const Ownership others = owned("columns 3,0,4", "rank 0", "rank 0", "rank 2");
  const GraphData whole = some_graph({});
  const char* const taken_out = "rank 1 holds none of it; take it out of this file, or change the job";
  EXPECT_THAT(said_of_part(others, [&](GraphData& part) { part.x = whole.x; }),
              AllOf(HasSubstr("x: the job says 'features: columns 3,0,4'"), HasSubstr(taken_out)));
  EXPECT_THAT(said_of_part(others, [&](GraphData& part) { part.targets = whole.targets; }),
              AllOf(HasSubstr("y: "), HasSubstr(taken_out)));
  EXPECT_THAT(said_of_part(others, [&](GraphData& part) { part.edges = Edges{}; }),
              AllOf(HasSubstr("edge_index: "), HasSubstr(taken_out)));
  EXPECT_THAT(said_of_part(others, [&](GraphData& part) { part.test_mask = whole.test_mask; }),
              AllOf(HasSubstr("test_mask: "), HasSubstr(taken_out)));
}

TEST(CheckPart, SaysHowManyRowsAndColumnsThereMustBe) {
  EXPECT_THAT(said_of_part(usual(), [](GraphData& part) { part.x = Matrix::Ones(11, 7); }),
              HasSubstr("it has 7 columns, and rank 1 must hold 2; mend the file, or change the job"));
  EXPECT_THAT(said_of_part(usual(), [](GraphData& part) { part.x = Matrix::Ones(4, 2); }),
              HasSubstr("it has 4 rows, and rank 1 must hold 11"))
      << "its own rows alone, but the job splits x by columns";
  const Ownership by_rows = owned("rows 4,4,3", "public", "rows", "rows");
  EXPECT_THAT(said_of_part(by_rows, [](GraphData& part) { part.x = Matrix::Ones(11, 7); }),
              HasSubstr("it has 11 rows, and rank 1 must hold 4"));
  EXPECT_THAT(said_of_part(by_rows, [](GraphData& part) { part.val_mask = NodeMask(11); }),
              HasSubstr("val_mask: the job says 'masks: rows': it has 11 rows"));
}

TEST(CheckPart, SaysWhoseNodesTheFileMustBeOf) {
  EXPECT_THAT(said_of_part(usual(),
                           [](GraphData& part) {
                             part.own_rows = NodeRange{0, 4};
                           }),
              HasSubstr("own rows: the file is of 4 nodes from 0 on, and by the job rank 1 owns 4 from 4 on"));
  EXPECT_THAT(said_of_part(usual(), [](GraphData& part) { part.own_rows.reset(); }),
              HasSubstr("own rows: the file lacks own_rows, which states the nodes of its rows"));
  EXPECT_THAT(said_of_part(owned("columns", "public", "rank 0", "public"),
                           [](GraphData& part) {
                             part.own_rows = NodeRange{0, 4};
                           }),
              HasSubstr("the job splits nothing by rows or edges"));
  EXPECT_THAT(said_of_part(owned("columns", "edges", "rank 0", "public"),
                           [](GraphData& part) {
                             part.own_rows = NodeRange{4, 0};
                           }),
              HasSubstr("rank 1 owns no node; give the number of each rank in the job"));
}

TEST(CheckPart, NamesTheEdgeOfSomebodyElse) {
  EXPECT_THAT(said_of_part(usual(),
                           [](GraphData& part) {
                             part.edges = Edges{{4, 5, 8}, {0, 1, 5}};
                           }),
              AllOf(HasSubstr("edge 2 leaves a node that rank 1 doesn't own"), Not(HasSubstr("8"))));
}

TEST(CheckPart, TakesAnyEdgesAndNoneIfAnybodyMayHoldThem) {
  const Ownership any = owned("rows 4,4,3", "any", "rows", "rows");
  EXPECT_EQ(said_of_part(any, [](GraphData& part) { part.edges = Edges{{0, 10, 5}, {10, 0, 1}}; }), "accepted");
  EXPECT_EQ(said_of_part(any, [](GraphData& part) { part.edges.reset(); }), "accepted");
}

std::string said_of_weights(std::vector<double> weights, const char* holders = "any", int parties = 2) {
  GraphData part = some_graph({.nodes = 3});
  part.edges = Edges{{0, 1, 2}, {1, 2, 1}, std::move(weights)};
  return refusal([&] {
    check_edge_weights(part, true, "part.npz");
    check_sums_of_weights(part, parse_ownership(holders, GraphPart::kEdges), parties, "part.npz");
  });
}

TEST(CheckEdgeWeights, TakesNumbersInTheirLimitsAlone) {
  EXPECT_EQ(said_of_weights({1, 0.0078125, 1024}), "accepted");
  for (const double wrong : {0.0, -1.0, 0.007, 1025.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THAT(said_of_weights({1, wrong, 1}),
                HasSubstr("part.npz: edge_weight: the weight of edge 1 is not within 0.0078125 ... 1024; leave"));
  }
  EXPECT_THAT(said_of_weights({}), HasSubstr("it is missing, and the job says data.edge_weights = true"));
}

TEST(CheckEdgeWeights, RefusesAnEdgeThatIsThereTwice) {
  GraphData part = some_graph({.nodes = 3});
  part.edges = Edges{{0, 1, 0}, {1, 2, 1}, {1, 2, 3}};
  EXPECT_THAT(refusal([&] { check_edge_weights(part, true, "part.npz"); }),
              HasSubstr("the edges 0 and 2 are the same; add their weights up"));
  EXPECT_THAT(refusal([&] { check_edge_weights(part, false, "part.npz"); }), HasSubstr("the job does not say"));
}

TEST(CheckEdgeWeights, LimitsTheirSumAtANodeOfAPrivateGraph) {
  EXPECT_EQ(said_of_weights({1000, 1, 1000}), "accepted");
  EXPECT_THAT(said_of_weights({1000, 1, 1001}), AllOf(HasSubstr("add up to more than 2000"),
                                                      HasSubstr("divide all weights, at all ranks, by one number")));
  EXPECT_THAT(said_of_weights({500, 1, 500}, "edges", 5), HasSubstr("more than 800"));
  EXPECT_EQ(said_of_weights({1024, 1, 1024}, "rank 1", 5), "accepted");
  EXPECT_EQ(said_of_weights({1024, 1, 1024}, "public", 5), "accepted");
}

TEST(CheckNumbersOfEdges, LimitsARanksEdgesToOneNodeOfAGraphOfMillions) {
  constexpr std::int64_t kMost = (kMostDegree - 1) / 3;
  const auto said = [](std::int64_t nodes, std::int64_t edges, const char* holders) {
    GraphData part;
    part.nodes = nodes;
    part.edges.emplace();
    part.edges->from.assign(static_cast<std::size_t>(edges), 1);
    part.edges->to.assign(static_cast<std::size_t>(edges), 0);
    return refusal([&] { check_numbers_of_edges(part, parse_ownership(holders, GraphPart::kEdges), 3, "part.npz"); });
  };
  EXPECT_EQ(said(kMostDegree + 1, kMost, "edges"), "accepted");
  EXPECT_THAT(said(kMostDegree + 1, kMost + 1, "edges"),
              AllOf(HasSubstr("more than 349525 edges lead to one node"), HasSubstr("data.edges = \"rank R\"")));
  EXPECT_EQ(said(kMostDegree + 1, kMost + 1, "rank 1"), "accepted");
  EXPECT_EQ(said(kMostDegree, kMost + 1, "edges"), "accepted");
}

TEST(CheckPart, LooksNotAtWhatTheJobHasNoUseFor) {
  const GraphData whole = some_graph({});
  EXPECT_EQ(said_of_part(owned("columns", "none", "none", "none"),
                         [&](GraphData& part) {
                           part.targets = whole.targets;
                           part.edges = whole.edges;
                           part.train_mask = whole.train_mask;
                         }),
            "accepted");
}

TEST(CheckPart, LeavesToTheAnnouncementsWhatTheJobDoesNotSay) {
  const Ownership unstated = owned("columns", "edges", "rank 1", "public");
  EXPECT_EQ(said_of_part(unstated, [](GraphData& part) { part.x = Matrix::Ones(11, 40); }), "accepted");
  EXPECT_EQ(said_of_part(unstated,
                         [](GraphData& part) {
                           part.own_rows = NodeRange{2, 3};
                           part.edges = Edges{{2, 4}, {0, 9}};
                         }),
            "accepted");
}

TEST(CheckPart, FindsAFeatureThatIsNoWholeNumberAndOneBeyondTheRange) {
  GraphData data = some_graph({});
  data.x = Matrix::Zero(11, 7);
  (*data.x)(4, 6) = -3;
  EXPECT_EQ(refusal([&] { check_whole_features(data, 3, "b.npz"); }), "accepted");
  EXPECT_THAT(refusal([&] { check_whole_features(data, 2, "b.npz"); }),
              AllOf(HasSubstr("b.npz: x: row 4, column 6 is beyond ranges.features, which is 2; declare a wider range"),
                    Not(HasSubstr("3"))));
  EXPECT_EQ(local_detail_of([&] { check_whole_features(data, 2, "b.npz"); }), "it is -3");
  (*data.x)(2, 1) = 1.5;
  EXPECT_THAT(
      refusal([&] { check_whole_features(data, 3, "b.npz"); }),
      AllOf(HasSubstr("x: row 2, column 1 is no whole number, and the job says preprocessing.features = \"whole\""),
            Not(HasSubstr("1.5"))));
  data.x.reset();
  data.sparse_x = SparseFeatures{{11, 7}, {0, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3}, {2, 0, 5}, {1, 1, 0.5}};
  EXPECT_THAT(refusal([&] { check_whole_features(data, 3, "b.npz"); }), HasSubstr("x: row 2, column 5 is no whole"));
  data.sparse_x->values = {1, 1, 2};
  EXPECT_EQ(refusal([&] { check_whole_features(data, 3, "b.npz"); }), "accepted");
}

TEST(CheckPart, KnowsEveryClass) {
  GraphData data = some_graph({.classes = true});
  data.classes = {{0, 1, 2, 3, 2, 1, 0, 3, 3, 1, 0}};
  EXPECT_EQ(refusal([&] { check_classes(data, 4, "c.npz"); }), "accepted");
  EXPECT_THAT(refusal([&] { check_classes(data, 3, "c.npz"); }),
              HasSubstr("c.npz: y: the class in row 3 is not one of 0 ... 2"));
}

}  // namespace
}  // namespace tacit::gnn
