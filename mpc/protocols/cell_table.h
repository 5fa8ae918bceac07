// CellTable — a function of one variable as a lookup table of cells, for look_up.
//
// The domain is a ring Z_2^b, read as signed numbers with fraction bits, and cut into 2^h cells of
// width L. Let x be opened as Delta = x + lambda, Delta = (C + t)·L and lambda = (S + s)·L, with whole
// C and S and 0 <= t, s < 1. Then x = d·L + (t - s)·L with d = C - S mod 2^h: x lies within one width
// of the beginning of cell d. There the function is
//
//   polynomial    sum_k a_k(d) (t - s)^k = sum_i t^i·B_i(d, s),   B_i = sum_{k>=i} a_k(d) binomial(k, i) (-s)^(k-i)
//   exponential   a(d) e^(rate·(t - s))  = e^(rate·t)·B_0(d, s),  B_0 = a(d) e^(-rate·s)
//
// The function is linear in the entries B. The entries depend on lambda alone, and their public weights
// on Delta alone.
//
// Requires    -2^(h-1)·L <= x <= (2^(h-1) - 1)·L, and x in the interval of the fit; for other x the
//             result is some value of the table
// Weights     integers from integer arithmetic, because all parties must compute identical weights.
//             The dealer alone computes the entries, so it may use floating point, and no
//             coefficients need to be written down. Without a dealer, party 0 tells the others the
//             coefficients (see made/look_up.h)
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "mpc/ring/fixed_point.h"

namespace tacit::mpc {

class CellTable {
 public:
  struct Cells {
    Format domain;      // ring and fraction bits of the argument
    int cell_bits = 0;  // h
  };
  // Fraction bits of weights and entries. The result has the sum of the two.
  struct Precision {
    int weight_bits = 0;
    int entry_bits = 0;
  };
  struct Interval {
    double begin = 0;
    double end = 0;
  };

  // f between begin and end. Each cell has the polynomial through f at the Chebyshev points of the
  // cell's possible arguments. The error is within twice the least error of any polynomial of that
  // degree, for the degrees in use.
  static CellTable polynomial(Cells cells, Interval where, int degree, Precision precision,
                              const std::function<double(double)>& f);
  // e^(x + shift) for x up to `largest`. The width of a cell is 1, 2 or 4.
  static CellTable exponential(Cells cells, double largest, double shift, Precision precision);
  // values[v mod 2^b]: every element of a small ring is a cell of its own. Exact, for whole values.
  static CellTable of_values(int ring_bits, const std::function<double(std::int64_t)>& value);

  Format domain() const { return domain_; }
  std::int64_t cells() const { return std::int64_t{1} << cell_bits_; }
  std::int64_t terms() const { return terms_; }
  int fraction_bits() const { return precision_.weight_bits + precision_.entry_bits; }

  std::int64_t cell_of(std::uint64_t word) const { return static_cast<std::int64_t>(word >> low_bits_); }
  void weights(std::uint64_t delta, std::span<std::uint64_t> weights) const;
  // The entries of all cells, in the order of Delta's cell C, `terms` entries each; and the entries
  // of one cell.
  void entries(std::uint64_t lambda, std::span<std::uint64_t> entries) const;
  void entries_at(std::uint64_t lambda, std::int64_t delta_cell, std::span<std::uint64_t> entries) const;

  // For a source without a dealer, which makes the entries from shares of lambda.
  enum class Kind { kPolynomial, kExponential };
  Kind kind() const { return kind_; }
  int cell_bits() const { return cell_bits_; }
  int position_bits() const { return low_bits_; }  // of s
  int entry_bits() const { return precision_.entry_bits; }
  std::uint64_t rate() const { return rate_; }  // of an exponential
  // a_k of a cell, in units of an entry.
  double coefficient(std::int64_t cell, std::int64_t k) const {
    return coefficients(cell)[static_cast<std::size_t>(k)];
  }

 private:
  CellTable(Kind kind, Cells cells, int terms, Precision precision);
  double width() const;
  // The signed number of cell d, negative in the upper half.
  std::int64_t number_of(std::int64_t cell) const { return signed_value(static_cast<std::uint64_t>(cell), cell_bits_); }
  std::span<double> coefficients(std::int64_t cell);
  std::span<const double> coefficients(std::int64_t cell) const;
  void fill(double s, double factor, std::int64_t cell, std::span<std::uint64_t> entries) const;
  double position(std::uint64_t lambda) const;  // s
  double factor_at(double s) const;             // e^(-rate·s), 1 for polynomials

  Kind kind_;
  Format domain_;
  int cell_bits_;
  int low_bits_;  // bits of a position within a cell
  int terms_;
  Precision precision_;
  std::uint64_t rate_ = 0;
  std::vector<double> coefficients_;  // by cell, a_0 first, times 2^entry_bits
};

}  // namespace tacit::mpc
