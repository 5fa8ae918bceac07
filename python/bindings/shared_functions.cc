#include "python/bindings/shared_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <utility>

#include "gnn/arithmetic/sharing.h"
#include "gnn/arithmetic/softmax.h"
#include "mpc/levels/range_audit.h"
#include "mpc/protocols/add_public.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/product.h"
#include "mpc/session/local.h"
#include "net/error.h"

namespace tacit::python {

namespace {

using gnn::Arithmetic;
using gnn::Precision;
using gnn::Tensor;
using mpc::Matrix;
using mpc::Shape;
using mpc::Share;

constexpr double kMostProbability = 1 + 1.0 / 64;  // with the error of a softmax for 256 parties

int value_bits(const Seat& seat) { return seat.arithmetic.top().fraction_bits; }

double reach_of(const Held& x) { return std::max(x.reach, x.tensor.bound()); }
bool is_within_reach(const Held& x) { return x.certain || x.within_reach; }

// The program promises that no value exceeds the declared bound, even if its reach is larger.
Held declared(const Seat& seat, const Tensor& x, double reach, bool within_reach) {
  const bool fits = reach <= seat.bound, certain = within_reach && fits;
  const Tensor promised = x.bound() <= seat.bound ? x : x.within(seat.bound);
  return {certain ? promised.certain() : promised, {}, certain, false, reach, within_reach};
}

Held derived(const Held& from, const Share& share) {
  Held made{
      Tensor(share, from.tensor.bound(), from.tensor.name()), {}, from.certain, false, from.reach, from.within_reach};
  if (made.certain) static_cast<void>(made.tensor.certain());
  return made;
}

// The range watch finds every value from three bounds up to here (mpc/levels/range_audit.h). Beyond, a value may look like one
// within the bound.
double most_watched(const Seat& seat) { return std::ldexp(seat.bound, mpc::RangeAudit::kOverBits + 1); }

// With at most the fraction bits of values.
const Tensor& settled(const Seat& seat, Held& x) {
  if (x.tensor.format().fraction_bits <= value_bits(seat)) return x.tensor;
  if (!x.settled) {
    x.settled = seat.arithmetic.rounded(x.tensor, Precision::kValue);
    if (x.certain) static_cast<void>(x.settled->certain());
  }
  return *x.settled;
}

// Before a value takes part in a product that has room for its bound alone. Each range of the watch finds values up to 2^21 times
// as large, and from 3 times as large on; the next range is 2^19 times the last one, so none is missed up to the ring's end.
void make_watched(const Seat& seat, Held& x) {
  if (reach_of(x) <= most_watched(seat)) return;
  constexpr int kFurther = mpc::RangeAudit::kOverBits - 1;
  const Tensor& small = settled(seat, x);
  const Tensor own = x.turned ? small.transposed() : small;
  seat.arithmetic.mask(std::span(&own, 1));
  const int ring = own.format().ring_bits;
  for (int range = mpc::RangeAudit::ring_of(own.format().fraction_bits, own.bound()) + kFurther; range + 1 < ring;
       range += kFurther) {
    seat.audit.watch(static_cast<int>(gnn::Watched::kActivations), seat.arithmetic.masked(own), own.share(), range);
  }
  x.reach = small.bound();
  x.within_reach = false;
}

// The ring for a result of so many fraction bits that, by the bounds of its operands, may be as large as `derived`. If the
// program promises a smaller bound, the ring also keeps the bits by which the range watch knows a broken promise, after
// the result is rounded.
int ring_for(const Seat& seat, const char* what, int fraction_bits, double derived) {
  const int ring = seat.arithmetic.top().ring_bits;
  const int exact = std::max(mpc::room_for(fraction_bits, derived), fraction_bits + 1);
  if (exact > ring) {
    throw ConfigError(fmt::format(
        "{}: by the bounds of its operands, a result may be as large as {:g}, and a ring of {} bits has room "
        "for {:g}; share the operands with smaller bounds (share(x, bound=1)), or declare a smaller one for "
        "all values (simulate(bound=...))",
        what, derived, ring, std::ldexp(1.0, ring - 2 - fraction_bits) - 1));
  }
  if (derived <= seat.bound) return exact;
  const int kept = std::min(fraction_bits, value_bits(seat));
  const int watched = fraction_bits - kept + mpc::room_for(kept, seat.bound) + mpc::RangeAudit::kOverBits;
  return std::min(std::max(exact, watched), ring);
}

// With the fraction bits of values: a whole number gets fraction bits of zero.
Tensor value(const Seat& seat, Held& x) {
  static_cast<void>(ring_for(seat, "a whole number", value_bits(seat), reach_of(x)));  // refuses what has no room
  const Tensor& small = settled(seat, x);
  if (small.format().fraction_bits == value_bits(seat)) return small;
  const Tensor fine = seat.arithmetic.rounded(small, Precision::kValue);
  return x.certain ? fine.certain() : fine;
}

// For operations that see the elements one by one.
Tensor in_order(const Held& x, const Tensor& tensor) {
  return x.turned ? Tensor(tensor.share(), tensor.bound(), tensor.name()).as_watched_as(tensor) : tensor;
}

// With all its fraction bits if values up to `most` fit its ring, else rounded.
const Tensor& with_room(const Seat& seat, Held& x, double most) {
  const mpc::Format format = x.tensor.format();
  return mpc::room_for(format.fraction_bits, most) <= format.ring_bits ? x.tensor : settled(seat, x);
}

void lift_if_narrow(const Seat& seat, std::initializer_list<Tensor> operands, int ring_bits) {
  gnn::Tensors narrow;
  for (const Tensor& x : operands) {
    if (x.format().ring_bits < ring_bits) narrow.push_back(x);
  }
  seat.arithmetic.lifted(narrow);
}

// Both operands, masked, with room for a result up to `derived`.
struct Factors {
  mpc::Masked left, right;
};
Factors factors_of(const Seat& seat, const Tensor& left, const Tensor& right, const char* what, double derived) {
  const int fraction = left.format().fraction_bits + right.format().fraction_bits;
  lift_if_narrow(seat, {left, right}, ring_for(seat, what, fraction, derived));
  seat.arithmetic.mask(std::array{left, right});
  return {seat.arithmetic.masked(left), seat.arithmetic.masked(right)};
}

Matrix rounded_to(const Matrix& numbers, int fraction_bits) {
  const double unit = std::ldexp(1.0, -fraction_bits);
  return (numbers.array() / unit).round() * unit;
}

constexpr int kFactorBits = 20, kLeastFactorBits = 8;

// The fraction bits of public factors that multiply `x`. Whole numbers have none. Otherwise the smallest factor keeps
// kFactorBits bits, as far as the ring has room for results up to `most` and for the range watch.
int factor_fraction(const Seat& seat, const Matrix& factors, Held& x, double most) {
  if ((factors.array() == factors.array().round()).all()) return 0;
  const auto sizes = factors.array().abs();
  const double least = (sizes > 0).select(sizes, sizes.maxCoeff()).minCoeff();
  const int kept = settled(seat, x).format().fraction_bits, over = is_within_reach(x) ? 0 : mpc::RangeAudit::kOverBits;
  const int free = seat.arithmetic.top().ring_bits - over - mpc::room_for(kept, std::max(most, seat.bound));
  return std::clamp(kFactorBits - 1 - std::ilogb(least), value_bits(seat), std::max(free, value_bits(seat)));
}

// Opened on the way, so that the range watch sees it.
Tensor watched(const Seat& seat, Held& x) {
  make_watched(seat, x);
  const Tensor small = in_order(x, value(seat, x));
  return x.certain ? small : seat.arithmetic.refreshed(small);
}

// The tensor in the narrowest ring for a comparison. If the value is not certain, the ring keeps the bits for the range
// watch. A value that the watch may miss is compared by its reach.
Tensor to_compare(const Seat& seat, const Tensor& x, bool certain, double reach) {
  const double bound = reach <= most_watched(seat) ? x.bound() : reach;
  const int spare = certain ? 0 : mpc::RangeAudit::kOverBits;
  const int ring = mpc::room_for(x.format().fraction_bits, bound) + spare;
  if (ring >= x.format().ring_bits) return bound == x.bound() ? x : x.within(bound);
  return Tensor(mpc::narrow(x.share(), ring), bound, x.name()).as_watched_as(x);
}

Held of_bits(const Seat& seat, const mpc::Bits& bits) {
  const Share ones = mpc::indicator(seat.arithmetic.session(), bits, seat.arithmetic.top().ring_bits);
  return {Tensor(ones, 1, "bits").certain(), {}, true};
}

double largest(const Matrix& numbers) { return numbers.size() == 0 ? 0 : numbers.cwiseAbs().maxCoeff(); }

enum class Sign : signed char { kPlus, kMinus };

Held combined(const Seat& seat, Held& x, Held& y, Sign sign) {
  const double reach = reach_of(x) + reach_of(y);
  const mpc::Format one = x.tensor.format(), other = y.tensor.format();
  const int finer = std::max(one.fraction_bits, other.fraction_bits);
  const bool fits = mpc::room_for(finer, reach) <= std::min(one.ring_bits, other.ring_bits);
  const auto operand = [&](Held& held) {
    if (!fits) return value(seat, held);
    return held.tensor.format().fraction_bits == finer ? held.tensor : seat.arithmetic.rounded(held.tensor, finer);
  };
  const Tensor left = operand(x), right = operand(y);
  lift_if_narrow(seat, {left, right}, ring_for(seat, "x + y", left.format().fraction_bits, reach));
  const Tensor result =
      sign == Sign::kPlus ? seat.arithmetic.sum(left, right, reach) : seat.arithmetic.difference(left, right, reach);
  return declared(seat, result, reach, is_within_reach(x) && is_within_reach(y));
}

Held sums(const Seat& seat, Held& x, std::int64_t terms, Share (*add_up)(const Share&)) {
  const double reach = reach_of(x) * static_cast<double>(terms);
  const Tensor mine = with_room(seat, x, reach);
  lift_if_narrow(seat, {mine}, ring_for(seat, "sum", mine.format().fraction_bits, reach));
  return declared(seat, Tensor(add_up(mine.share()), reach, "sums"), reach, is_within_reach(x));
}

// A product with a public matrix whose rows (or columns, from the right) have absolute values that sum up to `most`.
Held times_matrix(const Seat& seat, Held& x, const Matrix& factors, const char* what, double most,
                  const std::function<Share(const mpc::PublicMatrix&, const Share&)>& multiply) {
  const Tensor small = settled(seat, x);
  const int bits = factor_fraction(seat, factors, x, most * reach_of(x));
  const mpc::PublicMatrix m(rounded_to(factors, bits), bits, "the numbers that a share is multiplied by");
  // Each factor is rounded, and so is the result.
  const auto factors_each = static_cast<double>(std::max(factors.rows(), factors.cols()));
  const double most_rounded = most + std::ldexp(factors_each, -bits - 1) * (bits > 0 ? 1 : 0);
  const double reach = most_rounded * reach_of(x) + seat.rounding;
  lift_if_narrow(seat, {small}, ring_for(seat, what, bits + small.format().fraction_bits, reach));
  const Tensor result(multiply(m, small.share()), reach, "a product with public numbers");
  return declared(seat, result, reach, is_within_reach(x));
}

// A power of two has a spare bit in every ring (mpc::room_for). Rounding may move a value beyond any other bound.
bool is_power_of_two(double bound) { return bound == std::exp2(std::ilogb(bound)); }

}  // namespace

Seat seat_of(Arithmetic& arithmetic, mpc::RangeAudit& audit, double bound) {
  const double unit = std::ldexp(1.0, -arithmetic.top().fraction_bits);
  const double rounding = unit * std::max(1.0, arithmetic.session().parties() / 2.0);
  return {arithmetic, audit, is_power_of_two(bound) ? bound : bound + rounding, rounding};
}

Held shared(const Seat& seat, int owner, Shape shape, const Matrix* mine, double bound) {
  const double units = std::ceil(std::ldexp(bound, value_bits(seat)));  // an element may be rounded up
  const double most = std::ldexp(units, -value_bits(seat));
  const Tensor x = gnn::share_input(seat.arithmetic, owner, shape, mine, Precision::kValue, most, "a shared array");
  return {x.certain(), {}, true, false, most, true};
}

Held sum(const Seat& seat, Held& x, Held& y) { return combined(seat, x, y, Sign::kPlus); }
Held difference(const Seat& seat, Held& x, Held& y) { return combined(seat, x, y, Sign::kMinus); }

Held product(const Seat& seat, Held& x, Held& y) {
  make_watched(seat, x);
  make_watched(seat, y);
  const Tensor left = in_order(x, settled(seat, x)), right = in_order(y, settled(seat, y));
  const double bound = left.bound() * right.bound() + seat.rounding;
  const Factors factors = factors_of(seat, left, right, "x * y", bound);
  const Share share = mpc::product(seat.arithmetic.session(), factors.left, factors.right);
  return declared(seat, Tensor(share, bound, "a product"), bound, false);
}

Held matrix_product(const Seat& seat, Held& x, Held& y) {
  make_watched(seat, x);
  make_watched(seat, y);
  const Tensor left = settled(seat, x), right = settled(seat, y);
  const double bound = static_cast<double>(left.shape().cols) * left.bound() * right.bound() + seat.rounding;
  const Factors factors = factors_of(seat, left, right, "x @ y", bound);
  const Share share = mpc::matmul(seat.arithmetic.session(), factors.left, factors.right);
  return declared(seat, Tensor(share, bound, "a matrix product"), bound, false);
}

Held negative(const Held& x) { return derived(x, -x.tensor.share()); }

Held scaled(const Seat& seat, Held& x, double factor) {
  const Tensor& small = settled(seat, x);
  const double size = std::abs(factor), unit = std::ldexp(1.0, -value_bits(seat));
  if (size * reach_of(x) < unit / 4) {  // every product is rounded to zero
    const Share share = small.share();
    return {Tensor(share - share, 0, "zero").certain(), {}, true};
  }
  const double bound = reach_of(x) * (1 + std::ldexp(1.0, -kLeastFactorBits)) + seat.rounding / size;
  const int top = seat.arithmetic.top().ring_bits, room = mpc::room_for(value_bits(seat), size * bound);
  const int magnitude = std::ilogb(factor) + 1;
  const int factor_bits = std::clamp(top - room + magnitude, kLeastFactorBits, kFactorBits);
  const bool whole = factor == std::nearbyint(factor) && small.format().fraction_bits == 0;
  const Arithmetic::Scaling scaling{.precision = whole ? Precision::kWhole : Precision::kValue,
                                    .factor_bits = factor_bits,
                                    .least_bits = factor_bits};
  // The fraction bits of the factor are dropped again: the rest of the ring must show the result to the range watch.
  const int gained = std::clamp(factor_bits - magnitude, 0, top), rest = room + mpc::RangeAudit::kOverBits;
  const Tensor operand = small.within(bound);  // with the rounding of factor and result
  if (is_within_reach(x)) static_cast<void>(operand.certain());
  if (!is_within_reach(x)) lift_if_narrow(seat, {operand}, std::min(gained + rest, top));
  return declared(seat, seat.arithmetic.scaled(operand, factor, scaling), size * bound, is_within_reach(x));
}

Held plus_public(const Seat& seat, Held& x, const Matrix& numbers) {
  const double most = largest(numbers) + seat.rounding, reach = reach_of(x) + most;
  const bool whole = x.tensor.format().fraction_bits == 0;
  const Tensor mine = whole ? value(seat, x) : with_room(seat, x, reach);
  const int fraction = mine.format().fraction_bits;
  lift_if_narrow(seat, {mine}, ring_for(seat, "x + numbers", fraction, reach));
  const mpc::Format format{seat.arithmetic.top().ring_bits, fraction};
  const Share known =
      mpc::constant(seat.arithmetic.session(), rounded_to(numbers, fraction), format, "the numbers added to a share");
  const Tensor sum = seat.arithmetic.sum(mine, Tensor(known, most, "public numbers").certain(), reach);
  return declared(seat, sum, reach, is_within_reach(x));
}

Held times_public(const Seat& seat, Held& x, const Matrix& factors) {
  return times_matrix(seat, x, factors, "x * numbers", largest(factors), [&](const auto& m, const Share& share) {
    return mpc::product(m, share, seat.arithmetic.session().workers());
  });
}

Held public_matrix_times(const Seat& seat, const Matrix& left, Held& x) {
  const double most = left.cwiseAbs().rowwise().sum().maxCoeff();
  return times_matrix(seat, x, left, "matrix @ x", most, [&](const auto& m, const Share& share) {
    return mpc::matmul(m, share, seat.arithmetic.session().workers());
  });
}

Held times_public_matrix(const Seat& seat, Held& x, const Matrix& right) {
  const double most = right.cwiseAbs().colwise().sum().maxCoeff();
  return times_matrix(seat, x, right, "x @ matrix", most, [&](const auto& m, const Share& share) {
    return mpc::matmul(share, m, seat.arithmetic.session().workers());
  });
}

Held at_least(const Seat& seat, Held& x, std::int64_t units) {
  const Tensor mine = in_order(x, value(seat, x));
  const double limit = std::ldexp(std::abs(static_cast<double>(units)), -value_bits(seat));
  const double reach = reach_of(x) + limit;
  static_cast<void>(ring_for(seat, "x >= y", value_bits(seat), reach));  // refuses what has no room
  lift_if_narrow(seat, {mine}, mpc::room_for(value_bits(seat), reach));
  const Share moved = mpc::add_public_units(seat.arithmetic.session(), mine.share(), -units);
  const Tensor difference = Tensor(moved, mine.bound() + limit, "a comparison").as_watched_as(mine);
  return of_bits(seat, seat.arithmetic.non_negative(to_compare(seat, difference, x.certain, reach)));
}

Held opposite(const Seat& seat, const Held& bits) {
  return {
      Tensor(mpc::add_public_units(seat.arithmetic.session(), -bits.tensor.share(), 1), 1, "bits").certain(), {}, true};
}

// The comparison opens x under a mask, so that the range watch sees it.
Held relu(const Seat& seat, Held& x) {
  const Tensor narrow = to_compare(seat, in_order(x, value(seat, x)), x.certain, reach_of(x));
  const mpc::Bits bits = seat.arithmetic.non_negative(narrow);
  const bool watched = reach_of(x) <= most_watched(seat);
  const double reach = watched ? seat.bound : reach_of(x);
  Held result =
      declared(seat, seat.arithmetic.select(bits, narrow, reach, "relu"), reach, is_within_reach(x) && !watched);
  result.certain = x.certain;
  return result;
}

// softmax(0, z), the second class.
Held sigmoid(const Seat& seat, Held& x) {
  const Tensor z = watched(seat, x);
  const Share column = mpc::reshaped(z.share(), {z.shape().size(), 1});
  const Tensor pairs(mpc::beside(column - column, column), z.bound(), "sigmoid");
  const Share both = gnn::softmax(seat.arithmetic, pairs.certain(), false).probability.share();
  return {Tensor(mpc::reshaped(mpc::columns(both, 1, 2), z.shape()), kMostProbability, "sigmoid").certain(), {}, true};
}

Held softmax(const Seat& seat, Held& x) {
  const Tensor z = watched(seat, x);
  return {gnn::softmax(seat.arithmetic, z, false).probability.within(kMostProbability).certain(), {}, true};
}

Held column_sums(const Seat& seat, Held& x) { return sums(seat, x, x.tensor.shape().rows, mpc::column_sums); }
Held row_sums(const Seat& seat, Held& x) { return sums(seat, x, x.tensor.shape().cols, mpc::row_sums); }

Held transposed(const Held& x) {
  Held turned{x.tensor.transposed(), {}, x.certain, !x.turned, x.reach, x.within_reach};
  if (x.settled) turned.settled = x.settled->transposed();
  return turned;
}

Held rows(const Held& x, std::int64_t begin, std::int64_t end) {
  return derived(x, mpc::rows(x.tensor.share(), begin, end));
}

Held columns(const Held& x, std::int64_t begin, std::int64_t end) {
  return derived(x, mpc::columns(x.tensor.share(), begin, end));
}

Held stretched(const Held& x, Shape shape) {
  Share share = x.tensor.share();
  if (share.shape().rows == 1 && shape.rows != 1) share = mpc::repeat_rows(share, shape.rows);
  if (share.shape().cols == 1 && shape.cols != 1) share = mpc::repeat_cols(share, shape.cols);
  return derived(x, share);
}

}  // namespace tacit::python
