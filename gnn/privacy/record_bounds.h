// RecordBounds — how large the numbers of any record can become in a model of dense layers and ReLUs, from the bounds of
// features and weights alone.
//
// Clipping holds for every record only if no number of any record leaves its ring. A range that usual records keep is not
// enough, and watching it would reveal something about records. The bounds are therefore proved by intervals:
// |z| <= inputs·|x|·|w| + |w|, and so on
// through the layers, forwards and backwards, with the largest error of every rounding.
#pragma once

#include <vector>

#include "gnn/loss/losses.h"
#include "gnn/settings/model_spec.h"

namespace tacit::gnn {

struct RecordBounds {
  struct Layer {
    std::int64_t inputs = 0, outputs = 0;
    double input = 0, gradient = 0;  // the largest element of the layer's input, and of the gradient by its output
    bool bias = true;
    double output = 0;  // the largest element of the layer's output

    double squared_inputs() const { return static_cast<double>(inputs) * input * input; }
    double squared_gradients() const { return static_cast<double>(outputs) * gradient * gradient; }
  };
  std::vector<Layer> layers;  // the dense ones
  double activation = 0;      // the largest output of a layer
  double gradient = 0;        // the largest gradient by an output

  // The square of the largest length of a record's gradient by all parameters.
  double squared_length() const;
};

// The bounds of a record's numbers. `factor`: gradients are multiplied by it, besides the scale of the loss (loss.h). `rounding`: the largest
// error of a rounding.
struct BoundedBy {
  double features = 0, targets = 0, weights = 0, factor = 1, rounding = 0;
};
RecordBounds record_bounds(const ModelSpec& model, std::int64_t inputs, Objective objective, const BoundedBy& by);

}  // namespace tacit::gnn
