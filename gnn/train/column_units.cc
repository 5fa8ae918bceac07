#include "gnn/train/column_units.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "gnn/arithmetic/rearranged.h"
#include "gnn/arithmetic/sharing.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

using Kind = PartOwnership::Kind;

constexpr double kLargestExponent = 1 << 11;
constexpr double kLargestZeroOfFeatures = 1 << 24;

// Rows of numbers that the owners of whole columns know.
class OwnedColumns {
 public:
  using Row = std::function<Matrix(const Statistics&)>;

  OwnedColumns(Arithmetic& arithmetic, const PartOwnership& owned, const std::vector<std::int64_t>& columns,
               const DataScale& scale, Statistics DataScale::Own::*statistics)
      : arithmetic_(arithmetic), owned_(owned), columns_(columns) {
    for (const DataScale::Own& own : scale.own) known_.push_back(&(own.*statistics));
  }

  Tensor row(const Row& values, const std::string& name, Precision precision, double bound) const {
    if (owned_.kind == Kind::kPublic) {
      return share_known(
          arithmetic_, {1, columns_.front()}, [&] { return values(*any()); }, precision, bound, name);
    }
    Tensors pieces;
    for (std::size_t rank = 0; rank < columns_.size(); ++rank) {
      if (columns_[rank] == 0) continue;
      const bool here = rank < known_.size() && !known_[rank]->empty();
      const Matrix mine = here ? values(*known_[rank]) : Matrix();
      pieces.push_back(share_input(arithmetic_, static_cast<int>(rank), {1, columns_[rank]}, here ? &mine : nullptr,
                                   precision, bound, name));
    }
    return pieces.size() == 1 ? pieces.front() : beside(pieces);
  }

 private:
  const Statistics* any() const {
    for (const Statistics* one : known_) {
      if (!one->empty()) return one;
    }
    constexpr bool kOneIsKnown = false;
    TACIT_CHECK(kOneIsKnown);
  }

  Arithmetic& arithmetic_;
  const PartOwnership& owned_;
  const std::vector<std::int64_t>& columns_;
  std::vector<const Statistics*> known_;  // by rank
};

Matrix less_exponents(const Matrix& row, const Statistics& of) {
  return row.binaryExpr(exponents_of(of.deviation),
                        [](double x, double e) { return std::ldexp(x, -static_cast<int>(e)); });
}

// mean / 2^e.
Matrix zeros_of(const Statistics& of) { return less_exponents(of.mean, of); }

}  // namespace

TargetUnit unit_of_targets(Arithmetic& arithmetic, const PartOwnership& labels, const DataScale& scale) {
  if (scale.targets) {
    TargetUnit unit = unit_across_owners(arithmetic, scale.targets->columns);
    for (std::size_t c = 0; c < unit.exponents.size(); ++c) unit.exponents[c] -= scale.targets->powers[c];
    return unit;
  }
  const OwnedColumns columns(arithmetic, labels, scale.target_columns, scale, &DataScale::Own::targets);
  const auto exponents = [](const Statistics& of) { return exponents_of(of.deviation); };
  TargetUnit unit;
  unit.exponents = revealed_whole_numbers(
      arithmetic, columns.row(exponents, "the targets' magnitude", Precision::kWhole, kLargestExponent),
      "magnitude of the targets' deviation");
  const auto deviation = [](const Statistics& of) { return less_exponents(of.deviation, of); };
  unit.unit = columns.row(deviation, "the targets' unit", Precision::kUnit, 1);
  unit.zero = columns.row(zeros_of, "the targets' zero", Precision::kValue, TargetUnit::kLargestZero);
  return unit;
}

FeatureUnit unit_of_features(Arithmetic& arithmetic, const PartOwnership& features, const DataScale& scale) {
  FeatureUnit unit;
  if (scale.features) {
    const InverseUnit found = inverse_unit_across_owners(arithmetic, scale.features->columns);
    unit = {found.inverse, found.zero, found.exponents};
    for (std::size_t c = 0; c < unit.exponents.size(); ++c) unit.exponents[c] -= scale.features->powers[c];
    return unit;
  }
  const OwnedColumns columns(arithmetic, features, scale.feature_columns, scale, &DataScale::Own::features);
  const auto exponents = [](const Statistics& of) { return exponents_of(of.deviation); };
  unit.exponents = revealed_whole_numbers(
      arithmetic, columns.row(exponents, "the features' magnitude", Precision::kWhole, kLargestExponent),
      "magnitude of the features' deviations");
  const auto inverse = [](const Statistics& of) -> Matrix { return less_exponents(of.deviation, of).cwiseInverse(); };
  unit.inverse = columns.row(inverse, "the features' unit", Precision::kUnit, 2);
  const auto zeros = [](const Statistics& of) {
    const Matrix zero = zeros_of(of);
    if (zero.cwiseAbs().maxCoeff() < kLargestZeroOfFeatures) return zero;
    constexpr const char* kWhy =
        "so far from zero, by its deviation, that it cannot be folded into the model: subtract a constant from it, or "
        "say "
        "reveal.scaling = \"as-trained\"";
    throw ConfigError(fmt::format("x: the mean of a column is {}", kWhy), "",
                      fmt::format("has a column of features {}", kWhy));
  };
  unit.zero = columns.row(zeros, "the features' zero", Precision::kValue, kLargestZeroOfFeatures);
  return unit;
}

}  // namespace tacit::gnn
