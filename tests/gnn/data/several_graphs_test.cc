#include "gnn/data/several_graphs.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>

#include "gnn/data/graph_csv.h"
#include "gnn/data/graph_npz.h"
#include "gnn/data/holding.h"
#include "gnn/data/labels.h"
#include "gnn/data/part_check.h"
#include "gnn/data/split.h"
#include "tests/gnn/data/raw_zip.h"
#include "tests/gnn/data/refusal.h"
#include "tests/gnn/ownership_of.h"
#include "tests/temporary_folder.h"

namespace tacit::gnn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;

using Numbers = std::vector<std::int64_t>;

// Graphs of 2, 1 and 3 nodes, with a class and a mask of each.
GraphData three_graphs() {
  GraphData data;
  data.nodes = 6;
  data.graphs = {0, 0, 1, 2, 2, 2};
  data.x =
      Matrix::NullaryExpr(6, 2, [](Eigen::Index row, Eigen::Index col) { return static_cast<double>(row + 10 * col); });
  data.edges = Edges{{0, 1, 3, 4}, {1, 0, 4, 5}};
  data.classes = Numbers{1, 0, 1};
  data.train_mask = NodeMask{true, false, false};
  data.test_mask = NodeMask{false, false, true};
  move_to_first_nodes(data);
  return data;
}

TEST(SeveralGraphs, HaveTheirLabelsAndMasksAtTheirFirstNodes) {
  const GraphData data = three_graphs();
  EXPECT_EQ(number_of_graphs(data), 3);
  EXPECT_THAT(subjects_of(6, data.graphs), ElementsAre(0, 2, 3));
  EXPECT_THAT(subjects_of(3, {}), ElementsAre(0, 1, 2));
  EXPECT_THAT(data.classes, Optional(ElementsAre(1, -1, 0, 1, -1, -1)));
  EXPECT_THAT(data.train_mask, Optional(ElementsAre(true, false, false, false, false, false)));
  check(data, "here");
  EXPECT_EQ(subjects_in(data, 6), 3);
  EXPECT_EQ(subjects_in(data, 0), 0) << "of no labels";
  EXPECT_EQ(with_a_row_for_each_graph(data).classes, (Numbers{1, 0, 1}));
  GraphData again = data;
  move_to_first_nodes(again);
  EXPECT_EQ(again.classes, data.classes) << "a list of nodes stays unchanged";
}

TEST(SeveralGraphs, AreNamedInRefusalsOfLabelsAndMasks) {
  GraphData data = three_graphs();
  data.classes->at(3) = kUnknownClass;
  EXPECT_THAT(refusal([&] { check(data, "here"); }),
              HasSubstr("here: y: graph 2 has no label, but test_mask names the graph; give it a label"));
  data = three_graphs();
  data.train_mask = NodeMask{true, false};
  EXPECT_EQ(refusal([&] { check(data, "here"); }), "here: train_mask: 2 rows for 3 graphs; every graph has one");
}

TEST(SeveralGraphs, HaveTargetsOfWhichTheOtherNodesHaveNone) {
  GraphData data = three_graphs();
  data.classes.reset();
  data.targets = Matrix(3, 2);
  *data.targets << 1, 2, 3, 4, 5, 6;
  move_to_first_nodes(data);
  check(data, "here");
  ASSERT_EQ(data.targets->rows(), 6);
  EXPECT_EQ((*data.targets)(3, 1), 6);
  EXPECT_TRUE(std::isnan((*data.targets)(1, 0)) && std::isnan((*data.targets)(5, 1)));
  Matrix expected(3, 2);
  expected << 1, 2, 3, 4, 5, 6;
  EXPECT_EQ(*with_a_row_for_each_graph(data).targets, expected);
}

// Owners of rows hold the labels of the graphs that begin with their rows, and every one knows all graphs.
TEST(SeveralGraphs, OfOwnersOfRowsAreWrittenReadAndMerged) {
  const GraphData whole = three_graphs();
  const TemporaryFolder folder;
  for (const char* masks : {"rows 4,2", "rows 3,3", "public", "rank 1"}) {
    for (const char* labels : {"rows", "public", "rank 1"}) {
      SCOPED_TRACE(testing::Message() << masks << ", " << labels);
      const std::string counts = masks == std::string("rows 3,3") ? " 3,3" : " 4,2";
      const std::string rows = "rows" + counts, edges = "edges" + counts;
      const bool by_rows = labels == std::string("rows");
      Ownership ownership = ownership_of(rows.c_str(), edges.c_str(), by_rows ? rows.c_str() : labels, masks);
      ownership.graphs = true;
      std::vector<GraphData> parts;
      for (int rank = 0; rank < 2; ++rank) {
        const std::string file = folder.path() / ("rank" + std::to_string(rank) + ".npz");
        write_graph_npz(file, part_of(whole, ownership, rank, 2));
        parts.push_back(read_graph_npz(Npz(file)));
        EXPECT_EQ(parts.back().graphs, whole.graphs);
        check_part(parts.back(), ownership, rank, 2, "the part");
      }
      const GraphData merged = merge(parts, ownership);
      EXPECT_EQ(merged.classes, whole.classes);
      EXPECT_EQ(merged.test_mask, whole.test_mask);
      EXPECT_EQ(merged.graphs, whole.graphs);
      const std::vector<Announcement> told{announcement_of(parts[0]), announcement_of(parts[1])};
      const Holding holding = agreed_holding(ownership, told);
      EXPECT_EQ(holding.subjects(), 3);
      for (const std::size_t rank : {0u, 1u}) EXPECT_EQ(holding.unlabelled_subjects(rank), 0);
      EXPECT_EQ(announcement_of_numbers(numbers_of(told[1])), told[1]);
    }
  }
}

GraphData read_rows(const Numbers& y, const Numbers& graph) {
  return read_graph_npz(NpzText({{"num_nodes", {{}, Numbers{6}}, {}},
                                 {"own_rows", {{2}, Numbers{3, 3}}, {}},
                                 {"graph", {{std::ssize(graph)}, graph}, {}},
                                 {"y", {{std::ssize(y)}, y}, {}}})
                            .open());
}

// A file that somebody made by hand.
TEST(SeveralGraphs, MayHaveARowForEachGraphOrForEachThatBeginsWithOwnRows) {
  const Numbers graph{0, 0, 1, 1, 1, 2};
  EXPECT_THAT(read_rows({1}, graph).classes, Optional(ElementsAre(-1, -1, 1))) << "graph 2 begins there";
  EXPECT_THAT(read_rows({-1, -1, 1}, graph).classes, Optional(ElementsAre(-1, -1, 1)));
  EXPECT_THAT(read_rows({-1, -1, -1, -1, -1, 1}, graph).classes, Optional(ElementsAre(-1, -1, -1, -1, -1, 1)));
  const Numbers four{0, 0, 1, 2, 2, 3};
  EXPECT_THAT(read_rows({5, 6, 7, 8}, four).classes, Optional(ElementsAre(5, -1, 6, 7, -1, 8))) << "of all graphs";
  EXPECT_THAT(refusal([&] {
                read_rows({1, 2}, graph);
              }),
              HasSubstr("y: it has 2 rows; expected one for each of the 3"));
  EXPECT_THAT(refusal([&] { read_rows({1}, {0, 0, 1}); }), HasSubstr("graph: 3 numbers for 6 nodes"));
  EXPECT_THAT(refusal([&] { read_rows({1}, {0, 0, 2, 1, 1, 1}); }), HasSubstr("graph: node 2 is of graph 2"));
}

TEST(SeveralGraphs, AreRefusedUnlessTheyFollowEachOther) {
  const auto refused = [](const Numbers& graphs) {
    GraphData data = three_graphs();
    data.graphs = graphs;
    return refusal([&] { check(data, "here"); });
  };
  EXPECT_THAT(refused({0, 0, 1, 2, 2}), HasSubstr("here: graph: 5 numbers for 6 nodes"));
  EXPECT_THAT(refused({1, 1, 1, 2, 2, 2}), HasSubstr("the first graph must have number 0"));
  EXPECT_THAT(refused({0, 0, 2, 2, 2, 2}), HasSubstr("node 2 is of graph 2 and the node before it of graph 0"));
  EXPECT_THAT(refused({0, 1, 1, 2, 2, 1}), HasSubstr("node 5 is of graph 1 and the node before it of graph 2"));
  EXPECT_THAT(refused({0, 0, 0, 1, 1, 1}), HasSubstr("y: node 2 has one, and is not the first node of its graph"));
  EXPECT_THAT(refused({0, 0, 1, 2, 3, 3}), HasSubstr("edge_index: edge 2 leads from one graph to another"));
}

TEST(SeveralGraphs, AreRefusedWithoutALayerThatPoolsAndTheOtherWayRound) {
  Ownership ownership = ownership_of("rank 0", "public", "rank 0", "public");
  EXPECT_THAT(refusal([&] { check_part(three_graphs(), ownership, 0, 1, "a.npz"); }),
              HasSubstr("a.npz: graph: the data have several graphs, and the model has no layer of kind \"pool\""));
  ownership.graphs = true;
  GraphData one = three_graphs();
  one.graphs.clear();
  EXPECT_THAT(refusal([&] { check_part(one, ownership, 0, 1, "a.npz"); }),
              HasSubstr("a.npz: graph: it is missing, and the model pools"));
  const std::vector<Announcement> told{announcement_of(one)};
  EXPECT_THAT(refusal([&] { agreed_holding(ownership, told); }), HasSubstr("graph: it is missing"));
}

GraphData read_graphs_csv(std::string_view nodes, std::string_view graphs) {
  const MemorySource nodes_file("nodes.csv", std::as_bytes(std::span(nodes)));
  const MemorySource graphs_file("graphs.csv", std::as_bytes(std::span(graphs)));
  return read_graph_csv(nodes_file, nullptr, {}, graphs.empty() ? nullptr : &graphs_file);
}

constexpr std::string_view kThreeNodes = "id,graph,x\na,water,1\nb,water,2\nc,salt,3\n";

TEST(SeveralGraphs, HaveALineEachInGraphsCsvInAnyOrder) {
  const GraphData data = read_graphs_csv(kThreeNodes, "graph,class,train_mask,test_mask\nsalt,1,0,1\nwater,,0,0\n");
  EXPECT_THAT(data.graphs, ElementsAre(0, 0, 1));
  EXPECT_THAT(data.classes, Optional(ElementsAre(-1, -1, 1)));
  EXPECT_THAT(data.test_mask, Optional(ElementsAre(false, false, true)));
  const GraphData targets = read_graphs_csv(kThreeNodes, "graph,y0,y1,train_mask\nsalt,5,6,1\nwater,3,4,1\n");
  EXPECT_EQ((*targets.targets)(0, 1), 4);
  EXPECT_EQ((*targets.targets)(2, 0), 5);
  const GraphData within = read_graphs_csv("graph,x,y\nwater,1,7\nwater,2,\nsalt,3,8\n", "");
  EXPECT_EQ((*within.targets)(2, 0), 8) << "or at the line of their first node";
}

TEST(SeveralGraphs, OfCsvFilesAreRefusedWithTheLine) {
  const auto refused = [](std::string_view nodes, std::string_view graphs) {
    return refusal([&] { read_graphs_csv(nodes, graphs); });
  };
  EXPECT_THAT(refused("graph,x\nwater,1\nsalt,2\nwater,3\n", ""),
              HasSubstr("line 4, column \"graph\": other graphs lie"));
  EXPECT_THAT(refused("graph,x\nwater,1\n,2\n", ""), HasSubstr("every line names its graph"));
  EXPECT_THAT(refused("x\n1\n", "graph,y\nwater,1\n"), HasSubstr("nodes.csv has no column graph"));
  EXPECT_THAT(refused(kThreeNodes, "y\n1\n"), HasSubstr("expected a column graph"));
  EXPECT_THAT(refused(kThreeNodes, "graph,y\nwater,1\nwater,2\n"),
              HasSubstr("line 3, column \"graph\": an earlier line"));
  EXPECT_THAT(refused(kThreeNodes, "graph,y\nsugar,1\n"), HasSubstr("line 2, column \"graph\": no node of nodes.csv"));
  EXPECT_THAT(refused(kThreeNodes, "graph,y\nwater,1\n"), HasSubstr("graph 1 of nodes.csv has no line here"));
  EXPECT_THAT(refused(kThreeNodes, "graph,mass,y\nwater,1,2\nsalt,3,4\n"), HasSubstr("it has features"));
  EXPECT_THAT(refused("graph,x,y\nwater,1,2\n", "graph,y\nwater,1\n"), HasSubstr("take them out of nodes.csv"));
}

}  // namespace
}  // namespace tacit::gnn
