#include "gnn/train/private_steps.h"

#include "gnn/loss/losses.h"
#include "gnn/train/node_outputs.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

Tensor in_narrow_ring(const Tensor& x, int ring_bits) {
  return x.format().ring_bits <= ring_bits ? x : Tensor(mpc::narrow(x.share(), ring_bits), x.bound(), x.name());
}

}  // namespace

PrivateSteps::PrivateSteps(const mpc::Session& session, const TrainingPlan& plan, RecordSource source)
    : objective_(plan.objective),
      gradients_(plan, source.privacy, {source.features, source.labels}),
      draw_(session, std::move(source), plan.ranges.features),
      view_(GraphView::of_rows(plan.model, all_rows(draw_.rows()), draw_.rows())),
      model_(plan.model, draw_.features(), view_, plan.seed, gradients_.layers()) {}

void PrivateSteps::take_gradients(Arithmetic& arithmetic, std::vector<Parameter>& parameters) {
  mpc::Session& session = arithmetic.session();
  session.begin_part("drawing records");
  const RecordDraw::Drawn drawn = draw_.next(arithmetic);
  session.begin_part("masking the weights");
  mask(arithmetic, parameters);
  lend(parameters, model_);
  const Tensor z =
      model_.forward(arithmetic, in_narrow_ring(drawn.x, gradients_.layers().front().rings.inputs), Pass::kTraining);
  session.begin_part("loss");
  LossOptions options;
  options.factor = gradients_.loss_factor();
  options.valued = false;
  const Selection all = Selection::of(all_rows(draw_.rows()), draw_.rows());
  const auto loss = kind_of(objective_).make(arithmetic, drawn.y, all, options);
  const Tensor gradient = loss->of(arithmetic, z, Loss::Value::kNotWanted).gradient;
  const Tensor value = arithmetic.is_value(gradient) ? gradient : arithmetic.refreshed(gradient);
  model_.backward(arithmetic, in_narrow_ring(value, gradients_.layers().back().rings.gradients));
  session.begin_part("clipping");
  const Tensors sums = gradients_.of(arithmetic, model_.records(), drawn.counted);
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].gradient = sums[i];
  model_.forget();
}

}  // namespace tacit::gnn
