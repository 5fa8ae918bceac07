#include "gnn/arithmetic/error_sum.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gnn/arithmetic/rearranged.h"
#include "gnn/arithmetic/sums_of_products.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/lifted_product.h"
#include "mpc/session/local.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr int kFewestUnitBits = 8;
constexpr int kMostUnitBits = 14;
constexpr int kFewestSumBits = 4;

[[noreturn]] void refuse_sum(const SumOfSquares::Named& named, double largest, int ring) {
  throw ConfigError(
      fmt::format("{}: the sum of errors up to {:g} does not fit {} bits; declare a smaller range in {}, or scale the "
                  "targets (preprocessing.targets = \"standardise\")",
                  named.what, largest, ring, named.ranges));
}

}  // namespace

ErrorSum::ErrorSum(Arithmetic& arithmetic, Of of, double largest, mpc::Shape shape, const std::optional<Unit>& unit,
                   const SumOfSquares::Named& named) {
  const int f = arithmetic.top().fraction_bits;
  if (of == Of::kSquares) {
    // Small squares keep their digits.
    squares_.emplace(arithmetic, largest, shape.size(), f + 2 * (f / 2), named);
    most_ = squares_->most();
    sum_bits_ = squares_->fraction_bits();
  } else {
    const double rounding = std::ldexp(std::max(1.0, arithmetic.session().parties() / 2.0), -kFewestErrorBits);
    most_ = static_cast<double>(shape.size()) * (most_unseen(largest) + rounding);
    error_bits_ = std::min(f, arithmetic.top().ring_bits - mpc::room_for(0, most_));
    if (error_bits_ < kFewestErrorBits) refuse_sum(named, largest, arithmetic.top().ring_bits);
    sum_bits_ = error_bits_;
  }
  if (!unit) return;
  exponent_ = unit->exponent;
  const Tensor row = squares_ ? squared(arithmetic, unit->row) : unit->row;
  const int left = mpc::kWordBits - mpc::room_for(0, most_ * row.bound());  // for fraction bits
  if (left < kFewestUnitBits + kFewestSumBits) refuse_sum(named, largest, mpc::kWordBits);
  const int unit_bits = std::min({row.format().fraction_bits, kMostUnitBits, left - kFewestSumBits});
  unit_ = arithmetic.narrowed(arithmetic.rounded(row, unit_bits));
  sum_bits_ = std::min(sum_bits_, left - unit_bits);
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
  if (!unit_) return row_sums(by_column, most_);
  mpc::Session& session = arithmetic.session();
  // A sum over very many nodes has room for fewer fraction bits than the error of one node, and needs fewer.
  const Tensor rounded =
      by_column.format().fraction_bits == sum_bits_ ? by_column : arithmetic.rounded(by_column, sum_bits_);
  const Tensor sums = arithmetic.narrowed(rounded).certain();
  arithmetic.show_with_next(*unit_);
  const mpc::Shown& shown = arithmetic.shown(sums);
  const mpc::Share products = mpc::lifted_product(session, shown, arithmetic.shown(*unit_), mpc::kWordBits);
  const mpc::Share sum = mpc::row_sums(products);
  return Tensor(mpc::drop(session, sum, unit_->format().fraction_bits), most_ * unit_->bound(), by_column.name());
}

// |e| = 2·max(e, 0) - e. In the top ring where the sum does not fit the error's own: the comparison shows the error, so that neither
// a choice nor a lift opens it again.
Tensor ErrorSum::absolute(Arithmetic& arithmetic, const Tensor& error) const {
  const mpc::Format top = arithmetic.top();
  const double bound = error.bound(), room = std::max(most_, 2 * bound);
  const mpc::Bits positive_bits = arithmetic.non_negative(error);
  const bool lifts = mpc::room_for(error_bits_, room) > error.format().ring_bits;
  const double held = std::ldexp(1.0, top.ring_bits - 2 * top.fraction_bits - 3);
  const Tensor positive = arithmetic.select(positive_bits, error, lifts ? held : bound, "positive error");
  const Tensor own = lifts ? arithmetic.lifted(error) : error;
  const Tensor doubled(positive.share() + positive.share(), 2 * bound, "twice the positive error");
  const Tensor absolute = arithmetic.difference(doubled, own, bound, "absolute error");
  return arithmetic.column_sums(absolute, most_, "absolute error");
}

Tensor ErrorSum::of(Arithmetic& arithmetic, const Tensor& error) const {
  if (squares_) return in_unit(arithmetic, squares_->by_column(arithmetic, squares_->rounded(arithmetic, error)));
  const bool keeps = error.format().fraction_bits == error_bits_;
  return in_unit(arithmetic, absolute(arithmetic, keeps ? error : arithmetic.rounded(error, error_bits_)));
}

}  // namespace tacit::gnn
