// Rows — some nodes, by number, ascending. Public.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gnn/data/graph_data.h"
#include "mpc/kernels/sparse.h"

namespace tacit::gnn {

using Rows = std::vector<std::int64_t>;

Rows all_rows(std::int64_t count);
Rows rows_where(const std::optional<NodeMask>& mask);  // none without a mask
// The rows at these places of others.
Rows rows_at(const Rows& rows, const Rows& places);
// Where each of them is among others that hold them all.
Rows positions(const Rows& of, const Rows& among);

// These rows of a matrix with `of` rows. Its transpose puts them back, with zeros elsewhere.
mpc::SparseMatrix picking(const Rows& rows, std::int64_t of);

}  // namespace tacit::gnn
