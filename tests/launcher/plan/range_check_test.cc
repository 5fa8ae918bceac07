#include "launcher/plan/range_check.h"

#include <gmock/gmock.h>

#include "gnn/data/graph_npz.h"
#include "tests/gnn/data/refusal.h"
#include "tests/gnn/ownership_of.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

TEST(RangeCheck, RefusesASampleWithAClassThatTheJobDoesNotHave) {
  const TemporaryFolder folder;
  gnn::GraphData sample;
  sample.nodes = 3;
  sample.x = gnn::Matrix::Ones(3, 2);
  sample.edges = gnn::Edges{{0, 1}, {1, 0}};
  sample.classes = {{0, 5, 1}};
  sample.train_mask = gnn::NodeMask{true, true, false};
  const std::string file = folder.path() / "sample.npz";
  gnn::write_graph_npz(file, sample);
  Job job;
  job.parties = 2;
  job.data.ownership = gnn::ownership_of("columns", "public", "rank 0", "public");
  job.data.classes = 6;
  EXPECT_EQ(all_parts(job, file).size(), 2u);
  job.data.classes = 5;
  EXPECT_THAT(gnn::refusal([&] { all_parts(job, file); }), testing::HasSubstr("sample.npz: y: "));
}

TEST(RangeCheck, PrintsLinesThatTheJobTakes) {
  RangeCheck check;
  check.left = {{"activations", 128, 300000, 1048576}, {"weight_gradients", 511, 2e6, 4194304}};
  EXPECT_THAT(check.text(), testing::AllOf(testing::HasSubstr("\nactivations = 1048576 "),
                                           testing::Not(testing::HasSubstr("weight_gradients =")),
                                           testing::HasSubstr("no range holds the weight_gradients: 2e+06 was seen")));
  check.left.erase(check.left.begin());
  EXPECT_THAT(check.text(), testing::Not(testing::HasSubstr("[ranges]")));
}

}  // namespace
}  // namespace tacit::launcher
