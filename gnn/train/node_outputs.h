// NodeOutputs — the outputs of a model for some nodes, by the current parameters, in one piece or
// block after block.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gnn/model/model.h"
#include "gnn/plan/training_plan.h"

namespace tacit::gnn {

class NodeOutputs {
 public:
  NodeOutputs() = default;  // for no nodes
  // Uses a model that others use as well. `x` has the rows with which the model's view begins.
  NodeOutputs(Tensor x, std::shared_ptr<Model> model);
  // `x` has all rows. The views must outlive it.
  NodeOutputs(Arithmetic& arithmetic, const TrainingPlan& plan, const Tensor& x, std::span<const GraphView> views);

  // The output rows of all views, one below the other. The parameters are masked already.
  Tensor outputs(Arithmetic& arithmetic, std::span<const Parameter> parameters);

 private:
  struct Block {
    Tensor x;
    std::shared_ptr<Model> model;
  };
  std::vector<Block> blocks_;
};

// The rows of x with these numbers; x itself if they are all of its rows.
Tensor rows_of(Arithmetic& arithmetic, const Tensor& x, const Rows& rows);
// The weights, which products need masked; and the biases, which are added, if the range watch has not seen them.
Tensors to_mask(const Arithmetic& arithmetic, std::span<const Parameter> parameters);
// Masks them, in one round.
void mask(Arithmetic& arithmetic, std::span<const Parameter> parameters);
void lend(std::span<const Parameter> parameters, Model& model);
// After a change of the values: brings the factors of products into these rings. Without rings, factors are the values.
void narrow(std::span<Parameter> parameters, std::span<const int> rings);

}  // namespace tacit::gnn
