// Model — the layers of a ModelSpec, on secrets: forward() to predictions, backward() to every parameter's gradient.
#pragma once

#include <memory>

#include "gnn/graph/propagator.h"
#include "gnn/model/layer.h"
#include "gnn/model/model_spec.h"

namespace tacit::gnn {

class Dropout;

// The graph as its layers need it; null where no layer does. They must outlive the model.
struct Propagators {
  Propagator* symmetric = nullptr;
  Propagator* mean = nullptr;
};

class Model {
 public:
  // `seed` drives dropout. The input is the same in every pass.
  Model(const ModelSpec& spec, std::int64_t inputs, Propagators propagators, std::uint64_t seed);

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass);
  void backward(Arithmetic& arithmetic, const Tensor& gradient);

  // In the order of initial_parameters().
  std::vector<Parameter*> parameters();
  void set_pass(std::int64_t pass);  // how many training passes there were

 private:
  std::vector<std::unique_ptr<Layer>> layers_;
  std::vector<Dropout*> dropouts_;
};

}  // namespace tacit::gnn
