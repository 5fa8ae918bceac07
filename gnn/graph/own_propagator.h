// OwnPropagator — propagation along a private graph whose edges one rank holds. That rank alone knows the normalised adjacency,
// as a sparse matrix; a product sends and deals rows for each edge, and no matrix of nodes by nodes exists
// (mpc/protocols/own_matrix.h).
#pragma once

#include "gnn/graph/propagator.h"
#include "mpc/protocols/own_matrix.h"

namespace tacit::gnn {

class OwnPropagator final : public Propagator {
 public:
  // `backward` is the transpose. With snapshots, x has as many rows for each node, one after the other.
  OwnPropagator(mpc::OwnMatrix forward, mpc::OwnMatrix backward, std::int64_t snapshots)
      : forward_(std::move(forward)), backward_(std::move(backward)), snapshots_(snapshots) {}

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) override {
    return arithmetic.matmul(forward_, x, bound, std::move(name), snapshots_);
  }
  Tensor backward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) override {
    return arithmetic.matmul(backward_, x, bound, std::move(name), snapshots_);
  }
  Tensor own(Arithmetic&, const Tensor& x) override { return x; }
  Tensor own_backward(Arithmetic&, const Tensor& x) override { return x; }

 private:
  mpc::OwnMatrix forward_, backward_;
  std::int64_t snapshots_;
};

}  // namespace tacit::gnn
