#include "gnn/train/shared_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "gnn/arithmetic/rearranged.h"
#include "gnn/arithmetic/sharing.h"
#include "gnn/data/labels.h"
#include "gnn/graph/rows.h"
#include "gnn/train/target_check.h"
#include "gnn/train/target_scale.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

using Kind = PartOwnership::Kind;

constexpr double kLargestRaw = 1 << 30;
constexpr int kLargestRootMeanSquare = 14;  // the most of a column of raw features is 2^14
constexpr int kLeastExponent = -1000;       // the least exponent of a number that is not zero
// The limit for other data. The root mean square of the training's data is brought to 2^14 at most.
constexpr double kLargestOfOtherData = 1 << 24;

Matrix raw_features(const GraphData& part) { return part.sparse_x ? part.sparse_x->dense() : *part.x; }

// True for the power of a column that is zero in all of the training's data.
bool has_no_unit(int power) { return power >= kLargestRootMeanSquare - kLeastExponent; }

// In units in which the columns' root mean squares were at most 2^14 in the training. A column that was zero then stays zero.
Matrix in_units_of_training(const GraphData& part, const std::vector<int>& powers) {
  Matrix x = with_zeros_for_missing(raw_features(part));
  for (std::size_t c = 0; c < powers.size(); ++c) {
    if (has_no_unit(powers[c])) x.col(static_cast<Eigen::Index>(c)).setZero();
  }
  return times_powers(x, powers);
}

Matrix known_features(const GraphData& part) { return known(raw_features(part)); }

// Throws ConfigError if a feature of new data is so far from the training's that it cannot be shared.
void expect_below(const Matrix& x, double most, const std::string& how) {
  for (Eigen::Index c = 0; c < x.cols(); ++c) {
    const double largest = x.rows() == 0 ? 0 : x.col(c).cwiseAbs().maxCoeff();
    if (largest < most) continue;
    constexpr std::string_view kRemedy =
        "the model has seen nothing like it: leave these nodes out, check their unit, or train with a wider range";
    throw ConfigError(fmt::format("x, column {}: a feature {}; {}", c, how, kRemedy),
                      fmt::format("the largest of the column is {:.6g}, scaled as in the training", largest),
                      fmt::format("a feature in its part of the data {}; {}", how, kRemedy));
  }
}

// True if the first layer that computes with the features adds a fraction of a node's own row to the sum over its neighbours. Along
// a private graph the sum has the fraction bits of the features, so whole features need them, too.
bool adds_fractions_of_rows(const ModelSpec& model) {
  using LayerKind = LayerSpec::Kind;
  const auto first = std::find_if(model.layers.begin(), model.layers.end(), [](const LayerSpec& layer) {
    return layer.has_weights() || layer.kind == LayerKind::kPropagation || layer.kind == LayerKind::kLayerNorm;
  });
  return first != model.layers.end() && first->kind == LayerKind::kSumAggregation &&
         first->epsilon != std::nearbyint(first->epsilon);
}

}  // namespace

std::vector<std::int64_t> columns_taken_for_zero(const GraphData& part, const DataScale& scale) {
  std::vector<std::int64_t> columns;
  if (!scale.features || !(part.x || part.sparse_x)) return columns;
  const Matrix x = with_zeros_for_missing(raw_features(part));
  for (std::size_t c = 0; c < scale.features->powers.size(); ++c) {
    const auto column = static_cast<Eigen::Index>(c);
    if (has_no_unit(scale.features->powers[c]) && (x.col(column).array() != 0).any()) columns.push_back(column);
  }
  return columns;
}

std::vector<std::int64_t> columns_of(const std::vector<Block>& blocks) {
  std::vector<std::int64_t> columns;
  for (const Block& block : blocks) columns.push_back(block.cols);
  return columns;
}

SharedColumns::SharedColumns(mpc::Session& session, const DataPlan& data, const TrainingPlan& training,
                             const Holding& holding, const PartOf& part_of)
    : session_(session),
      data_(data),
      training_(training),
      holding_(holding),
      part_of_(part_of),
      arithmetic_(session, training.top, training.ranges) {
  for (int rank = 0; rank < session.parties(); ++rank) {
    const GraphData* part = part_of(rank);
    if (any_part_ == nullptr) any_part_ = part;
    scale_.own.emplace_back();
    if (part != nullptr) scale_.own.back().feature_names = part->feature_names;
  }
  scale_.feature_columns = columns_of(holding.x);
  scale_.target_columns = columns_of(holding.y);
}

DataScale::Own& SharedColumns::own(const GraphData& part) {
  for (int rank = 0; rank < session_.parties(); ++rank) {
    if (part_of_(rank) == &part) return scale_.own[static_cast<std::size_t>(rank)];
  }
  constexpr bool kPartIsKnown = false;
  TACIT_CHECK(kPartIsKnown);
}

Tensor SharedColumns::features() {
  const PartOwnership& ownership = data_.ownership.features;
  if (data_.features == FeatureScaling::kStandardise) {
    if (ownership.kind == Kind::kByRows) return standardised_by_rows();
    for (int rank = 0; rank < session_.parties(); ++rank) {
      const GraphData* part = part_of_(rank);
      if (part == nullptr || !(part->x || part->sparse_x)) continue;
      const Matrix x = raw_features(*part);
      own(*part).features = statistics_of(data_.fills_features() ? filled(x) : x);
    }
  }
  return scaled(scale_);
}

Tensor SharedColumns::features_scaled_by(const DataScale& scale) {
  if (data_.features != FeatureScaling::kRowSum && data_.features != FeatureScaling::kWhole) {
    const bool shared = scale.features.has_value(), alone = data_.features == FeatureScaling::kStandardise && !shared;
    const double most = shared ? kLargestOfOtherData : training_.ranges.features;
    for (int rank = 0; rank < session_.parties(); ++rank) {
      const GraphData* part = part_of_(rank);
      if (part == nullptr || holding_.x[static_cast<std::size_t>(rank)].empty()) continue;
      Matrix x = raw_features(*part);
      if (alone) x = standardised_alone(x, scale.own[static_cast<std::size_t>(rank)].features);
      if (shared) x = in_units_of_training(*part, scale.features->powers);
      expect_below(x, most,
                   shared ? "is a thousand times as large as the training's features"
                          : fmt::format("is beyond the job's ranges.features, {:g}{}", most,
                                        alone ? ", by the training's mean and deviation" : ""));
    }
  }
  return scaled(scale);
}

// The owner of whole columns standardises them.
Matrix SharedColumns::standardised_alone(const Matrix& x, const Statistics& by) const {
  return cut_at(standardised(data_.fills_features() ? filled(x, by.mean) : x, by), data_.cut);
}

// Scales features by the statistics `by`, if the job standardises them.
Tensor SharedColumns::scaled(const DataScale& by) {
  const PartOwnership& ownership = data_.ownership.features;
  const std::vector<Block>& blocks = holding_.x;
  const Shape shape{holding_.nodes, holding_.features};
  if (by.features) {
    const Values values = [&](const GraphData& part) { return in_units_of_training(part, by.features->powers); };
    const Tensor raw = joined(ownership, blocks, shape, values, "x", Precision::kRaw);
    std::optional<Tensor> known;
    if (data_.fills_features()) {
      known = joined(ownership, blocks, shape, known_features, "known features", Precision::kRawWhole, 1);
    }
    const ColumnScale& columns = by.features->columns;
    return &by == &scale_ ? standardised(arithmetic_, raw, columns, data_.cut, known)
                          : standardised_other(arithmetic_, raw, columns, data_.cut, known);
  }
  if (data_.features == FeatureScaling::kStandardise) {
    const auto values = [&](const GraphData& part) {
      const auto rank = static_cast<std::size_t>(&own(part) - scale_.own.data());
      return standardised_alone(raw_features(part), by.own[rank].features);
    };
    return joined(ownership, blocks, shape, values, "x");
  }
  if (data_.features == FeatureScaling::kRowSum) {
    const auto owners = std::count_if(blocks.begin(), blocks.end(), [](const Block& block) { return !block.empty(); });
    if (ownership.kind == Kind::kByColumns && owners > 1) return divided_by_rows_of_all(static_cast<int>(owners));
    return joined(
        ownership, blocks, shape, [](const GraphData& part) { return with_rows_of_sum_1(raw_features(part)); }, "x");
  }
  const bool whole =
      data_.features == FeatureScaling::kWhole && !(data_.private_graph() && adds_fractions_of_rows(training_.model));
  return joined(ownership, blocks, shape, raw_features, "x", whole ? Precision::kWhole : Precision::kValue);
}

// Each of the owners knows some columns, and none the sums of rows, whose unit may be 1e-9 or 1e9. The owners agree on a power
// of two that brings the largest sum of a row to 2^12 at most, and reveal it to every party.
Tensor SharedColumns::divided_by_rows_of_all(int owners) {
  constexpr int kLargestSum = 12;
  const int largest = kLargestSum - static_cast<int>(std::bit_width(static_cast<unsigned>(owners - 1)));
  const std::vector<Block>& blocks = holding_.x;
  const Values sums = [](const GraphData& part) -> Matrix { return raw_features(part).cwiseAbs().rowwise().sum(); };
  const Values largest_sum = [&](const GraphData& part) -> Matrix {
    return Matrix::Constant(1, 1, sums(part).maxCoeff());
  };
  const std::vector<int> power = powers_to(largest, 1, blocks, 1, largest_sum, "features");
  const auto scaled = [&](const Values& values) -> Values {
    return [&](const GraphData& part) {
      Matrix x = values(part);
      return times_powers(x, std::vector<int>(static_cast<std::size_t>(x.cols()), power.front()));
    };
  };
  const double most = std::ldexp(1.0, largest);
  const Tensor x = joined(data_.ownership.features, blocks, {holding_.nodes, holding_.features}, scaled(raw_features),
                          "x", Precision::kValue, most);
  return divided_by_rows(arithmetic_, x, added(blocks, scaled(sums), std::ldexp(1.0, kLargestSum)));
}

// Owners of rows know neither the mean nor the deviation of a column, and its unit may be 1e-9 or 1e9. They agree on
// a power of kStep that brings its root mean square to 2^14 at most, and reveal it to every party.
Tensor SharedColumns::standardised_by_rows() {
  if (scale_.features) return scaled(scale_);
  constexpr int kStep = 2;
  const std::vector<Block>& blocks = holding_.x;
  const auto mean_squares = [](const GraphData& part) {
    return root_mean_squares(with_zeros_for_missing(raw_features(part)));
  };
  DataScale::Shared shared;
  shared.powers = powers_to(kLargestRootMeanSquare, kStep, blocks, holding_.features, mean_squares, "features");
  std::vector<std::int64_t> rows;
  for (const Block& block : blocks) rows.push_back(block.rows);
  const Values raw = [&](const GraphData& part) { return times_powers(raw_features(part), shared.powers); };
  shared.columns =
      scale_of(rows, holding_.features, raw, data_.fills_features() ? Elements::kMayBeMissing : Elements::kComplete);
  scale_.features = std::move(shared);
  return scaled(scale_);
}

// Owners of rows know neither the mean nor the deviation. The owners agree on a power of two that brings each column's
// largest target to 2^kLargest, and reveal it to every party.
DataScale::Shared SharedColumns::scale_of_targets(std::int64_t columns) {
  constexpr int kLargest = 13;
  const auto largest = [](const GraphData& part) -> Matrix {
    return with_zeros_for_unknown(*part.targets).cwiseAbs().colwise().maxCoeff();
  };
  DataScale::Shared shared;
  shared.powers = powers_to(kLargest, 1, holding_.y, columns, largest, "targets");
  const Values known = [&](const GraphData& part) { return times_powers(labelled_targets(part), shared.powers); };
  shared.columns = scale_of(holding_.labelled, columns, known);
  return shared;
}

// A power of two for each column, 2^largest times a power of 2^step, which brings the largest of the sizes that the
// owners of rows state for the column to 2^largest at most. Every party learns the powers.
std::vector<int> SharedColumns::powers_to(int largest, int step, const std::vector<Block>& blocks, std::int64_t columns,
                                          const Values& sizes, const std::string& what) {
  std::vector<int> powers =
      revealed_whole_numbers(arithmetic_, largest_magnitudes(step, blocks, columns, sizes), "magnitude of the " + what);
  for (int& power : powers) power = largest - step * power;
  return powers;
}

// A row, of all owners' columns: the least power of 2^step above the largest of their sizes.
Tensor SharedColumns::largest_magnitudes(int step, const std::vector<Block>& blocks, std::int64_t columns,
                                         const Values& sizes) {
  const auto magnitudes = [&](const GraphData& part) -> Matrix {
    const Matrix powers = exponents_of(sizes(part)).cwiseMax(kLeastExponent).transpose();
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

// The scale of columns with owners of rows. rows[r] is the number of rank r's rows.
ColumnScale SharedColumns::scale_of(const std::vector<std::int64_t>& rows, std::int64_t columns, const Values& values,
                                    Elements elements) {
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
  const ColumnScale scale = scale_of_columns(arithmetic_, owners, columns, elements);
  begin_sharing();
  return scale;
}

Tensor SharedColumns::joined(const PartOwnership& ownership, const std::vector<Block>& blocks, Shape whole,
                             const Values& values, const std::string& name, Precision precision) {
  const double bound = precision == Precision::kRaw ? kLargestRaw : training_.ranges.features;
  return joined(ownership, blocks, whole, values, name, precision, bound);
}

Tensor SharedColumns::joined(const PartOwnership& ownership, const std::vector<Block>& blocks, Shape whole,
                             const Values& values, const std::string& name, Precision precision, double bound) {
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
Tensor SharedColumns::added(const std::vector<Block>& blocks, const Values& values, double bound) {
  std::optional<Tensor> all;
  for (int rank = 0; rank < session_.parties(); ++rank) {
    const Block& block = blocks[static_cast<std::size_t>(rank)];
    if (block.empty()) continue;
    const Tensor own = input_of(rank, {block.rows, 1}, Precision::kValue, bound, values, "sums of rows");
    all = all ? arithmetic_.sum(*all, own, bound) : own;
  }
  return *all;
}

Tensor SharedColumns::input_of(int rank, Shape shape, Precision precision, double bound, const Values& values,
                               const std::string& name) {
  const std::optional<Matrix> mine = own_values(rank, values);
  return share_input(arithmetic_, rank, shape, mine ? &*mine : nullptr, precision, bound, name);
}

// The values, if this process holds the rank's part.
std::optional<Matrix> SharedColumns::own_values(int rank, const Values& values) const {
  const GraphData* part = part_of_(rank);
  return part == nullptr ? std::nullopt : std::optional(values(*part));
}

}  // namespace tacit::gnn
