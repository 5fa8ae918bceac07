// CsvRows — the rows of the whole graph that a folder of CSV files holds, in a job where each node
// has an owner.
//
// nodes.csv has the nodes of its owner alone. Every edge of edges.csv begins at a node of this owner.
// If the column to_rank names another owner, the edge ends at a node of that owner. The end is a
// row number of that owner or, with a file nodes_of_<rank>.csv, an id in that file. The other owner
// may give the file away for this purpose. Before a session, the ranks compare these lists (gnn/train/id_lists.h).
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gnn/data/csv.h"
#include "gnn/data/nodes_csv.h"

namespace tacit::gnn {

struct CsvRows {
  int rank = 0;                                                     // owner of the folder
  std::vector<std::int64_t> sizes;                                  // number of nodes of each rank
  std::string stated_in = "in the job", remedy = "change the job";  // for an error about a wrong number

  std::int64_t nodes() const;
  NodeRange of(int owner) const;
};

// Opens the file nodes_of_<rank>.csv of a folder; null if it does not exist.
using OpenNodesOf = std::function<std::unique_ptr<const ByteSource>(int rank)>;

// Finds the end nodes of edges that lead to other owners' nodes.
class OtherOwners {
 public:
  // Reads the files of all other owners, also of an owner to whose nodes no edge leads.
  OtherOwners(const CsvRows& rows, const OpenNodesOf& open);

  const CsvRows& rows() const { return rows_; }

  // The node of another owner that `column` of this record names; `rank_column` names the owner.
  // Returns -1 if the node belongs to the owner of the folder. Throws ConfigError.
  std::int64_t node(const CsvReader& csv, std::size_t column, std::size_t rank_column) const;
  // digest_of_ids() of each file, by the owner.
  const std::map<int, mpc::Digest>& digests() const { return digests_; }

 private:
  const CsvRows& rows_;
  std::map<int, NodeIds> ids_;
  std::map<int, mpc::Digest> digests_;
};

}  // namespace tacit::gnn
