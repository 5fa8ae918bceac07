// compare_row_order — checks that the files of all parties have the same nodes in the same order,
// because row r of one file is used together with row r of the others.
//
// Parties with files that name all nodes compare their lists before any data are shared, pair by
// pair, with a private equality test (mpc/sets/equality.h), so that neither the dealer nor a party
// with another list can test guesses of ids. A party without ids is taken on trust. An owner of
// rows names only its own rows, which no other party has, so owners of rows compare nothing unless
// their files name all nodes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gnn/data/holding.h"
#include "net/mesh.h"

namespace tacit::gnn {

struct RowOrder {
  std::vector<int> compared;  // ranks with equal ids in the same order: none, or at least two
  std::vector<int> on_trust;  // ranks with rows that are assumed to be in the order of the others

  // "the order of rows is taken on trust at ranks 0 and 2, whose files have no ids"; "" if no rank
  // is on trust.
  std::string note() const;
};

// Every rank calls it; the dealer has no part. Throws the same ConfigError at every rank. The error
// names ranks and `tacit data align`, never an id.
RowOrder compare_row_order(net::Mesh& mesh, std::span<const Announcement> announced, const GraphData* own);

// The same check for a process that holds all parts.
void expect_equal_order(std::span<const GraphData> parts);

std::string ranks_in_words(const std::vector<int>& ranks);  // "rank 0", "ranks 0, 1 and 3"

}  // namespace tacit::gnn
