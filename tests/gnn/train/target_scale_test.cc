#include "gnn/train/target_scale.h"

#include <gmock/gmock.h>

#include "bench/data/sensors.h"
#include "gnn/data/split.h"
#include "gnn/graph/rows.h"
#include "tests/gnn/ownership_of.h"

namespace tacit::gnn {
namespace {

DataPlan plan_of(const char* labels, const char* masks) { return {ownership_of("rows", "public", labels, masks)}; }

bool by_training_nodes(const char* labels, const char* masks) {
  return scaled_by_training_nodes(plan_of(labels, masks));
}

TEST(TargetScale, IsOfTheTrainingNodesWhereOneOwnerHasAllTargetsAndKnowsThem) {
  EXPECT_TRUE(by_training_nodes("rank 1", "public"));
  EXPECT_TRUE(by_training_nodes("columns", "public"));
  EXPECT_TRUE(by_training_nodes("public", "public"));
  EXPECT_TRUE(by_training_nodes("rank 1", "rank 1"));
  EXPECT_FALSE(by_training_nodes("rows", "public"));
  EXPECT_FALSE(by_training_nodes("rows", "rows"));
  EXPECT_FALSE(by_training_nodes("rank 1", "rank 0"));
  EXPECT_FALSE(by_training_nodes("rank 1", "rows"));
  EXPECT_FALSE(by_training_nodes("rows", "rank 1"));
  EXPECT_FALSE(by_training_nodes("columns", "rank 1"));
  EXPECT_FALSE(by_training_nodes("public", "rank 1"));
}

// The parts' targets, one part after the other, are the targets that determine the whole's scale.
TEST(TargetScale, OfThePartsIsThatOfTheWhole) {
  const GraphData whole = make_sensors({.stations = 50});
  const std::vector<std::pair<const char*, const char*>> owners{{"rows", "public"},   {"rows", "rows"},
                                                                {"rows", "rank 1"},   {"rank 1", "public"},
                                                                {"rank 1", "rank 1"}, {"rank 1", "rank 0"}};
  for (const auto& [labels, masks] : owners) {
    SCOPED_TRACE(testing::Message() << labels << ", " << masks);
    const DataPlan plan = plan_of(labels, masks);
    Matrix expected = *whole.targets;
    if (scaled_by_training_nodes(plan)) expected = (*whole.targets)(rows_where(whole.train_mask), Eigen::all);
    EXPECT_EQ(targets_of_scale(plan, whole), expected);
    std::int64_t first = 0;
    for (int rank = 0; rank < 3; ++rank) {
      const GraphData part = part_of(whole, plan.ownership, rank, 3);
      if (!part.targets) continue;
      const Matrix own = targets_of_scale(plan, part);
      ASSERT_LE(first + own.rows(), expected.rows());
      EXPECT_EQ(own, expected.middleRows(first, own.rows())) << rank;
      first += own.rows();
    }
    EXPECT_EQ(first, expected.rows());
  }
}

}  // namespace
}  // namespace tacit::gnn
