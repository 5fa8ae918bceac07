#include "gnn/train/share_graph.h"

#include <cmath>
#include <numeric>

#include "gnn/data/preparation.h"
#include "gnn/graph/dense_propagator.h"
#include "gnn/graph/secret_adjacency.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

using Kind = PartOwnership::Kind;
using mpc::Share;

class Sharing {
 public:
  Sharing(mpc::Session& session, const DataPlan& data, const TrainingPlan& training, const DataAgreement& agreement,
          const PartOf& part_of)
      : session_(session),
        data_(data),
        training_(training),
        agreement_(agreement),
        part_of_(part_of),
        arithmetic_(session, training.top, training.ranges) {
    for (int rank = 0; rank < session.parties() && any_part_ == nullptr; ++rank) any_part_ = part_of(rank);
  }

  SecretGraph graph() {
    session_.set_step("sharing the data");
    const Ranges& ranges = training_.ranges;
    SecretGraph graph;
    const auto x = [&](const GraphData& part) { return features(part); };
    const auto y = [&](const GraphData& part) { return labels(part); };
    const std::int64_t nodes = agreement_.shapes.nodes;
    graph.x = {joined(data_.ownership.features, agreement_.shapes.x, {nodes, agreement_.shapes.features}, x, "x"),
               ranges.features, "x"};
    const std::int64_t columns = data_.classes > 0 ? data_.classes : agreement_.shapes.targets;
    graph.y = {joined(data_.ownership.labels, label_blocks(columns), {nodes, columns}, y, "y"), ranges.features, "y"};
    if (data_.standardise && data_.classes == 0) graph.y_unit = unit(columns);
    add_views(graph);
    graph.split = split_of(agreement_, any_part_);
    return graph;
  }

 private:
  Matrix features(const GraphData& part) const {
    const Matrix x = part.sparse_x ? part.sparse_x->dense() : *part.x;
    return data_.standardise && !part.sparse_x ? standardised(x) : x;
  }

  Matrix labels(const GraphData& part) const {
    if (data_.classes > 0) return one_hot(*part.classes, data_.classes);
    return data_.standardise ? standardised(*part.targets) : *part.targets;
  }

  // Those of y, but of classes a column for each.
  std::vector<Block> label_blocks(std::int64_t columns) const {
    std::vector<Block> blocks = agreement_.shapes.y;
    for (Block& block : blocks) {
      if (data_.classes > 0 && !block.empty()) block.cols = columns;
    }
    return blocks;
  }

  // From the owners' blocks.
  template <typename Values>
  Share joined(const PartOwnership& ownership, const std::vector<Block>& blocks, Shape whole, const Values& values,
               const std::string& name) {
    if (ownership.kind == Kind::kPublic) {
      const Matrix nobodys = Matrix::Zero(whole.rows, whole.cols);
      return session_.constant(any_part_ == nullptr ? nobodys : values(*any_part_), training_.top, name);
    }
    std::optional<Share> all;
    for (int rank = 0; rank < session_.parties(); ++rank) {
      const Block& block = blocks[static_cast<std::size_t>(rank)];
      if (block.empty()) continue;
      const GraphData* part = part_of_(rank);
      const Matrix mine = part == nullptr ? Matrix() : values(*part);
      Share share = session_.input(rank, block.shape(), training_.top, part == nullptr ? nullptr : &mine, name);
      if (block.rows < whole.rows) {
        Rows rows(static_cast<std::size_t>(block.rows));
        std::iota(rows.begin(), rows.end(), block.first_row);
        share = mpc::matmul(picking(rows, whole.rows).transposed(), share, session_.workers());
        all = all ? *all + share : share;
      } else {
        all = all ? mpc::beside(*all, share) : share;
      }
    }
    return *all;
  }

  // What one standard deviation of each target is in its own unit: of the rank that holds the targets.
  Tensor unit(std::int64_t columns) {
    const auto values = [](const GraphData& part) -> Matrix { return deviations(*part.targets); };
    std::vector<Block> blocks = agreement_.shapes.y;
    for (Block& block : blocks) {
      if (!block.empty()) block.rows = 1;
    }
    return {joined(data_.ownership.labels, blocks, {1, columns}, values, "the targets' deviation"), kLargestUnit,
            "unit"};
  }
  static constexpr double kLargestUnit = 1 << 12;

  void add_views(SecretGraph& graph) {
    if (!data_.private_graph()) {
      PublicViews views = public_views(training_, agreement_, any_part_);
      graph.training = std::move(views.training);
      graph.whole = std::move(views.whole);
      return;
    }
    const std::int64_t nodes = agreement_.shapes.nodes;
    const mpc::Format whole_numbers{training_.top.ring_bits, 0};
    std::optional<Share> adjacency;
    for (int rank = 0; rank < session_.parties(); ++rank) {
      if (agreement_.shapes.edges[static_cast<std::size_t>(rank)] == 0) continue;
      const GraphData* part = part_of_(rank);
      const Matrix mine = part == nullptr ? Matrix() : dense_adjacency(*part->edges, nodes);
      const Share share =
          session_.input(rank, {nodes, nodes}, whole_numbers, part == nullptr ? nullptr : &mine, "edges");
      adjacency = adjacency ? *adjacency + share : share;
    }
    if (!adjacency) adjacency = session_.constant(Matrix::Zero(nodes, nodes), whole_numbers, "a graph without edges");
    GraphView::Propagators propagators;
    for (const LayerSpec& layer : training_.model.layers) {
      if (!layer.gathers() || propagators.contains(normalisation_of(layer))) continue;
      propagators[normalisation_of(layer)] =
          std::make_shared<DensePropagator>(normalised(arithmetic_, *adjacency, normalisation_of(layer)));
    }
    graph.training = GraphView::of_private(training_.model, propagators, nodes);
    graph.whole = GraphView::of_private(training_.model, propagators, nodes);
  }

  mpc::Session& session_;
  const DataPlan& data_;
  const TrainingPlan& training_;
  const DataAgreement& agreement_;
  const PartOf& part_of_;
  Arithmetic arithmetic_;
  const GraphData* any_part_ = nullptr;
};

}  // namespace

SecretGraph share_graph(mpc::Session& session, const DataPlan& data, const TrainingPlan& training,
                        const DataAgreement& agreement, const PartOf& part_of) {
  return Sharing(session, data, training, agreement, part_of).graph();
}

}  // namespace tacit::gnn
