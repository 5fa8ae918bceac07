// DensePropagator — propagation along a private graph. The normalised adjacency is a secret dense
// matrix, which is masked once a session. A product opens x and consumes one dealt word for each
// element of the result.
#pragma once

#include "gnn/graph/propagator.h"
#include "gnn/graph/rows.h"

namespace tacit::gnn {

class DensePropagator final : public Propagator {
 public:
  // `adjacency` has entries between 0 and 1. It has a row for each target: for each of `targets` among the sources, or
  // for all sources. For a propagation it has a row for each source.
  explicit DensePropagator(Tensor adjacency, std::optional<Rows> targets = {})
      : adjacency_(adjacency.certain()), targets_(std::move(targets)) {}

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) override {
    return arithmetic.matmul({adjacency_, x, bound, std::move(name)});
  }
  Tensor backward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) override {
    return arithmetic.matmul({adjacency_.transposed(), x, bound, std::move(name)});
  }
  Tensor own(Arithmetic& arithmetic, const Tensor& x) override {
    if (!targets_) return x;
    return arithmetic.matmul(picking(*targets_, x.shape().rows), x, x.bound(), x.name()).as_watched_as(x);
  }
  Tensor own_backward(Arithmetic& arithmetic, const Tensor& x) override {
    if (!targets_) return x;
    const std::int64_t sources = adjacency_.shape().cols;
    return arithmetic.matmul(picking(*targets_, sources).transposed(), x, x.bound(), x.name()).as_watched_as(x);
  }

 private:
  Tensor adjacency_;
  std::optional<Rows> targets_;
};

}  // namespace tacit::gnn
