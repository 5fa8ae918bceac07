// Loss — the distance of predictions from the labels, over the labelled rows only.
//
// Gradients are multiplied by a public scale. Otherwise the gradients of a mean over thousands of nodes would be a few
// units of fixed point. The gradient of the loss by z is `gradient` / scale(); all later gradients have the same scale.
#pragma once

#include "gnn/arithmetic/arithmetic.h"
#include "gnn/graph/selection.h"

namespace tacit::gnn {

class Loss {
 public:
  virtual ~Loss() = default;

  // The loss of predictions for all nodes of a view.
  struct Result {
    Tensor gradient;  // by z, times scale(); zero at rows that do not count
    Tensor total;     // one number, if it is wanted: the loss divided by loss_per_total()
  };
  enum class Value { kNotWanted, kWanted };
  virtual Result of(Arithmetic& arithmetic, const Tensor& z, Value value) = 0;

  virtual double scale() const = 0;
  virtual double loss_per_total() const = 0;
};

}  // namespace tacit::gnn
