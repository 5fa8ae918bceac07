#include "gnn/data/csv_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gnn/data/csv_values.h"
#include "gnn/data/node_ids.h"

namespace tacit::gnn {

namespace {

// Reads a file of ids: one column `id`, and a line for each of the owner's nodes, in the order of
// its rows.
struct IdList {
  NodeIds ids;
  mpc::Digest digest{};
};
IdList read_ids(const ByteSource& file, std::int64_t expected) {
  CsvReader csv(file);
  if (csv.columns() != std::vector<std::string>{"id"}) {
    file.place().wrong("line 1: expected the column id alone, as the owner of these nodes gave it to you");
  }
  NodeIds ids;
  std::vector<std::string> in_order;
  while (csv.next()) {
    const auto row = static_cast<std::int64_t>(ids.size());
    if (!ids.emplace(text_in(csv, 0), row).second) wrong_field(csv, 0, "this id is there twice");
    in_order.emplace_back(text_in(csv, 0));
  }
  if (std::ssize(ids) != expected) {
    file.place().wrong(
        fmt::format("it has {} ids, but in the job that rank owns {} nodes; expected an id for each, in "
                    "the order of its rows",
                    ids.size(), expected));
  }
  check_ids(in_order, file.place().text());
  return {std::move(ids), digest_of_ids(in_order)};
}

}  // namespace

std::int64_t CsvRows::nodes() const { return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}); }

NodeRange CsvRows::of(int owner) const {
  return {std::accumulate(sizes.begin(), sizes.begin() + owner, std::int64_t{0}),
          sizes[static_cast<std::size_t>(owner)]};
}

OtherOwners::OtherOwners(const CsvRows& rows, const OpenNodesOf& open) : rows_(rows) {
  for (int rank = 0; rank < static_cast<int>(rows.sizes.size()); ++rank) {
    if (rank == rows.rank) continue;
    const auto file = open(rank);
    if (file == nullptr) continue;
    IdList list = read_ids(*file, rows.of(rank).count);
    ids_.emplace(rank, std::move(list.ids));
    digests_.emplace(rank, list.digest);
  }
}

std::int64_t OtherOwners::node(const CsvReader& csv, std::size_t column, std::size_t rank_column) const {
  if (text_in(csv, rank_column).empty()) return -1;
  const auto owner = static_cast<int>(whole_in(csv, rank_column, std::ssize(rows_.sizes)));
  if (owner == rows_.rank) return -1;
  const NodeRange theirs = rows_.of(owner);
  const auto list = ids_.find(owner);
  if (list == ids_.end()) return theirs.first + whole_in(csv, column, theirs.count);
  const auto found = list->second.find(text_in(csv, column));
  if (found == list->second.end()) {
    wrong_field(csv, column,
                fmt::format("nodes_of_{}.csv has no such id; expected one that rank {} gave away", owner, owner));
  }
  return theirs.first + found->second;
}

}  // namespace tacit::gnn
