// Names of nodes: their comparison, invalid names, and their way through files.
#include "gnn/data/node_ids.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

#include "gnn/data/align.h"
#include "gnn/data/graph_file.h"
#include "gnn/data/graph_npz.h"
#include "gnn/data/split.h"
#include "tests/gnn/data/refusal.h"
#include "tests/temporary_folder.h"

namespace tacit::gnn {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Optional;
using Ids = std::vector<std::string>;

std::string said_of(const Ids& ids) {
  return refusal([&] { check_ids(ids, "part.npz"); });
}

TEST(NodeIds, AreTheSameApartFromSpacesAndTheCaseOfAsciiLetters) {
  for (const char* same : {"sensor 7b", "  Sensor\t 7B ", "\u00a0SENSOR\u3000 7b"}) {
    EXPECT_EQ(normalised_id(same), "sensor 7b") << same;
  }
  EXPECT_EQ(normalised_id("Zürich"), "zürich");
  EXPECT_NE(normalised_id("ZÜRICH"), normalised_id("zürich")) << "other letters keep their case";
  EXPECT_EQ(digest_of_ids(Ids{"a", "B"}), digest_of_ids(Ids{" A", "b"}));
  EXPECT_NE(digest_of_ids(Ids{"a", "b"}), digest_of_ids(Ids{"b", "a"}));
  EXPECT_NE(digest_of_ids(Ids{"ab", "c"}), digest_of_ids(Ids{"a", "bc"}));
}

TEST(NodeIds, ThatAreNoneAreRefusedByRowAndNotByValue) {
  EXPECT_EQ(said_of({"a", "日本", "\U0001f600"}), "accepted");
  const std::string composed = "Z\u00fcrich", decomposed = "Zu\u0308rich";
  EXPECT_EQ(said_of({composed}), "accepted");
  EXPECT_THAT(said_of({"a", decomposed}), AllOf(HasSubstr("part.npz: ids: row 1: it has a combining mark"),
                                                HasSubstr("unicodedata.normalize('NFC', id)"), Not(HasSubstr("rich"))));
  EXPECT_THAT(said_of({" \t"}), HasSubstr("row 0: it is empty"));
  EXPECT_THAT(said_of({"a\nb"}), HasSubstr("control character"));
  EXPECT_THAT(said_of({std::string(257, 'a')}), HasSubstr("longer than 256 bytes"));
  for (const char* bad : {"\xff", "\xc0\x80", "\xe2\x82", "\xed\xa0\x80", "\xf5\x80\x80\x80"}) {
    EXPECT_THAT(said_of({bad}), HasSubstr("it is not UTF-8"));
  }
}

TEST(NodeIds, ThatAreThereTwiceAreRefusedWithBothRows) {
  EXPECT_THAT(said_of({"Alpha", "b", " alpha"}),
              AllOf(HasSubstr("rows 0 and 2 have the same id"), Not(HasSubstr("lpha"))));
}

GraphData with_ids() {
  GraphData data;
  data.nodes = 4;
  data.x = Matrix(4, 2);
  *data.x << 1, 2, 3, 4, 5, 6, 7, 8;
  data.classes = {0, 1, 2, 3};
  data.edges = Edges{{0, 1, 3, 2}, {1, 2, 0, 2}};
  data.train_mask = {true, false, true, false};
  data.ids = Ids{"a", "Zürich", "日本", "d"};
  return data;
}

TEST(NodeIds, ComeThroughAnNpzFile) {
  const TemporaryFolder folder;
  write_graph_npz(folder.path() / "a.npz", with_ids());
  EXPECT_EQ(read_graph(folder.path() / "a.npz").ids, with_ids().ids);
}

TEST(NodeIds, OfAnotherNumberThanNodesAreRefused) {
  GraphData data = with_ids();
  data.ids->pop_back();
  EXPECT_THAT(refusal([&] { check(data, "part.npz"); }), HasSubstr("part.npz: ids: 3 rows for 4 nodes"));
}

TEST(Aligned, TakesRowsInTheirNewOrderAndCountsWhatIsLeftOut) {
  const Aligned aligned = gnn::aligned(with_ids(), std::vector<std::int64_t>{2, 0, 1});
  EXPECT_EQ(aligned.nodes_left_out, 1);
  EXPECT_EQ(aligned.edges_left_out, 1);
  EXPECT_EQ(aligned.data.ids, (Ids{"日本", "a", "Zürich"}));
  EXPECT_THAT(aligned.data.classes, Optional(ElementsAre(2, 0, 1)));
  EXPECT_THAT(aligned.data.train_mask, Optional(ElementsAre(true, true, false)));
  EXPECT_EQ((*aligned.data.x)(0, 1), 6);
  EXPECT_THAT(aligned.data.edges->from, ElementsAre(0, 1, 2));
  EXPECT_THAT(aligned.data.edges->to, ElementsAre(0, 2, 0));
  check(aligned.data, "aligned");
}

TEST(Aligned, TakesRowsOfSparseFeatures) {
  GraphData data;
  data.nodes = 3;
  data.sparse_x = SparseFeatures{{3, 4}, {0, 2, 2, 3}, {0, 3, 1}, {5, 6, 7}};
  const GraphData some = aligned(data, std::vector<std::int64_t>{2, 0}).data;
  Matrix expected(2, 4);
  expected << 0, 7, 0, 0, 5, 0, 0, 6;
  EXPECT_EQ(some.sparse_x->dense(), expected);
}

// Folders of CSV files of owners of rows: each has its own nodes, and edges that leave them.
class CsvOfOwners : public testing::Test {
 protected:
  void write(int rank, const std::string& name, const std::string& text) const {
    fs::create_directories(path(rank));
    std::ofstream(path(rank) / name) << text;
  }
  fs::path path(int rank) const { return folder_.path() / std::to_string(rank); }
  GraphData read(int rank, const std::vector<std::int64_t>& sizes) const {
    const CsvRows rows{rank, sizes};
    return read_graph(path(rank), {.rows = &rows});
  }
  static Ownership by_rows() {
    const auto of = [](const char* text, GraphPart part) { return parse_ownership(text, part); };
    return {of("rows", GraphPart::kFeatures), of("edges", GraphPart::kEdges), of("rows", GraphPart::kLabels),
            of("rows", GraphPart::kMasks)};
  }

  const TemporaryFolder folder_;
};

TEST_F(CsvOfOwners, AtTwoOwnersEndAtRowsOfTheOther) {
  write(0, "nodes.csv", "id,height,class,train_mask\na,1,0,1\nb,2,1,1\n");
  write(0, "edges.csv", "from,to,to_rank\na,b,\nb,0,1\n");
  write(1, "nodes.csv", "height,class,train_mask\n3,1,0\n");
  write(1, "edges.csv", "from,to,to_rank\n0,1,0\n0,0,1\n");
  const std::vector<GraphData> parts = {read(0, {2, 1}), read(1, {2, 1})};
  EXPECT_THAT(parts[0].ids, Optional(ElementsAre("a", "b")));
  const GraphData whole = merge(parts, by_rows());
  EXPECT_EQ(whole.nodes, 3);
  EXPECT_THAT(whole.edges->from, ElementsAre(0, 1, 2, 2));
  EXPECT_THAT(whole.edges->to, ElementsAre(1, 2, 1, 2));
  EXPECT_EQ((*whole.x)(2, 0), 3);
}

TEST_F(CsvOfOwners, AtThreeOwnersEndAtIdsThatTheOthersGaveAway) {
  for (const int rank : {0, 1, 2}) {
    const std::string own = std::to_string(rank);
    write(rank, "nodes.csv", "id,height,class,train_mask\nfirst " + own + ",1,0,1\nsecond " + own + ",2,1,1\n");
  }
  write(0, "edges.csv", "from,to,to_rank\nfirst 0,second 2,2\nsecond 0,0,1\n");
  write(0, "nodes_of_2.csv", "id\nfirst 2\nsecond 2\n");
  write(1, "edges.csv", "from,to,to_rank\nfirst 1,second 0,0\n");
  write(1, "nodes_of_0.csv", "id\nfirst 0\nsecond 0\n");
  write(2, "edges.csv", "from,to\nfirst 2,second 2\n");
  std::vector<GraphData> parts;
  for (const int rank : {0, 1, 2}) parts.push_back(read(rank, {2, 2, 2}));
  const GraphData whole = merge(parts, by_rows());
  EXPECT_THAT(whole.edges->from, ElementsAre(0, 1, 2, 4));
  EXPECT_THAT(whole.edges->to, ElementsAre(5, 2, 1, 5));
}

TEST_F(CsvOfOwners, AreRefusedWhereAnEndIsNobodysOrTheListHasAnotherLength) {
  const auto said = [&] { return refusal([&] { read(0, {1, 2}); }); };
  write(0, "nodes.csv", "id,height\na,1\n");
  write(0, "edges.csv", "from,to\na,b\n");
  EXPECT_THAT(said(), HasSubstr("if another rank owns it, name this rank in a column to_rank"));
  write(0, "edges.csv", "from,to,to_rank\na,2,1\n");
  EXPECT_THAT(said(), HasSubstr("edges.csv"));
  write(0, "edges.csv", "from,to,to_rank\na,0,7\n");
  EXPECT_THAT(said(), HasSubstr("edges.csv"));
  write(0, "edges.csv", "from,to,to_rank\na,c,1\n");
  write(0, "nodes_of_1.csv", "id\nb\nd\n");
  EXPECT_THAT(said(), HasSubstr("nodes_of_1.csv has no such id; expected one that rank 1 gave away"));
  write(0, "nodes_of_1.csv", "id\nc\n");
  EXPECT_THAT(said(), HasSubstr("it has 1 ids, but in the job that rank owns 2 nodes"));
  write(0, "nodes_of_1.csv", "id\nb\nc\n");
  write(0, "nodes.csv", "id,height\na,1\nd,1\n");
  EXPECT_THAT(said(), HasSubstr("it has 2 nodes, but in the job rank 0 owns 1"));
  EXPECT_THAT(refusal([&] { read_graph(path(0)); }), HasSubstr("name the job and the rank"));
}

}  // namespace
}  // namespace tacit::gnn
