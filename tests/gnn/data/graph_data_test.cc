#include "gnn/data/graph_data.h"

#include <gmock/gmock.h>

#include <cmath>

#include "net/error.h"

namespace tacit::gnn {
namespace {

using testing::HasSubstr;

GraphData small() {
  GraphData data;
  data.nodes = 3;
  data.x = Matrix::Ones(3, 2);
  data.edges = Edges{{0, 1}, {1, 0}};
  data.classes = {{0, 1, 1}};
  data.train_mask = NodeMask{true, false, true};
  return data;
}

struct WrongData {
  const char* name;
  void (*spoil)(GraphData&);
  const char* said;
};

class Check : public testing::TestWithParam<WrongData> {};

INSTANTIATE_TEST_SUITE_P(
    WrongData, Check,
    testing::Values(
        WrongData{"NoNodes", [](GraphData& d) { d.nodes = 0; }, "at least one node"},
        WrongData{"ShortX", [](GraphData& d) { d.x = Matrix::Ones(2, 2); }, "x: 2 rows for 3 nodes"},
        WrongData{"RowsBeyondTheGraph",
                  [](GraphData& d) {
                    d.own_rows = NodeRange{2, 2};
                  },
                  "own rows: 2 from 2 on"},
        WrongData{"RowsOfNobody",
                  [](GraphData& d) {
                    d.own_rows = NodeRange{0, 2};
                    d.x = Matrix::Ones(1, 2);
                  },
                  "x: 1 rows for 2 nodes of 3"},
        WrongData{"NaN", [](GraphData& d) { (*d.x)(2, 1) = std::nan(""); },
                  "x: row 2, column 1 is not a finite number"},
        WrongData{"TwoX",
                  [](GraphData& d) {
                    d.sparse_x = SparseFeatures{{3, 1}, {0, 0, 0, 0}, {}, {}};
                  },
                  "x is there twice"},
        WrongData{"EdgeOutside", [](GraphData& d) { d.edges->to[1] = 3; }, "edge_index: edge 1"},
        WrongData{"EdgeBelow", [](GraphData& d) { d.edges->from[0] = -1; }, "edge_index: edge 0"},
        WrongData{"HalfAnEdge", [](GraphData& d) { d.edges->to.pop_back(); }, "as many sources as targets"},
        WrongData{"FewWeights", [](GraphData& d) { d.edges->weights = {1}; }, "edge_weight: 1 weights for 2 edges"},
        WrongData{"NegativeClass", [](GraphData& d) { (*d.classes)[1] = -2; }, "y: the class of node 1 is negative"},
        WrongData{
            "TrainedOnAnUnknownClass", [](GraphData& d) { (*d.classes)[2] = -1; },
            "y: node 2 has no label, but train_mask names the node; give it a label, or take it out of train_mask"},
        WrongData{"TestedOnAnUnknownTarget",
                  [](GraphData& d) {
                    d.classes.reset();
                    d.targets = Matrix::Ones(3, 2);
                    (*d.targets)(1, 1) = std::nan("");
                    d.test_mask = NodeMask{false, true, false};
                  },
                  "y: node 1 has no label, but test_mask names the node"},
        WrongData{"ValidatedOnAnUnknownClassOfOwnRows",
                  [](GraphData& d) {
                    d.own_rows = NodeRange{1, 2};
                    d.x = Matrix::Ones(2, 2);
                    d.classes = {{0, -1}};
                    d.train_mask = NodeMask{true, false, false};
                    d.val_mask = NodeMask{false, true};
                  },
                  "y: node 2 has no label, but val_mask names the node"},
        WrongData{"InfiniteTarget",
                  [](GraphData& d) {
                    d.classes.reset();
                    d.targets = Matrix::Constant(3, 1, INFINITY);
                  },
                  "y: row 0, column 0 is not a finite number"},
        WrongData{"TwoY", [](GraphData& d) { d.targets = Matrix::Ones(3, 1); }, "y is there twice"},
        WrongData{"LongMask", [](GraphData& d) { d.train_mask->push_back(true); }, "train_mask: 4 rows for 3 nodes"},
        WrongData{"SparseRowsMissing",
                  [](GraphData& d) {
                    d.x.reset();
                    d.sparse_x = SparseFeatures{{3, 2}, {0, 1}, {1}, {1.0}};
                  },
                  "2 row beginnings for 3 rows"},
        WrongData{"SparseColumnTwice",
                  [](GraphData& d) {
                    d.x.reset();
                    d.sparse_x = SparseFeatures{{3, 2}, {0, 2, 2, 2}, {1, 1}, {1.0, 1.0}};
                  },
                  "row 0, entry 1: columns ascend from 0 to 1"},
        WrongData{"SparseRowsBackwards",
                  [](GraphData& d) {
                    d.x.reset();
                    d.sparse_x = SparseFeatures{{3, 2}, {0, 2, 1, 2}, {0, 1}, {1.0, 1.0}};
                  },
                  "row 1 ends before it begins"},
        WrongData{"SparseInfinity",
                  [](GraphData& d) {
                    d.x.reset();
                    d.sparse_x = SparseFeatures{{3, 2}, {0, 0, 1, 1}, {0}, {INFINITY}};
                  },
                  "row 1, entry 0 is not a finite number"}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(Check, NamesFilePartAndPlace) {
  GraphData data = small();
  EXPECT_NO_THROW(check(data, "a.npz"));
  GetParam().spoil(data);
  try {
    check(data, "a.npz");
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("a.npz"));
    EXPECT_THAT(error.what(), HasSubstr(GetParam().said));
  }
}

TEST(GraphData, TakesOwnRowsBesideThoseOfAll) {
  GraphData data = small();
  data.own_rows = NodeRange{1, 2};
  data.x = Matrix::Ones(2, 2);
  data.edges = Edges{{0}, {2}};
  EXPECT_NO_THROW(check(data, "a.npz"));
}

TEST(SparseFeatures, MadeDenseHaveZerosWhereNothingIs) {
  const SparseFeatures x{{3, 3}, {0, 2, 2, 3}, {0, 2, 1}, {1.0, 2.0, 3.0}};
  Matrix expected(3, 3);
  expected << 1, 0, 2, 0, 0, 0, 0, 3, 0;
  EXPECT_EQ(x.dense(), expected);
}

}  // namespace
}  // namespace tacit::gnn
