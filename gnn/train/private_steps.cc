#include "gnn/train/private_steps.h"

#include "gnn/loss/losses.h"
#include "gnn/train/node_outputs.h"

namespace tacit::gnn {

PrivateSteps::PrivateSteps(const mpc::Session& session, const TrainingPlan& plan, RecordSource source)
    : objective_(plan.objective),
      gradients_(plan, source.privacy, {source.features, source.labels}),
      draw_(session, std::move(source), plan.ranges.features),
      view_(GraphView::of_rows(plan.model, all_rows(draw_.rows()), draw_.rows())),
      model_(plan.model, draw_.features(), view_, plan.seed, Gradients::kOfRecords) {}

void PrivateSteps::take_gradients(Arithmetic& arithmetic, std::vector<Parameter>& parameters) {
  mpc::Session& session = arithmetic.session();
  session.begin_part("drawing records");
  const RecordDraw::Drawn drawn = draw_.next(arithmetic);
  session.begin_part("masking the weights");
  mask(arithmetic, parameters);
  lend(parameters, model_);
  const Tensor z = model_.forward(arithmetic, drawn.x, Pass::kTraining);
  session.begin_part("loss");
  LossOptions options;
  options.factor = gradients_.loss_factor();
  const Selection all = Selection::of(all_rows(draw_.rows()), draw_.rows());
  const auto loss = kind_of(objective_).make(arithmetic, drawn.y, all, options);
  const Tensor gradient = loss->of(arithmetic, z, Loss::Value::kNotWanted).gradient;
  model_.backward(arithmetic, arithmetic.is_value(gradient) ? gradient : arithmetic.refreshed(gradient));
  session.begin_part("clipping");
  const Tensors sums = gradients_.of(arithmetic, model_.records(), drawn.counted);
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].gradient = sums[i];
  model_.forget();
}

}  // namespace tacit::gnn
