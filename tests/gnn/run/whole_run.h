// outcome_of and twin_of — a whole run of a sample job on shares, and the same training at a holder of all data.
#pragma once

#include <gtest/gtest.h>

#include "gnn/data/preparation.h"
#include "gnn/data/split.h"
#include "gnn/plain/plain_trainer.h"
#include "gnn/run/prediction_run.h"
#include "gnn/train/target_scale.h"
#include "tests/gnn/run/sample_jobs.h"
#include "tests/net/meshes.h"

namespace tacit::gnn {

// A training or prediction over memory, each rank with its part of the job's data.
struct Outcome {
  std::vector<double> losses;   // at rank 0
  std::vector<double> seconds;  // for all epochs together, at each rank
  std::vector<RunResult> ranks;
};

using OptionsOf = std::function<RunOptions(int rank)>;
using RunOf = RunResult (*)(net::Mesh&, const DataPlan&, const TrainingPlan&, const GraphData*, const RunOptions&);

inline RunResult predicted_by(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own,
                              const RunOptions& options) {
  PredictionOptions same;
  static_cast<RunOptions&>(same) = options;
  return run_prediction(mesh, data, training, own, same);
}

inline Outcome outcome_of(const Job& job, int parties, const OptionsOf& options_of = {}, RunOf run = run_training) {
  Outcome outcome;
  outcome.ranks.resize(static_cast<std::size_t>(parties) + 1);
  outcome.seconds.resize(outcome.ranks.size());
  net::run_ranks(net::mesh_kind("Memory").make(parties, job.training.has_dealer() ? 1 : 0), [&](net::Mesh& mesh) {
    std::optional<GraphData> own;
    if (mesh.world().is_party()) own = part_of(job.whole, job.data.ownership, mesh.rank(), parties);
    RunOptions options = options_of ? options_of(mesh.rank()) : RunOptions{};
    options.on_epoch = [&](const EpochEvent& event) {
      outcome.seconds[static_cast<std::size_t>(mesh.rank())] += event.usage.seconds;
      if (mesh.rank() != 0) return;
      if (event.loss) outcome.losses.push_back(*event.loss);
      if (job.training.is_pairwise()) return;  // a maker works ahead, so its messages belong to no epoch
      std::int64_t sent = 0;                   // to parties
      for (int rank = 0; rank < parties; ++rank)
        sent += event.traffic->peers[static_cast<std::size_t>(rank)].payload_sent;
      EXPECT_EQ(sent, event.cost.bytes) << "epoch " << event.epoch;
    };
    outcome.ranks[static_cast<std::size_t>(mesh.rank())] =
        run(mesh, job.data, job.training, own ? &*own : nullptr, options);
  });
  return outcome;
}

// The results of a holder of all data.
struct Twin {
  std::vector<double> losses;
  std::vector<NamedMatrix> model;
  double reading = 0;
  Matrix predictions;  // in the targets' own unit, or classes
  Matrix logits;       // of classes
};

inline Twin twin_of(const Job& job) {
  const GraphData& whole = job.whole;
  const bool classes = job.data.classes > 0;
  const Matrix held = whole.sparse_x ? whole.sparse_x->dense() : *whole.x;
  const Matrix x = job.data.fills_features() ? filled(held) : held;
  PlainData data{classes ? with_rows_of_sum_1(x) : standardised(x),
                 classes ? one_hot(*whole.classes, job.data.classes)
                         : standardised(*whole.targets, targets_of_scale(job.data, whole)),
                 edges_between_rows(whole),
                 rows_where(whole.train_mask),
                 rows_where(whole.val_mask),
                 rows_where(whole.test_mask),
                 job.data.private_graph() || job.data.private_masks(),
                 {},
                 whole.graphs};
  PlainTrainer trainer(job.training, data);
  Twin twin;
  trainer.run([&](const EpochEvent& event) {
    twin.losses.push_back(*event.loss);
    if (event.last) twin.reading = event.readings[0].value;
  });
  twin.model = trainer.parameters();
  const Matrix z = trainer.predictions();
  if (classes) {
    twin.logits = z;
    twin.predictions = Matrix(z.rows(), 1);
    for (Eigen::Index row = 0; row < z.rows(); ++row) {
      Eigen::Index likeliest = 0;
      z.row(row).maxCoeff(&likeliest);
      twin.predictions(row, 0) = static_cast<double>(likeliest);
    }
  } else {
    const Matrix telling = targets_of_scale(job.data, whole);
    const double unit = deviations(telling)(0);
    twin.reading *= unit;
    twin.predictions = (z * unit).array() + telling.mean();
  }
  return twin;
}

// `tested`: the number of nodes or graphs of the accuracy. A single node may lie between two classes.
inline void expect_like(const Outcome& outcome, const Twin& twin, bool classes, std::int64_t tested) {
  ASSERT_EQ(outcome.losses.size(), twin.losses.size());
  for (std::size_t i = 0; i < twin.losses.size(); ++i) {
    EXPECT_NEAR(outcome.losses[i], twin.losses[i], 1e-2 * twin.losses[i]) << "epoch " << i + 1;
  }
  const RunResult& first = outcome.ranks[0];
  ASSERT_EQ(first.readings.size(), 1);
  EXPECT_NEAR(first.readings[0].value, twin.reading,
              classes ? std::max(0.06, 1.01 / static_cast<double>(tested)) : 0.01 * twin.reading);
  ASSERT_EQ(first.model.size(), twin.model.size());
  for (std::size_t i = 0; i < twin.model.size(); ++i) {
    EXPECT_EQ(first.model[i].name, twin.model[i].name);
    const Matrix& expected = twin.model[i].values;
    // A ReLU unit at its edge is active or not, depending on rounding.
    EXPECT_LE((first.model[i].values - expected).cwiseAbs().maxCoeff(), 0.1 * (1 + expected.cwiseAbs().maxCoeff()))
        << twin.model[i].name;
  }
  ASSERT_TRUE(outcome.ranks[1].predictions.values);
  const Matrix difference = *outcome.ranks[1].predictions.values - twin.predictions;
  if (classes) {
    // The logits on shares differ from the twin's by a few hundredths, so another class may win where two are as close.
    constexpr double kClose = 0.1;
    for (Eigen::Index row = 0; row < difference.rows(); ++row) {
      const auto named = static_cast<Eigen::Index>((*outcome.ranks[1].predictions.values)(row, 0));
      EXPECT_GE(twin.logits(row, named), twin.logits.row(row).maxCoeff() - kClose) << "row " << row;
    }
    EXPECT_LE((difference.array() != 0).count(), difference.size() / 10);
  } else {
    EXPECT_LE(difference.cwiseAbs().maxCoeff(), 0.03 * twin.reading);
  }
}

}  // namespace tacit::gnn
