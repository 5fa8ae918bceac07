#include "gnn/arithmetic/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "mpc/protocols/compare.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/lifted_multiple.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/select.h"
#include "mpc/session/local.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

using mpc::Level;
using mpc::ProductPlan;
using mpc::Share;

constexpr int kSpareBits = 6;  // above a range that is watched
// Of a master copy, below the last place of its value. With one more, a product of features and weights would have to be lifted
// for a graph behind it, with the default ranges: 64 - 7 - 13 = 44 bits, as many as a product of 26 fraction bits needs for values
// up to 1023 and six spare bits.
constexpr int kBitsOfMasters = 7;

// factor = mantissa · 2^-exponent
struct Factor {
  std::int64_t mantissa;
  int exponent;
};

Factor factor_of(double factor, int bits) {
  int exponent = bits - 1 - std::ilogb(factor);
  std::int64_t mantissa = std::llround(std::ldexp(factor, exponent));
  while (mantissa % 2 == 0) {
    mantissa /= 2;
    --exponent;
  }
  return {mantissa, exponent};
}

}  // namespace

Arithmetic::Arithmetic(mpc::Session& session, mpc::Format top, const Ranges& ranges)
    : session_(session), planner_(top.ring_bits, top.fraction_bits, session.parties()), ranges_(ranges) {}

mpc::Format Arithmetic::format_of(Precision precision) const {
  const int ring = top().ring_bits, f = top().fraction_bits;
  switch (precision) {
    case Precision::kWhole:
      return {ring, 0};
    case Precision::kValue:
      return {ring, f};
    case Precision::kParameter: {
      const double product = std::max({ranges_.activations, ranges_.gradients, ranges_.weight_gradients});
      const int least = std::max(mpc::room_for(2 * f, product), mpc::room_for(f, ranges_.weights)) + kSpareBits;
      return {ring - kBitsOfMasters >= least ? ring - kBitsOfMasters : ring, f};
    }
    case Precision::kUnit:
      return {ring, 16};
    case Precision::kMean:
      return {ring, f + 6};
    case Precision::kSquare:
      return {ring, 23};
    case Precision::kStep:
      return {ring, f + 9};
    case Precision::kMaster:
      return {ring, f + kBitsOfMasters};
    case Precision::kWeight:
      return {mpc::kWordBits, 16};
    case Precision::kRawWhole:
      return {mpc::kWordBits, 0};
    case Precision::kRaw:
      break;
  }
  return {mpc::kWordBits, 24};
}

int Arithmetic::spare_ring(int fraction_bits, double bound) { return mpc::room_for(fraction_bits, bound) + kSpareBits; }

Tensor Arithmetic::in_ring(const Tensor& x, int ring_bits) {
  if (x.format().ring_bits == ring_bits) return x;
  return Tensor(mpc::narrow(x.share(), ring_bits), x.bound(), x.name()).as_watched_as(x);
}

Tensor Arithmetic::trimmed(const Tensor& x) {
  const int ring = spare_ring(x.format().fraction_bits, x.bound());
  return ring >= x.format().ring_bits ? x : Tensor(mpc::narrow(x.share(), ring), x.bound(), x.name());
}

Tensor Arithmetic::in_ring_of(Precision precision, const Tensor& x) const {
  return Tensor(mpc::narrow(x.share(), format_of(precision).ring_bits, session_.workers()), x.bound(), x.name());
}

// Both operands are masked.
mpc::Share Arithmetic::product_of(const Product& p) const {
  if (p.rows_each == 1) return mpc::matmul(session_, masked(p.left), masked(p.right));
  const Shape right = p.right.shape(), left = p.left.shape();
  TACIT_CHECK(right.rows == left.cols * p.rows_each);
  const mpc::Masked side_by_side = mpc::reshaped(masked(p.right), {left.cols, right.cols * p.rows_each});
  const Share product = mpc::matmul(session_, masked(p.left), side_by_side);
  return mpc::reshaped(product, {left.rows * p.rows_each, right.cols});
}

Tensors Arithmetic::matmul(std::span<const Product> products) {
  const auto plan_of = [&](const Product& p) {
    return planner_.product(p.name, p.left.level(), p.right.level(), p.left.shape().cols, p.bound);
  };
  Tensors to_lift, operands;
  for (const Product& p : products) {
    const ProductPlan plan = plan_of(p);
    if (plan.lift_left) to_lift.push_back(p.left);
    if (plan.lift_right) to_lift.push_back(p.right);
    operands.insert(operands.end(), {p.left, p.right});
  }
  lift(to_lift);
  mask(operands);
  Tensors results;
  for (const Product& p : products) {
    const ProductPlan plan = plan_of(p);
    const Share product = mpc::drop(session_, product_of(p), plan.drop);
    results.emplace_back(product, plan.result.bound, p.name);
  }
  return results;
}

Tensor Arithmetic::row_products(const Tensor& left, const Tensor& right, double bound, std::string name) {
  const auto plan_of = [&] { return planner_.product(name, left.level(), right.level(), left.shape().cols, bound); };
  Tensors to_lift;
  if (plan_of().lift_left) to_lift.push_back(left);
  if (plan_of().lift_right) to_lift.push_back(right);
  lift(to_lift);
  mask(std::array{left, right});
  const ProductPlan plan = plan_of();
  const Share products = mpc::row_sums(mpc::product(session_, masked(left), masked(right)));
  return Tensor(mpc::drop(session_, products, plan.drop), plan.result.bound, std::move(name));
}

Tensors Arithmetic::row_multiples(const Tensor& column, std::span<const Tensor> tensors, double bound,
                                  const std::string& name) {
  const auto plan_of = [&](const Tensor& x) { return planner_.product(name, column.level(), x.level(), 1, bound); };
  Tensors to_lift, operands{column};
  for (const Tensor& x : tensors) {
    if (plan_of(x).lift_left) to_lift.push_back(column);
    if (plan_of(x).lift_right) to_lift.push_back(x);
    operands.push_back(x);
  }
  lift(to_lift);
  mask(operands);
  Tensors results;
  for (const Tensor& x : tensors) {
    const ProductPlan plan = plan_of(x);
    const mpc::Masked factors = mpc::repeat_cols(masked(column), x.shape().cols);
    results.emplace_back(mpc::drop(session_, mpc::product(session_, factors, masked(x)), plan.drop), plan.result.bound,
                         name);
  }
  return results;
}

Tensors Arithmetic::squares(std::span<const Tensor> tensors, double bound) {
  Tensors to_lift;
  for (const Tensor& x : tensors) {
    if (mpc::room_for(2 * x.format().fraction_bits, bound) > x.format().ring_bits) to_lift.push_back(x);
  }
  lift(to_lift);
  mask(tensors);
  Tensors results;
  for (const Tensor& x : tensors) {
    results.emplace_back(mpc::product(session_, masked(x), masked(x)), bound, x.name() + " squared");
  }
  return results;
}

Tensor Arithmetic::product_by(int fraction_bits, std::int64_t columns, const Tensor& x, double bound, std::string name,
                              const std::function<Share(const Share&)>& product) {
  const Level left{"a matrix", {mpc::kWordBits, fraction_bits}, bound};
  const auto plan_of = [&] { return planner_.product(name, left, x.level(), columns, bound); };
  if (plan_of().lift_right || hides(x, fraction_bits, bound)) lift(std::span(&x, 1));
  const ProductPlan plan = plan_of();
  return Tensor(mpc::drop(session_, product(x.share()), plan.drop), plan.result.bound, std::move(name));
}

Tensor Arithmetic::matmul(const mpc::SparseMatrix& m, const Tensor& x, double bound, std::string name) {
  return product_by(m.fraction_bits, m.shape.cols, x, bound, std::move(name),
                    [&](const Share& share) { return mpc::matmul(m, share, session_.workers()); });
}

Tensor Arithmetic::product(const mpc::PublicMatrix& m, const Tensor& x, double bound, std::string name) {
  return product_by(m.fraction_bits(), 1, x, bound, std::move(name),
                    [&](const Share& share) { return mpc::product(m, share, session_.workers()); });
}

Tensor Arithmetic::matmul(const mpc::OwnMatrix& m, const Tensor& x, double bound, std::string name,
                          std::int64_t rows_each) {
  const std::int64_t cols = x.shape().cols;
  TACIT_CHECK(x.shape().rows == m.shape().cols * rows_each);
  return product_by(m.fraction_bits(), m.shape().cols, x, bound, std::move(name), [&](const Share& share) {
    if (rows_each == 1) return mpc::matmul(session_, m, share);
    const Share side_by_side = mpc::reshaped(share, {m.shape().cols, cols * rows_each});
    return mpc::reshaped(mpc::matmul(session_, m, side_by_side), {m.shape().rows * rows_each, cols});
  });
}

Tensor Arithmetic::exact_product(const mpc::PublicMatrix& m, const Tensor& x, double bound, std::string name) {
  const int fraction = m.fraction_bits() + x.format().fraction_bits;
  if (mpc::room_for(fraction, bound) > x.format().ring_bits) {
    throw ConfigError(
        fmt::format("{}: values up to {} with {} fraction bits do not fit a ring of {} bits; take fewer fraction bits",
                    name, bound, fraction, x.format().ring_bits));
  }
  TACIT_CHECK(!x.transposed_);
  if (!x.forms_->masked && hides(x, m.fraction_bits(), bound)) lift(std::span(&x, 1));
  Tensor result(mpc::product(m, x.share(), session_.workers()), bound, std::move(name));
  if (x.forms_->masked) result.forms_->masked = mpc::product(m, *x.forms_->masked, session_.workers());
  return result;
}

mpc::SparseMatrix Arithmetic::sparse(Shape shape, const std::vector<std::int64_t>& row_begin,
                                     const std::vector<std::int32_t>& cols, const std::vector<double>& values,
                                     bool whole) const {
  mpc::SparseMatrix m{shape, row_begin, cols, {}, whole ? 0 : top().fraction_bits};
  for (const double value : values) {
    m.values.push_back(static_cast<std::uint64_t>(std::llround(std::ldexp(value, m.fraction_bits))));
  }
  return m;
}

// The fewest fraction bits that give the number to a thousandth: each bit costs a product one bit of its ring.
int Arithmetic::fraction_bits_of(double number) {
  int bits = 0;
  while (std::abs(std::nearbyint(std::ldexp(number, bits)) - std::ldexp(number, bits)) >
         std::ldexp(number, bits) / 1024) {
    ++bits;
  }
  return bits;
}

mpc::PublicMatrix Arithmetic::zeros_and(double number, Shape shape, const Fill& fill) const {
  const int bits = fraction_bits_of(number);
  if (!session_.computes()) return {shape, bits};
  mpc::RingTensor words(shape, mpc::kWordBits);
  fill(words.data(), words.size(), static_cast<std::uint64_t>(std::llround(std::ldexp(number, bits))));
  return {std::move(words), bits};
}

Tensor Arithmetic::aligned(const Tensor& x, const Tensor& with) {
  const int fraction = with.format().fraction_bits;
  return x.format().fraction_bits == fraction ? x : rounded(x, fraction);
}

// Lifts the operands, in one round, if their ring is too narrow for the result.
void Arithmetic::make_room(const Tensor& a, const Tensor& b, double bound) {
  const int fraction = std::max(a.format().fraction_bits, b.format().fraction_bits);
  const int ring = std::min(a.format().ring_bits, b.format().ring_bits);
  if (mpc::room_for(fraction, bound) > ring) lift(std::array{a, b});
}

Tensor Arithmetic::sum(const Tensor& left, const Tensor& right, std::optional<double> bound, std::string name) {
  const Tensor added = aligned(right, left);
  const double most = bound.value_or(left.bound() + right.bound());
  make_room(left, added, most);
  if (name.empty()) name = left.name();
  const Level level = planner_.sum(name, left.level(), added.level(), most);
  return Tensor(mpc::sum(left.share(), added.share(), session_.workers()), level.bound, std::move(name));
}

Tensor Arithmetic::difference(const Tensor& left, const Tensor& right, std::optional<double> bound, std::string name) {
  const Tensor taken = aligned(right, left);
  const double most = bound.value_or(left.bound() + right.bound());
  make_room(left, taken, most);
  if (name.empty()) name = left.name();
  const Level level = planner_.sum(name, left.level(), taken.level(), most);
  return Tensor(mpc::difference(left.share(), taken.share(), session_.workers()), level.bound, std::move(name));
}

Tensors Arithmetic::sums(std::span<const Tensor> left, std::span<const Tensor> right, double bound) {
  Tensors narrow;
  for (const std::span<const Tensor> operands : {left, right}) {
    std::copy_if(operands.begin(), operands.end(), std::back_inserter(narrow), [&](const Tensor& x) {
      return x.format().ring_bits < mpc::room_for(x.format().fraction_bits, bound);
    });
  }
  lift(narrow);
  Tensors results;
  for (std::size_t i = 0; i < left.size(); ++i) results.push_back(sum(left[i], right[i], bound));
  return results;
}

Tensor Arithmetic::column_sums(const Tensor& x, double bound, std::string name) {
  if (mpc::room_for(x.format().fraction_bits, bound) > x.format().ring_bits) lift(std::span(&x, 1));
  return Tensor(mpc::column_sums(x.share()), bound, std::move(name));
}

double Arithmetic::room_to_watch(double range) const {
  return audit_ == nullptr ? range : std::ldexp(range, kSpareBits);
}

int Arithmetic::ring_to_watch(double range) const { return mpc::room_for(top().fraction_bits, room_to_watch(range)); }

bool Arithmetic::hides(const Tensor& x, int fraction_bits, double bound) const {
  const int room = mpc::room_for(x.format().fraction_bits + fraction_bits, room_to_watch(bound));
  return audit_ != nullptr && fraction_bits > 0 && room > x.format().ring_bits && room <= top().ring_bits;
}

// The audit finds every value above three times its range, so a comparison is exact up to there.
mpc::Bits Arithmetic::at_least(const Tensor& x, std::int64_t units) {
  const mpc::Shown& of = shown(x);
  int hi = mpc::LevelPlanner::comparison_bits(x.level());
  if (audit_ != nullptr) hi = std::max(hi, mpc::RangeAudit::ring_of(of.fraction_bits(), x.bound()) + 1);
  const mpc::Comparison one{of, std::min(hi, of.ring_bits() - 1), units};
  return mpc::non_negative(session_, std::span(&one, 1)).front();
}

Tensor Arithmetic::select(const mpc::Bits& bits, const Tensor& x, double product_bound, std::string name) {
  const mpc::Shown& of = shown(x);
  const int room = mpc::room_for(2 * top().fraction_bits, product_bound);
  const int ring = std::min(std::max(of.ring_bits(), room), top().ring_bits);
  const Tensor result(mpc::select(session_, bits, of, ring), x.bound(), std::move(name));
  return audit_ == nullptr ? result : result.certain();  // no larger than x, which was watched when it was shown
}

Tensor Arithmetic::beside(std::span<const Tensor> tensors, std::string name) {
  Tensors all;
  for (const Tensor& x : tensors) all.push_back(aligned(x, tensors.front()));
  double bound = 0;
  for (const Tensor& x : all) bound = std::max(bound, x.bound());
  // A tensor of a small range may have a ring that is too narrow for its neighbours' range.
  Tensors narrow;
  std::copy_if(all.begin(), all.end(), std::back_inserter(narrow),
               [&](const Tensor& x) { return x.format().ring_bits < mpc::room_for(x.format().fraction_bits, bound); });
  lift(narrow);
  if (std::any_of(all.begin(), all.end(), [](const Tensor& x) { return x.forms_->masked.has_value(); })) mask(all);
  std::vector<Share> shares;
  std::vector<mpc::Masked> masked;
  bool certain = true;
  for (const Tensor& x : all) {
    TACIT_CHECK(!x.transposed_);
    shares.push_back(x.share());
    if (x.forms_->masked) masked.push_back(*x.forms_->masked);
    certain = certain && x.forms_->certain;
  }
  Tensor result(mpc::beside(shares), bound, std::move(name));
  if (!masked.empty()) result.forms_->masked = mpc::beside(masked);
  result.forms_->certain = certain;
  return result;
}

int Arithmetic::fraction_of(const Tensor& x, const Scaling& scaling) const {
  return scaling.precision ? format_of(*scaling.precision).fraction_bits : x.format().fraction_bits;
}

// Returns nothing where x's ring has no room for the least bits of the factor.
std::optional<Tensor> Arithmetic::exactly_scaled(const Tensor& x, double factor, const Scaling& scaling) const {
  const double bound = std::min(scaling.most, std::abs(factor) * x.bound());
  const int result = fraction_of(x, scaling);
  for (int bits = scaling.factor_bits; bits >= std::min(scaling.least_bits, scaling.factor_bits); --bits) {
    const Factor by = factor_of(factor, bits);
    const int gained = std::max(by.exponent, 0);
    const int fraction = x.format().fraction_bits + gained, ring = x.format().ring_bits;
    if (mpc::room_for(fraction, bound) > ring || fraction >= ring) continue;
    if (ring - std::max(fraction - result, 0) < scaling.least_ring) continue;
    const auto whole = static_cast<std::int64_t>(std::ldexp(by.mantissa, gained - by.exponent));
    return Tensor(mpc::scale(x.share(), whole, gained, session_.workers()), bound, x.name());
  }
  return std::nullopt;
}

void Arithmetic::expect_factor(const std::string& name, double factor) {
  if (std::isfinite(factor) && factor != 0 && std::abs(factor) <= 1 << 30) return;
  throw ConfigError(
      fmt::format("{}: cannot scale by {}; a number other than zero, below 2^30, is needed", name, factor));
}

void Arithmetic::refuse(const Level& x, double factor, double bound) {
  throw ConfigError(
      fmt::format("{} times {}, with values up to {}, does not fit a ring of {} bits. Declare a smaller range, take a "
                  "wider ring, or, where {} is a learning rate, a larger one.",
                  factor, x.name, bound, x.format.ring_bits, factor));
}

Tensors Arithmetic::scaled(std::span<const Tensor> tensors, double factor, const Scaling& scaling) {
  std::vector<std::optional<Tensor>> exact;
  Tensors to_lift, results;
  for (const Tensor& x : tensors) {
    expect_factor(x.name(), factor);
    exact.push_back(exactly_scaled(x, factor, scaling));
    if (!exact.back()) to_lift.push_back(x);
  }
  lift(to_lift);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& x = tensors[i];
    if (!exact[i]) exact[i] = exactly_scaled(x, factor, scaling);
    if (!exact[i] && scaling.least_ring > 0) {  // the top ring has too few bits, too
      exact[i] = exactly_scaled(x, factor,
                                {.most = scaling.most,
                                 .precision = scaling.precision,
                                 .factor_bits = std::min(scaling.factor_bits, scaling.least_bits)});
    }
    if (!exact[i]) refuse(x.level(), factor, std::min(scaling.most, std::abs(factor) * x.bound()));
    results.push_back(rounded(*exact[i], fraction_of(x, scaling)));
  }
  return results;
}

// The factor is rounded to a multiple of 2^-k, so that the cost does not depend on it. A factor below half of that gives zeros.
Tensor Arithmetic::multiple(const mpc::Shown& opened, double bound, const std::string& name, double factor,
                            const Scaling& scaling) {
  constexpr int kBitsOfDouble = 53;
  expect_factor(name, factor);
  const mpc::Format result{top().ring_bits,
                           scaling.precision ? format_of(*scaling.precision).fraction_bits : opened.fraction_bits()};
  const double most = std::min(scaling.most, std::abs(factor) * bound);
  if (mpc::room_for(result.fraction_bits, most) > result.ring_bits) refuse({name, result, bound}, factor, most);
  const double in_units = std::ldexp(factor, result.fraction_bits - opened.fraction_bits());
  const int k = opened.ring_bits();
  const int shift = std::clamp(kBitsOfDouble - 1 - std::ilogb(in_units), 0, k);
  const std::int64_t mantissa = std::llround(std::ldexp(in_units, shift));
  return Tensor(mpc::lifted_multiple(session_, opened, {mantissa, shift}, result), most, name);
}

Tensors Arithmetic::multiples(std::span<const Tensor> opened, double factor, const Scaling& scaling) {
  Tensors results;
  for (const Tensor& x : opened) {
    results.push_back(x.forms_->shown ? multiple(*x.forms_->shown, x.bound(), x.name(), factor, scaling)
                                      : scaled(x, factor, scaling));
  }
  return results;
}

Tensor Arithmetic::moved(const Tensor& mean, const Tensor& to, double part, int factor_bits) {
  const Tensor way = difference(aligned(to, mean), mean);
  return sum(mean, scaled(way, part, {.factor_bits = factor_bits}), to.bound());
}

Tensor Arithmetic::zeros_like(const Tensor& x, std::optional<Precision> precision) const {
  const int fraction = precision ? format_of(*precision).fraction_bits : x.format().fraction_bits;
  const mpc::Share fine = mpc::refine(x.share(), fraction);
  return Tensor(fine - fine, x.bound(), x.name());
}

Tensor Arithmetic::rounded(const Tensor& x, Precision precision) {
  const int fraction = format_of(precision).fraction_bits;
  return x.format().fraction_bits == fraction ? x : rounded(x, fraction);
}

Tensor Arithmetic::rounded(const Tensor& x, int fraction_bits) {
  const int drop = x.format().fraction_bits - fraction_bits;
  if (drop <= 0) return Tensor(mpc::refine(x.share(), fraction_bits), x.bound(), x.name());
  if (mpc::room_for(fraction_bits, x.bound()) > x.format().ring_bits - drop) {
    throw ConfigError(
        fmt::format("{}: {} bits of a ring of {} are left after rounding, too few for values up to {}. "
                    "Declare a smaller range, or take a wider ring.",
                    x.name(), x.format().ring_bits - drop, x.format().ring_bits, x.bound()));
  }
  return Tensor(mpc::drop(session_, x.share(), drop), x.bound(), x.name());
}

}  // namespace tacit::gnn
