// Do all parties' files have the same nodes in the same order? Row r of one is taken for row r of the others.
//
// Parties whose files name all nodes compare the lists, before anything is shared: pair by pair, by a private equality
// test, so that neither the dealer nor a party with another list can test guesses of ids (mpc/sets/equality.h). A party
// whose file names no nodes is believed. Of owners of rows each names rows of its own, which no other party has:
// there nothing is compared, unless files name all nodes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gnn/data/shapes.h"
#include "net/mesh.h"

namespace tacit::gnn {

struct RowOrder {
  std::vector<int> compared;  // ranks whose ids are the same, in the same order; none or two and more
  std::vector<int> on_trust;  // ranks whose rows are taken to be in the order of the others

  // "the order of rows is taken on trust at ranks 0 and 2, whose files have no ids"; "" where nothing is.
  std::string note() const;
};

// Every rank calls it, the dealer without a part. Throws the same ConfigError at every rank: it names ranks and
// `tacit data align`, never an id.
RowOrder compare_row_order(net::Mesh& mesh, std::span<const HeldShapes> announced, const GraphData* own);

// The same where one process holds all parts.
void expect_equal_order(std::span<const GraphData> parts);

std::string ranks_in_words(const std::vector<int>& ranks);  // "rank 0", "ranks 0, 1 and 3"

}  // namespace tacit::gnn
