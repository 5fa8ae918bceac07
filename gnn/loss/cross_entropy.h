// CrossEntropy — the cross-entropy of softmax over the classes: the mean over the labelled rows of log sum e^z minus z
// at the node's class.
//
// The gradient is (softmax z - y) / rows. With the number of rows as the scale, it is softmax z - y. With label smoothing, y
// is (1 - s) y + s / classes; with class weights, the loss and the gradient of a row are multiplied by the weight of its
// class.
//
// Requires    |z| <= ranges.activations. Logits beyond 30 saturate the exponential (mpc/functions/softmax.h), so results
//             are right over the whole declared range
// Rounds      7; or 8 for 3 classes and more if that range is more than 30, and for more than 7 classes; 1 more if the
//             value is wanted, and 1 if logits must be lifted. With class weights, 1 more, and 5 once
#pragma once

#include "gnn/loss/loss.h"

namespace tacit::gnn {

class CrossEntropy final : public Loss {
 public:
  // y has a row for every node of a view: 1 in the column of its class, 0 elsewhere. Only the `labelled` rows count.
  CrossEntropy(Arithmetic& arithmetic, const Tensor& y, Selection labelled, const LossOptions& options = {});

  static const LossKind kKind;

  Result of(Arithmetic& arithmetic, const Tensor& z, Value value) override;
  Tensor total(Arithmetic& arithmetic, Outputs& labelled) const override;
  double scale() const override { return rows(); }
  double loss_per_total() const override { return 1 / rows(); }

 private:
  Tensor scattered(Arithmetic& arithmetic, const Tensor& gradient) const;
  Tensor weighted(Arithmetic& arithmetic, const Tensor& rows, double bound) const;
  // The two tensors that a total adds up, and the largest sum of each.
  struct Summed {
    Tensor log_sums, logits;
    double most = 0;
  };
  Summed to_sum(Arithmetic& arithmetic, const Tensor& log_sums, const Tensor& logits) const;
  Tensor total_of(Arithmetic& arithmetic, const Summed& summed) const;  // in the top ring
  double rows() const { return static_cast<double>(y_.shape().rows); }

  Selection labelled_;
  Tensor y_;  // the classes of labelled rows, smoothed
  double factor_ = 1;
  struct Weights {
    Tensor of_rows;           // a column
    mpc::Masked masked;       // the same
    std::optional<Tensor> y;  // y_ times the weight of its row
    double largest = 1;
  };
  std::optional<Weights> weights_;
};

PlainLoss plain_cross_entropy(const Matrix& z, const Matrix& y, const Rows& labelled,
                              const PlainLossOptions& options = {});

}  // namespace tacit::gnn
