// DensePropagator — propagation along a private graph. The normalised adjacency is a secret dense
// matrix, which is masked once a session. A product opens x and consumes one dealt word for each
// element of the result.
#pragma once

#include "gnn/graph/propagator.h"

namespace tacit::gnn {

class DensePropagator final : public Propagator {
 public:
  // `adjacency` is normalised, with entries between 0 and 1.
  explicit DensePropagator(Tensor adjacency) : adjacency_(adjacency.certain()) {}

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) override {
    return arithmetic.matmul({adjacency_, x, bound, std::move(name)});
  }
  Tensor backward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) override {
    return arithmetic.matmul({adjacency_.transposed(), x, bound, std::move(name)});
  }
  Tensor own(Arithmetic&, const Tensor& x) override { return x; }
  Tensor own_backward(Arithmetic&, const Tensor& x) override { return x; }

 private:
  Tensor adjacency_;
};

}  // namespace tacit::gnn
