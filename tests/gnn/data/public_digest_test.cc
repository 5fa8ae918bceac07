#include "gnn/data/public_digest.h"

#include <gmock/gmock.h>

#include "gnn/data/split.h"
#include "tests/gnn/data/small_graph.h"

namespace tacit::gnn {
namespace {

TEST(PublicDigest, IsTheSameAtEveryPartyWhateverElseItHolds) {
  for (const bool sparse : {false, true}) {
    const GraphData whole = some_graph({.sparse = sparse, .classes = sparse});
    for (const Ownership& ownership :
         {owned("public", "public", "public", "public"), owned("columns", "public", "rank 0", "public"),
          owned("rows", "edges", "rows", "rows")}) {
      const mpc::Digest digest = public_digest(whole, ownership);
      for (int rank = 0; rank < 3; ++rank) {
        EXPECT_EQ(public_digest(part_of(whole, ownership, rank, 3), ownership), digest);
      }
    }
  }
}

TEST(PublicDigest, DiffersWithEachPublicPart) {
  using Change = void (*)(GraphData&);
  for (const Change change :
       {Change([](GraphData& d) { ++d.nodes; }), Change([](GraphData& d) { (*d.x)(3, 2) += 1e-9; }),
        Change([](GraphData& d) { std::swap(d.edges->to[0], d.edges->from[0]); }),
        Change([](GraphData& d) { (*d.targets)(10, 5) = 0; }), Change([](GraphData& d) { d.val_mask->flip(); }),
        Change([](GraphData& d) { std::swap(d.val_mask, d.test_mask); })}) {
    const GraphData whole = some_graph({});
    GraphData other = whole;
    change(other);
    const Ownership all = owned("public", "public", "public", "public"),
                    nothing = owned("rows", "edges", "rows", "rows");
    EXPECT_NE(public_digest(other, all), public_digest(whole, all));
    other.nodes = whole.nodes;
    EXPECT_EQ(public_digest(other, nothing), public_digest(whole, nothing));
  }
}

}  // namespace
}  // namespace tacit::gnn
