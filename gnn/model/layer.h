// Layer — one step of a model, forwards and backwards, on secrets.
//
// forward() keeps what backward() needs: a training step is one of each. A layer opens what it needs through
// Arithmetic, which knows what is open already.
#pragma once

#include <optional>
#include <span>

#include "gnn/model/parameter.h"

namespace tacit::gnn {

enum class Pass { kTraining, kEvaluation };

class Layer {
 public:
  virtual ~Layer() = default;

  virtual Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) = 0;
  // Leaves its parameters' gradients behind; returns that of its input, or nothing where nobody asks for it: at the
  // first layer with parameters.
  virtual std::optional<Tensor> backward(Arithmetic& arithmetic, const Tensor& gradient) = 0;
  virtual std::vector<Parameter*> parameters() { return {}; }
};

}  // namespace tacit::gnn
