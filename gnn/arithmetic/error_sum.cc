#include "gnn/arithmetic/error_sum.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gnn/arithmetic/rearranged.h"
#include "gnn/arithmetic/sums_of_products.h"
#include "mpc/session/local.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr double kLeastMean = 16;  // squared or absolute error, in deviations
constexpr int kFewestMagnified = 3;
constexpr int kFewestUnitBits = 8;
constexpr int kFewestSumBits = 4;

// Squares have 2^(2·magnified).
double magnification(int magnified) { return std::ldexp(1.0, 2 * magnified); }

}  // namespace

// The sum of squares or absolute values, without a lift where predictions are a product that was dropped once.
bool ErrorSum::fits(const Arithmetic& arithmetic, double mean) const {
  const int bits = arithmetic.top().ring_bits, f = arithmetic.top().fraction_bits;
  return mpc::room_for(of_ == Of::kSquares ? 2 * f : f, mean * rows_) < bits - f;
}

// The sum times the unit, with all fraction bits of both.
bool ErrorSum::fits_in_unit(const Arithmetic& arithmetic, double mean, int magnified) const {
  const int f = arithmetic.top().fraction_bits;
  const double sum = mean * rows_ * magnification(magnified);
  return mpc::room_for(f, sum) + (unit_ ? f : 0) <= arithmetic.top().ring_bits;
}

void ErrorSum::choose_format(const Arithmetic& arithmetic, double largest) {
  const bool squares = of_ == Of::kSquares;
  magnified_ = squares ? arithmetic.top().fraction_bits / 2 : 0;
  const int least = std::min(kFewestMagnified, magnified_);
  double mean = squares ? largest * largest : largest;
  while (mean > kLeastMean && !(fits(arithmetic, mean) && fits_in_unit(arithmetic, mean, least))) mean /= 2;
  mean = std::max(mean, kLeastMean);
  while (magnified_ > 0 && !fits_in_unit(arithmetic, mean, magnified_)) --magnified_;
  most_ = mean * rows_ * magnification(magnified_);
}

ErrorSum::ErrorSum(Arithmetic& arithmetic, Of of, double largest, std::int64_t rows, const std::optional<Unit>& unit,
                   const std::string& what)
    : of_(of), rows_(static_cast<double>(rows)) {
  if (unit) {
    unit_ = of == Of::kAbsolute ? unit->row : squared(arithmetic, unit->row);
    exponent_ = unit->exponent;
  }
  choose_format(arithmetic, largest);
  if (!unit_) return;
  // The most fraction bits for which the product with a sum has room.
  const int left = arithmetic.top().ring_bits - mpc::room_for(kFewestSumBits, most_ * unit_->bound());
  if (left < kFewestUnitBits) {
    throw ConfigError(
        fmt::format("{} in the targets' own unit does not fit a ring of {} bits: take a wider ring, or targets that "
                    "are not standardised",
                    what, arithmetic.top().ring_bits));
  }
  unit_ = arithmetic.rounded(*unit_, std::min(arithmetic.top().fraction_bits, left));
}

// The squared unit, with as many fraction bits as the ring has room for.
Tensor ErrorSum::squared(Arithmetic& arithmetic, const Tensor& unit) {
  const double bound = unit.bound() * unit.bound();
  const int most = (arithmetic.top().ring_bits - mpc::room_for(0, bound)) / 2;
  const Tensor wide = arithmetic.lifted(arithmetic.rounded(unit, std::min(unit.format().fraction_bits, most)));
  return column_sums_of_products(arithmetic, wide, wide, bound, "squared unit");
}

// by_column: a row with a sum for each column.
Tensor ErrorSum::in_unit(Arithmetic& arithmetic, const Tensor& by_column) const {
  if (!unit_) return row_sums(by_column, by_column.bound());
  const double bound = by_column.bound() * unit_->bound();
  const Tensor wide = arithmetic.lifted(by_column);
  // A sum over very many nodes has room for fewer fraction bits than the error of one node, and needs fewer.
  const int room = arithmetic.top().ring_bits - mpc::room_for(unit_->format().fraction_bits, bound);
  const int sum_bits = std::clamp(room, kFewestSumBits, wide.format().fraction_bits);
  return arithmetic.matmul({arithmetic.rounded(wide, sum_bits), unit_->transposed(), bound, by_column.name()});
}

Tensor ErrorSum::of(Arithmetic& arithmetic, const Tensor& error) const {
  const double bound = error.bound();
  if (of_ == Of::kSquares) {
    const Tensor magnified(mpc::scale(error.share(), 1, -magnified_), std::ldexp(bound, magnified_), "error");
    return in_unit(arithmetic, column_sums_of_products(arithmetic, magnified, magnified, most_, "squared error"));
  }
  // |e| = 2·max(e, 0) - e
  const Tensor positive = arithmetic.select(arithmetic.non_negative(error), error, bound, "positive error");
  const Tensor doubled(positive.share() + positive.share(), 2 * bound, "twice the positive error");
  const Tensor absolute = arithmetic.difference(doubled, error, bound, "absolute error");
  return in_unit(arithmetic, arithmetic.column_sums(absolute, most_, "absolute error"));
}

double ErrorSum::reading(double revealed) const { return revealed / magnification(magnified_); }

}  // namespace tacit::gnn
