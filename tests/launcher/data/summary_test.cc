#include "launcher/data/summary.h"

#include <gmock/gmock.h>

#include <sstream>

#include "net/printable.h"
#include "tests/gnn/data/small_graph.h"

namespace tacit::launcher {
namespace {

using testing::ElementsAre;

TEST(Summary, TellsOfEachColumnWhatItsNumbersAre) {
  gnn::GraphData data;
  data.nodes = 4;
  data.x = gnn::Matrix(4, 2);
  *data.x << 0, 1, 0, 1, 4, 1, 8, 1;
  const GraphSummary summary = summarise(data, 10);
  ASSERT_EQ(summary.columns.size(), 2u);
  EXPECT_EQ(summary.columns[0].mean, 3);
  EXPECT_EQ(summary.columns[0].zeros, 0.5);
  EXPECT_NEAR(summary.columns[0].deviation, std::sqrt(11.0), 1e-12);
  EXPECT_EQ(summary.columns[1].deviation, 0);
  data.nodes = 6;  // a sixth is rounded
  data.x = gnn::Matrix::Ones(6, 1);
  EXPECT_EQ(summarise(data, 10).columns[0].deviation, 0);
}

// A name in any script is shown as it is, and moves no column of the table.
TEST(Summary, AlignsNamesOfAnyScript) {
  gnn::GraphData data;
  data.nodes = 3;
  data.x = gnn::Matrix::Constant(3, 4, 1.5);
  data.feature_names = {"plain", "Größe über 1 m", "e\u0301", "名前"};
  std::istringstream lines(to_text(summarise(data, 10), Letters::kAscii));
  std::string line;
  std::getline(lines, line);  // the heading
  for (const std::string& name : data.feature_names) {
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_THAT(line, testing::HasSubstr(name));
    EXPECT_EQ(net::columns_of(line.substr(0, line.find("1.5"))), net::columns_of("  Größe über 1 m         ")) << line;
  }
}

TEST(Summary, CountsMissingFeatures) {
  gnn::GraphData data;
  data.nodes = 3;
  data.missing_features = true;
  data.x = gnn::Matrix(3, 2);
  *data.x << 4, 1, NAN, 1, 8, 1;
  const GraphSummary summary = summarise(data, 10);
  EXPECT_EQ(summary.columns[0].mean, 6) << "of known features";
  EXPECT_EQ(summary.columns[0].missing, 1);
  EXPECT_EQ(summary.columns[1].missing, 0);
  EXPECT_THAT(to_text(summary, Letters::kAscii), testing::HasSubstr("1 missing"));
  data.x->col(1).setConstant(NAN);
  const GraphSummary without = summarise(data, 10);
  EXPECT_THAT(to_text(without, Letters::kAscii), testing::HasSubstr("all missing"));
  EXPECT_TRUE(to_json(without)["columns"][1]["mean"].is_null());
}

TEST(Summary, OfSparseFeaturesIsThatOfDenseOnes) {
  const gnn::GraphData sparse = gnn::some_graph({.sparse = true});
  gnn::GraphData dense = sparse;
  dense.x = sparse.sparse_x->dense();
  dense.sparse_x.reset();
  for (const std::int64_t columns : {0, 3, 100}) {
    EXPECT_EQ(to_json(summarise(sparse, columns)), to_json(summarise(dense, columns)));
  }
}

TEST(Summary, CountsClassesAndEdges) {
  gnn::GraphData data;
  data.nodes = 5;
  data.classes = {0, 2, 2, 1'000'000'000'000, 0};
  data.edges = gnn::Edges{{0, 1, 2, 3}, {1, 0, 2, 0}};
  const GraphSummary summary = summarise(data, 10);
  EXPECT_THAT(summary.class_sizes, ElementsAre(2, 0, 2)) << "a class number out of all bounds makes no table of it";
  EXPECT_EQ(summary.edges->loops, 1);
  EXPECT_EQ(summary.edges->one_way, 1);
  EXPECT_EQ(summary.edges->without, 1);
  EXPECT_EQ(summary.edges->out_degree.spread.most, 1);
}

}  // namespace
}  // namespace tacit::launcher
