// Loss — the distance of predictions from the labels, over the labelled rows only.
//
// Gradients are multiplied by a public scale. Otherwise the gradients of a mean over thousands of nodes would be a few
// units of fixed point. The gradient of the loss by z is `gradient` / scale(); all later gradients have the same scale.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "gnn/arithmetic/outputs.h"
#include "gnn/graph/selection.h"

namespace tacit::gnn {

class Loss {
 public:
  virtual ~Loss() = default;

  // The loss of predictions for all nodes of a view.
  struct Result {
    Tensor gradient;  // by z, times scale(); zero at rows that do not count
    // If it is wanted: computes one number, the loss divided by loss_per_total(), with the same fraction bits for all losses of the
    // same `rows_in_all`. Its operands are opened in the round of the next opening. Call it after the backward pass, and it takes no
    // round.
    std::function<Tensor()> total;
  };
  enum class Value { kNotWanted, kWanted };
  virtual Result of(Arithmetic& arithmetic, const Tensor& z, Value value) = 0;

  // The value alone, of predictions for the labelled rows only, in their order.
  virtual Tensor total(Arithmetic& arithmetic, Outputs& labelled) const = 0;

  virtual double scale() const = 0;
  virtual double loss_per_total() const = 0;
};

// How a loss of classes counts nodes and labels. A node's loss is multiplied by the weight of its class; the mean is over
// the number of nodes, not over their weights. Smoothing s takes 1 - s of the label's own class, and s divided evenly among
// all classes. `factor`: gradients are multiplied by it, besides their scale. `rows_in_all`: labelled rows of all losses whose
// totals are added up.
struct LossOptions {
  std::optional<Tensor> class_weights;  // a row
  double largest_weight = 1;            // public
  double label_smoothing = 0;
  double factor = 1;
  std::int64_t rows_in_all = 0;  // 0: the rows of this loss
  bool valued = true;            // its value may be asked for
};
struct PlainLossOptions {
  Matrix class_weights;  // a row; empty: all are 1
  double label_smoothing = 0;
};

// A loss in double precision: the value, and the gradient by the predictions.
struct PlainLoss {
  double value = 0;
  Matrix gradient;
};

// A loss as the plan, the training and the twin know it. losses.h lists all losses.
struct LossKind {
  bool of_classes = false;  // labels are classes: y has 1 in the column of a node's class. Otherwise they are targets
  // The largest gradient by a parameter that is to be expected of a mean over standardised data.
  double largest_gradient = 1;
  // Loss::scale() for `rows` labelled rows and `columns` columns of y.
  double (*scale)(std::int64_t rows, std::int64_t columns) = nullptr;
  // The largest element of one row's gradient by z, times scale(1, columns), for outputs and targets up to these sizes.
  double (*largest_slope)(double outputs, double targets) = nullptr;
  std::unique_ptr<Loss> (*make)(Arithmetic& arithmetic, const Tensor& y, const Selection& labelled,
                                const LossOptions& options) = nullptr;
  PlainLoss (*plain)(const Matrix& z, const Matrix& y, const Rows& labelled, const PlainLossOptions& options) = nullptr;
};

}  // namespace tacit::gnn
