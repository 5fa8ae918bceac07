// PairEnds — the two nodes of each pair, as a selection of rows: from a matrix with a row for each node to one row for each
// first node and one for each second node.
//
// The ends of public pairs are lists of rows, and cost no traffic; the dealer may pass other rows, so it need not know them.
// Of secret pairs, the ends are a matrix with a single 1 in each row, which takes part in products.
#pragma once

#include <optional>
#include <string>

#include "gnn/arithmetic/arithmetic.h"
#include "gnn/graph/rows.h"

namespace tacit::gnn {

class PairEnds {
 public:
  // Public pairs: the rows of their ends, of `rows` rows in all.
  PairEnds(Rows from, Rows to, std::int64_t rows);
  // Secret pairs, followed by public ones. `secret` has a row for each first node and then one for each second node, and no
  // fraction bits.
  PairEnds(Tensor secret, PairEnds drawn);
  // Secret pairs alone.
  explicit PairEnds(Tensor secret);

  struct Ends {
    Tensor from, to;
  };
  // The rows of x at the ends. |x| <= bound. Secret pairs cost one round if x is not masked yet, and one if x must be lifted.
  Ends of(Arithmetic& arithmetic, const Tensor& x, double bound, const std::string& name) const;
  std::int64_t secret_pairs() const { return secret_ ? secret_->shape().rows / 2 : 0; }
  // The transpose: adds the rows of both ends up at their nodes.
  Tensor put_back(Arithmetic& arithmetic, const Ends& ends, double bound, const std::string& name) const;

 private:
  struct Public {
    mpc::SparseMatrix from, to;
  };

  std::optional<Tensor> secret_;
  std::optional<Public> public_;
};

}  // namespace tacit::gnn
