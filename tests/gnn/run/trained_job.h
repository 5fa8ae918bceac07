// Trained — a training of a sample job with checkpoints, and then predictions by them, each in a session of its own.
#pragma once

#include "gnn/data/preparation.h"
#include "gnn/data/several_graphs.h"
#include "gnn/data/split.h"
#include "gnn/plain/plain_model.h"
#include "gnn/run/planned_prediction.h"
#include "gnn/run/planned_service.h"
#include "gnn/run/prediction_run.h"
#include "gnn/train/target_scale.h"
#include "tests/gnn/checkpoint/sample_store.h"
#include "tests/gnn/run/sample_jobs.h"
#include "tests/net/meshes.h"

namespace tacit::gnn {

inline Matrix dense(const GraphData& graph) { return graph.sparse_x ? graph.sparse_x->dense() : *graph.x; }

class Trained {
 public:
  Trained(Job job, int parties) : job_(std::move(job)), parties_(parties) {
    job_.training.checkpoint_every = job_.training.epochs;
    over_mesh([&](net::Mesh& mesh) {
      const std::optional<GraphData> own = part_at(mesh, job_.whole, job_.data.ownership);
      RunOptions options;
      if (own) options.checkpoints = store(mesh.rank());
      const RunResult result = run_training(mesh, job_.data, job_.training, own ? &*own : nullptr, options);
      if (mesh.rank() == 0) model_ = result.model;
    });
    job_.training.model_to.reset();
  }

  Job& job() { return job_; }
  const Job& job() const { return job_; }
  int parties() const { return parties_; }
  std::vector<RunResult> predicted(const GraphData& data, const std::optional<Rows>& nodes = {}, int asker = 0) const {
    return predicted(data, ownership_of_prediction(job_.data.ownership), nodes, asker);
  }
  // `split`: which nodes of the data each rank owns.
  std::vector<RunResult> predicted(const GraphData& data, const Ownership& split, const std::optional<Rows>& nodes,
                                   int asker) const {
    std::vector<RunResult> results(static_cast<std::size_t>(parties_) + 1);
    over_mesh([&](net::Mesh& mesh) {
      const std::optional<GraphData> own = part_at(mesh, data, split);
      PredictionOptions options;
      options.other_data = true;
      if (own) options.checkpoints = store(mesh.rank());
      if (own) options.checkpoints->data.fill(std::byte{9});
      if (mesh.rank() == asker) options.nodes = nodes;
      if (mesh.rank() == asker) options.on_note = [&](const std::string& note) { notes_.push_back(note); };
      results[static_cast<std::size_t>(mesh.rank())] =
          run_prediction(mesh, job_.data, job_.training, own ? &*own : nullptr, options);
    });
    return results;
  }

  const std::vector<std::string>& notes() const { return notes_; }  // to the ranks that asked for predictions

  PlannedService planned_service_cost(const GraphData& data, int asker, std::int64_t nodes, int rank) const {
    return planned_service(job_.data, job_.training, agreement(data, std::nullopt),
                           {parties_, rank, net::AllReducePlan::unmeasured(parties_), 0}, asker, nodes);
  }
  mpc::Cost planned(const GraphData& data, const std::optional<Rows>& nodes, int rank) const {
    return planned_prediction(job_.data, job_.training, agreement(data, nodes),
                              {parties_, rank, net::AllReducePlan::unmeasured(parties_), 0})
        .total()
        .cost;
  }

  // The outputs of the trained model in double precision, and the same in the targets' own unit.
  Matrix plain_outputs(const GraphData& data) const {
    Matrix x = dense(data), trained = dense(job_.whole);
    if (job_.data.fills_features()) {
      trained = filled(trained);
      x = filled(x, trained.colwise().mean());
    }
    if (job_.data.features == FeatureScaling::kStandardise) x = standardised(x, trained);
    if (job_.data.features == FeatureScaling::kRowSum) x = with_rows_of_sum_1(x);
    const Edges edges = edges_between_rows(data);
    const Rows subjects = data.pairs ? all_rows(data.pairs->size()) : subjects_of(data.nodes, data.graphs);
    const LayeredGraph graph =
        layered(job_.training.model, adjacencies_of(job_.training.model, edges, data.nodes, data.graphs), subjects,
                data.pairs.value_or(Edges()));
    PlainModel model(job_.training.model, x.cols(), graph, model_, 1);
    return model.forward(x(graph.rows.front(), Eigen::all), Pass::kEvaluation);
  }
  Matrix in_own_unit(const Matrix& z) const {
    const Statistics telling = statistics_of(targets_of_scale(job_.data, job_.whole));
    return (z.array().rowwise() * telling.deviation.row(0).array()).rowwise() + telling.mean.row(0).array();
  }
  double deviation() const { return statistics_of(targets_of_scale(job_.data, job_.whole)).deviation(0, 0); }

  void over_mesh(const std::function<void(net::Mesh&)>& run) const {
    net::run_ranks(net::mesh_kind("Memory").make(parties_, 1), run);
  }
  // Runs `act` at each rank with its part of the data, and with the options of a prediction of other data.
  using Act = std::function<void(net::Mesh&, const GraphData*, const PredictionOptions&)>;
  void at_rank(net::Mesh& mesh, const GraphData& data, const Act& act) const {
    const std::optional<GraphData> own = part_at(mesh, data, ownership_of_prediction(job_.data.ownership));
    PredictionOptions options;
    options.other_data = true;
    if (own) options.checkpoints = store(mesh.rank());
    if (own) options.checkpoints->data.fill(std::byte{9});
    act(mesh, own ? &*own : nullptr, options);
  }

 private:
  PredictionAgreement agreement(const GraphData& data, const std::optional<Rows>& nodes) const {
    std::vector<GraphData> parts;
    for (int party = 0; party < parties_; ++party) {
      const GraphData part = part_of(data, ownership_of_prediction(job_.data.ownership), party, parties_);
      parts.push_back(part_of_prediction(part, job_.data.ownership, party));
    }
    return prediction_agreement_of(job_.data, job_.training, parts, nodes);
  }
  std::optional<GraphData> part_at(const net::Mesh& mesh, const GraphData& data, const Ownership& split) const {
    if (!mesh.world().is_party()) return std::nullopt;
    return part_of(data, split, mesh.rank(), parties_);
  }
  StoreOptions store(int rank) const {
    StoreOptions options = folder_.options(rank);
    options.parties = parties_;
    return options;
  }

  SampleFolder folder_;
  Job job_;
  int parties_;
  std::vector<NamedMatrix> model_;
  mutable std::vector<std::string> notes_;
};

// Other nodes than in the training: two in five of the training's nodes, with other features and the edges between them; the
// last one has no edge.
inline GraphData other_data(const GraphData& whole) {
  GraphData data;
  data.snapshots = whole.snapshots;
  data.nodes = whole.graph_nodes() * 2 / 5 * whole.snapshots;
  data.x = 0.9 * dense(whole).topRows(data.nodes);
  data.x->col(0) *= 1.05;
  data.missing_features = whole.missing_features;
  if (whole.pairs) data.pairs = Edges{{0, 5, 9, 30}, {1, 2, 40, 31}};
  if (!whole.graphs.empty()) data.graphs.assign(whole.graphs.begin(), whole.graphs.begin() + data.nodes);
  if (!whole.edges) return data;
  data.edges.emplace();
  for (std::size_t e = 0; e < whole.edges->from.size(); ++e) {
    const std::int64_t from = whole.edges->from[e], to = whole.edges->to[e];
    if (std::max(from, to) >= data.graph_nodes() - 1) continue;
    data.edges->add(*whole.edges, e);
  }
  return data;
}

}  // namespace tacit::gnn
