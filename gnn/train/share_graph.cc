#include "gnn/train/share_graph.h"

#include <array>
#include <map>

#include "gnn/arithmetic/column_scale.h"
#include "gnn/arithmetic/sharing.h"
#include "gnn/data/labels.h"
#include "gnn/data/preparation.h"
#include "gnn/train/batches.h"
#include "gnn/train/folded_model.h"
#include "gnn/train/share_links.h"
#include "gnn/train/shared_columns.h"
#include "gnn/train/shared_edges.h"
#include "gnn/train/target_check.h"
#include "gnn/train/target_scale.h"

namespace tacit::gnn {

namespace {

using Kind = PartOwnership::Kind;

class Sharing {
 public:
  Sharing(mpc::Session& session, const DataPlan& data, const TrainingPlan& training, const DataAgreement& agreement,
          const PartOf& part_of, const DataScale* resumed)
      : session_(session),
        data_(data),
        training_(training),
        agreement_(agreement),
        part_of_(part_of),
        columns_(session, data, training, agreement.holding, part_of),
        arithmetic_(columns_.arithmetic()),
        any_part_(columns_.any_part()) {
    if (resumed == nullptr) return;
    columns_.scale().features = resumed->features;
    columns_.scale().targets = resumed->targets;
  }

  SecretGraph graph() {
    columns_.begin_sharing();
    const double bound = training_.ranges.features;
    std::shared_ptr<mpc::RangeAudit> audit;
    if (training_.audit_every > 0) audit = std::make_shared<mpc::RangeAudit>(session_, kWatchedGroups);
    arithmetic_.watch_with(audit.get());
    const std::int64_t nodes = agreement_.holding.nodes;
    SecretGraph graph;
    graph.audit = audit;
    arithmetic_.begin_group(Watched::kFeatures);
    graph.x = columns_.features().within(bound);
    if (!training_.privacy) {
      const FactorRings rings = factor_rings(arithmetic_, training_.model, graph.x.shape().cols,
                                             graph.x.format().fraction_bits, edges_of(data_));
      graph.x = Arithmetic::in_ring(graph.x, rings.data);
      graph.parameter_rings = rings.parameters;
    }
    graph.x.watched_as(Watched::kFeatures);
    const PartOwnership& features = data_.ownership.features;
    const bool watched = data_.features == FeatureScaling::kStandardise && features.kind == Kind::kByRows;
    if (watched || features.kind == Kind::kPublic) graph.x.certain();
    if (data_.links) {
      add_fold_of_features(graph);
      arithmetic_.watch_with(nullptr);
      share_links(columns_, data_, training_, agreement_, graph);
      graph.scale = columns_.scale();
      return graph;
    }
    subjects_ = subjects(nodes, agreement_.holding.graphs, any_part_);
    const std::int64_t columns = data_.classes > 0 ? data_.classes : agreement_.holding.targets;
    arithmetic_.begin_group(Watched::kTargets);
    add_labels(graph, {nodes, columns}, bound);
    graph.y = rows_of(arithmetic_, graph.y, subjects_);
    // Targets are subtracted, never multiplied, and opened only for the range watch. Classes are 0 and 1.
    const PartOwnership& labels = data_.ownership.labels;
    const bool by_rows = labels.kind == Kind::kByRows && data_.standardise_targets;  // watched when they were scaled
    const bool targets = data_.classes == 0 && labels.kind != Kind::kPublic && !by_rows;
    if (targets && audit) arithmetic_.mask(std::array{graph.y.watched_as(Watched::kTargets)});
    add_fold_of_features(graph);
    arithmetic_.watch_with(nullptr);
    for (const Part part : {Part::kTrain, Part::kValidation, Part::kTest}) {
      Selection& selection = part == Part::kTrain        ? graph.train
                             : part == Part::kValidation ? graph.validation
                                                         : graph.test;
      selection =
          data_.private_masks() ? secret_selection(part) : Selection::of(public_places(part), std::ssize(subjects_));
    }
    if (!data_.has_graph()) {
      add_views_of_rows(graph);
    } else if (data_.private_graph()) {
      add_private_views(graph);
    } else {
      add_public_views(graph);
    }
    graph.scale = columns_.scale();
    return graph;
  }

 private:
  using Values = SharedColumns::Values;

  void add_labels(SecretGraph& graph, Shape shape, double bound) {
    const PartOwnership& ownership = data_.ownership.labels;
    const auto y = [&](const Values& values) {
      return columns_.joined(ownership, label_blocks(shape.cols), shape, values, "y");
    };
    if (data_.classes > 0) {
      graph.y = y([&](const GraphData& part) { return one_hot(*part.classes, data_.classes); });
    } else if (!data_.standardise_targets) {
      graph.y = y([](const GraphData& part) { return with_zeros_for_unknown(*part.targets); });
    } else if (ownership.kind == Kind::kByRows) {
      graph.y = targets_by_rows(shape).within(bound);
      add_unit(graph);
    } else {
      look_at_targets();
      graph.y = y([&](const GraphData& part) {
        return with_zeros_for_unknown(standardised(*part.targets, columns_.own(part).targets));
      });
      add_unit(graph);
    }
  }

  void add_fold_of_features(SecretGraph& graph) {
    if (data_.features != FeatureScaling::kStandardise || !folds(data_, training_)) return;
    arithmetic_.begin_group(Watched::kFeatures);
    graph.fold.features = unit_of_features(arithmetic_, data_.ownership.features, columns_.scale());
  }

  // Owners of whole targets know the means and deviations.
  void look_at_targets() {
    for (int rank = 0; rank < session_.parties(); ++rank) {
      const GraphData* part = part_of_(rank);
      if (part == nullptr || !part->targets) continue;
      const Matrix telling = targets_of_scale(data_, *part);
      check_unit(telling);
      columns_.own(*part).targets = statistics_of(telling);
    }
  }

  // If a value is revealed in the targets' own unit.
  void add_unit(SecretGraph& graph) {
    const bool folded = folds(data_, training_);
    if (!tells_in_own_unit(training_) && !folded) return;
    const TargetUnit unit = unit_of_targets(arithmetic_, data_.ownership.labels, columns_.scale());
    if (tells_in_own_unit(training_)) graph.target_unit = unit;
    if (folded) graph.fold.targets = unit;
  }

  Tensor targets_by_rows(Shape shape) {
    const std::vector<Block>& blocks = agreement_.holding.y;
    std::optional<DataScale::Shared>& known = columns_.scale().targets;
    if (!known) known = columns_.scale_of_targets(shape.cols);
    const DataScale::Shared& scale = *known;
    const Values values = [&](const GraphData& part) {
      return times_powers(with_zeros_for_unknown(*part.targets), scale.powers);
    };
    const Tensor raw = columns_.joined(data_.ownership.labels, blocks, shape, values, "y", Precision::kRaw);
    return agreement_.holding.all_labelled()
               ? standardised(arithmetic_, raw, scale.columns)
               : standardised(arithmetic_, raw, scale.columns, std::nullopt, labelled_column(blocks, shape.rows));
  }

  // A column with 1 for each node that has a label, and 0 for the others.
  Tensor labelled_column(std::vector<Block> blocks, std::int64_t nodes) {
    for (Block& block : blocks) block.cols = std::min<std::int64_t>(block.cols, 1);
    const Values ones = [](const GraphData& part) {
      Matrix column = Matrix::Zero(part.targets->rows(), 1);
      for (const std::int64_t row : labelled_rows(part)) column(row, 0) = 1;
      return column;
    };
    return columns_.joined(data_.ownership.labels, blocks, {nodes, 1}, ones, "labelled nodes", Precision::kRawWhole, 1);
  }

  // The blocks of y, but with a column for each class.
  std::vector<Block> label_blocks(std::int64_t columns) const {
    std::vector<Block> blocks = agreement_.holding.y;
    for (Block& block : blocks) {
      if (data_.classes > 0 && !block.empty()) block.cols = columns;
    }
    return blocks;
  }

  // Public masks; at the dealer as many rows, no matter which.
  Rows public_rows(Part part) const {
    return any_part_ == nullptr ? all_rows(agreement_.counts.of(part)) : gnn::rows_of(*any_part_, part);
  }

  // The same among the subjects.
  Rows public_places(Part part) const {
    const Rows rows = public_rows(part);
    return any_part_ == nullptr ? rows : positions(rows, subjects_);
  }

  // Every rank's own nodes, one after the other.
  Selection secret_selection(Part part) {
    const std::int64_t subjects = std::ssize(subjects_);
    const std::int64_t count = agreement_.counts.of(part);
    std::optional<Tensor> all;
    std::int64_t first = 0;
    for (int rank = 0; rank < session_.parties(); ++rank) {
      const std::int64_t own = agreement_.by_rank[static_cast<std::size_t>(rank)].of(part);
      if (own == 0) continue;
      const Block& block = agreement_.holding.masks[static_cast<std::size_t>(rank)];
      const auto chosen = [&](const GraphData& held) {
        Matrix rows = Matrix::Zero(count, subjects);
        Rows nodes = gnn::rows_of(held, part);
        for (std::int64_t& node : nodes) node += block.first_row;
        std::int64_t row = first;
        for (const std::int64_t place : positions(nodes, subjects_)) rows(row++, place) = 1;
        return rows;
      };
      const Tensor share = columns_.input_of(rank, {count, subjects}, Precision::kWhole, 1, chosen, "masks");
      all = all ? arithmetic_.sum(*all, share, 1) : share;
      first += own;
    }
    return all ? Selection::secret(*all) : Selection::of({}, subjects);
  }

  // By their numbers among the labelled nodes. A private training draws the records of each step (share_records.h).
  std::vector<Rows> batches() const {
    if (training_.privacy) return {};
    return batches_of(agreement_.counts.train, training_.batch, training_.seed);
  }

  // Without a graph, a batch reads its own rows, and a metric the rows of its part. Predictions are computed for blocks
  // of rows. If masks are secret, batches and metrics read all rows.
  void add_views_of_rows(SecretGraph& graph) {
    const std::int64_t nodes = agreement_.holding.nodes;
    const auto view = [&](Rows rows) { return GraphView::of_rows(training_.model, std::move(rows), nodes); };
    graph.whole = view(all_rows(nodes));
    graph.batches_apart = !data_.private_masks();
    const Rows train = data_.private_masks() ? Rows() : public_rows(Part::kTrain);
    bool small = true;  // every batch
    for (const Rows& batch : batches()) {
      const std::int64_t count = std::ssize(batch);
      if (data_.private_masks()) {
        graph.batches.push_back({graph.whole, graph.train.part(arithmetic_, batch)});
      } else {
        graph.batches.push_back({view(rows_at(train, batch)), Selection::of(all_rows(count), count)});
      }
      small = small && std::ssize(graph.batches.back().view.inputs()) <= nodes / 2;
    }
    if (!small || nodes <= rows_of_a_block(training_.model, graph.x.shape().cols)) return;
    const auto blocks_of = [&](const Rows& rows) {
      return blocks_of_rows(training_.model, rows, nodes, graph.x.shape().cols);
    };
    graph.blocks.emplace();
    for (const Revealed& what : training_.metrics) {
      if (!data_.private_masks()) graph.blocks->measured.try_emplace(what.part, blocks_of(public_rows(what.part)));
    }
    if (data_.private_masks() || tells_predictions(training_)) graph.blocks->all = blocks_of(all_rows(nodes));
  }

  void add_public_views(SecretGraph& graph) {
    const std::int64_t nodes = agreement_.holding.nodes;
    const auto view = [&](const LayeredGraph& part) {
      return GraphView::of_public(arithmetic_, training_.model, part, nodes, data_.edge_weights);
    };
    std::map<std::vector<std::int64_t>, GraphView> of_sizes;  // equal ones are shared: there may be a batch to a node
    const auto unknown = [&](const std::vector<std::int64_t>& sizes) {
      const auto at = of_sizes.find(sizes);
      if (at != of_sizes.end()) return at->second;
      const GraphView made = GraphView::of_sizes(arithmetic_, training_.model, nodes, sizes, data_.edge_weights);
      return of_sizes.emplace(sizes, made).first->second;
    };
    const std::optional<PublicViews>& known = agreement_.views;
    graph.whole = known ? view(known->whole) : unknown(agreement_.whole_sizes);
    const auto of_batch = [&](std::size_t i) {
      if (!known) return unknown(agreement_.training_sizes[i]);
      return known->batches.empty() ? graph.whole : view(known->batches[i]);
    };
    const std::vector<Rows> rows = batches();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::int64_t count = std::ssize(rows[i]);
      graph.batches.push_back({of_batch(i), data_.private_masks() ? graph.train.part(arithmetic_, rows[i])
                                                                  : Selection::of(all_rows(count), count)});
    }
  }

  void add_private_views(SecretGraph& graph) {
    const auto propagators = shared_propagators(columns_, training_.model, data_, agreement_.holding);
    graph.whole = GraphView::of_private(arithmetic_, training_.model, propagators, agreement_.holding.nodes, subjects_,
                                        any_part_ == nullptr ? Graphs() : Graphs(any_part_->graphs));
    for (const Rows& rows : batches()) graph.batches.push_back({graph.whole, graph.train.part(arithmetic_, rows)});
  }

  mpc::Session& session_;
  const DataPlan& data_;
  const TrainingPlan& training_;
  const DataAgreement& agreement_;
  const PartOf& part_of_;
  SharedColumns columns_;
  Arithmetic& arithmetic_;
  const GraphData* any_part_;
  Rows subjects_;
};

}  // namespace

SecretGraph share_graph(mpc::Session& session, const DataPlan& data, const TrainingPlan& training,
                        const DataAgreement& agreement, const PartOf& part_of, const DataScale* resumed) {
  return Sharing(session, data, training, agreement, part_of, resumed).graph();
}

}  // namespace tacit::gnn
