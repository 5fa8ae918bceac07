// Selection — the nodes that count for a loss or a metric, as rows of a matrix with one row for
// each node of a view.
//
// A public selection is a list of rows, and costs no traffic. A secret selection is a matrix with a
// single 1 in each row, which takes part in products, and discloses only its number of rows.
#pragma once

#include <optional>

#include "gnn/arithmetic/arithmetic.h"
#include "gnn/graph/rows.h"

namespace tacit::gnn {

class Selection {
 public:
  Selection() = default;
  static Selection of(const Rows& rows, std::int64_t nodes);
  // `matrix` has a row for each node that counts, is in the top ring, and has no fraction bits.
  static Selection secret(Tensor matrix);

  std::int64_t count() const { return count_; }
  // The selection of some rows of this selection: numbers from 0 to count() - 1, ascending.
  Selection part(Arithmetic& arithmetic, const Rows& rows) const;

  // Selects rows of x. |x| <= bound. Costs one round if the selection is secret and x is not masked
  // yet, and one if x must be lifted first.
  Tensor pick(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) const;
  // The transpose: puts rows back to their places among all nodes, with zeros elsewhere.
  Tensor put_back(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) const;

 private:
  std::int64_t count_ = 0;
  Rows rows_;  // of a public selection; the matrix is made on use, since there may be thousands of selections
  std::int64_t nodes_ = 0;
  std::optional<Tensor> secret_;
};

}  // namespace tacit::gnn
