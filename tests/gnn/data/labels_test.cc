#include "gnn/data/labels.h"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

#include "gnn/data/graph_file.h"
#include "gnn/data/graph_npz.h"
#include "gnn/data/holding.h"
#include "gnn/data/preparation.h"
#include "gnn/data/split.h"
#include "tests/gnn/data/refusal.h"
#include "tests/gnn/ownership_of.h"
#include "tests/temporary_folder.h"

namespace tacit::gnn {
namespace {

using testing::ElementsAre;

GraphData csv(const std::string& nodes) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "nodes.csv") << nodes;
  return read_graph(folder.path());
}

TEST(Labels, AreUnknownWhereACsvHasNoneOrNanOrMinusOne) {
  EXPECT_THAT(*csv("x0,class\n1,2\n1,\n1,-1\n1,nan\n1,1.0\n").classes, ElementsAre(2, -1, -1, -1, 1));
  EXPECT_THAT(refusal([] { csv("x0,class\n1,.0\n"); }), testing::HasSubstr("expected a whole number"));
  const GraphData data = csv("x0,y0,y1\n1,2,3\n1,,4\n1,NaN,nan\n1,5,6\n");
  EXPECT_THAT(labelled_rows(data), ElementsAre(0, 3)) << "all targets of a node must be known";
  EXPECT_EQ(labelled_targets(data), (Matrix(2, 2) << 2, 3, 5, 6).finished());
}

TEST(Labels, ThatAreUnknownSurviveAnNpzFileAndASplit) {
  const TemporaryFolder folder;
  GraphData data;
  data.nodes = 5;
  data.x = Matrix::Ones(5, 2);
  data.targets = Matrix::Ones(5, 1);
  (*data.targets)(1, 0) = (*data.targets)(4, 0) = std::nan("");
  data.train_mask = NodeMask{true, false, true, false, false};
  write_graph_npz(folder.path() / "a.npz", data);
  const GraphData read = read_graph(folder.path() / "a.npz");
  EXPECT_THAT(labelled_rows(read), ElementsAre(0, 2, 3));
  const Ownership ownership = ownership_of("rows", "none", "rows", "rows");
  std::vector<GraphData> parts;
  std::vector<Announcement> announced;
  for (int rank = 0; rank < 2; ++rank) {
    parts.push_back(part_of(read, ownership, rank, 2));
    announced.push_back(announcement_of(parts.back()));
  }
  EXPECT_THAT(labelled_rows(merge(parts, ownership)), ElementsAre(0, 2, 3));
  EXPECT_THAT(agreed_holding(ownership, announced).labelled, ElementsAre(2, 1));
  EXPECT_EQ(agreed_holding(ownership, announced), planned_holding(read, ownership, 2));
}

TEST(Labels, ThatAreUnknownCountAsZeros) {
  EXPECT_EQ(one_hot({1, kUnknownClass, 0}, 2), (Matrix(3, 2) << 0, 1, 0, 0, 1, 0).finished());
  const Matrix some = (Matrix(2, 2) << 7, std::nan(""), 1, 2).finished();
  EXPECT_EQ(with_zeros_for_unknown(some), (Matrix(2, 2) << 0, 0, 1, 2).finished());
}

TEST(Labels, OfAFileAreComparedWithMasksThatTheSameFileHas) {
  const auto sees = [](const char* labels, const char* masks, int rank) {
    return sees_masks_of_labels(ownership_of("rank 0", "public", labels, masks), rank);
  };
  EXPECT_TRUE(sees("rank 1", "public", 1) && sees("public", "rank 0", 1) && sees("rank 1", "rank 1", 1));
  EXPECT_TRUE(sees("rows", "rows", 0) && sees("columns", "public", 1));
  EXPECT_FALSE(sees("rank 1", "rank 0", 1) || sees("rows", "rank 0", 0) || sees("columns", "rank 0", 0));
}

}  // namespace
}  // namespace tacit::gnn
