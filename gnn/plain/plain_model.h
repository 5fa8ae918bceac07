// PlainModel — the plaintext reference of Model: the same model in double precision, on plain data.
#pragma once

#include <memory>

#include "gnn/graph/graph_view.h"
#include "gnn/model/layer.h"
#include "gnn/settings/model_spec.h"

namespace tacit::gnn {

class PlainLayer;
class PlainJump;

class PlainModel {
 public:
  // `parameters` as initial_parameters() returns them. The model reads their present values in
  // every pass. The parameters and the graph must outlive the model.
  PlainModel(const ModelSpec& spec, std::int64_t inputs, const LayeredGraph& graph,
             const std::vector<NamedMatrix>& parameters, std::uint64_t seed);
  PlainModel(PlainModel&&) noexcept;
  ~PlainModel();

  // x has the rows that the first layer reads, and is the same in every pass.
  Matrix forward(const Matrix& x, Pass pass);
  // The gradients of all parameters, in their order. `gradient` is the gradient by the output of a
  // training pass.
  std::vector<Matrix> backward(const Matrix& gradient);

  void set_pass(std::int64_t pass) { pass_ = pass; }  // number of training passes so far

 private:
  std::int64_t pass_ = 0;
  bool has_jumps_ = false;
  std::vector<std::unique_ptr<PlainLayer>> layers_;
  std::vector<std::unique_ptr<PlainJump>> jumps_;  // by layer; null: none
};

}  // namespace tacit::gnn
