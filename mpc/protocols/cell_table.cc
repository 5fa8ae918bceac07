#include "mpc/protocols/cell_table.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace tacit::mpc {

namespace {

constexpr int kMostTerms = 8;
constexpr int kPositionBits = 30;  // bits of t in the weights
constexpr int kExpBits = 29;       // e^2 still fits into 32 bits, and its square into 64
constexpr double kLargestEntry = 0x1p62;

// Without memory of their own: a softmax fits a table in every step.
using Powers = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kMostTerms, kMostTerms>;
using Values = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, kMostTerms, 1>;

// e^(rate·t) with kExpBits fraction bits, for rate·t < 4: e^(rate·t/16), squared four times.
std::uint64_t exponential_weight(std::uint64_t t, std::uint64_t rate) {
  const std::uint64_t z = (t * rate) >> 4;  // with kPositionBits fraction bits
  std::uint64_t sum = std::uint64_t{1} << kExpBits, term = sum;
  for (std::uint64_t k = 1; term != 0; ++k) {
    term = ((term * z) >> kPositionBits) / k;
    sum += term;
  }
  for (int i = 0; i < 4; ++i) sum = (sum * sum) >> kExpBits;
  return sum;
}

std::uint64_t rounded(std::uint64_t value, int bits) {
  return bits == 0 ? value : (value + (std::uint64_t{1} << (bits - 1))) >> bits;
}

}  // namespace

CellTable::CellTable(Kind kind, Cells cells, int terms, Precision precision)
    : kind_(kind),
      domain_(cells.domain),
      cell_bits_(cells.cell_bits),
      low_bits_(cells.domain.ring_bits - cells.cell_bits),
      terms_(terms),
      precision_(precision),
      coefficients_(static_cast<std::size_t>(terms) << cells.cell_bits) {
  TACIT_CHECK(cell_bits_ >= 1 && cell_bits_ <= 16 && low_bits_ >= 0 && low_bits_ <= kPositionBits);
  TACIT_CHECK(terms >= 1 && terms <= kMostTerms);
  TACIT_CHECK(precision.weight_bits >= 0 && precision.weight_bits <= kExpBits - 1);
}

double CellTable::width() const { return std::ldexp(1.0, low_bits_ - domain_.fraction_bits); }

std::span<double> CellTable::coefficients(std::int64_t cell) {
  return std::span(coefficients_).subspan(static_cast<std::size_t>(cell * terms_), static_cast<std::size_t>(terms_));
}

std::span<const double> CellTable::coefficients(std::int64_t cell) const {
  return std::span(coefficients_).subspan(static_cast<std::size_t>(cell * terms_), static_cast<std::size_t>(terms_));
}

CellTable CellTable::polynomial(Cells cells, Interval where, int degree, Precision precision,
                                const std::function<double(double)>& f) {
  CellTable table(Kind::kPolynomial, cells, degree + 1, precision);
  const double width = table.width();
  for (std::int64_t cell = 0; cell < table.cells(); ++cell) {
    const auto number = static_cast<double>(table.number_of(cell));
    const double begin = std::max(-1.0, where.begin / width - number), end = std::min(1.0, where.end / width - number);
    if (begin >= end) continue;
    const int points = table.terms_;
    Powers powers(points, points);
    Values values(points);
    for (int i = 0; i < points; ++i) {
      const double chebyshev = std::cos(std::numbers::pi * (i + 0.5) / points);
      const double at = (begin + end) / 2 + chebyshev * (end - begin) / 2;
      values(i) = f((number + at) * width);
      for (int k = 0; k < points; ++k) powers(i, k) = std::pow(at, k);
    }
    const Values fitted = powers.fullPivLu().solve(values);
    for (int k = 0; k < points; ++k) {
      table.coefficients(cell)[static_cast<std::size_t>(k)] = std::ldexp(fitted(k), precision.entry_bits);
    }
  }
  return table;
}

CellTable CellTable::exponential(Cells cells, double largest, double shift, Precision precision) {
  CellTable table(Kind::kExponential, cells, 1, precision);
  const double width = table.width();
  table.rate_ = static_cast<std::uint64_t>(width);
  TACIT_CHECK(table.rate_ >= 1 && table.rate_ <= 4 && static_cast<double>(table.rate_) == width);
  for (std::int64_t cell = 0; cell < table.cells(); ++cell) {
    const double begin = static_cast<double>(table.number_of(cell)) * width;
    if (begin - width > largest) continue;
    const double coefficient = std::ldexp(std::exp(begin + shift), precision.entry_bits);
    TACIT_CHECK(coefficient < kLargestEntry);
    table.coefficients(cell)[0] = coefficient;
  }
  return table;
}

CellTable CellTable::of_values(int ring_bits, const std::function<double(std::int64_t)>& value) {
  CellTable table(Kind::kPolynomial, {{ring_bits, 0}, ring_bits}, 1, {});
  for (std::int64_t cell = 0; cell < table.cells(); ++cell) table.coefficients(cell)[0] = value(cell);
  return table;
}

void CellTable::weights(std::uint64_t delta, std::span<std::uint64_t> weights) const {
  const std::uint64_t t = (delta & low_bits(low_bits_)) << (kPositionBits - low_bits_);
  if (kind_ == Kind::kExponential) {
    weights[0] = rounded(exponential_weight(t, rate_), kExpBits - precision_.weight_bits);
    return;
  }
  std::uint64_t power = std::uint64_t{1} << kPositionBits;
  for (std::uint64_t& weight : weights) {
    weight = rounded(power, kPositionBits - precision_.weight_bits);
    power = (power * t) >> kPositionBits;
  }
}

double CellTable::position(std::uint64_t lambda) const {
  return std::ldexp(static_cast<double>(lambda & low_bits(low_bits_)), -low_bits_);
}

double CellTable::factor_at(double s) const {
  return kind_ == Kind::kExponential ? std::exp(-static_cast<double>(rate_) * s) : 1;
}

// Shifts the cell's polynomial by -s. Step i divides the coefficients from i upwards by (z - s)
// once more.
void CellTable::fill(double s, double factor, std::int64_t cell, std::span<std::uint64_t> entries) const {
  std::array<double, kMostTerms> b{};
  const std::span<const double> a = coefficients(cell);
  std::copy(a.begin(), a.end(), b.begin());
  for (std::size_t i = 0; i + 1 < a.size(); ++i) {
    for (std::size_t k = a.size() - 1; k > i; --k) b[k - 1] -= s * b[k];
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    entries[i] = static_cast<std::uint64_t>(std::llrint(b[i] * factor));
  }
}

void CellTable::entries(std::uint64_t lambda, std::span<std::uint64_t> entries) const {
  const double s = position(lambda), factor = factor_at(s);
  const std::int64_t last = cells() - 1;
  const auto terms = static_cast<std::size_t>(terms_);
  std::int64_t cell = -cell_of(lambda) & last;
  for (std::size_t at = 0; at < entries.size(); at += terms, cell = (cell + 1) & last) {
    fill(s, factor, cell, entries.subspan(at, terms));
  }
}

void CellTable::entries_at(std::uint64_t lambda, std::int64_t delta_cell, std::span<std::uint64_t> entries) const {
  const double s = position(lambda);
  fill(s, factor_at(s), (delta_cell - cell_of(lambda)) & (cells() - 1), entries);
}

}  // namespace tacit::mpc
