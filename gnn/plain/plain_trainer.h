// PlainTrainer — the twin of Trainer: the same plan, model and initial weights in double precision, on plain data.
#pragma once

#include <functional>

#include "gnn/plain/plain_model.h"
#include "gnn/plain/plain_optimiser.h"
#include "gnn/train/trainer.h"

namespace tacit::gnn {

struct PlainData {
  Matrix x;
  Matrix y;  // targets, or 1 in the column of a node's class
  PlainGraph graph;
  Split split;
};

class PlainTrainer {
 public:
  PlainTrainer(const TrainingPlan& plan, const PlainData& data);

  // Events with losses and readings, but no cost.
  void run(const std::function<void(const EpochEvent&)>& on_epoch = {});
  Matrix predictions() { return model_.forward(data_.x, Pass::kEvaluation); }
  const std::vector<NamedMatrix>& parameters() { return model_.parameters(); }

 private:
  TrainingPlan plan_;
  PlainData data_;
  PlainModel model_;
  PlainOptimiser optimiser_;
};

// Of predictions and what they should be, over these rows.
double plain_metric(Metric metric, const Matrix& z, const Matrix& y, const Rows& rows);

}  // namespace tacit::gnn
