#include "gnn/data/ownership.h"

#include <gmock/gmock.h>

#include "tests/gnn/data/refusal.h"
#include "tests/gnn/data/small_graph.h"

namespace tacit::gnn {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Ownership, IsPrintedAsItIsRead) {
  const std::vector<std::pair<GraphPart, std::vector<std::string>>> allowed = {
      {GraphPart::kFeatures,
       {"public", "rank 0", "rank 12", "columns", "columns 3,5", "columns 3,0,5", "rows", "rows 7"}},
      {GraphPart::kEdges, {"none", "public", "rank 1", "any", "edges", "edges 100,200"}},
      {GraphPart::kLabels, {"none", "public", "rank 1", "columns", "columns 1,2", "rows", "rows 100,200"}},
      {GraphPart::kMasks, {"none", "public", "rank 1", "rows", "rows 100,200"}}};
  for (const auto& [part, texts] : allowed) {
    for (const std::string& text : texts) EXPECT_EQ(to_text(parse_ownership(text, part)), text);
  }
}

TEST(Ownership, SaysWhatIsAllowedWhereItCannotBeRead) {
  for (const std::string_view text :
       {"",           " ",          "publik",       "public ",      "public 3",         "rank",
        "rank ",      "rank -1",    "rank x",       "rank 1,2",     "rank 99999999999", "columns ",
        "columns 3,", "columns ,3", "columns 3, 5", "columns -3,5", "columns 3;5",      "columns 9223372036854775808",
        "none",       "edges",      "row"}) {
    EXPECT_THAT(refusal([&] { parse_ownership(text, GraphPart::kFeatures); }),
                AllOf(HasSubstr("features: '"), HasSubstr("'" + std::string(text) + "'"),
                      HasSubstr("allowed are public, rank R, columns, columns 3,5")));
  }
  EXPECT_THAT(refusal([] { parse_ownership("rows", GraphPart::kEdges); }),
              HasSubstr("allowed are none, public, rank R, any, edges"));
  EXPECT_THAT(refusal([] { parse_ownership("columns", GraphPart::kMasks); }), HasSubstr("masks: 'columns'"));
  EXPECT_THAT(refusal([] { parse_ownership("edges", GraphPart::kLabels); }), HasSubstr("labels: 'edges'"));
}

TEST(Ownership, IsOfRanksThatThereAre) {
  EXPECT_EQ(refusal([] { check(owned("rank 2", "public", "rank 0", "public"), 3); }), "accepted");
  EXPECT_THAT(refusal([] { check(owned("rank 3", "public", "rank 0", "public"), 3); }),
              HasSubstr("features: 'rank 3': there is no such rank: ranks are 0 ... 2"));
  EXPECT_THAT(refusal([] { check(owned("rank 0", "rank 1", "rank 0", "public"), 1); }),
              HasSubstr("edges: 'rank 1': there is no such rank: the only party is rank 0"));
  EXPECT_THAT(refusal([] { check(owned("columns 3,5", "public", "rank 0", "public"), 3); }),
              HasSubstr("features: 'columns 3,5': 2 numbers for 3 ranks"));
  EXPECT_THAT(refusal([] { check(owned("columns 9223372036854775807,1", "public", "rank 0", "public"), 2); }),
              HasSubstr("numbers are 0 ..."));
  EXPECT_THAT(refusal([] { check(Ownership{}, 1); }), HasSubstr("features: 'none': this value is not allowed here"));
}

TEST(Ownership, GivesANodeOneOwner) {
  EXPECT_THAT(refusal([] { check(owned("rows 3,5", "edges 4,4", "rank 0", "public"), 2); }),
              AllOf(HasSubstr("edges: 'edges 4,4'"), HasSubstr("others are 'rows 3,5': a node has one owner")));
  const Ownership ownership = owned("columns 6,1", "edges", "rows 3,5", "rows");
  EXPECT_TRUE(splits_nodes(ownership));
  EXPECT_TRUE(states_nodes(ownership));
  EXPECT_THAT(node_split(ownership, 8, 2), ElementsAre(3, 5)) << "a part with stated sizes sets the sizes of all parts";
  EXPECT_FALSE(splits_nodes(owned("columns", "public", "rank 0", "public")));
}

TEST(Ownership, SplitsEvenlyWhereNothingElseIsSaid) {
  const Ownership ownership = owned("rows", "edges", "rows", "rows");
  EXPECT_FALSE(states_nodes(ownership));
  EXPECT_THAT(node_split(ownership, 8, 3), ElementsAre(3, 3, 2));
  EXPECT_THAT(node_split(ownership, 8, 1), ElementsAre(8));
  EXPECT_THAT(column_split(parse_ownership("columns", GraphPart::kFeatures), GraphPart::kFeatures, 5, 5),
              ElementsAre(1, 1, 1, 1, 1));
}

TEST(Ownership, LeavesNobodyOutUnlessTheJobSaysSo) {
  const auto split = [](const char* text, std::int64_t columns) {
    return column_split(parse_ownership(text, GraphPart::kFeatures), GraphPart::kFeatures, columns, 3);
  };
  EXPECT_THAT(refusal([&] { split("columns", 2); }),
              HasSubstr("features: 2 columns for 3 ranks: give the number of each rank, 0 for who holds none, as "
                        "\"columns 1,1,0\""));
  EXPECT_THAT(refusal([&] { node_split(owned("rows", "edges", "rows", "rows"), 3, 20); }),
              HasSubstr("as \"rows 1,1,1,0,0,0,0,0,...\""));
  EXPECT_THAT(split("columns 2,0,0", 2), ElementsAre(2, 0, 0));
  EXPECT_THAT(refusal([&] { split("columns 2,2,0", 3); }),
              HasSubstr("features: 2 + 2 + 0 columns for the ranks are more than the 3 there are"));
  EXPECT_THAT(refusal([&] { split("columns 2,0,0", 3); }), HasSubstr("are fewer than the 3 there are"));
}

}  // namespace
}  // namespace tacit::gnn
