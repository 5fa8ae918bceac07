// Selection — the nodes that count for a loss or a metric, as rows of a matrix that has one for each node of a view.
//
// Public: a list of rows, and no traffic. Secret: only their number is public; a matrix with a single 1 in each row,
// which products are taken with.
#pragma once

#include <optional>

#include "gnn/arithmetic/arithmetic.h"
#include "gnn/graph/rows.h"

namespace tacit::gnn {

class Selection {
 public:
  Selection() = default;
  static Selection of(const Rows& rows, std::int64_t nodes);
  // A row for each node that counts, in the top ring, without fraction bits.
  static Selection secret(Tensor matrix);

  std::int64_t count() const { return count_; }
  // Of these rows only, by number: 0 … count() - 1, ascending.
  Selection part(Arithmetic& arithmetic, const Rows& rows) const;

  // |x| <= bound. One round where the selection is secret and x is not masked yet; one where x must be lifted first.
  Tensor pick(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) const;
  // To their places among all nodes, with zeros elsewhere.
  Tensor put_back(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) const;

 private:
  std::int64_t count_ = 0;
  Rows rows_;  // of a public one; matrices are made when they are needed, since there may be thousands of selections
  std::int64_t nodes_ = 0;
  std::optional<Tensor> secret_;
};

}  // namespace tacit::gnn
