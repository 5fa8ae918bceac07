#include "gnn/graph/public_propagator.h"

namespace tacit::gnn {

PublicPropagator::PublicPropagator(const Adjacency& adjacency, int fraction_bits)
    : forward_(adjacency.encoded(fraction_bits)), backward_(forward_.transposed()) {}

Tensor PublicPropagator::forward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) {
  return arithmetic.matmul(forward_, x, bound, std::move(name));
}

Tensor PublicPropagator::backward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) {
  return arithmetic.matmul(backward_, x, bound, std::move(name));
}

}  // namespace tacit::gnn
