// PlainTrainer — the plaintext reference (twin) of Trainer: the same plan, model and initial
// weights, in double precision on plain data.
#pragma once

#include <functional>
#include <memory>

#include "gnn/plain/plain_metric.h"
#include "gnn/plain/plain_model.h"
#include "gnn/train/public_views.h"
#include "gnn/train/trainer.h"

namespace tacit::gnn {

struct PlainData {
  Matrix x;
  Matrix y;  // for all nodes: targets, or 1 in the column of the class
  Edges edges;
  Rows train, validation, test;
  bool private_graph = false;  // training reads all nodes
  Matrix unit = {};            // a row with the unit of each column of y, for metrics; empty: metrics are in deviations
  std::vector<std::int64_t> graphs = {};  // as in GraphData
  // Of a job that learns links: the labelled pairs (link_pairs.h), to which y, train, validation and test belong.
  Edges pairs = {};

  const Rows& nodes(Part part) const {
    return part == Part::kTrain ? train : part == Part::kValidation ? validation : test;
  }
};

class PlainTrainer {
 public:
  PlainTrainer(const TrainingPlan& plan, PlainData data);
  PlainTrainer(const PlainTrainer&) = delete;
  PlainTrainer& operator=(const PlainTrainer&) = delete;

  // Trains. Events have losses, readings and seconds, but no costs and no process usage, since an
  // epoch may take less time than a query of the usage.
  void run(const std::function<void(const EpochEvent&)>& on_epoch = {});
  // Predicts by the best model after a training that stopped early and keeps it.
  Matrix predictions();
  const std::vector<NamedMatrix>& parameters() const { return parameters_; }

 private:
  struct Batch {
    Matrix x, y;    // input rows and output rows of the view
    Rows labelled;  // the labelled rows among the output rows
    PlainModel model;
  };

  PlainLoss step(Batch& batch, double rate);
  // The metrics that are due, or the metrics that are not.
  void evaluate(EpochEvent& event, bool due);
  bool is_better(const Judged& judged, const Progress& progress, const EpochEvent& event) const;
  void judge(const EpochEvent& event);
  void go_back(EpochEvent& event);

  TrainingPlan plan_;
  PlainData data_;
  PublicViews views_;
  std::vector<NamedMatrix> parameters_;
  PlainModel whole_model_;
  Matrix y_of_subjects_;  // in the order of predictions()
  std::vector<Batch> batches_;
  std::int64_t largest_batch_ = 0;  // labelled nodes
  std::unique_ptr<PlainOptimiser> optimiser_;
  Progress progress_, plateau_;
  std::int64_t reductions_ = 0;
  bool stopped_ = false;
  struct Best {
    std::int64_t epoch = 0;
    std::vector<NamedMatrix> parameters;
  };
  std::optional<Best> best_;
  std::optional<Best> before_;  // before the epoch's steps
  std::int64_t passes_ = 0;     // training passes so far
  PlainLossOptions loss_;
};

}  // namespace tacit::gnn
