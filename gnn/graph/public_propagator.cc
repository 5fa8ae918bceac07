#include "gnn/graph/public_propagator.h"

namespace tacit::gnn {

PublicPropagator::PublicPropagator(const Arithmetic& arithmetic, const Adjacency& adjacency, const Rows& own,
                                   bool whole)
    : forward_(adjacency.encoded(arithmetic, whole)),
      backward_(forward_.transposed()),
      pick_(picking(own, adjacency.shape.cols)),
      put_back_(pick_.transposed()) {}

Tensor PublicPropagator::forward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) {
  return arithmetic.matmul(forward_, x, bound, std::move(name));
}

Tensor PublicPropagator::backward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) {
  return arithmetic.matmul(backward_, x, bound, std::move(name));
}

Tensor PublicPropagator::own(Arithmetic& arithmetic, const Tensor& x) {
  const bool all = pick_.shape.rows == pick_.shape.cols;
  return all ? x : arithmetic.matmul(pick_, x, x.bound(), x.name());
}

Tensor PublicPropagator::own_backward(Arithmetic& arithmetic, const Tensor& x) {
  const bool all = pick_.shape.rows == pick_.shape.cols;
  return all ? x : arithmetic.matmul(put_back_, x, x.bound(), x.name());
}

}  // namespace tacit::gnn
