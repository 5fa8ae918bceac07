#include "gnn/train/predictions.h"

#include <fmt/format.h>

#include "gnn/arithmetic/likeliest.h"
#include "gnn/arithmetic/sharing.h"
#include "gnn/arithmetic/softmax.h"

namespace tacit::gnn {

namespace {

constexpr const char* kProbabilities = "probabilities";

std::string name_of_values(const TrainingPlan& plan) {
  return plan.named_classes == 1 ? "predictions" : fmt::format("{} likeliest classes", plan.named_classes);
}

}  // namespace

bool tells_predictions(const TrainingPlan& plan) { return plan.predictions_to || plan.probabilities_to; }

std::vector<std::string> names_of_predictions(const TrainingPlan& plan) {
  std::vector<std::string> names;
  if (plan.predictions_to) names.push_back(name_of_values(plan));
  if (plan.probabilities_to) names.emplace_back(kProbabilities);
  return names;
}

Predictions reveal_predictions(Arithmetic& arithmetic, const TrainingPlan& plan, const std::optional<TargetUnit>& unit,
                               const std::function<Tensor()>& outputs, const OncePerName& once,
                               const std::function<void()>& audit) {
  mpc::Session& session = arithmetic.session();
  std::optional<Tensor> known;
  const auto z = [&] {
    if (!known) known = outputs();
    return *known;
  };
  const auto told = [&](const std::string& name, const mpc::To& to, const std::function<Tensor()>& compute) {
    session.begin_part("predicting");
    const Tensor value = once(name, [&] {
      const Tensor found = compute();
      audit();
      session.begin_part("predicting");
      return found;
    });
    const mpc::Public seen = reveal(arithmetic, value, to, name);
    std::optional<Matrix> revealed;
    session.output([&](const mpc::PublicReader& read) {
      if (read.seen(seen)) revealed = read(seen);
    });
    return revealed;
  };
  Predictions predictions;
  if (plan.predictions_to) {
    const bool classes = kind_of(plan.objective).of_classes;
    predictions.values = told(name_of_values(plan), *plan.predictions_to, [&] {
      if (classes) return likeliest_classes(arithmetic, z(), plan.named_classes);
      return unit ? unit->of(arithmetic, z()) : z();
    });
    if (predictions.values && unit) predictions.values = times_powers(*predictions.values, unit->exponents);
  }
  if (plan.probabilities_to) {
    predictions.probabilities =
        told(kProbabilities, *plan.probabilities_to, [&] { return softmax(arithmetic, z(), false).probability; });
  }
  return predictions;
}

}  // namespace tacit::gnn
