// Reads a real file by NumPy, if it exists: $TACIT_SHARED_DATA/cora.npz, or ../shared/data/cora.npz
// beside the sources.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>

#include "gnn/data/graph_file.h"

namespace tacit::gnn {
namespace {

std::filesystem::path cora() {
  const char* folder = std::getenv("TACIT_SHARED_DATA");
  const auto beside = std::filesystem::path(TACIT_SOURCE_DIR) / "../shared/data";
  return (folder != nullptr ? std::filesystem::path(folder) : beside) / "cora.npz";
}

TEST(Cora, IsRead) {
  if (!std::filesystem::exists(cora())) GTEST_SKIP() << cora() << " is not there";
  std::vector<std::string> ignored;
  const GraphData data = read_graph(cora(), {.ignored = &ignored});
  EXPECT_THAT(ignored, testing::IsEmpty());
  EXPECT_EQ(data.nodes, 2708);
  ASSERT_TRUE(data.x && data.edges && data.classes && data.train_mask && data.val_mask && data.test_mask);
  EXPECT_EQ(data.x->cols(), 1433);
  EXPECT_EQ(data.edges->size(), 10'556);
  EXPECT_EQ(*std::max_element(data.classes->begin(), data.classes->end()), 6);
  const auto in = [](const NodeMask& mask) { return std::count(mask.begin(), mask.end(), true); };
  EXPECT_EQ(in(*data.train_mask), 140);
  EXPECT_EQ(in(*data.val_mask), 500);
  EXPECT_EQ(in(*data.test_mask), 1000);
  // In the file edge_index is stored column after column. In the other order, few edges would exist
  // in both directions.
  std::vector<std::pair<std::int64_t, std::int64_t>> there, back;
  for (std::size_t e = 0; e < data.edges->from.size(); ++e) {
    there.emplace_back(data.edges->from[e], data.edges->to[e]);
    back.emplace_back(data.edges->to[e], data.edges->from[e]);
  }
  std::sort(there.begin(), there.end());
  std::sort(back.begin(), back.end());
  EXPECT_EQ(there, back);
}

}  // namespace
}  // namespace tacit::gnn
