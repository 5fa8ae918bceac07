#include "gnn/data/holding.h"

#include <gmock/gmock.h>

#include <limits>

#include "gnn/data/split.h"
#include "tests/gnn/data/refusal.h"
#include "tests/gnn/data/small_graph.h"

namespace tacit::gnn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The ranks' finding after one of three announcements was spoilt.
template <typename Spoil>
std::string said(const Ownership& ownership, int of_rank, Spoil spoil) {
  std::vector<Announcement> announced;
  for (int rank = 0; rank < 3; ++rank)
    announced.push_back(announcement_of(part_of(some_graph({}), ownership, rank, 3)));
  agreed_holding(ownership, announced);
  spoil(announced[static_cast<std::size_t>(of_rank)]);
  return refusal([&] { agreed_holding(ownership, announced); });
}

TEST(Shapes, SayWhichRectangleIsWhose) {
  const Holding holding =
      planned_holding(some_graph({.classes = true}), owned("columns 4,0,3", "edges 6,5,0", "rows", "rank 2"), 3);
  EXPECT_EQ(holding.nodes, 11);
  EXPECT_EQ(holding.features, 7);
  EXPECT_EQ(holding.targets, 1);
  EXPECT_TRUE(holding.classes);
  EXPECT_THAT(holding.own_rows, ElementsAre(NodeRange{0, 6}, NodeRange{6, 5}, NodeRange{11, 0}));
  EXPECT_THAT(holding.x, ElementsAre(Block{0, 11, 0, 4}, Block{}, Block{0, 11, 4, 3}));
  EXPECT_THAT(holding.y, ElementsAre(Block{0, 6, 0, 1}, Block{6, 5, 0, 1}, Block{}));
  EXPECT_THAT(holding.masks, ElementsAre(Block{}, Block{}, Block{0, 11, 0, 1}));
  EXPECT_EQ(holding.edges[0] + holding.edges[1], 33);
  EXPECT_EQ(holding.edges[2], 0);
}

TEST(Shapes, TellNothingOfTheNumbersInTheParts) {
  const Ownership ownership = owned("columns", "edges", "rows", "rows");
  GraphData one = some_graph({.sparse = true, .classes = true}), other = one;
  other.classes->assign(other.classes->size(), 0);
  other.sparse_x = SparseFeatures{one.sparse_x->shape, std::vector<std::int64_t>(12, 0), {}, {}};
  other.train_mask->flip();
  for (std::int64_t& node : other.edges->to) node = 0;
  for (int rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(announcement_of(part_of(one, ownership, rank, 3)), announcement_of(part_of(other, ownership, rank, 3)));
  }
}

TEST(Shapes, NameTheRankWhoseFileDoesNotFit) {
  const Ownership ownership = owned("columns", "edges", "columns", "public");
  EXPECT_THAT(
      said(ownership, 1, [](Announcement& held) { held.nodes = 12; }),
      HasSubstr(
          "the file of rank 1: the number of nodes must be 11, by the job and the other ranks' files, and it is 12"));
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  for (const auto size :
       {&Announcement::edges, &Announcement::train_rows, &Announcement::val_rows, &Announcement::nodes}) {
    for (const std::int64_t number : {kLargest, std::numeric_limits<std::int64_t>::min(), std::int64_t{-2}}) {
      EXPECT_THAT(said(ownership, 1, [&](Announcement& held) { held.*size = number; }),
                  HasSubstr("rank 1: its sizes are not sizes of a file"));
    }
  }
  EXPECT_THAT(said(ownership, 1, [](Announcement& held) { held.x.cols = std::int64_t{1} << 38; }),
              HasSubstr("rank 1: its sizes make a matrix beyond 2^40 elements"));
  EXPECT_THAT(said(ownership, 2, [](Announcement& held) { held.own_rows.first = 7; }),
              HasSubstr("rank 2: the first of its own rows must be 8"));
  EXPECT_THAT(said(ownership, 2, [](Announcement& held) { held.own_rows.count = 4; }),
              HasSubstr("rank 2: the end of its own rows must be 11"));
  EXPECT_THAT(said(ownership, 1, [](Announcement& held) { held.x.rows = 10; }),
              HasSubstr("rank 1: x must be 11 x 2, by the job and the other ranks' files, and it is 10 x 2"));
  EXPECT_THAT(said(ownership, 1, [](Announcement& held) { held.classes = 1; }), HasSubstr("rank 0: y's being classes"));
  EXPECT_THAT(said(ownership, 2, [](Announcement& held) { held.val_rows = -1; }),
              HasSubstr("rank 2: the length of val_mask (-1: none) must be 11"));
  EXPECT_THAT(said(ownership, 2, [](Announcement& held) { held.edges = -1; }),
              HasSubstr("rank 2: the number of lists of edges must be 1"));
  EXPECT_THAT(said(ownership, 0, [](Announcement& held) { held.x.cols = -1; }), HasSubstr("rank 0: its sizes"));
  EXPECT_THAT(said(ownership, 0, [](Announcement& held) { held.own_rows.count = INT64_MAX; }),
              HasSubstr("rank 0: its sizes"));
  EXPECT_EQ(said(ownership, 1, [](Announcement& held) { held.x.cols = 40; }), "accepted")
      << "the job doesn't say how many";
}

TEST(Shapes, HoldAPublicPartToRankZeros) {
  const Ownership ownership = owned("public", "public", "rank 0", "public");
  EXPECT_THAT(said(ownership, 1, [](Announcement& held) { held.edges = 5; }),
              HasSubstr("rank 1: the number of edges must be 33"));
  EXPECT_THAT(said(ownership, 1, [](Announcement& held) { held.x.cols = 5; }), HasSubstr("rank 1: x must be 11 x 7"));
  EXPECT_THAT(said(ownership, 2, [](Announcement& held) { held.y = {11, 1}; }), HasSubstr("rank 2: y must be 0 x 0"));
}

TEST(Shapes, AreThoseTheJobStates) {
  const Ownership ownership = owned("columns 3,2,2", "edges 4,4,3", "rank 0", "public");
  EXPECT_THAT(said(ownership, 1, [](Announcement& held) { held.x.cols = 3; }), HasSubstr("rank 1: x must be 11 x 2"));
  EXPECT_THAT(said(ownership, 0, [](Announcement& held) { held.own_rows.count = 5; }),
              HasSubstr("rank 0: the number of its own rows must be 4"));
  EXPECT_THAT(said(owned("rank 1", "public", "rank 0", "public"), 1, [](Announcement& held) { held.x = {}; }),
              HasSubstr("features: 'rank 1', but no rank's file has any"));
}

}  // namespace
}  // namespace tacit::gnn
