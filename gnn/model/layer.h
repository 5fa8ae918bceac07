// Layer — one step of a model, forwards and backwards, on secrets.
//
// A training step calls forward(), then backward(), then forget(). forward() keeps the values that backward() needs. A
// layer opens values through Arithmetic, which opens no value twice.
#pragma once

#include <optional>
#include <span>

#include "gnn/model/parameter.h"

namespace tacit::gnn {

enum class Pass { kTraining, kEvaluation };

// The origin of a layer's input. Only kLearned needs a gradient.
enum class Input {
  kData,     // the same in every pass
  kDropped,  // the data, less elements that every training pass drops anew
  kLearned,  // layers with weights
};

class Layer {
 public:
  virtual ~Layer() = default;

  virtual Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) = 0;
  // Sets the gradients of its parameters. Returns the gradient of its input, if the input is kLearned.
  virtual std::optional<Tensor> backward(Arithmetic& arithmetic, const Tensor& gradient) = 0;
  virtual std::vector<Parameter*> parameters() { return {}; }
  // Frees activations; keeps values that are the same in every pass (data that are masked, or gathered and masked).
  virtual void forget() {}
};

}  // namespace tacit::gnn
