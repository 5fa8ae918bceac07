#include "gnn/graph/rows.h"

#include <algorithm>
#include <numeric>

#include "gnn/data/several_graphs.h"

namespace tacit::gnn {

Rows all_rows(std::int64_t count) {
  Rows rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

Rows rows_where(const std::optional<NodeMask>& mask) {
  Rows rows;
  for (std::size_t i = 0; mask && i < mask->size(); ++i) {
    if ((*mask)[i]) rows.push_back(static_cast<std::int64_t>(i));
  }
  return rows;
}

Rows rows_at(const Rows& rows, const Rows& places) {
  Rows found;
  found.reserve(places.size());
  for (const std::int64_t place : places) found.push_back(rows[static_cast<std::size_t>(place)]);
  return found;
}

Rows positions(const Rows& of, const Rows& among) {
  Rows found;
  found.reserve(of.size());
  // Among all rows of a graph, a row is its own position, and no search is needed.
  const bool consecutive = !among.empty() && among.back() - among.front() == std::ssize(among) - 1;
  for (const std::int64_t row : of) {
    if (consecutive) {
      TACIT_CHECK(row >= among.front() && row <= among.back());
      found.push_back(row - among.front());
      continue;
    }
    const auto at = std::lower_bound(among.begin(), among.end(), row);
    TACIT_CHECK(at != among.end() && *at == row);
    found.push_back(at - among.begin());
  }
  return found;
}

Rows subjects(std::int64_t nodes, std::int64_t graphs, const GraphData* known) {
  if (graphs == 0) return all_rows(nodes);
  return known == nullptr ? all_rows(graphs) : subjects_of(nodes, known->graphs);
}

mpc::SparseMatrix picking(const Rows& rows, std::int64_t of) {
  mpc::SparseMatrix m{{std::ssize(rows), of}, {0}, {}, std::vector<std::uint64_t>(rows.size(), 1), 0};
  m.cols.reserve(rows.size());
  m.row_begin.reserve(rows.size() + 1);
  for (const std::int64_t row : rows) {
    m.cols.push_back(static_cast<std::int32_t>(row));
    m.row_begin.push_back(m.entries());
  }
  return m;
}

}  // namespace tacit::gnn
