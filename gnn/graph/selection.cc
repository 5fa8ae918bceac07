#include "gnn/graph/selection.h"

#include "gnn/arithmetic/rearranged.h"

namespace tacit::gnn {

Selection Selection::of(const Rows& rows, std::int64_t nodes) {
  Selection made;
  made.count_ = std::ssize(rows);
  made.rows_ = rows;
  made.nodes_ = nodes;
  return made;
}

Selection Selection::secret(Tensor matrix) {
  Selection made;
  made.count_ = matrix.shape().rows;
  made.nodes_ = matrix.shape().cols;
  made.secret_ = matrix.certain();
  return made;
}

Selection Selection::part(Arithmetic& arithmetic, const Rows& rows) const {
  if (std::ssize(rows) == count_) return *this;
  if (secret_) {
    return secret(placed(arithmetic, picking(rows, count_), *secret_));
  }
  return of(rows_at(rows_, rows), nodes_);
}

Tensor Selection::pick(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) const {
  const Tensor picked = secret_ ? arithmetic.matmul({*secret_, x, bound, std::move(name)})
                                : arithmetic.matmul(picking(rows_, nodes_), x, bound, std::move(name));
  return picked.as_watched_as(x);
}

Tensor Selection::put_back(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) const {
  const Tensor all = secret_ ? arithmetic.matmul({secret_->transposed(), x, bound, std::move(name)})
                             : arithmetic.matmul(picking(rows_, nodes_).transposed(), x, bound, std::move(name));
  return all.as_watched_as(x);
}

}  // namespace tacit::gnn
