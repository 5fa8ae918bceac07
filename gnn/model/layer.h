// Layer — one step of a model, forwards and backwards, on secrets.
//
// forward() keeps what backward() needs: a training step is one of each, then forget(). A layer opens what it needs
// through Arithmetic, which knows what is open already.
#pragma once

#include <optional>
#include <span>

#include "gnn/model/parameter.h"

namespace tacit::gnn {

enum class Pass { kTraining, kEvaluation };

// Where a layer's input comes from. Nobody asks for the gradient of the first two.
enum class Input {
  kData,     // the same in every pass
  kDropped,  // the data, less elements that every training pass drops anew
  kLearned,  // layers with weights
};

class Layer {
 public:
  virtual ~Layer() = default;

  virtual Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) = 0;
  // Leaves its parameters' gradients behind; returns that of its input, if that was learned.
  virtual std::optional<Tensor> backward(Arithmetic& arithmetic, const Tensor& gradient) = 0;
  virtual std::vector<Parameter*> parameters() { return {}; }
  // Lets go of activations; keeps what is the same in every pass (data that are masked, or gathered and masked).
  virtual void forget() {}
};

}  // namespace tacit::gnn
