#include "gnn/data/similar_name.h"

#include <gmock/gmock.h>

#include <array>

namespace tacit::gnn {
namespace {

constexpr std::array<std::string_view, 4> kKnown = {"x", "y", "edge_index", "val_mask"};

TEST(SimilarName, IsFoundWithinTwoEditsOrInAnotherCase) {
  for (const char* name : {"edge_indx", "edgeindex", "Edge_Index", "edge-index", "egde_index"}) {
    EXPECT_EQ(similar_name(name, kKnown), "edge_index") << name;
  }
  EXPECT_EQ(similar_name("eval_mask", kKnown), "val_mask");
  EXPECT_EQ(similar_name("X", kKnown), "x");
}

TEST(SimilarName, IsNoneForAKnownNameOrAnother) {
  for (const char* name :
       {"x", "edge_index", "", "z", "xs", "pos", "edge_attr", "edge_weight", "edge_indices", "mask"}) {
    EXPECT_EQ(similar_name(name, kKnown), "") << name;
  }
}

}  // namespace
}  // namespace tacit::gnn
