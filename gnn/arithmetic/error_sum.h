// ErrorSum — the sum behind rmse and mae: squared or absolute errors over many rows, in the unit of the targets.
//
// A ring has room for large errors of many rows, or for the digits of small errors. The format therefore follows from
// the ring, the number of rows and the largest error. The range comes first, and covers errors within their declared
// range. The digits of small errors get the remaining bits. In a narrow ring, both get less.
#pragma once

#include <optional>

#include "gnn/arithmetic/arithmetic.h"

namespace tacit::gnn {

class ErrorSum {
 public:
  enum class Of { kSquares, kAbsolute };
  // The unit of errors: 1 in a column stands for `row` · 2^exponent.
  struct Unit {
    Tensor row;  // at most 1
    int exponent = 0;
  };

  // For `rows` rows with errors up to `largest`. Throws ConfigError if the ring is too narrow; `what` names the sum in
  // the message: "rmse over 70 nodes".
  ErrorSum(Arithmetic& arithmetic, Of of, double largest, std::int64_t rows, const std::optional<Unit>& unit,
           const std::string& what);

  // One number. Rounds: 1 for squares, 3 for absolute errors; at most 2 more for lifts.
  Tensor of(Arithmetic& arithmetic, const Tensor& error) const;
  // The sum itself, less its exponent, from that number once it is revealed.
  double reading(double revealed) const;
  int exponent() const {
    return exponent_;
  }  // the sum's root, or the sum of absolute errors, is this power of two larger

 private:
  bool fits(const Arithmetic& arithmetic, double mean) const;
  bool fits_in_unit(const Arithmetic& arithmetic, double mean, int magnified) const;
  void choose_format(const Arithmetic& arithmetic, double largest);
  static Tensor squared(Arithmetic& arithmetic, const Tensor& unit);
  Tensor in_unit(Arithmetic& arithmetic, const Tensor& by_column) const;

  Of of_;
  double rows_;
  std::optional<Tensor> unit_;  // squared for squares
  int exponent_ = 0;
  int magnified_ = 0;  // errors are squared times 2^magnified, so that small squares keep their digits
  double most_ = 0;    // the largest sum, in deviations and magnified
};

}  // namespace tacit::gnn
