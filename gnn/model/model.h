// Model — the layers of a ModelSpec, on secrets: forward() to predictions, backward() to every parameter's gradient.
#pragma once

#include <memory>

#include "gnn/graph/graph_view.h"
#include "gnn/model/jump.h"
#include "gnn/model/layer.h"
#include "gnn/model/record_gradients.h"
#include "gnn/settings/model_spec.h"

namespace tacit::gnn {

class Dense;
class Dropout;
class Relu;

class Model {
 public:
  // `seed` drives dropout. The input is the same in every pass. The view must outlive it. Only dense layers and ReLUs know
  // the gradients of single records.
  Model(const ModelSpec& spec, std::int64_t inputs, const GraphView& view, std::uint64_t seed,
        const RecordLayers& of_records = {});

  // The data that the first layer with weights multiplies: tensors with the rows view.inputs(place_of_data(spec)), from the
  // input `x` of forward(). Several models can read rows of the same tensors, which are then masked once. Empty if this layer
  // has no take_data().
  Tensors data_of(Arithmetic& arithmetic, const Tensor& x);
  // The layer that masks the data. No layer does if data_of() is empty.
  struct DataLayer {
    std::size_t layer;
    bool dropped;  // true for a dropout, which masks its input; false for a layer with weights
  };
  static std::optional<DataLayer> data_layer(const ModelSpec& spec);
  // Before the first pass. forward() does not read `x` any more.
  void take_data(const DataRows& rows);

  // From rows of view.inputs() to rows of view.outputs(). In training each layer is a part of the session's profile.
  Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass);
  void backward(Arithmetic& arithmetic, const Tensor& gradient);
  // Lets go of activations, parameters and gradients, after a step or an evaluation: a model for each of thousands of
  // batches keeps the data of its batch alone.
  void forget();

  // The parameters in the order of initial_parameters().
  std::vector<Parameter*> parameters();
  void set_pass(std::int64_t pass);  // how many training passes there were
  // After backward(), of a model of records: of each dense layer.
  std::vector<RecordGradients> records() const;

 private:
  std::vector<std::unique_ptr<Layer>> layers_;
  std::vector<std::optional<Jump>> jumps_;  // by layer
  bool has_jumps_ = false;
  // The gradient by the output of layer i, through layer i and the ReLU before it, without opening it in between. The weights'
  // gradient is to be computed from the products. Empty if these layers are no such pair.
  struct ThroughRelu {
    Tensor gradient;
    std::optional<BackwardProducts> left;
  };
  std::optional<ThroughRelu> through_relu(Arithmetic& arithmetic, std::size_t i, const Tensor& gradient);

  std::vector<Relu*> relus_;  // by layer; null for others
  std::vector<Dropout*> dropouts_;
  std::vector<Dense*> dense_;  // of a model of records
  std::optional<DataLayer> data_layer_;
  std::optional<Tensor> data_;  // before elements are dropped
  bool takes_data_ = false;
};

// The rows of Model::data_of() are view.inputs(place). No place if data_of() is empty.
std::optional<std::size_t> place_of_data(const ModelSpec& spec);

}  // namespace tacit::gnn
