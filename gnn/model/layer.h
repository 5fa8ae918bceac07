// Layer — one step of a model, forwards and backwards, on secrets.
//
// A training step calls forward(), then backward(), then forget(). forward() keeps the values that backward() needs. A
// layer opens values through Arithmetic, which opens no value twice.
#pragma once

#include <optional>
#include <span>

#include "gnn/arithmetic/arithmetic.h"
#include "gnn/model/parameter.h"

namespace tacit::gnn {

enum class Pass { kTraining, kEvaluation };

// The origin of a layer's input. Only kLearned needs a gradient.
enum class Input {
  kData,     // the same in every pass
  kDropped,  // the data, less elements that every training pass drops anew
  kLearned,  // layers with weights
};

// Data that several models read. A layer multiplies the factors by its weights, and not its input or the rows that it gathers.
// The factors' rows may be in another order than the rows of the model's view.
struct DataRows {
  Tensors factors;
  std::optional<mpc::SparseMatrix> into_view;  // brings the rows of a product into the view's order
};

// The two products of the backward pass of a layer with weights, not computed yet.
struct BackwardProducts {
  Arithmetic::Product by_weight, by_input;
  Tensor by_output;  // the gradient whose column sums are the bias' gradient
  Parameter* weight = nullptr;
  Parameter* bias = nullptr;  // null: none
};

class Layer {
 public:
  virtual ~Layer() = default;

  virtual Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) = 0;
  // Sets the gradients of its parameters. Returns the gradient of its input, if the input is kLearned.
  virtual std::optional<Tensor> backward(Arithmetic& arithmetic, const Tensor& gradient) = 0;
  // Replaces backward() in a layer if its input gradient is a column times a row: does everything but the two products, so that
  // the ReLU before the layer can select the product of column and row unopened. Other layers return nothing.
  virtual std::optional<BackwardProducts> begin_backward(Arithmetic&, const Tensor&) { return std::nullopt; }
  virtual std::vector<Parameter*> parameters() { return {}; }
  // The tensors that the layer multiplies by its weights if its input is data, for take_data(). Local.
  virtual Tensors data_of(Arithmetic&, const Tensor&) { return {}; }
  // Before the first pass. The layer does not read its input any more, unless elements of the data are dropped.
  virtual void take_data(const DataRows&) { TACIT_CHECK(false); }
  // Frees activations; keeps values that are the same in every pass (data that are masked, or gathered and masked).
  virtual void forget() {}
};

}  // namespace tacit::gnn
