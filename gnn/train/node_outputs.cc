#include "gnn/train/node_outputs.h"

#include "gnn/arithmetic/rearranged.h"

namespace tacit::gnn {

NodeOutputs::NodeOutputs(Tensor x, std::shared_ptr<Model> model) {
  blocks_.push_back({std::move(x), std::move(model)});
}

NodeOutputs::NodeOutputs(Arithmetic& arithmetic, const TrainingPlan& plan, const Tensor& x,
                         std::span<const GraphView> views) {
  for (const GraphView& view : views) {
    blocks_.push_back(
        {rows_of(arithmetic, x, view.inputs()), std::make_shared<Model>(plan.model, x.shape().cols, view, plan.seed)});
  }
}

Tensor NodeOutputs::outputs(Arithmetic& arithmetic, std::span<const Parameter> parameters) {
  TACIT_CHECK(!blocks_.empty());
  Tensors parts;
  for (Block& block : blocks_) {
    lend(parameters, *block.model);
    arithmetic.begin_group(Watched::kActivations);
    parts.push_back(block.model->forward(arithmetic, block.x, Pass::kEvaluation));
    arithmetic.begin_group(Watched::kLogits);
    block.model->forget();
  }
  return parts.size() == 1 ? parts.front() : stacked(parts);
}

Tensor rows_of(Arithmetic& arithmetic, const Tensor& x, const Rows& rows) {
  const std::int64_t all = x.shape().rows;
  if (std::ssize(rows) == all) return x;
  return arithmetic.matmul(picking(rows, all), x, x.bound(), x.name()).as_watched_as(x);
}

Tensors to_mask(const Arithmetic& arithmetic, std::span<const Parameter> parameters) {
  Tensors values;
  for (const Parameter& parameter : parameters) {
    const Tensor& factor = parameter.factor();
    if (factor.shape().rows > 1 || arithmetic.is_watched(factor)) values.push_back(factor);
  }
  return values;
}

void mask(Arithmetic& arithmetic, std::span<const Parameter> parameters) {
  arithmetic.mask(to_mask(arithmetic, parameters));
}

void narrow(std::span<Parameter> parameters, std::span<const int> rings) {
  TACIT_CHECK(rings.empty() || rings.size() == parameters.size());
  for (std::size_t i = 0; i < rings.size(); ++i) parameters[i].set(parameters[i].value, rings[i]);
}

void lend(std::span<const Parameter> parameters, Model& model) {
  const std::vector<Parameter*> own = model.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) own[i]->value = parameters[i].factor();
}

}  // namespace tacit::gnn
