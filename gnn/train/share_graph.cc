#include "gnn/train/share_graph.h"

#include <array>
#include <functional>
#include <map>
#include <numeric>

#include "gnn/arithmetic/column_scale.h"
#include "gnn/arithmetic/rearranged.h"
#include "gnn/arithmetic/sharing.h"
#include "gnn/data/labels.h"
#include "gnn/data/preparation.h"
#include "gnn/graph/dense_propagator.h"
#include "gnn/graph/secret_adjacency.h"
#include "gnn/train/batches.h"
#include "gnn/train/target_check.h"
#include "gnn/train/target_scale.h"

namespace tacit::gnn {

namespace {

using Kind = PartOwnership::Kind;

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
    begin_sharing();
    const double bound = training_.ranges.features;
    std::shared_ptr<mpc::RangeAudit> audit;
    if (training_.audit_every > 0) audit = std::make_shared<mpc::RangeAudit>(session_, kWatchedGroups);
    arithmetic_.watch_with(audit.get());
    const std::int64_t nodes = agreement_.holding.nodes;
    SecretGraph graph;
    graph.audit = audit;
    arithmetic_.begin_group(Watched::kFeatures);
    graph.x = features({nodes, agreement_.holding.features}).within(bound).watched_as(Watched::kFeatures);
    const PartOwnership& features = data_.ownership.features;
    const bool watched = data_.features == FeatureScaling::kStandardise && features.kind == Kind::kByRows;
    if (watched || features.kind == Kind::kPublic) graph.x.certain();
    const std::int64_t columns = data_.classes > 0 ? data_.classes : agreement_.holding.targets;
    arithmetic_.begin_group(Watched::kTargets);
    add_labels(graph, {nodes, columns}, bound);
    // Targets are subtracted, never multiplied: they are opened to be watched. Classes are 0 and 1.
    const PartOwnership& labels = data_.ownership.labels;
    const bool by_rows = labels.kind == Kind::kByRows && data_.standardise_targets;  // watched when they were scaled
    const bool targets = data_.classes == 0 && labels.kind != Kind::kPublic && !by_rows;
    if (targets && audit) arithmetic_.mask(std::array{graph.y.watched_as(Watched::kTargets)});
    arithmetic_.watch_with(nullptr);
    for (const Part part : {Part::kTrain, Part::kValidation, Part::kTest}) {
      Selection& selection = part == Part::kTrain        ? graph.train
                             : part == Part::kValidation ? graph.validation
                                                         : graph.test;
      selection = data_.private_masks() ? secret_selection(part) : Selection::of(public_rows(part), nodes);
    }
    if (!data_.has_graph()) {
      add_views_of_rows(graph);
    } else if (data_.private_graph()) {
      add_private_views(graph);
    } else {
      add_public_views(graph);
    }
    return graph;
  }

 private:
  using Values = std::function<Matrix(const GraphData&)>;

  void begin_sharing() { session_.begin_part("sharing the data"); }

  Tensor features(Shape shape) {
    const PartOwnership& ownership = data_.ownership.features;
    const std::vector<Block>& blocks = agreement_.holding.x;
    const auto raw = [](const GraphData& part) -> Matrix { return part.sparse_x ? part.sparse_x->dense() : *part.x; };
    if (data_.features == FeatureScaling::kStandardise) {
      if (ownership.kind == Kind::kByRows) return standardised_by_rows(shape, raw);
      return joined(
          ownership, blocks, shape, [&](const GraphData& part) { return cut_at(standardised(raw(part)), data_.cut); },
          "x");
    }
    if (data_.features == FeatureScaling::kRowSum) {
      if (ownership.kind == Kind::kByColumns) {
        const auto sums = [&](const GraphData& part) -> Matrix { return raw(part).cwiseAbs().rowwise().sum(); };
        return divided_by_rows(arithmetic_, joined(ownership, blocks, shape, raw, "x"), added(blocks, sums));
      }
      return joined(
          ownership, blocks, shape, [&](const GraphData& part) { return with_rows_of_sum_1(raw(part)); }, "x");
    }
    return joined(ownership, blocks, shape, raw, "x");
  }

  // Owners of rows know neither the mean nor the deviation of a column, and its unit may be 1e-9 or 1e9. They agree on
  // a power of kStep that brings its root mean square to 2^kLargest at most, and reveal it to every party.
  Tensor standardised_by_rows(Shape shape, const Values& raw) {
    constexpr int kLargest = 14, kStep = 2;
    const std::vector<Block>& blocks = agreement_.holding.x;
    const auto mean_squares = [raw](const GraphData& part) { return root_mean_squares(raw(part)); };
    const std::vector<int> powers = powers_to(kLargest, kStep, blocks, shape.cols, mean_squares, "features");
    const Values values = [&](const GraphData& part) { return times_powers(raw(part), powers); };
    std::vector<std::int64_t> rows;
    for (const Block& block : blocks) rows.push_back(block.rows);
    const ColumnScale scale = scale_of(rows, shape.cols, values);
    return standardised(arithmetic_, joined(data_.ownership.features, blocks, shape, values, "x", Precision::kRaw),
                        scale, data_.cut);
  }

  void add_labels(SecretGraph& graph, Shape shape, double bound) {
    const PartOwnership& ownership = data_.ownership.labels;
    const auto y = [&](const Values& values) {
      return joined(ownership, label_blocks(shape.cols), shape, values, "y");
    };
    const Values raw = [](const GraphData& part) { return with_zeros_for_unknown(*part.targets); };
    const Values telling = [&](const GraphData& part) {
      Matrix told = targets_of_scale(data_, part);
      check_unit(told);
      return told;
    };
    if (data_.classes > 0) {
      graph.y = y([&](const GraphData& part) { return one_hot(*part.classes, data_.classes); });
    } else if (!data_.standardise_targets) {
      graph.y = y(raw);
    } else if (ownership.kind == Kind::kByRows) {
      graph.y = targets_by_rows(graph, shape).within(bound);
    } else {
      graph.y =
          y([&](const GraphData& part) { return with_zeros_for_unknown(standardised(*part.targets, telling(part))); });
      if (tells_in_own_unit(training_)) graph.target_unit = unit_of_owner(shape.cols, telling);
    }
  }

  // For a target that one rank holds as a whole, or that is public: the owner knows its deviation and its mean.
  TargetUnit unit_of_owner(std::int64_t columns, const Values& telling) {
    const auto exponents = [telling](const GraphData& part) { return exponents_of(deviations(telling(part))); };
    const auto scaled = [exponents](const GraphData& part, const Matrix& row) {
      return Matrix(
          row.binaryExpr(exponents(part), [](double x, double e) { return std::ldexp(x, -static_cast<int>(e)); }));
    };
    TargetUnit unit;
    const Tensor magnitudes = row_of_targets(columns, exponents, "magnitude", Precision::kWhole, 1 << 11);
    unit.exponents = revealed_whole_numbers(arithmetic_, magnitudes, "magnitude of the targets' deviation");
    const auto deviation = [&](const GraphData& part) { return scaled(part, deviations(telling(part))); };
    unit.unit = row_of_targets(columns, deviation, "unit", Precision::kUnit, 1);
    const auto mean = [&](const GraphData& part) { return scaled(part, telling(part).colwise().mean()); };
    unit.zero = row_of_targets(columns, mean, "zero", Precision::kValue, TargetUnit::kLargestZero);
    return unit;
  }

  // Owners of rows know neither the mean nor the deviation. They agree on a power of two that brings each column's
  // largest target to 2^kLargest, and on another one of its deviation: both are revealed to every party.
  Tensor targets_by_rows(SecretGraph& graph, Shape shape) {
    constexpr int kLargest = 13;
    const std::vector<Block>& blocks = agreement_.holding.y;
    const auto largest = [](const GraphData& part) -> Matrix {
      return with_zeros_for_unknown(*part.targets).cwiseAbs().colwise().maxCoeff();
    };
    const std::vector<int> powers = powers_to(kLargest, 1, blocks, shape.cols, largest, "targets");
    const Values known = [&](const GraphData& part) { return times_powers(labelled_targets(part), powers); };
    const ColumnScale scale = scale_of(agreement_.holding.labelled, shape.cols, known);
    const Values values = [&](const GraphData& part) {
      return times_powers(with_zeros_for_unknown(*part.targets), powers);
    };
    const Tensor raw = joined(data_.ownership.labels, blocks, shape, values, "y", Precision::kRaw);
    const Tensor y = agreement_.holding.all_labelled()
                         ? standardised(arithmetic_, raw, scale)
                         : standardised(arithmetic_, raw, scale, labelled_column(blocks, shape.rows));
    if (tells_in_own_unit(training_)) {
      graph.target_unit = unit_across_owners(arithmetic_, scale);
      for (std::size_t c = 0; c < powers.size(); ++c) graph.target_unit->exponents[c] -= powers[c];
    }
    return y;
  }

  // A column with 1 for each node that has a label, and 0 for the others.
  Tensor labelled_column(std::vector<Block> blocks, std::int64_t nodes) {
    for (Block& block : blocks) block.cols = std::min<std::int64_t>(block.cols, 1);
    const Values ones = [](const GraphData& part) {
      Matrix column = Matrix::Zero(part.targets->rows(), 1);
      for (const std::int64_t row : labelled_rows(part)) column(row, 0) = 1;
      return column;
    };
    return joined(data_.ownership.labels, blocks, {nodes, 1}, ones, "labelled nodes", Precision::kRawWhole, 1);
  }

  // A power of two for each column, 2^largest times a power of 2^step. It brings the largest of the sizes that the
  // owners of rows state for the column to 2^largest at most. Every party learns the powers.
  std::vector<int> powers_to(int largest, int step, const std::vector<Block>& blocks, std::int64_t columns,
                             const Values& sizes, const std::string& what) {
    std::vector<int> powers = revealed_whole_numbers(arithmetic_, largest_magnitudes(step, blocks, columns, sizes),
                                                     "magnitude of the " + what);
    for (int& power : powers) power = largest - step * power;
    return powers;
  }

  // A row, of all owners' columns: the least power of 2^step above the largest of their sizes.
  Tensor largest_magnitudes(int step, const std::vector<Block>& blocks, std::int64_t columns, const Values& sizes) {
    constexpr int kLeast = -1000;  // least exponent of a double
    const auto magnitudes = [&](const GraphData& part) -> Matrix {
      const Matrix powers = exponents_of(sizes(part)).cwiseMax(kLeast).transpose();
      return (powers / step).array().ceil();
    };
    Tensors all;
    for (int rank = 0; rank < session_.parties(); ++rank) {
      if (blocks[static_cast<std::size_t>(rank)].empty()) continue;
      const std::optional<Matrix> mine = own_values(rank, magnitudes);
      all.push_back(share_exponents(arithmetic_, rank, {columns, 1}, mine ? &*mine : nullptr, "magnitudes"));
    }
    return largest_exponents(arithmetic_, beside(all));
  }

  // The scale of columns with owners of rows: so many at each rank.
  ColumnScale scale_of(const std::vector<std::int64_t>& rows, std::int64_t columns, const Values& values) {
    std::vector<Matrix> held(rows.size());
    std::vector<OwnedRows> owners;
    for (int rank = 0; rank < session_.parties(); ++rank) {
      const auto of_rank = static_cast<std::size_t>(rank);
      if (rows[of_rank] == 0) continue;
      const GraphData* part = part_of_(rank);
      Matrix& mine = held[of_rank];
      if (part != nullptr) mine = values(*part);
      owners.push_back({rank, rows[of_rank], part == nullptr ? nullptr : &mine});
    }
    const ColumnScale scale = scale_of_columns(arithmetic_, owners, columns);
    begin_sharing();
    return scale;
  }

  // The blocks of y, but with a column for each class.
  std::vector<Block> label_blocks(std::int64_t columns) const {
    std::vector<Block> blocks = agreement_.holding.y;
    for (Block& block : blocks) {
      if (data_.classes > 0 && !block.empty()) block.cols = columns;
    }
    return blocks;
  }

  // From the owners' blocks: data, or raw data that are to be scaled.
  Tensor joined(const PartOwnership& ownership, const std::vector<Block>& blocks, Shape whole, const Values& values,
                const std::string& name, Precision precision = Precision::kValue) {
    constexpr double kLargestRaw = 1 << 30;
    const double bound = precision == Precision::kRaw ? kLargestRaw : training_.ranges.features;
    return joined(ownership, blocks, whole, values, name, precision, bound);
  }

  Tensor joined(const PartOwnership& ownership, const std::vector<Block>& blocks, Shape whole, const Values& values,
                const std::string& name, Precision precision, double bound) {
    if (ownership.kind == Kind::kPublic) {
      return share_known(
          arithmetic_, whole, [&] { return values(*any_part_); }, precision, bound, name);
    }
    std::optional<Tensor> all;
    for (int rank = 0; rank < session_.parties(); ++rank) {
      const Block& block = blocks[static_cast<std::size_t>(rank)];
      if (block.empty()) continue;
      Tensor share = input_of(rank, block.shape(), precision, bound, values, name);
      if (block.rows < whole.rows) {
        Rows rows(static_cast<std::size_t>(block.rows));
        std::iota(rows.begin(), rows.end(), block.first_row);
        share = placed(arithmetic_, picking(rows, whole.rows).transposed(), share);
        all = all ? arithmetic_.sum(*all, share, bound) : share;
      } else {
        all = all ? beside(std::array{*all, share}) : share;
      }
    }
    return *all;
  }

  // A column for each owner of columns, added up.
  Tensor added(const std::vector<Block>& blocks, const Values& values) {
    constexpr double kLargestSum = 1 << 12;
    std::optional<Tensor> all;
    for (int rank = 0; rank < session_.parties(); ++rank) {
      const Block& block = blocks[static_cast<std::size_t>(rank)];
      if (block.empty()) continue;
      const Tensor own = input_of(rank, {block.rows, 1}, Precision::kValue, kLargestSum, values, "sums of rows");
      all = all ? arithmetic_.sum(*all, own, kLargestSum) : own;
    }
    return *all;
  }

  Tensor input_of(int rank, Shape shape, Precision precision, double bound, const Values& values,
                  const std::string& name) {
    const std::optional<Matrix> mine = own_values(rank, values);
    return share_input(arithmetic_, rank, shape, mine ? &*mine : nullptr, precision, bound, name);
  }

  // The values, if this process holds the rank's part.
  std::optional<Matrix> own_values(int rank, const Values& values) const {
    const GraphData* part = part_of_(rank);
    return part == nullptr ? std::nullopt : std::optional(values(*part));
  }

  // A row of values from the rank that holds a target as a whole.
  Tensor row_of_targets(std::int64_t columns, const Values& values, const std::string& name, Precision precision,
                        double bound) {
    std::vector<Block> blocks = agreement_.holding.y;
    for (Block& block : blocks) {
      if (!block.empty()) block.rows = 1;
    }
    return joined(data_.ownership.labels, blocks, {1, columns}, values, "the targets' " + name, precision, bound);
  }

  // Public masks; at the dealer as many rows, no matter which.
  Rows public_rows(Part part) const {
    return any_part_ == nullptr ? all_rows(agreement_.counts.of(part)) : gnn::rows_of(*any_part_, part);
  }

  // Every rank's own nodes, one after the other.
  Selection secret_selection(Part part) {
    const std::int64_t nodes = agreement_.holding.nodes;
    const std::int64_t count = agreement_.counts.of(part);
    std::optional<Tensor> all;
    std::int64_t first = 0;
    for (int rank = 0; rank < session_.parties(); ++rank) {
      const std::int64_t own = agreement_.by_rank[static_cast<std::size_t>(rank)].of(part);
      if (own == 0) continue;
      const Block& block = agreement_.holding.masks[static_cast<std::size_t>(rank)];
      const auto chosen = [&](const GraphData& held) {
        Matrix rows = Matrix::Zero(count, nodes);
        std::int64_t row = first;
        for (const std::int64_t node : gnn::rows_of(held, part)) rows(row++, block.first_row + node) = 1;
        return rows;
      };
      const Tensor share = input_of(rank, {count, nodes}, Precision::kWhole, 1, chosen, "masks");
      all = all ? arithmetic_.sum(*all, share, 1) : share;
      first += own;
    }
    return all ? Selection::secret(*all) : Selection::of({}, nodes);
  }

  // By their numbers among the labelled nodes.
  std::vector<Rows> batches() const { return batches_of(agreement_.counts.train, training_.batch, training_.seed); }

  // Without a graph, a batch reads its own rows, and a metric the rows of its part. Predictions are computed for blocks
  // of rows. If masks are secret, batches and metrics read all rows.
  void add_views_of_rows(SecretGraph& graph) {
    const std::int64_t nodes = agreement_.holding.nodes;
    const auto view = [&](Rows rows) { return GraphView::of_rows(training_.model, std::move(rows), nodes); };
    graph.whole = view(all_rows(nodes));
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
    const std::int64_t most = rows_of_a_block(graph.x.shape().cols);
    if (!small || nodes <= most) return;
    const auto blocks_of = [&](const Rows& rows) {
      std::vector<GraphView> blocks;
      for (auto first = rows.begin(); first < rows.end(); first += std::min(most, rows.end() - first)) {
        blocks.push_back(view(Rows(first, first + std::min(most, rows.end() - first))));
      }
      return blocks;
    };
    graph.blocks.emplace();
    for (const Revealed& what : training_.metrics) {
      if (!data_.private_masks()) graph.blocks->measured.try_emplace(what.part, blocks_of(public_rows(what.part)));
    }
    if (data_.private_masks() || training_.predictions_to) graph.blocks->all = blocks_of(all_rows(nodes));
  }

  // A layer's values for them take 8 MiB at most.
  std::int64_t rows_of_a_block(std::int64_t inputs) const {
    constexpr std::int64_t kMostElements = 1 << 20;
    std::int64_t widest = inputs;
    for (const LayerSpec& layer : training_.model.layers) widest = std::max(widest, layer.outputs);
    return std::max<std::int64_t>(kMostElements / widest, 1);
  }

  void add_public_views(SecretGraph& graph) {
    const std::int64_t nodes = agreement_.holding.nodes;
    const auto view = [&](const LayeredGraph& part) {
      return GraphView::of_public(arithmetic_, training_.model, part, nodes);
    };
    std::map<std::vector<std::int64_t>, GraphView> of_sizes;  // equal ones are shared: there may be a batch to a node
    const auto unknown = [&](const std::vector<std::int64_t>& sizes) {
      const auto at = of_sizes.find(sizes);
      if (at != of_sizes.end()) return at->second;
      return of_sizes.emplace(sizes, GraphView::of_sizes(arithmetic_, training_.model, nodes, sizes)).first->second;
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
    const std::int64_t nodes = agreement_.holding.nodes;
    const Tensor adjacency = shared_adjacency(nodes);
    GraphView::Propagators propagators;
    for (const LayerSpec& layer : training_.model.layers) {
      if (!layer.gathers() || propagators.contains(normalisation_of(layer))) continue;
      propagators[normalisation_of(layer)] =
          std::make_shared<DensePropagator>(normalised(arithmetic_, adjacency, normalisation_of(layer)));
    }
    begin_sharing();
    graph.whole = GraphView::of_private(training_.model, propagators, nodes);
    for (const Rows& rows : batches()) graph.batches.push_back({graph.whole, graph.train.part(arithmetic_, rows)});
  }

  // From all owners' edges.
  Tensor shared_adjacency(std::int64_t nodes) {
    std::optional<Tensor> all;
    for (int rank = 0; rank < session_.parties(); ++rank) {
      if (agreement_.holding.edges[static_cast<std::size_t>(rank)] == 0) continue;
      const auto own = [&](const GraphData& part) { return dense_adjacency(*part.edges, nodes); };
      const Tensor share = input_of(rank, {nodes, nodes}, Precision::kWhole, 1, own, "edges");
      all = all ? arithmetic_.sum(*all, share, 1) : share;
    }
    if (all) return *all;
    return share_known(
        arithmetic_, {nodes, nodes}, [&] { return Matrix::Zero(nodes, nodes); }, Precision::kWhole, 1, "no edges");
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
