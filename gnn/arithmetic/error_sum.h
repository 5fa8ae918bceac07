// ErrorSum — the sum behind rmse and mae: squared or absolute errors over many rows, in the unit of the targets.
//
// The sum has room for all errors within their range, whatever the job's ring: squares are added up in the ring that they need
// (sum_of_squares.h), and a product with the unit is computed in a ring of a word. Its bits that no large sum needs are those of the
// unit and of small errors.
#pragma once

#include <optional>

#include "gnn/arithmetic/sum_of_squares.h"

namespace tacit::gnn {

class ErrorSum {
 public:
  enum class Of { kSquares, kAbsolute };
  // The unit of errors: 1 in a column stands for `row` · 2^exponent.
  struct Unit {
    Tensor row;  // at most 1
    int exponent = 0;
  };

  // For errors up to `largest` of this shape, a row for each node. Throws ConfigError if there is no room; `named` names the sum in
  // the message: "rmse over 70 nodes".
  ErrorSum(Arithmetic& arithmetic, Of of, double largest, mpc::Shape shape, const std::optional<Unit>& unit,
           const SumOfSquares::Named& named);

  // One number: the sum, less its exponent. Rounds: 1 for squares, 3 for absolute errors; 1 more with a unit.
  Tensor of(Arithmetic& arithmetic, const Tensor& error) const;
  // The sum's root, or the sum of absolute errors, is this power of two larger.
  int exponent() const { return exponent_; }

 private:
  static Tensor squared(Arithmetic& arithmetic, const Tensor& unit);
  Tensor absolute(Arithmetic& arithmetic, const Tensor& error) const;
  Tensor in_unit(Arithmetic& arithmetic, const Tensor& by_column) const;

  std::optional<SumOfSquares> squares_;  // empty: absolute errors
  std::optional<Tensor> unit_;           // squared for squares
  int exponent_ = 0;
  double most_ = 0;     // the largest sum, in deviations
  int error_bits_ = 0;  // fraction bits of absolute errors
  int sum_bits_ = 0;    // of a sum that a unit multiplies
};

}  // namespace tacit::gnn
