#include "gnn/train/predictions.h"

#include <fmt/format.h>

#include "gnn/arithmetic/likeliest.h"
#include "gnn/arithmetic/rearranged.h"
#include "gnn/arithmetic/sharing.h"
#include "gnn/arithmetic/softmax.h"

namespace tacit::gnn {

namespace {

constexpr const char *kProbabilities = "probabilities", *kPart = "predicting";

std::string name_of_values(const TrainingPlan& plan) {
  return plan.named_classes == 1 ? "predictions" : fmt::format("{} likeliest classes", plan.named_classes);
}

// Computes each value that the plan reveals, unless it was revealed before.
class Computing {
 public:
  Computing(Arithmetic& arithmetic, const TrainingPlan& plan, const std::optional<TargetUnit>& unit,
            const std::function<Tensor()>& outputs, const OncePerName& once, const std::function<void()>& audit)
      : arithmetic_(arithmetic), plan_(plan), unit_(unit), outputs_(outputs), once_(once), audit_(audit) {}

  Tensor values() {
    return audited(name_of_values(plan_), [&] {
      if (kind_of(plan_.objective).of_classes) return likeliest_classes(arithmetic_, z(), plan_.named_classes);
      return unit_ ? unit_->of(arithmetic_, z()) : z();
    });
  }
  Tensor probabilities() {
    return audited(kProbabilities, [&] { return softmax(arithmetic_, z(), false).probability; });
  }

 private:
  const Tensor& z() {
    if (!known_) known_ = outputs_();
    return *known_;
  }

  Tensor audited(const std::string& name, const std::function<Tensor()>& compute) {
    mpc::Session& session = arithmetic_.session();
    session.begin_part(kPart);
    return once_(name, [&] {
      const Tensor found = compute();
      audit_();
      session.begin_part(kPart);
      return found;
    });
  }

  Arithmetic& arithmetic_;
  const TrainingPlan& plan_;
  const std::optional<TargetUnit>& unit_;
  const std::function<Tensor()>& outputs_;
  const OncePerName& once_;
  const std::function<void()>& audit_;
  std::optional<Tensor> known_;
};

std::optional<Matrix> revealed(Arithmetic& arithmetic, const Tensor& value, const mpc::To& to,
                               const std::string& name) {
  const mpc::Public seen = reveal(arithmetic, value, to, name);
  std::optional<Matrix> matrix;
  arithmetic.session().output([&](const mpc::PublicReader& read) {
    if (read.seen(seen)) matrix = read(seen);
  });
  return matrix;
}

void into_own_unit(std::optional<Matrix>& values, const std::optional<TargetUnit>& unit) {
  if (values && unit) values = times_powers(*values, unit->exponents);
}

// A probability on shares is off by a few units of its last bit: below 0, above 1, in rows that add up to nearly 1.
void into_distributions(std::optional<Matrix>& probabilities) {
  if (!probabilities) return;
  *probabilities = probabilities->cwiseMax(0.0).cwiseMin(1.0);
  const Eigen::VectorXd sums = probabilities->rowwise().sum();
  for (Eigen::Index row = 0; row < sums.size(); ++row) {
    if (sums[row] > 0) probabilities->row(row) /= sums[row];
  }
}

bool reaches(const std::optional<mpc::To>& to, int rank) {
  return to && (*to == mpc::To::everyone() || to->party == rank);
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
  Computing compute(arithmetic, plan, unit, outputs, once, audit);
  Predictions predictions;
  if (plan.predictions_to) {
    predictions.values = revealed(arithmetic, compute.values(), *plan.predictions_to, name_of_values(plan));
    into_own_unit(predictions.values, unit);
  }
  if (plan.probabilities_to) {
    predictions.probabilities = revealed(arithmetic, compute.probabilities(), *plan.probabilities_to, kProbabilities);
    into_distributions(predictions.probabilities);
  }
  return predictions;
}

SharedPredictions share_predictions(Arithmetic& arithmetic, const TrainingPlan& plan,
                                    const std::optional<TargetUnit>& unit, const std::function<Tensor()>& outputs,
                                    const OncePerName& once, const std::function<void()>& audit) {
  Computing compute(arithmetic, plan, unit, outputs, once, audit);
  SharedPredictions shared;
  if (plan.predictions_to) shared.values = compute.values();
  if (plan.probabilities_to) shared.probabilities = compute.probabilities();
  return shared;
}

bool tells_predictions_to(const TrainingPlan& plan, int rank) {
  return reaches(plan.predictions_to, rank) || reaches(plan.probabilities_to, rank);
}

Predictions reveal_rows(Arithmetic& arithmetic, const TrainingPlan& plan, const std::optional<TargetUnit>& unit,
                        const SharedPredictions& shared, const Rows& rows, int rank) {
  const mpc::To to = mpc::To::rank(rank);
  const auto some = [&](const Tensor& all) { return placed(arithmetic, picking(rows, all.shape().rows), all); };
  Predictions predictions;
  if (reaches(plan.predictions_to, rank)) {
    predictions.values = revealed(arithmetic, some(shared.values.value()), to, name_of_values(plan));
    into_own_unit(predictions.values, unit);
  }
  if (reaches(plan.probabilities_to, rank)) {
    predictions.probabilities = revealed(arithmetic, some(shared.probabilities.value()), to, kProbabilities);
    into_distributions(predictions.probabilities);
  }
  return predictions;
}

}  // namespace tacit::gnn
