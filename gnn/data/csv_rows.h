// CsvRows — which rows of the whole graph a folder of CSV files holds, where nodes have owners.
//
// nodes.csv has its owner's nodes alone. An edge of edges.csv begins at one of these; where its column to_rank names
// another owner, it ends at one of that owner's nodes: at the row of that number there, or, with a file
// nodes_of_<rank>.csv, at the row that has this id in that file. The other owner may
// give that file away for this purpose; without it, row numbers do.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "gnn/data/csv.h"
#include "gnn/data/nodes_csv.h"

namespace tacit::gnn {

struct CsvRows {
  int rank = 0;                     // the owner of the folder
  std::vector<std::int64_t> sizes;  // how many nodes each rank owns

  std::int64_t nodes() const;
  NodeRange of(int owner) const;
};

// The file nodes_of_<rank>.csv of a folder; null if there is none.
using OpenNodesOf = std::function<std::unique_ptr<const ByteSource>(int rank)>;

// Where edges end that lead to other owners' nodes.
class OtherOwners {
 public:
  OtherOwners(const CsvRows& rows, OpenNodesOf open) : rows_(rows), open_(std::move(open)) {}

  const CsvRows& rows() const { return rows_; }

  // The node that this record's `column` names, of the owner in its `rank_column`; -1: of this folder's owner. Throws
  // ConfigError.
  std::int64_t node(const CsvReader& csv, std::size_t column, std::size_t rank_column);

 private:
  const NodeIds* ids_of(int rank);

  const CsvRows& rows_;
  OpenNodesOf open_;
  std::map<int, std::optional<NodeIds>> ids_;  // of the owners that edges named so far
};

}  // namespace tacit::gnn
