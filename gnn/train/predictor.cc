#include "gnn/train/predictor.h"

#include "gnn/optimiser/optimiser.h"
#include "gnn/train/range_left.h"

namespace tacit::gnn {

namespace {

void expect_fit(const Arithmetic& arithmetic, const TrainingPlan& plan, std::int64_t inputs,
                const Tensors& parameters) {
  const std::vector<NamedMatrix> expected = initial_parameters(plan.model, inputs, plan.seed);
  bool fits = parameters.size() == expected.size();
  for (std::size_t i = 0; fits && i < parameters.size(); ++i) {
    fits = parameters[i].shape() == mpc::shape_of(expected[i].values) &&
           parameters[i].format().fraction_bits == arithmetic.top().fraction_bits;
  }
  if (!fits)
    throw ConfigError("the checkpoint has the parameters of another model; predict with the job that saved it");
}

}  // namespace

Predictor::Predictor(mpc::Session& session, const TrainingPlan& plan, PredictionGraph graph, Tensors parameters)
    : session_(session), plan_(plan), graph_(std::move(graph)), arithmetic_(session, plan.top, plan.ranges) {
  session.begin_part("preparing the model");
  expect_fit(arithmetic_, plan_, graph_.x.shape().cols, parameters);
  arithmetic_.watch_with(graph_.audit.get());
  for (Tensor& value : parameters) value = value.within(plan.ranges.weights).watched_as(Watched::kWeights);
  for (const Tensor& value : in_ring_of_parameters(arithmetic_, std::move(parameters))) {
    parameters_.push_back({value, {}});
  }
  narrow(parameters_, graph_.parameter_rings);
  nodes_ = NodeOutputs(arithmetic_, plan_, graph_.x, graph_.views);
}

Tensor Predictor::outputs() {
  mask(arithmetic_, parameters_);
  return nodes_.outputs(arithmetic_, parameters_);
}

void Predictor::audit() {
  if (!graph_.audit) return;
  session_.begin_part("range watch");
  const std::vector<Watched> left = groups_that_left(arithmetic_, *graph_.audit);
  if (!left.empty()) throw RangeLeft(sentence_of_prediction(left, plan_));
  audited_ = true;
}

Predictions Predictor::reveal_predictions(const OncePerName& once) {
  return gnn::reveal_predictions(
      arithmetic_, plan_, graph_.target_unit, [this] { return outputs(); }, once, [this] { audit(); });
}

SharedPredictions Predictor::share_predictions(const OncePerName& once) {
  return gnn::share_predictions(
      arithmetic_, plan_, graph_.target_unit, [this] { return outputs(); }, once, [this] { audit(); });
}

Predictions Predictor::reveal_rows(const SharedPredictions& shared, const Rows& rows, int rank) {
  return gnn::reveal_rows(arithmetic_, plan_, graph_.target_unit, shared, rows, rank);
}

std::vector<NamedMatrix> Predictor::reveal_model(const OncePerName& once) {
  if (graph_.audit && plan_.model_to && !audited_) {
    session_.begin_part("range watch");
    mask(arithmetic_, parameters_);
    audit();
  }
  return revealed_model(arithmetic_, plan_, parameters_, graph_.fold, once);
}

}  // namespace tacit::gnn
