// Rehearsal — an attacker's copy of a training, in the clear: the attacker knows the recipe of the model, and trains models of
// the same kind on other records.
#pragma once

#include <optional>
#include <vector>

#include "gnn/graph/graph_view.h"
#include "gnn/plain/plain_trainer.h"
#include "gnn/plan/training_plan.h"

namespace tacit::gnn {

class Rehearsal {
 public:
  // `noise`: of a private training, between a record and an observer of the model, in units of the clip. Throws ConfigError
  // for data without labels.
  Rehearsal(TrainingPlan plan, PlainData data, std::optional<double> noise);

  const PlainData& data() const { return data_; }
  const TrainingPlan& plan() const { return plan_; }
  bool of_classes() const { return kind_of(plan_.objective).of_classes; }

  // The outputs of a model for all records; and for these features in their place.
  Matrix outputs(const std::vector<NamedMatrix>& parameters) const { return outputs(parameters, data_.x); }
  Matrix outputs(const std::vector<NamedMatrix>& parameters, const Matrix& x) const;
  // A model that is trained on these records, as the plan says; and one that is not trained.
  std::vector<NamedMatrix> trained(const Rows& records, std::uint64_t seed) const;
  std::vector<NamedMatrix> untrained(std::uint64_t seed) const;

  // How well the outputs fit each record's label: the log-odds of its class, or the negative squared error of its targets.
  std::vector<double> fit(const Matrix& outputs) const;
  // The part of `records` with a right class, or the root of their mean squared error.
  double score(const Matrix& outputs, const Rows& records) const;
  // The score() of a constant answer: the commonest class among the training's records, or their mean.
  double constant_answer(const Rows& records) const;

 private:
  TrainingPlan plan_;
  PlainData data_;
  std::optional<double> noise_;
  LayeredGraph graph_;
  std::vector<std::int64_t> classes_;  // of each record
};

}  // namespace tacit::gnn
