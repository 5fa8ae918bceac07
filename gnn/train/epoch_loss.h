// EpochLoss — the loss of an epoch: the totals of its batches, added up on shares. To be revealed.
#pragma once

#include "gnn/arithmetic/tensor.h"
#include "gnn/loss/loss.h"

namespace tacit::gnn {

// total · loss_per_total is the training loss.
struct EpochLoss {
  Tensor total;
  double loss_per_total = 0;
};

class EpochLossSum {
 public:
  // `total`: of a batch (Loss::Result). `stands_for`: in a plan, the batch counts as so many of its shape.
  void add(const Loss& loss, const Tensor& total, std::int64_t stands_for);
  // In the ring of a word if there are several batches: one round.
  EpochLoss of_all(mpc::Session& session) const;

 private:
  Tensors totals_;
  double per_total_ = 0;  // the sum of 1 / loss_per_total()
};

}  // namespace tacit::gnn
