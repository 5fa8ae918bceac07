#include "gnn/data/csv_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gnn/data/csv_values.h"

namespace tacit::gnn {

namespace {

// Reads a file of ids: one column `id`, and a line for each of the owner's nodes, in the order of
// its rows.
NodeIds read_ids(const ByteSource& file, std::int64_t expected) {
  CsvReader csv(file);
  if (csv.columns() != std::vector<std::string>{"id"}) {
    file.place().wrong("line 1: expected the column id alone, as the owner of these nodes gave it to you");
  }
  NodeIds ids;
  while (csv.next()) {
    const auto row = static_cast<std::int64_t>(ids.size());
    if (!ids.emplace(text_in(csv, 0), row).second) wrong_field(csv, 0, "this id is there twice");
  }
  if (std::ssize(ids) != expected) {
    file.place().wrong(
        fmt::format("it has {} ids, but in the job that rank owns {} nodes; expected an id for each, in "
                    "the order of its rows",
                    ids.size(), expected));
  }
  return ids;
}

}  // namespace

std::int64_t CsvRows::nodes() const { return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}); }

NodeRange CsvRows::of(int owner) const {
  return {std::accumulate(sizes.begin(), sizes.begin() + owner, std::int64_t{0}),
          sizes[static_cast<std::size_t>(owner)]};
}

const NodeIds* OtherOwners::ids_of(int rank) {
  const auto [found, is_new] = ids_.try_emplace(rank);
  if (is_new) {
    if (const auto file = open_(rank)) found->second = read_ids(*file, rows_.of(rank).count);
  }
  return found->second ? &*found->second : nullptr;
}

std::int64_t OtherOwners::node(const CsvReader& csv, std::size_t column, std::size_t rank_column) {
  if (text_in(csv, rank_column).empty()) return -1;
  const auto owner = static_cast<int>(whole_in(csv, rank_column, std::ssize(rows_.sizes)));
  if (owner == rows_.rank) return -1;
  const NodeRange theirs = rows_.of(owner);
  const NodeIds* ids = ids_of(owner);
  if (ids == nullptr) return theirs.first + whole_in(csv, column, theirs.count);
  const auto found = ids->find(text_in(csv, column));
  if (found == ids->end()) {
    wrong_field(csv, column,
                fmt::format("nodes_of_{}.csv has no such id; expected one that rank {} gave away", owner, owner));
  }
  return theirs.first + found->second;
}

}  // namespace tacit::gnn
