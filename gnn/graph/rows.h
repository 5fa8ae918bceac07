// Rows — the numbers of some nodes, ascending. Public.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gnn/data/graph_data.h"
#include "mpc/kernels/sparse.h"

namespace tacit::gnn {

using Rows = std::vector<std::int64_t>;

Rows all_rows(std::int64_t count);
Rows rows_where(const std::optional<NodeMask>& mask);  // empty without a mask
// The elements of `rows` at the indices `places`.
Rows rows_at(const Rows& rows, const Rows& places);
// The index of each row of `of` in `among`, which must have all rows of `of`.
Rows positions(const Rows& of, const Rows& among);

// The subjects (several_graphs.h): at a party that knows the graphs, and by their number alone at the dealer, which
// does not: 0 ... subjects - 1. `graphs` is 0 if the data have one graph.
Rows subjects(std::int64_t nodes, std::int64_t graphs, const GraphData* known);

// The matrix that selects these rows of a matrix with `of` rows. The transpose puts them back, with
// zeros elsewhere.
mpc::SparseMatrix picking(const Rows& rows, std::int64_t of);

}  // namespace tacit::gnn
