// DensePropagator — propagation along a private graph. The normalised adjacency is a secret dense
// matrix, which is masked once a session. A product opens x and consumes one dealt word for each
// element of the result. All snapshots of a graph (gnn/data/snapshots.h) are one product.
#pragma once

#include "gnn/graph/propagator.h"
#include "gnn/graph/rows.h"

namespace tacit::gnn {

class DensePropagator final : public Propagator {
 public:
  // `adjacency` is normalised, or sums. The matrix has a row for each target: for each of `targets` among the sources, or
  // for all sources. For a propagation it has a row for each source.
  // `factor` multiplies x instead of the adjacency, since scaling the matrix would round its zeros.
  // `loop` replaces the entry 1 of the node itself in a sum. This number is public, so the matrix need not have it.
  // With T snapshots, x has T rows for each node, and `targets` are such rows, while the adjacency has rows of nodes.
  explicit DensePropagator(Tensor adjacency, std::optional<Rows> targets = {}, double factor = 1, double loop = 1,
                           std::int64_t snapshots = 1)
      : adjacency_(adjacency.certain()),
        targets_(std::move(targets)),
        factor_(factor),
        more_(loop - 1),
        snapshots_(snapshots) {}

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) override {
    const Tensor sum =
        arithmetic.matmul({adjacency_, operand(arithmetic, x, bound), bound, std::move(name), snapshots_});
    return more_ == 0 ? sum : plus_more(arithmetic, sum, own(arithmetic, x), bound);
  }
  Tensor backward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) override {
    const Tensor sum =
        arithmetic.matmul({adjacency_.transposed(), operand(arithmetic, x, bound), bound, std::move(name), snapshots_});
    return more_ == 0 ? sum : plus_more(arithmetic, sum, own_backward(arithmetic, x), bound);
  }
  Tensor own(Arithmetic& arithmetic, const Tensor& x) override {
    if (!targets_) return x;
    return arithmetic.matmul(picking(*targets_, x.shape().rows), x, x.bound(), x.name()).as_watched_as(x);
  }
  Tensor own_backward(Arithmetic& arithmetic, const Tensor& x) override {
    if (!targets_) return x;
    const std::int64_t sources = adjacency_.shape().cols * snapshots_;
    return arithmetic.matmul(picking(*targets_, sources).transposed(), x, x.bound(), x.name()).as_watched_as(x);
  }

 private:
  // x times the factor, in a ring in which the range watch sees products above the bound.
  Tensor operand(Arithmetic& arithmetic, const Tensor& x, double bound) const {
    const Arithmetic::Scaling seen{.least_bits = Arithmetic::kFactorBits,
                                   .least_ring = arithmetic.ring_to_watch(x.bound())};
    const Tensor scaled = factor_ == 1 ? x : arithmetic.scaled(x, factor_, seen);
    return arithmetic.hides(scaled, adjacency_.format().fraction_bits, bound) ? arithmetic.lifted(scaled) : scaled;
  }

  Tensor plus_more(Arithmetic& arithmetic, const Tensor& sum, const Tensor& own, double bound) const {
    const Arithmetic::Scaling seen{
        .most = bound, .least_bits = Arithmetic::kFactorBits, .least_ring = arithmetic.ring_to_watch(bound)};
    return arithmetic.sum(sum, arithmetic.scaled(own, more_, seen), bound);
  }

  Tensor adjacency_;
  std::optional<Rows> targets_;
  double factor_;
  double more_;
  std::int64_t snapshots_;
};

}  // namespace tacit::gnn
