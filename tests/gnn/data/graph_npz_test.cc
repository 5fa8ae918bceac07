#include "gnn/data/graph_npz.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <map>

#include "tests/gnn/data/raw_zip.h"
#include "tests/gnn/data/refusal.h"
#include "tests/gnn/data/small_graph.h"
#include "tests/temporary_folder.h"

namespace tacit::gnn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;

using Arrays = std::map<std::string, NpyArray>;

GraphData read_npz(const Arrays& arrays, std::vector<std::string>* ignored = nullptr) {
  std::vector<NamedArray> all;
  for (const auto& [key, array] : arrays) all.push_back({key, array});
  return read_graph_npz(NpzText(all).open(), {.ignored = ignored});
}

template <class T>
NpyArray row(std::vector<T> values) {
  return {{std::ssize(values)}, std::move(values)};
}

// Three nodes with every array that a file may have.
Arrays whole_graph() {
  return {{"x", {{3, 2}, std::vector<float>{1, 2, 3, 4, 5, 6.5f}}},
          {"edge_index", {{2, 2}, std::vector<std::int64_t>{0, 1, 1, 2}}},
          {"y", row(std::vector<std::int64_t>{0, 1, 1})},
          {"train_mask", row(std::vector{NpyBool::kTrue, NpyBool::kFalse, NpyBool::kFalse})},
          {"val_mask", row(std::vector<std::uint8_t>{0, 1, 0})},
          {"test_mask", row(std::vector<std::int64_t>{0, 0, 1})},
          {"num_nodes", {{}, std::vector<std::int64_t>{3}}}};
}

Arrays sparse() {
  return {{"x_indptr", row(std::vector<std::int32_t>{0, 1, 1, 3})},
          {"x_indices", row(std::vector<std::int32_t>{3, 0, 2})},
          {"x_data", row(std::vector<float>{0.5f, 1, 2})},
          {"x_shape", row(std::vector<std::int64_t>{3, 4})}};
}

TEST(GraphNpz, HasAllParts) {
  const GraphData data = read_npz(whole_graph());
  EXPECT_EQ(data.nodes, 3);
  Matrix x(3, 2);
  x << 1, 2, 3, 4, 5, 6.5;
  EXPECT_THAT(data.x, Optional(x));
  ASSERT_TRUE(data.edges);
  EXPECT_THAT(data.edges->from, ElementsAre(0, 1));
  EXPECT_THAT(data.edges->to, ElementsAre(1, 2));
  EXPECT_THAT(data.classes, Optional(ElementsAre(0, 1, 1)));
  EXPECT_FALSE(data.targets);
  EXPECT_THAT(data.train_mask, Optional(ElementsAre(true, false, false)));
  EXPECT_THAT(data.val_mask, Optional(ElementsAre(false, true, false)));
  EXPECT_THAT(data.test_mask, Optional(ElementsAre(false, false, true)));
}

TEST(GraphNpz, MayHaveFewParts) {
  EXPECT_EQ(read_npz({{"y", row(std::vector<float>{1, 2})}}).nodes, 2);
  EXPECT_EQ(read_npz({{"val_mask", row(std::vector<std::uint8_t>{1})}}).nodes, 1);
  const GraphData edges =
      read_npz({{"edge_index", {{2, 0}, std::vector<std::int32_t>{}}}, {"num_nodes", row(std::vector{7})}});
  EXPECT_EQ(edges.nodes, 7);
  EXPECT_EQ(edges.edges->size(), 0);
}

TEST(GraphNpz, FloatLabelsAreTargets) {
  Arrays arrays = whole_graph();
  arrays["y"] = row(std::vector<double>{0, 1, 2});
  EXPECT_THAT(read_npz(arrays).targets, Optional(Matrix(Eigen::Vector3d(0, 1, 2))));
  EXPECT_FALSE(read_npz(arrays).classes);
  arrays["y"] = {{3, 2}, std::vector<double>{0, 1, 2, 3, 4, 5}};
  EXPECT_EQ(read_npz(arrays).targets->cols(), 2);
  EXPECT_EQ((*read_npz(arrays).targets)(2, 0), 4);
}

TEST(GraphNpz, FeaturesMayBeSparse) {
  const GraphData data = read_npz(sparse());
  EXPECT_EQ(data.nodes, 3);
  ASSERT_TRUE(data.sparse_x);
  Matrix x(3, 4);
  x << 0, 0, 0, 0.5, 0, 0, 0, 0, 1, 0, 2, 0;
  EXPECT_EQ(data.sparse_x->dense(), x);
}

TEST(GraphNpz, OtherArraysAreListed) {
  Arrays arrays = whole_graph();
  arrays["pos"] = row(std::vector<float>{1});
  arrays["edge_attr"] = row(std::vector<float>{1});
  std::vector<std::string> ignored;
  read_npz(arrays, &ignored);
  EXPECT_THAT(ignored, ElementsAre("edge_attr", "pos"));
}

struct WrongNpz {
  const char* name;
  std::function<void(Arrays&)> spoil;
  const char* said;
  Arrays (*begin)() = whole_graph;
};

// Replaces an array.
std::function<void(Arrays&)> put(const char* key, NpyArray array) {
  return [=](Arrays& arrays) { arrays[key] = array; };
}

std::function<void(Arrays&)> remove(const char* key) {
  return [=](Arrays& arrays) { arrays.erase(key); };
}

class RefusedNpz : public testing::TestWithParam<WrongNpz> {};

INSTANTIATE_TEST_SUITE_P(
    Parts, RefusedNpz,
    testing::Values(
        WrongNpz{"FlatX", put("x", row(std::vector<float>{1, 2, 3})),
                 "x: its shape is (3,); expected (nodes, features)"},
        WrongNpz{"NaN", put("x", {{3, 1}, std::vector<float>{0, NAN, 0}}), "x: row 1, column 0 is not a finite number"},
        WrongNpz{"Infinity", put("y", row(std::vector<float>{0, 0, INFINITY})),
                 "y: row 2, column 0 is not a finite number"},
        WrongNpz{"EdgeRows", put("edge_index", {{3, 2}, std::vector<std::int64_t>(6)}),
                 "edge_index: its shape is (3, 2); expected (2, edges), sources over targets: transpose it"},
        WrongNpz{"EdgeFloats", put("edge_index", {{2, 1}, std::vector<float>{0, 1}}),
                 "edge_index: it has float32 elements; expected int64"},
        WrongNpz{"WeightsOfOtherEdges", put("edge_weight", {{3}, std::vector<float>{1, 1, 1}}),
                 "edge_weight: its shape is (3); expected a number for each of the 2 edges"},
        WrongNpz{"EdgeOutside", put("edge_index", {{2, 1}, std::vector<std::int64_t>{0, 3}}),
                 "edge_index: edge 0 leads to or from a node outside 0 ... 2"},
        WrongNpz{"ClassMatrix", put("y", {{3, 1}, std::vector<std::int64_t>{0, 1, 2}}),
                 "y: its shape is (3, 1) and its dtype int64; expected classes"},
        WrongNpz{"NegativeClass", put("y", row(std::vector<std::int32_t>{0, -2, 2})),
                 "y: the class of node 1 is negative"},
        WrongNpz{"ScalarY", put("y", {{}, std::vector<float>{0}}), "y: its shape is () and its dtype float32"},
        WrongNpz{"FloatMask", put("train_mask", row(std::vector<float>{0, 1, 0})),
                 "train_mask: it has floats; expected bool"},
        WrongNpz{"NodeNumbers", put("train_mask", row(std::vector<std::int64_t>{0, 1, 2})),
                 "train_mask: element 2 is neither 0 nor 1"},
        WrongNpz{"ManySplits", put("val_mask", {{3, 2}, std::vector<NpyBool>(6)}),
                 "val_mask: its shape is (3, 2); expected (nodes,)"}),
    [](const auto& tested) { return tested.param.name; });

INSTANTIATE_TEST_SUITE_P(
    NumbersOfNodes, RefusedNpz,
    testing::Values(
        WrongNpz{"Differ", put("y", row(std::vector<std::int64_t>{0, 1})), "y: it is for 2 nodes, but x is for 3"},
        WrongNpz{"MaskDiffers", put("test_mask", row(std::vector<NpyBool>(4))),
                 "test_mask: it is for 4 nodes, but x is for 3"},
        WrongNpz{"DeclaredDiffers", put("num_nodes", {{}, std::vector<std::int32_t>{4}}),
                 "num_nodes: it is for 4 nodes, but x is for 3"},
        WrongNpz{"None", put("x", {{0, 2}, std::vector<float>{}}), "x: it is for 0 nodes; expected 1 ... 134217728"},
        WrongNpz{"Huge",
                 [](Arrays& arrays) {
                   arrays = {{"num_nodes", {{}, std::vector{std::int64_t{1} << 60}}}};
                 },
                 "num_nodes: it is for 1152921504606846976 nodes; expected 1 ... 134217728"},
        WrongNpz{"OwnRowsBeyond", put("own_rows", row(std::vector<std::int64_t>{2, 2})),
                 "own_rows: expected a first node and a number of nodes within the graph's 3"},
        WrongNpz{"OwnRowsBelow", put("own_rows", row(std::vector<std::int64_t>{-1, 2})),
                 "own_rows: expected a first node"},
        WrongNpz{"OwnRowsAlone", [](Arrays& arrays) { arrays = {{"own_rows", row(std::vector<std::int64_t>{0, 2})}}; },
                 "own_rows: it needs num_nodes"},
        WrongNpz{"OwnRowsOfOthers", put("own_rows", row(std::vector<std::int64_t>{0, 1, 2})),
                 "own_rows: its shape is (3,)"},
        WrongNpz{"Float", put("num_nodes", {{}, std::vector<float>{3}}), "num_nodes: expected one integer"},
        WrongNpz{"Many", put("num_nodes", row(std::vector<std::int64_t>{3, 3})), "num_nodes: expected one integer"},
        WrongNpz{
            "EdgesAlone",
            [](Arrays& arrays) { std::erase_if(arrays, [](const auto& part) { return part.first != "edge_index"; }); },
            "a.npz: edges alone do not tell how many nodes there are; add num_nodes"},
        WrongNpz{"NoPart", [](Arrays& arrays) { arrays = {{"pos", row(std::vector<float>{1})}}; },
                 "a.npz: it has no part of a graph: none of x, x_indptr"}),
    [](const auto& tested) { return tested.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Sparse, RefusedNpz,
    testing::Values(WrongNpz{"NoShape", remove("x_shape"),
                             "x_shape: it is missing; sparse features are all of x_indptr, x_indices", sparse},
                    WrongNpz{"NoData", remove("x_data"), "x_data: it is missing", sparse},
                    WrongNpz{"BesidesDense", put("x", {{3, 1}, std::vector<float>(3)}), "x is there twice", sparse},
                    WrongNpz{"ShapeOfOne", put("x_shape", row(std::vector<std::int64_t>{3})),
                             "x_shape: its shape is (1,); expected (2,)", sparse},
                    WrongNpz{"HugeShape", put("x_shape", row(std::vector{std::int64_t{3}, std::int64_t{1} << 62})),
                             "x_shape: expected nodes and features within 0 ... 1073741824", sparse},
                    WrongNpz{"NegativeShape", put("x_shape", row(std::vector<std::int64_t>{3, -1})),
                             "x_shape: expected nodes and features", sparse},
                    WrongNpz{"FewRows", put("x_indptr", row(std::vector<std::int32_t>{0, 3})),
                             "x_indptr: its shape is (2,); expected (nodes + 1,)", sparse},
                    WrongNpz{"RowsBackwards", put("x_indptr", row(std::vector<std::int32_t>{0, 1, 0, 3})),
                             "x: row 1 ends before it begins", sparse},
                    WrongNpz{"RowsOutside", put("x_indptr", row(std::vector<std::int32_t>{0, 9, 1, 3})),
                             "x: row 0 ends before it begins", sparse},
                    WrongNpz{"NegativeRows", put("x_indptr", row(std::vector<std::int32_t>{0, -9, 1, 3})),
                             "x: row 0 ends before it begins", sparse},
                    WrongNpz{"RowsMissing", put("x_indptr", row(std::vector<std::int32_t>{0, 1, 1, 2})),
                             "x: rows end at entry 2", sparse},
                    WrongNpz{"ColumnOutside", put("x_indices", row(std::vector<std::int32_t>{4, 0, 2})),
                             "x: row 0, entry 0: columns ascend from 0 to 3", sparse},
                    WrongNpz{"ColumnsUnsorted", put("x_indices", row(std::vector<std::int32_t>{3, 2, 0})),
                             "x: row 2, entry 2: columns ascend from 0 to 3", sparse},
                    WrongNpz{"FewValues", put("x_data", row(std::vector<float>{1, 2})),
                             "x_data: its shape is (2,); expected (entries,)", sparse},
                    WrongNpz{"FloatColumns", put("x_indices", row(std::vector<float>{0, 0, 2})),
                             "x_indices: it has float32 elements", sparse}),
    [](const auto& tested) { return tested.param.name; });

INSTANTIATE_TEST_SUITE_P(Names, RefusedNpz,
                         testing::Values(WrongNpz{"Misspelt", put("edge_indx", row(std::vector<float>{1})),
                                                  "edge_indx: it is no part of a graph, but nearly edge_index"},
                                         WrongNpz{"Capital", put("X", row(std::vector<float>{1})),
                                                  "X: it is no part of a graph, but nearly x"},
                                         WrongNpz{"Shouted", put("TRAIN_MASK", row(std::vector<float>{1})),
                                                  "TRAIN_MASK: it is no part of a graph, but nearly train_mask"},
                                         WrongNpz{"Unprintable", put("edge_inde\x1b", row(std::vector<float>{1})),
                                                  "edge_inde\\x1b: it is no part"}),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(RefusedNpz, NamesFileKeyAndPlace) {
  Arrays arrays = GetParam().begin();
  EXPECT_NO_THROW(read_npz(arrays));
  GetParam().spoil(arrays);
  const std::string message = refusal([&] { read_npz(arrays); });
  EXPECT_THAT(message, testing::StartsWith("a.npz: "));
  EXPECT_THAT(message, HasSubstr(GetParam().said));
}

void expect_equal(const GraphData& a, const GraphData& b) {
  EXPECT_EQ(a.nodes, b.nodes);
  EXPECT_EQ(a.x, b.x);
  ASSERT_EQ(a.sparse_x.has_value(), b.sparse_x.has_value());
  if (a.sparse_x) {
    EXPECT_EQ(a.sparse_x->shape, b.sparse_x->shape);
    EXPECT_EQ(a.sparse_x->row_begin, b.sparse_x->row_begin);
    EXPECT_EQ(a.sparse_x->cols, b.sparse_x->cols);
    EXPECT_EQ(a.sparse_x->values, b.sparse_x->values);
  }
  ASSERT_EQ(a.edges.has_value(), b.edges.has_value());
  if (a.edges) {
    EXPECT_EQ(a.edges->from, b.edges->from);
    EXPECT_EQ(a.edges->to, b.edges->to);
    EXPECT_EQ(a.edges->weights, b.edges->weights);
  }
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.targets, b.targets);
  EXPECT_EQ(a.train_mask, b.train_mask);
  EXPECT_EQ(a.val_mask, b.val_mask);
  EXPECT_EQ(a.test_mask, b.test_mask);
}

TEST(GraphNpz, WrittenIsReadBack) {
  const TemporaryFolder folder;
  Arrays with_targets = whole_graph();
  with_targets["y"] = {{3, 2}, std::vector<double>{0.1, 1, 2, 3, 4, 5}};
  const Arrays edges = {{"edge_index", whole_graph()["edge_index"]}, {"num_nodes", whole_graph()["num_nodes"]}};
  Arrays weighted = whole_graph();
  weighted["edge_weight"] = row(std::vector<double>{0.5, 7});
  for (const Arrays& arrays : {whole_graph(), sparse(), with_targets, edges, weighted}) {
    for (const Compression compression : {Compression::kStored, Compression::kDeflated}) {
      write_graph_npz(folder.path() / "a.npz", read_npz(arrays), compression);
      expect_equal(read_npz(arrays), read_graph_npz(Npz(folder.path() / "a.npz")));
    }
  }
}

// The rows of two nodes of a graph of five, and edges between all nodes.
TEST(GraphNpz, MayLackFeaturesIfTheJobFillsThem) {
  const TemporaryFolder folder;
  GraphData data = some_graph({.sparse = false});
  (*data.x)(1, 0) = std::numeric_limits<double>::quiet_NaN();
  const auto path = folder.path() / "a.npz";
  EXPECT_THAT(refusal([&] { write_graph_npz(path, data); }),
              HasSubstr("x: row 1, column 0 is not a finite number; fill in what is missing"));
  data.missing_features = true;
  write_graph_npz(path, data);
  EXPECT_THAT(refusal([&] { read_graph_npz(Npz(path)); }), HasSubstr("preprocessing.missing = \"mean\""));
  EXPECT_TRUE(std::isnan((*read_graph_npz(Npz(path), {.missing_features = true}).x)(1, 0)));
  (*data.x)(1, 0) = std::numeric_limits<double>::infinity();
  EXPECT_THAT(refusal([&] { write_graph_npz(path, data); }), HasSubstr("row 1, column 0 is not a finite number"));
}

TEST(GraphNpz, MayHoldSomeNodesRows) {
  GraphData part;
  part.nodes = 5;
  part.own_rows = NodeRange{3, 2};
  part.x = Matrix::Ones(2, 4);
  part.edges = Edges{{3, 4}, {0, 1}};
  part.train_mask = NodeMask{true, false, false, true, true};
  const TemporaryFolder folder;
  write_graph_npz(folder.path() / "part.npz", part);
  const GraphData found = read_graph_npz(Npz(folder.path() / "part.npz"));
  EXPECT_EQ(found.nodes, 5);
  EXPECT_EQ(found.own_rows, part.own_rows);
  EXPECT_EQ(found.x, part.x);
  EXPECT_EQ(found.edges->to, part.edges->to);
  EXPECT_EQ(found.train_mask, part.train_mask);

  const Arrays three{{"num_nodes", {{}, std::vector<std::int64_t>{5}}},
                     {"own_rows", row(std::vector<std::int64_t>{3, 2})},
                     {"y", row(std::vector<std::int64_t>{0, 1, 1})}};
  EXPECT_THAT(refusal([&] { read_npz(three); }), HasSubstr("y: it is for 3 nodes, but num_nodes is for 5"));
}

TEST(GraphNpz, ThatIsNoGraphIsNotWritten) {
  const TemporaryFolder folder;
  GraphData data = read_npz(whole_graph());
  data.edges->to[0] = 17;
  EXPECT_THAT(refusal([&] { write_graph_npz(folder.path() / "a.npz", data); }), HasSubstr("edge_index: edge 0"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace tacit::gnn
