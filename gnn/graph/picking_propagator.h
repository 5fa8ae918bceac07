// PickingPropagator — another propagator, of which some targets are wanted: for predictions of some nodes.
#pragma once

#include <memory>

#include "gnn/graph/propagator.h"
#include "gnn/graph/rows.h"

namespace tacit::gnn {

class PickingPropagator final : public Propagator {
 public:
  // `all` has `nodes` targets, which are its sources. `all_steps`: a result is read by another step, so forward() gives all targets.
  PickingPropagator(std::shared_ptr<Propagator> all, const Rows& targets, std::int64_t nodes, bool all_steps)
      : all_(std::move(all)), pick_(picking(targets, nodes)), put_back_(pick_.transposed()), all_steps_(all_steps) {}

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) override {
    const Tensor sums = all_->forward(arithmetic, x, bound, std::move(name));
    return all_steps_ ? sums : own(arithmetic, sums);
  }
  Tensor backward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) override {
    return all_->backward(arithmetic, all_steps_ ? x : own_backward(arithmetic, x), bound, std::move(name));
  }
  Tensor own(Arithmetic& arithmetic, const Tensor& x) override {
    return arithmetic.matmul(pick_, x, x.bound(), x.name()).as_watched_as(x);
  }
  Tensor own_backward(Arithmetic& arithmetic, const Tensor& x) override {
    return arithmetic.matmul(put_back_, x, x.bound(), x.name()).as_watched_as(x);
  }

 private:
  std::shared_ptr<Propagator> all_;
  mpc::SparseMatrix pick_, put_back_;
  bool all_steps_;
};

}  // namespace tacit::gnn
