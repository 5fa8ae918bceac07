#include "gnn/arithmetic/column_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gnn/arithmetic/clipping.h"
#include "gnn/arithmetic/roots.h"
#include "gnn/arithmetic/sharing.h"
#include "gnn/data/preparation.h"
#include "mpc/functions/reciprocal.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

using mpc::Share;

constexpr int kWide = mpc::kWordBits;
constexpr int kBitsOfRoots = 20;  // fraction bits of the root of an owner's part of a column
constexpr int kVarianceBits = 30;
constexpr double kLargestDeviations = 1000;  // the largest that the ring has room for

// Every row times the number at its place in a column: the fraction bits of both. Rounds: 2.
Share scaled_rows(mpc::Session& session, const Share& x, const Share& column) {
  const mpc::Masked numbers = mpc::mask(session, column);
  return mpc::product(session, mpc::mask(session, x), mpc::repeat_cols(numbers, x.shape().cols));
}

// x rounded to values, |x| <= bound. One round.
Tensor as_values(Arithmetic& arithmetic, const Share& x, double bound, const std::string& name) {
  const Share rounded = mpc::drop(arithmetic.session(), x, x.fraction_bits() - arithmetic.top().fraction_bits);
  return arithmetic.refreshed(Tensor(rounded, bound, name));
}

Share lifted(mpc::Session& session, const Share& x) { return mpc::lift(session, mpc::show(session, x), kWide); }

Eigen::RowVectorXd known_in(const Matrix& rows) { return known(rows).colwise().sum(); }

void expect_known(const Matrix& numbers) {
  for (Eigen::Index c = 0; c < numbers.cols(); ++c) {
    if (numbers(0, c) > 0) continue;
    throw ConfigError(
        fmt::format("x, column {}: every feature is missing, at every party; leave the column out at every party", c));
  }
}

// The numbers of known elements in the columns of all owners, as a row. Every party learns them; elsewhere they are 1.
Matrix known_of_all(Arithmetic& arithmetic, const std::vector<OwnedRows>& owners, std::int64_t columns) {
  double rows = 0;
  std::optional<Tensor> sum;
  for (const OwnedRows& own : owners) {
    rows += static_cast<double>(own.rows);
    const Matrix counts = own.mine == nullptr ? Matrix() : Matrix(known_in(*own.mine));
    const Tensor share = share_input(arithmetic, own.rank, {1, columns}, own.mine == nullptr ? nullptr : &counts,
                                     Precision::kRawWhole, rows, "known features");
    sum = sum ? arithmetic.sum(*sum, share, rows) : share;
  }
  const mpc::Public seen = reveal(arithmetic, *sum, mpc::To::everyone(), kKnownFeatures);
  Matrix numbers = Matrix::Ones(1, columns);
  arithmetic.session().output([&](const mpc::PublicReader& read) {
    if (read.seen(seen)) numbers = read(seen);
  });
  expect_known(numbers);
  return numbers;
}

// The statistics of one owner's columns, as shares. Missing elements are at the common mean, so that they add nothing to the
// variances.
class OwnStatistics {
 public:
  // `known`: the number of each column's known elements at all owners; null if no element may be missing.
  OwnStatistics(mpc::Session& session, const OwnedRows& own, std::int64_t columns, std::int64_t all_rows,
                const Matrix* known)
      : session_(session),
        own_(own),
        shape_{1, columns},
        all_rows_(static_cast<double>(all_rows)),
        known_(known),
        // The owner and everybody else round it alike.
        root_(std::llround(std::ldexp(std::sqrt(static_cast<double>(own.rows) / all_rows_), kBitsOfRoots))) {}

  // This owner's part of the means of all columns.
  Share part_of_mean() const {
    const auto part = [&](const Matrix& x) -> Matrix {
      if (known_ == nullptr) return static_cast<double>(x.rows()) / all_rows_ * x.colwise().mean();
      return with_zeros_for_missing(x).colwise().sum().array() / known_->row(0).array();
    };
    return input(part, ColumnScale::kRawBits, "means");
  }
  // This owner's part of the variances: the variance of its rows around their own mean.
  Share part_of_variance() const {
    const auto variance = [&](const Matrix& x) -> Matrix {
      const Matrix around = with_zeros_for_missing(x.rowwise() - means_of(x).row(0));
      return around.colwise().squaredNorm() / all_rows_;
    };
    return input(variance, kVarianceBits, "variances");
  }
  // sqrt(part) · (its mean - the common mean), if no element may be missing. At most 2^15; the distance alone may be more.
  Share way_from(const Share& mean) const { return mpc::scale(distance_from(mean), root_, kBitsOfRoots); }
  // The two factors of way_from(), if elements may be missing. Where an owner knows nothing of a column, its root is 0.
  Share distance_from(const Share& mean) const {
    return input([&](const Matrix& x) { return means_of(x); }, ColumnScale::kRawBits, "own means") - mean;
  }
  Share roots() const {
    return input([&](const Matrix& x) -> Matrix { return (known_in(x) / all_rows_).cwiseSqrt(); }, kBitsOfRoots,
                 "roots of parts");
  }

 private:
  // The means of the known elements; 0 for a column without known elements.
  static Matrix means_of(const Matrix& x) {
    return with_zeros_for_missing(x).colwise().sum().array() / known_in(x).array().max(1);
  }

  template <typename Of>
  Share input(const Of& of, int fraction_bits, const char* name) const {
    const Matrix mine = own_.mine == nullptr ? Matrix() : of(*own_.mine);
    return mpc::input(session_, own_.rank, shape_, {kWide, fraction_bits}, own_.mine == nullptr ? nullptr : &mine,
                      name);
  }

  mpc::Session& session_;
  const OwnedRows& own_;
  Shape shape_;
  double all_rows_;
  const Matrix* known_;
  std::int64_t root_;
};

Share variance_of(mpc::Session& session, const std::vector<OwnStatistics>& owners, const Share& mean,
                  Elements elements) {
  constexpr int kWayBits = 16;
  const auto dropped = [&](const Share& way) { return mpc::drop(session, way, way.fraction_bits() - kWayBits); };
  const std::int64_t columns = mean.shape().cols;
  const auto part_of = [&](const Share& all, std::size_t owner) {
    const auto begin = static_cast<std::int64_t>(owner) * columns;
    return mpc::columns(all, begin, begin + columns);
  };
  Share variance = owners.front().part_of_variance();
  std::vector<Share> ways, distances, roots;
  for (const OwnStatistics& owner : owners) {
    if (&owner != &owners.front()) variance = variance + owner.part_of_variance();
    if (elements == Elements::kComplete) {
      ways.push_back(dropped(owner.way_from(mean)));
    } else {
      distances.push_back(owner.distance_from(mean));
      roots.push_back(owner.roots());
    }
  }
  if (elements == Elements::kMayBeMissing) {
    // At most 2^15, with 44 fraction bits: an owner's part of the variance is at most the variance.
    const std::vector<Share> factors{mpc::beside(distances), mpc::beside(roots)};
    const std::vector<mpc::Masked> masked = mpc::mask(session, factors);
    ways.push_back(dropped(mpc::product(session, masked[0], masked[1])));
  }
  const mpc::Masked way = mpc::mask(session, lifted(session, mpc::beside(ways)));
  const Share squares =
      lifted(session, mpc::drop(session, mpc::product(session, way, way), 2 * kWayBits - kVarianceBits));
  for (std::size_t i = 0; i < owners.size(); ++i) variance = variance + part_of(squares, i);
  return variance;
}

// 1 / sqrt(x) for 2^-20 <= x < 2^30, and 0 below: such a column counts as constant. x is brought to 2^-6 … 2^12 by a
// power of 4, and the root back by one of 2.
Share inverse_root(mpc::Session& session, const Share& variance) {
  constexpr int kStep = 9, kRing = 49, kUnitBits = 12, kUnitRing = kUnitBits + 16;
  constexpr std::int64_t kSmall = std::int64_t{1} << (kVarianceBits - 6),
                         kLarge = std::int64_t{1} << (kVarianceBits + 12);
  constexpr std::int64_t kConstant = std::int64_t{1} << (kVarianceBits - 20);
  const mpc::Shown shown = mpc::show(session, variance);
  const std::vector<mpc::Comparison> comparisons{
      {shown, kWide - 2, kSmall}, {shown, kWide - 2, kLarge}, {shown, kWide - 2, kConstant}};
  const std::vector<mpc::Bits> at_least = mpc::non_negative(session, comparisons);
  const Share large = mpc::select(session, at_least[1], shown, kWide);
  const Share medium = mpc::select(session, at_least[0], shown, kWide) - large;
  const Share small = variance - medium - large;
  // Times 4^kStep, 1 and 4^-kStep.
  const auto unit = [&](const Share& x) {
    return mpc::narrow(mpc::drop(session, x, x.fraction_bits() - kUnitBits), kUnitRing);
  };
  const Share u =
      unit(mpc::scale(small, std::int64_t{1} << (2 * kStep), 0)) + unit(medium) + unit(mpc::scale(large, 1, 2 * kStep));
  const Share root = mpc::inverse_square_root(session, u, kRing);
  // 4^kStep, 2^kStep, 1 or 0.
  const Share varies = mpc::indicator(session, at_least[2], kRing);
  const Share not_small = mpc::indicator(session, at_least[0], kRing),
              is_large = mpc::indicator(session, at_least[1], kRing);
  constexpr std::int64_t kMost = std::int64_t{1} << (2 * kStep), kMiddle = std::int64_t{1} << kStep;
  const Share power =
      mpc::scale(varies, kMost, 0) - mpc::scale(not_small, kMost - kMiddle, 0) - mpc::scale(is_large, kMiddle - 1, 0);
  const std::vector<Share> factors{root, power};
  const std::vector<mpc::Masked> masked = mpc::mask(session, factors);
  return lifted(session, mpc::scale(mpc::product(session, masked[0], masked[1]), 1, kStep));
}

// centred / deviation as values, exact below kLargestDeviations. The lift opens all bits that the drop leaves, so an error of
// the lift is a multiple of 2^12 deviations.
Tensor quotient(Arithmetic& arithmetic, const Share& centred, const ColumnScale& scale, const std::string& name) {
  const Share columns =
      scaled_rows(arithmetic.session(), mpc::transposed(centred), mpc::transposed(scale.inverse_deviation));
  return as_values(arithmetic, mpc::transposed(columns), kLargestDeviations, name);
}

// x - mean where x is known, and 0 elsewhere.
Share centred(Arithmetic& arithmetic, const Tensor& x, const ColumnScale& scale, const std::optional<Tensor>& known) {
  if (!known) return x.share() - mpc::repeat_rows(scale.mean, x.shape().rows);
  mpc::Session& session = arithmetic.session();
  if (known->shape().cols == 1) {  // with one column, the same
    const std::vector<Share> factors{known->share(), scale.mean};
    const std::vector<mpc::Masked> masked = mpc::mask(session, factors);
    return x.share() - mpc::matmul(session, masked[0], masked[1]);
  }
  const std::vector<Share> factors{mpc::transposed(known->share()), mpc::transposed(scale.mean)};
  const std::vector<mpc::Masked> masked = mpc::mask(session, factors);
  return x.share() - mpc::transposed(mpc::product(session, masked[0], mpc::repeat_cols(masked[1], x.shape().rows)));
}

// Cut, if the job cuts. Otherwise checked against their declared range: in the top ring, where the watch has all its bits.
Tensor limited(Arithmetic& arithmetic, const Tensor& x, const std::optional<double>& cut) {
  if (cut) {
    const Tensor uncut = x.within(x.bound());
    return arithmetic.lifted(clipped(arithmetic, std::span(&uncut, 1), *cut, x.bound()).front());
  }
  const double declared = arithmetic.ranges().features;
  return arithmetic.watches() && declared < x.bound() ? arithmetic.refreshed(x.within(declared)) : x;
}

// Has the range watch find every element of `quotient` that is wrong. A product of two fraction bits of x and the inverse has
// room for 2^34 deviations, and errors of at most 64, since a deviation is at least 2^-8. If the finer product has
// wrapped, or its lift erred, the two are 2^12 deviations apart or more. Rounds: 4.
void watch_quotient(Arithmetic& arithmetic, const Tensor& quotient, const Share& centred, const ColumnScale& scale) {
  constexpr int kCoarseBits = 2, kLeftBits = 6;
  constexpr double kApart = 1000;  // differences below 2^10 are not found, and all above 3 · 2^10 are
  if (!arithmetic.watches()) return;
  mpc::Session& session = arithmetic.session();
  const Share rough = lifted(session, mpc::drop(session, centred, centred.fraction_bits() - kCoarseBits));
  const Share product = scaled_rows(session, mpc::transposed(rough), mpc::transposed(scale.inverse_deviation));
  const Share coarse = mpc::drop(session, product, product.fraction_bits() - kLeftBits);
  const Share fine = mpc::drop(session, quotient.share(), quotient.format().fraction_bits - kLeftBits);
  arithmetic.refreshed(Tensor(coarse - mpc::transposed(fine), kApart, quotient.name()));
}

struct PowersOfTwo {
  int least = 0, most = 0;
};

// For each element of a row, the least power of two above it, as an exponent between `powers.least` and `powers.most`:
// how many powers from 2^least to 2^(most-1) it reaches. Every party learns them.
std::vector<int> revealed_exponents(Arithmetic& arithmetic, const Share& row, const PowersOfTwo& powers,
                                    const char* reason) {
  constexpr int kCountRing = 16;
  mpc::Session& session = arithmetic.session();
  const int ring = row.fraction_bits() + powers.most + 3;
  const mpc::Shown shown = mpc::show(session, mpc::narrow(row, ring));
  std::vector<mpc::Comparison> comparisons;
  for (int power = powers.least; power < powers.most; ++power) {
    comparisons.push_back({shown, ring - 1, std::int64_t{1} << (row.fraction_bits() + power)});
  }
  std::optional<Share> count;
  for (const mpc::Bits& reached : mpc::non_negative(session, comparisons)) {
    const Share one = mpc::indicator(session, reached, kCountRing);
    count = count ? *count + one : one;
  }
  std::vector<int> exponents =
      revealed_whole_numbers(arithmetic, Tensor(*count, powers.most - powers.least, "count"), reason);
  for (int& exponent : exponents) exponent += powers.least;
  return exponents;
}

// The row times 2^powers, |result| <= bound. `least`: no power is below -least.
Tensor times_public_powers(Arithmetic& arithmetic, const Share& row, const std::vector<int>& powers, int least,
                           Precision precision, double bound, const char* name) {
  const Matrix one = Matrix::Ones(1, std::ssize(powers));
  const mpc::PublicMatrix factors(times_powers(one, powers), least, "powers of two of the deviations");
  const Share product = mpc::product(factors, row, arithmetic.session().workers());
  const int drop = product.fraction_bits() - arithmetic.format_of(precision).fraction_bits;
  return arithmetic.refreshed(Tensor(mpc::drop(arithmetic.session(), product, drop), bound, name));
}

}  // namespace

ColumnScale scale_of_columns(Arithmetic& arithmetic, const std::vector<OwnedRows>& owners, std::int64_t columns,
                             Elements elements) {
  mpc::Session& session = arithmetic.session();
  session.begin_part("means and deviations across owners");
  Matrix known;
  if (elements == Elements::kMayBeMissing) known = known_of_all(arithmetic, owners, columns);
  std::int64_t rows = 0;
  for (const OwnedRows& own : owners) rows += own.rows;
  std::vector<OwnStatistics> statistics;
  for (const OwnedRows& own : owners)
    statistics.emplace_back(session, own, columns, rows, elements == Elements::kComplete ? nullptr : &known);
  ColumnScale scale;
  scale.mean = statistics.front().part_of_mean();
  for (std::size_t i = 1; i < statistics.size(); ++i) scale.mean = scale.mean + statistics[i].part_of_mean();
  const Share variance = variance_of(session, statistics, scale.mean, elements);
  scale.inverse_deviation = inverse_root(session, variance);
  // The product variance / deviation has 20 + 28 fraction bits, which leaves a range of 2^13.
  const Share rough = lifted(session, mpc::drop(session, variance, kVarianceBits - 20));
  const std::vector<Share> factors{rough, scale.inverse_deviation};
  const std::vector<mpc::Masked> masked = mpc::mask(session, factors);
  const Share product = mpc::product(session, masked[0], masked[1]);
  scale.deviation = lifted(session, mpc::drop(session, product, product.fraction_bits() - ColumnScale::kRawBits));
  return scale;
}

TargetUnit unit_across_owners(Arithmetic& arithmetic, const ColumnScale& scale) {
  constexpr int kLeast = -8, kMost = 13;
  TargetUnit result;
  result.exponents =
      revealed_exponents(arithmetic, scale.deviation, {kLeast, kMost}, "magnitude of the targets' deviation");
  std::vector<int> down = result.exponents;
  for (int& power : down) power = -power;
  result.unit = times_public_powers(arithmetic, scale.deviation, down, kMost, Precision::kUnit, 1, "unit");
  result.zero =
      times_public_powers(arithmetic, scale.mean, down, kMost, Precision::kValue, TargetUnit::kLargestZero, "zero");
  return result;
}

// The thresholds are not powers of two: a column of zeros and ones has the deviation 1/2, and rounding must not decide
// its exponent. A column with a deviation below 2^-7 counts as constant, and gets weights of zero.
InverseUnit inverse_unit_across_owners(Arithmetic& arithmetic, const ColumnScale& scale) {
  constexpr int kLeast = -15, kMost = 7, kCountRing = 16;
  constexpr double kLargestZero = 1 << 21, kFactor = 1.37;
  mpc::Session& session = arithmetic.session();
  const Share& inverse = scale.inverse_deviation;
  const mpc::Shown shown = mpc::show(session, inverse);
  std::vector<mpc::Comparison> comparisons;
  for (int power = kLeast; power <= kMost; ++power) {
    const double least = std::ldexp(kFactor, ColumnScale::kInverseBits + power);
    comparisons.push_back({shown, kWide - 2, std::llround(least)});
  }
  std::vector<mpc::Bits> reached = mpc::non_negative(session, comparisons);
  const Share of_constants = mpc::select(session, reached.back(), shown, kWide);
  reached.pop_back();
  std::optional<Share> count;
  for (const mpc::Bits& bits : reached) {
    const Share one = mpc::indicator(session, bits, kCountRing);
    count = count ? *count + one : one;
  }
  InverseUnit result;
  result.exponents = revealed_whole_numbers(arithmetic, Tensor(*count, kMost - kLeast, "count"),
                                            "magnitude of the features' deviations");
  // The inverse is between kFactor · 2^(q-1) and kFactor · 2^q, q = count + kLeast; e = -q.
  for (int& exponent : result.exponents) exponent = -(exponent + kLeast);
  std::vector<int> down = result.exponents;
  for (int& power : down) power = -power;
  result.inverse = times_public_powers(arithmetic, inverse - of_constants, result.exponents, kMost, Precision::kUnit, 2,
                                       "inverse unit");
  result.zero = times_public_powers(arithmetic, scale.mean, down, -kLeast, Precision::kValue, kLargestZero, "zero");
  return result;
}

Tensor standardised(Arithmetic& arithmetic, const Tensor& x, const ColumnScale& scale, const std::optional<double>& cut,
                    const std::optional<Tensor>& known) {
  return limited(arithmetic, quotient(arithmetic, centred(arithmetic, x, scale, known), scale, x.name()), cut);
}

Tensor standardised_other(Arithmetic& arithmetic, const Tensor& x, const ColumnScale& scale,
                          const std::optional<double>& cut, const std::optional<Tensor>& known) {
  const Share of_x = centred(arithmetic, x, scale, known);
  const Tensor fine = quotient(arithmetic, of_x, scale, x.name());
  watch_quotient(arithmetic, fine, of_x, scale);
  return limited(arithmetic, fine, cut);
}

Tensor divided_by_rows(Arithmetic& arithmetic, const Tensor& x, const Tensor& sums) {
  const Share inverse = reciprocal(arithmetic, sums).share();
  const Share narrow = mpc::narrow(x.share(), inverse.ring_bits());
  return as_values(arithmetic, scaled_rows(arithmetic.session(), narrow, inverse), 1.01, x.name());
}

}  // namespace tacit::gnn
