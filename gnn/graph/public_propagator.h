// PublicPropagator — along a graph that everybody knows: a sparse matrix times a share, without traffic.
#pragma once

#include "gnn/graph/adjacency.h"
#include "gnn/graph/propagator.h"

namespace tacit::gnn {

class PublicPropagator final : public Propagator {
 public:
  PublicPropagator(const Adjacency& adjacency, int fraction_bits);

  std::int64_t nodes() const override { return forward_.shape.rows; }
  Tensor forward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) override;
  Tensor backward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) override;

 private:
  mpc::SparseMatrix forward_, backward_;
};

}  // namespace tacit::gnn
