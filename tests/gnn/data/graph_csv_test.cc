#include "gnn/data/graph_csv.h"

#include <gmock/gmock.h>

#include <fstream>

#include "gnn/data/graph_file.h"
#include "gnn/data/graph_npz.h"
#include "tests/gnn/data/refusal.h"
#include "tests/temporary_folder.h"

namespace tacit::gnn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;

GraphData read_csv(std::string_view nodes, std::string_view edges, std::vector<std::string>* ignored = nullptr) {
  const MemorySource nodes_file("nodes.csv", std::as_bytes(std::span(nodes)));
  const MemorySource edges_file("edges.csv", std::as_bytes(std::span(edges)));
  return read_graph_csv(nodes_file, edges.empty() ? nullptr : &edges_file, {.ignored = ignored});
}

TEST(GraphCsv, HasAllParts) {
  const GraphData data = read_csv(
      "id,pm10,class,traffic,train_mask,val_mask,test_mask\n"
      "centre,21.5,1,300,1,0,false\n"
      "\"park, south\",9,0,12,0,true,False\n",
      "from,to\ncentre,\"park, south\"\n\"park, south\",centre\n");
  EXPECT_EQ(data.nodes, 2);
  Matrix x(2, 2);
  x << 21.5, 300, 9, 12;
  EXPECT_THAT(data.x, Optional(x));
  EXPECT_THAT(data.classes, Optional(ElementsAre(1, 0)));
  EXPECT_FALSE(data.targets);
  EXPECT_THAT(data.edges->from, ElementsAre(0, 1));
  EXPECT_THAT(data.edges->to, ElementsAre(1, 0));
  EXPECT_THAT(data.train_mask, Optional(ElementsAre(true, false)));
  EXPECT_THAT(data.val_mask, Optional(ElementsAre(false, true)));
  EXPECT_THAT(data.test_mask, Optional(ElementsAre(false, false)));
}

TEST(GraphCsv, EdgesMayHaveWeights) {
  const GraphData data = read_csv("x0\n1\n2\n", "from,weight,to\n0,2.5,1\n1,0.25,0\n");
  EXPECT_THAT(data.edges->weights, ElementsAre(2.5, 0.25));
  EXPECT_TRUE(std::isnan(read_csv("x0\n1\n2\n", "from,to,weight\n0,1,5 kg\n").edges->weights[0]))
      << "a job that uses weights refuses it";
}

TEST(GraphCsv, MayLackFeaturesIfTheJobFillsThem) {
  const std::string_view nodes = "x0,x1,y\n1,,3\nNaN,5, \n";
  const MemorySource file("nodes.csv", std::as_bytes(std::span(nodes)));
  const GraphData data = read_graph_csv(file, nullptr, {.missing_features = true});
  EXPECT_EQ((*data.x)(0, 0), 1);
  EXPECT_TRUE(std::isnan((*data.x)(0, 1)));
  EXPECT_TRUE(std::isnan((*data.x)(1, 0)));
  EXPECT_EQ((*data.x)(1, 1), 5);
  const std::string_view infinite = "x0\ninf\n";
  const MemorySource wrong("nodes.csv", std::as_bytes(std::span(infinite)));
  EXPECT_THAT(refusal([&] { read_graph_csv(wrong, nullptr, {.missing_features = true}); }),
              HasSubstr("line 2, column \"x0\": it is not a finite number"));
}

TEST(GraphCsv, WithoutIdsEdgesNameLines) {
  for (const char* names : {"from,to", "source,target", "src,dst"}) {
    const GraphData data = read_csv("x0\n1\n2\n3\n", std::string(names) + "\n2,0\n");
    EXPECT_THAT(data.edges->from, ElementsAre(2));
    EXPECT_THAT(data.edges->to, ElementsAre(0));
  }
}

TEST(GraphCsv, TargetsAreYOrNumberedY) {
  EXPECT_THAT(read_csv("x0,y\n1,2\n3,4\n", "").targets, Optional(Matrix(Eigen::Vector2d(2, 4))));
  Matrix two(2, 2);
  two << 1, 2, 3, 4;
  EXPECT_THAT(read_csv("y0,y1\n1,2\n3,4\n", "").targets, Optional(two));
  EXPECT_FALSE(read_csv("y0,y1\n1,2\n3,4\n", "").x);
  EXPECT_THAT(read_csv("year,yield\n1,2\n3,4\n", "").x, Optional(two)) << "only y and y0, y1, ... are targets";
}

// Otherwise a label behind a comma and a space would be a feature, and teach the model its own answer.
TEST(GraphCsv, NamesOfColumnsAreReadWithoutTheSpacesAroundThem) {
  const GraphData data = read_csv("id, x0 ,y\t, train_mask\na,1,2,1\nb,3,4,0\n", "from, to\na,b\n");
  EXPECT_THAT(data.x, Optional(Matrix(Eigen::Vector2d(1, 3))));
  EXPECT_THAT(data.targets, Optional(Matrix(Eigen::Vector2d(2, 4))));
  EXPECT_TRUE(data.train_mask.has_value());
  EXPECT_THAT(data.edges->to, ElementsAre(1));
}

TEST(GraphCsv, MayHaveNodesWithoutAnything) {
  const GraphData data = read_csv("id\na\nb\n", "to,from,weight\nb,a,0.5\n");
  EXPECT_EQ(data.nodes, 2);
  EXPECT_FALSE(data.x);
  EXPECT_THAT(data.edges->from, ElementsAre(0));
}

TEST(GraphCsv, OtherColumnsOfEdgesAreListed) {
  std::vector<std::string> ignored;
  read_csv("id\na\n", "from,amount,to\na,1,a\n", &ignored);
  EXPECT_THAT(ignored, ElementsAre("amount"));
}

struct WrongCsv {
  const char* name;
  const char* nodes;
  const char* edges;
  const char* said;
};

class RefusedCsv : public testing::TestWithParam<WrongCsv> {};

INSTANTIATE_TEST_SUITE_P(
    Graphs, RefusedCsv,
    testing::Values(
        WrongCsv{"NoNodes", "x0\n", "", "nodes.csv: it has no nodes"},
        WrongCsv{"TextFeature", "x0,kind\n1,road\n", "", "nodes.csv: line 2, column \"kind\": expected a number"},
        WrongCsv{"MissingFeature", "x0,x1\n1,\n", "", "nodes.csv: line 2, column \"x1\": it is missing; fill in"},
        WrongCsv{"NaN", "x0\n1\nnan\n", "", "nodes.csv: line 3, column \"x0\": it is missing; fill in"},
        WrongCsv{"FractionClass", "class\n1.5\n", "", "nodes.csv: line 2, column \"class\": expected a whole number"},
        WrongCsv{"Mask", "val_mask\n2\n", "", "nodes.csv: line 2, column \"val_mask\": expected 0, 1, true or false"},
        WrongCsv{"IdTwice", "id\na\nb\na\n", "", "nodes.csv: line 4, column \"id\": node 0 has the same id"},
        WrongCsv{"NoId", "id,x0\na,1\n,1\n", "", "nodes.csv: line 3, column \"id\": it is empty; every node has an id"},
        WrongCsv{"Label", "x0,label\n1,1\n", "",
                 "nodes.csv: line 1, column \"label\": it would be a feature; labels are"},
        WrongCsv{"CapitalClass", "x0,Class\n1,1\n", "", "nodes.csv: line 1, column \"Class\": it would be a feature"},
        WrongCsv{"MisspeltMask", "x0,trainmask\n1,1\n", "", "column \"trainmask\": it would be a feature"},
        WrongCsv{"SpaceBeforeClass", "x0, Class\n1,1\n", "", "column \"Class\": it would be a feature"},
        WrongCsv{"BlankName", "x0, \n1,1\n", "", "line 1: column 2 has no name"},
        WrongCsv{"TwiceButForSpaces", "x0,x0 \n1,1\n", "", "column \"x0\": it is there twice, as columns 1 and 2"},
        WrongCsv{"BothLabels", "class,y\n1,1\n", "",
                 "line 1, column \"class\": expected classes or targets y, not both"},
        WrongCsv{"BothYs", "y,y0\n1,1\n", "", "line 1, column \"y0\": expected y1 first"},
        WrongCsv{"BothYsAgain", "y0,y\n1,1\n", "", "line 1, column \"y\": expected y, or y0, y1, ... and no y"},
        WrongCsv{"YMissing", "y0,y2\n1,1\n", "", "line 1, column \"y2\": expected y1 first"},
        WrongCsv{"NoEnds", "x0\n1\n", "a,b\n0,0\n", "edges.csv: line 1: it does not say where edges begin and end"},
        WrongCsv{"NodeOutside", "x0\n1\n2\n", "from,to\n0,1\n1,2\n",
                 "edges.csv: line 3, column \"to\": expected a whole number within 0 ... 1"},
        WrongCsv{"UnknownId", "id\na\n", "from,to\nb,a\n", "edges.csv: line 2, column \"from\": no node has this id"}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(RefusedCsv, NamesFileLineAndColumn) {
  EXPECT_THAT(refusal([] { read_csv(GetParam().nodes, GetParam().edges); }), HasSubstr(GetParam().said));
}

TEST(GraphCsv, IdsStayAtTheirOwner) {
  const auto unknown = [] { read_csv("id\na\n", "from,to\nsecret,a\n"); };
  EXPECT_THAT(refusal(unknown), testing::Not(HasSubstr("secret")));
  EXPECT_THAT(local_detail_of(unknown), HasSubstr("secret"));
}

TEST(ReadGraph, TakesAFolderOrAnNpz) {
  const TemporaryFolder folder;
  EXPECT_THAT(refusal([&] { read_graph(folder.path()); }), HasSubstr("it has no nodes.csv"));
  std::ofstream(folder.path() / "nodes.csv") << "x0\n1.5\n2\n";
  EXPECT_FALSE(read_graph(folder.path()).edges);
  std::ofstream(folder.path() / "edges.csv") << "from,to\n0,1\n";
  const GraphData data = read_graph(folder.path());
  EXPECT_EQ(data.edges->size(), 1);
  write_graph_npz(folder.path() / "a.npz", data);
  EXPECT_EQ(read_graph(folder.path() / "a.npz").x, data.x);
  EXPECT_THAT(refusal([&] { read_graph(folder.path() / "nodes.csv"); }),
              HasSubstr("expected the folder that holds nodes.csv"));
  EXPECT_THAT(refusal([&] { read_graph(folder.path() / "none"); }), HasSubstr("none: cannot be read: No such file"));
}

TEST(ReadGraph, KeepsTheNamesOfFeatures) {
  const TemporaryFolder folder;
  const std::vector<std::string> names = {"age", "Größe", "col\xff"};
  std::ofstream(folder.path() / "nodes.csv") << "age,Größe,col\xff,class\n1,2,3,0\n4,5,6,1\n";
  const GraphData data = read_graph(folder.path());
  EXPECT_EQ(data.feature_names, names);
  write_graph_npz(folder.path() / "a.npz", data);
  EXPECT_THAT(read_graph(folder.path() / "a.npz").feature_names,
              testing::ElementsAre("age", "Größe", testing::StartsWith("col")));
  GraphData fewer = data;
  fewer.feature_names.pop_back();
  write_graph_npz(folder.path() / "a.npz", fewer);
  EXPECT_THAT(refusal([&] { read_graph(folder.path() / "a.npz"); }),
              HasSubstr("feature_names: it has 2 names, and x has 3 columns; expected a name for each column"));
}

}  // namespace
}  // namespace tacit::gnn
