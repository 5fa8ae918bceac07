// PlainModel — the same model in double precision, on plain data: what secret training is held against.
#pragma once

#include <memory>

#include "gnn/graph/adjacency.h"
#include "gnn/model/layer.h"
#include "gnn/model/model_spec.h"

namespace tacit::gnn {

// Of the layers that need them; they must outlive the model.
struct PlainGraph {
  const Adjacency* symmetric = nullptr;
  const Adjacency* mean = nullptr;
};

class PlainLayer;

class PlainModel {
 public:
  // `parameters` as initial_parameters() gives them.
  PlainModel(const ModelSpec& spec, std::int64_t inputs, PlainGraph graph, std::vector<NamedMatrix> parameters,
             std::uint64_t seed);
  ~PlainModel();

  // x is the same in every pass.
  Matrix forward(const Matrix& x, Pass pass);
  // The gradients of all parameters, in their order, from that of a training pass' output.
  std::vector<Matrix> backward(const Matrix& gradient);

  std::vector<NamedMatrix>& parameters() { return parameters_; }

 private:
  std::vector<NamedMatrix> parameters_;
  std::vector<std::unique_ptr<PlainLayer>> layers_;
};

}  // namespace tacit::gnn
