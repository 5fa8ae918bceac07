#include "gnn/data/snapshots.h"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

#include "gnn/data/align.h"
#include "gnn/data/graph_file.h"
#include "gnn/data/graph_npz.h"
#include "gnn/data/holding.h"
#include "gnn/data/part_check.h"
#include "gnn/data/part_digest.h"
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

// Two nodes in three snapshots. Features are 100 · snapshot + 10 · node + column.
GraphData two_nodes() {
  GraphData data;
  data.snapshots = 3;
  data.nodes = 6;
  data.x = Matrix::NullaryExpr(6, 2, [](Eigen::Index row, Eigen::Index column) {
    return static_cast<double>(100 * (row % 3) + 10 * (row / 3) + column);
  });
  data.edges = Edges{{0, 1}, {1, 0}};
  data.classes = Numbers{0, 1, 0, 1, 1, 0};
  data.train_mask = NodeMask{true, true, false, true, true, false};
  data.test_mask = NodeMask{false, false, true, false, false, true};
  data.ids = {{"a", "b"}};
  return data;
}

std::vector<double> values(const NpyArray& array) { return values_as<double>(array); }

TEST(Snapshots, AreTheFirstAxisOfAFileAndTheLastOfMemory) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "a.npz";
  write_graph_npz(file, two_nodes());
  const Npz npz(file);
  EXPECT_THAT(npz.read("x").shape, ElementsAre(3, 2, 2));
  EXPECT_THAT(values(npz.read("x")), ElementsAre(0, 1, 10, 11, 100, 101, 110, 111, 200, 201, 210, 211));
  EXPECT_THAT(npz.read("y").shape, ElementsAre(3, 2));
  EXPECT_THAT(values(npz.read("y")), ElementsAre(0, 1, 1, 1, 0, 0));
  EXPECT_THAT(npz.read("train_mask").shape, ElementsAre(3, 2));
  EXPECT_THAT(values(npz.read("num_nodes")), ElementsAre(2)) << "of the graph";
  const GraphData again = read_graph_npz(npz);
  EXPECT_EQ(part_digest(again), part_digest(two_nodes()));
  GraphData one = two_nodes();
  one.snapshots = 1;
  EXPECT_NE(part_digest(one), part_digest(two_nodes()));
}

TEST(Snapshots, HaveTheEdgesOfTheGraphInEach) {
  const Edges all = edges_of_rows(Edges{{0, 1}, {1, 0}, {0.5, 2}}, 3);
  EXPECT_THAT(all.from, ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(all.to, ElementsAre(3, 4, 5, 0, 1, 2));
  EXPECT_THAT(all.weights, ElementsAre(0.5, 0.5, 0.5, 2, 2, 2));
  EXPECT_THAT(rows_of_nodes(Numbers{0, 4}, 3), ElementsAre(0, 1, 2, 12, 13, 14));
  EXPECT_FALSE(are_whole_nodes(Numbers{0, 1, 2, 11, 12, 13}, 3));
  EXPECT_FALSE(are_whole_nodes(Numbers{0, 1, 2, 12, 14, 15}, 3));
  EXPECT_FALSE(are_whole_nodes(Numbers{0, 1}, 3));
  EXPECT_THAT(nodes_of_rows(Numbers{0, 1, 2, 12, 13, 14}, 3), ElementsAre(0, 4));
}

TEST(Snapshots, OfOwnersOfRowsAreSplitByNodesAndMerged) {
  const GraphData whole = two_nodes();
  const TemporaryFolder folder;
  Ownership ownership = ownership_of("rows 1,1", "edges 1,1", "rows 1,1", "rows 1,1");
  ownership.snapshots = 3;
  std::vector<GraphData> parts;
  for (int rank = 0; rank < 2; ++rank) {
    const std::string file = folder.path() / ("rank" + std::to_string(rank) + ".npz");
    write_graph_npz(file, part_of(whole, ownership, rank, 2));
    EXPECT_THAT(values(Npz(file).read("own_rows")), ElementsAre(rank, 1)) << "nodes of the graph";
    parts.push_back(read_graph_npz(Npz(file)));
    check_part(parts.back(), ownership, rank, 2, "the part");
    EXPECT_EQ(parts.back().edges->size(), 1);
    EXPECT_THAT(parts.back().ids, Optional(ElementsAre(rank == 0 ? "a" : "b")));
  }
  EXPECT_EQ(part_digest(merge(parts, ownership)), part_digest(whole));
}

TEST(Snapshots, AreAlignedNodeByNode) {
  const Aligned aligned = gnn::aligned(two_nodes(), Numbers{1});
  EXPECT_EQ(aligned.data.snapshots, 3);
  EXPECT_EQ(aligned.data.nodes, 3);
  EXPECT_THAT(aligned.data.classes, Optional(ElementsAre(1, 1, 0)));
  EXPECT_THAT(aligned.data.ids, Optional(ElementsAre("b")));
  EXPECT_EQ((*aligned.data.x)(2, 1), 211);
  EXPECT_EQ(aligned.nodes_left_out, 1);
}

// The number of snapshots of each file is public, and must be the job's.
TEST(Snapshots, AreAsManyAtEveryPartyAsInTheJob) {
  Ownership ownership = ownership_of("rank 0", "public", "rank 1", "public");
  ownership.snapshots = 3;
  GraphData two = two_nodes();
  two.snapshots = 2;
  two.ids.reset();
  const std::string said = refusal([&] { check_part(two, ownership, 0, 2, "a.npz"); });
  EXPECT_THAT(said, HasSubstr("a.npz: the data have 2 snapshots, and the job has 3 (data.snapshots)"));
  std::vector<Announcement> told{announcement_of(part_of(two_nodes(), ownership, 0, 2)),
                                 announcement_of(part_of(two_nodes(), ownership, 1, 2))};
  EXPECT_EQ(agreed_holding(ownership, told).graph_nodes(), 2);
  EXPECT_EQ(announcement_of_numbers(numbers_of(told[1])), told[1]);
  told[1].snapshots = 6;
  EXPECT_THAT(refusal([&] { agreed_holding(ownership, told); }),
              HasSubstr("the file of rank 1: the number of snapshots must be 3, by the job and the other ranks' files, "
                        "and it is 6"));
  told[1].snapshots = 4;
  EXPECT_THAT(refusal([&] { agreed_holding(ownership, told); }), HasSubstr("are not sizes of a file 6"))
      << "6 rows are not whole nodes in 4 snapshots";
}

NamedArray array(const char* key, std::vector<std::int64_t> shape, std::vector<double> numbers) {
  return {key, {std::move(shape), std::move(numbers)}};
}

NamedArray bits(const char* key, std::vector<std::int64_t> shape, const Numbers& numbers) {
  return {key, {std::move(shape), numbers}};
}

GraphData read(std::vector<NamedArray> arrays, std::int64_t snapshots = 3) {
  arrays.push_back({"snapshots", {{}, Numbers{snapshots}}});
  return read_graph_npz(NpzText(arrays).open());
}

TEST(Snapshots, HaveMasksOfTheirOwnOrOfNodes) {
  const NamedArray x = array("x", {3, 2, 1}, {1, 2, 3, 4, 5, 6});
  const GraphData data = read({x, bits("train_mask", {3}, {1, 1, 0}), bits("test_mask", {3, 2}, {0, 0, 0, 0, 1, 0})});
  EXPECT_THAT(data.train_mask, Optional(ElementsAre(true, true, false, true, true, false)));
  EXPECT_THAT(data.test_mask, Optional(ElementsAre(false, false, true, false, false, false)));
  EXPECT_THAT(read({{"num_nodes", {{}, Numbers{2}}}, bits("train_mask", {3}, {1, 0, 0})}).train_mask,
              Optional(ElementsAre(true, false, false, true, false, false)));
}

TEST(Snapshots, OfAFileAreRefusedWithASentence) {
  const NamedArray x = array("x", {3, 2, 1}, {1, 2, 3, 4, 5, 6});
  const auto refused = [&](std::vector<NamedArray> arrays, std::int64_t snapshots = 3) {
    return refusal([&] { read(std::move(arrays), snapshots); });
  };
  EXPECT_THAT(refused({x}, 4),
              HasSubstr("x: its shape is (3, 2, 1), and the file has 4 snapshots; expected features of "
                        "shape (snapshots, nodes, features)"));
  EXPECT_THAT(refused({array("x", {6, 1}, {1, 2, 3, 4, 5, 6})}),
              HasSubstr("x: its shape is (6, 1), and the file has 3"));
  EXPECT_THAT(refused({x, array("y", {2, 3}, {1, 2, 3, 4, 5, 6})}),
              HasSubstr("y: its shape is (2, 3), and the file has 3"));
  EXPECT_THAT(refused({x, array("y", {3, 1}, {1, 2, 3})}), HasSubstr("y: it is for 1 nodes, but x is for 2"));
  EXPECT_THAT(refused({x, bits("train_mask", {6}, {1, 1, 0, 0, 0, 0})}),
              HasSubstr("train_mask: its shape is (6,), and the file has 3 snapshots; expected a mask of shape "
                        "(snapshots,) or (snapshots, nodes)"));
  EXPECT_THAT(refused({bits("train_mask", {3}, {1, 1, 0})}), HasSubstr("does not tell how many nodes there are"));
  EXPECT_THAT(refused({x, array("y", {3, 2}, {1, 2, 3, NAN, 5, 6}), bits("train_mask", {3}, {1, 1, 0})}),
              HasSubstr("y: node 1 in snapshot 1 has no label, but train_mask names the node"));
  EXPECT_THAT(refused({x}, 0), HasSubstr("snapshots: it is 0; expected 1 ..."));
  EXPECT_THAT(refused({{"num_nodes", {{}, Numbers{1 << 26}}}, bits("train_mask", {3}, {1, 1, 0})}),
              HasSubstr("nodes in 3 snapshots; expected at most 134217728 rows"))
      << "before memory is allocated";
  EXPECT_THAT(refused({bits("graph", {2}, {0, 0})}), HasSubstr("graph: snapshots are of one graph"));
  EXPECT_THAT(refusal([&] { read_graph_npz(NpzText({x}).open()); }),
              HasSubstr("states of one graph as (snapshots, nodes, features) with their number as snapshots"));
}

class FolderOfSnapshots : public testing::Test {
 protected:
  void write(const char* name, const std::string& text) { std::ofstream(folder_.path() / name) << text; }
  GraphData read() const { return read_graph(folder_.path()); }
  std::string refused() const {
    return refusal([&] { read(); });
  }

  TemporaryFolder folder_;
};

TEST_F(FolderOfSnapshots, HasALineForEachNodeInEachSnapshot) {
  write("nodes.csv",
        "id,snapshot,f,y,train_mask\n"
        "b,1,11,1.5,1\na,0,0,2.5,1\na,1,1,3.5,0\nb,0,10,4.5,0\n");
  write("edges.csv", "from,to\na,b\nb,a\n");
  const GraphData data = read();
  EXPECT_EQ(data.snapshots, 2);
  EXPECT_EQ(data.nodes, 4);
  EXPECT_THAT(data.ids, Optional(ElementsAre("b", "a"))) << "in the order of their first lines";
  EXPECT_THAT(data.x->reshaped(), ElementsAre(10, 11, 0, 1));
  EXPECT_THAT(data.targets->reshaped(), ElementsAre(4.5, 1.5, 2.5, 3.5));
  EXPECT_THAT(data.train_mask, Optional(ElementsAre(false, true, true, false)));
  EXPECT_THAT(data.edges->from, ElementsAre(1, 0));
}

TEST_F(FolderOfSnapshots, IsRefusedIfANodeLacksOneOrHasItTwice) {
  write("nodes.csv", "id,snapshot,f\na,0,0\na,1,1\na,2,5\nb,0,10\nb,2,11\n");
  EXPECT_THAT(refused(), HasSubstr("a node has no line for snapshot 1; expected a line for each node in each of the 3 "
                                   "snapshots, 0 ... 2"));
  write("nodes.csv", "id,snapshot,f\na,0,0\na,1,1\nb,0,10\n");
  EXPECT_THAT(refused(), HasSubstr("a node has no line for snapshot 1"));
  write("nodes.csv", "id,snapshot,f\na,0,0\na,1,1\na,0,10\n");
  EXPECT_THAT(refused(), HasSubstr("line 4, column \"snapshot\": an earlier line has the same node"));
  write("nodes.csv", "snapshot,f\n0,0\n");
  EXPECT_THAT(refused(), HasSubstr("column \"snapshot\": it needs a column id"));
  write("nodes.csv", "id,snapshot,f\na,-1,0\n");
  EXPECT_THAT(refused(), HasSubstr("expected a whole number within 0 ..."));
}

}  // namespace
}  // namespace tacit::gnn
