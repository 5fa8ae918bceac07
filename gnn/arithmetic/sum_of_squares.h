// SumOfSquares — the sum of squared errors, which has room for all errors within their range: also if a caller adds up the sums of
// several tensors.
//
// Errors whose sum fits their own ring are masked: one dealt word for each pair of columns, however many rows. Errors in a narrower
// ring are shown, and their squares are lifted products (mpc/protocols/lifted_product.h) in the ring that the sum needs, whatever
// the job's ring: about 18 dealt bytes an element by default, and no lift. If even a ring of a word is too narrow, errors are rounded
// to fewer fraction bits first, which costs nothing.
//
// Rounds      1 if the error is not opened yet
// Error       a square of a rounded error has the rounding's variance, too: below n/12 · 4^-4, and 0 where errors keep their bits
#pragma once

#include "gnn/arithmetic/arithmetic.h"

namespace tacit::gnn {

inline constexpr int kFewestErrorBits = 4;  // fraction bits of a rounded error

// The largest number that the range watch never finds outside of the range: the openings of a range end at a power of two.
double most_unseen(double range);

class SumOfSquares {
 public:
  // Two names for messages: of the sum, as "the loss", and of the setting from which the errors' range follows, as
  // "ranges.gradients".
  struct Named {
    std::string what, ranges;
  };

  // For errors up to `range`, and at most `elements` of them in all sums that are added up. A sum gets `most_bits` fraction bits, or
  // fewer. Throws ConfigError if a word has no room.
  SumOfSquares(Arithmetic& arithmetic, double range, std::int64_t elements, int most_bits, const Named& named);

  // The error as it is squared: itself, or rounded.
  Tensor rounded(Arithmetic& arithmetic, const Tensor& error) const;
  // Opens a rounded error in the round of the next mask.
  void open_with_next(Arithmetic& arithmetic, const Tensor& rounded) const;
  // The sum of each column of a rounded error: a row, or over all columns. Every sum has the same fraction bits.
  Tensor by_column(Arithmetic& arithmetic, const Tensor& rounded) const;
  Tensor of_all(Arithmetic& arithmetic, const Tensor& rounded) const;

  double most() const { return most_of(elements_); }  // all sums together
  int fraction_bits() const { return sum_bits_; }

 private:
  double most_of(double elements) const { return elements * largest_square_; }
  int ring_for(const Tensor& rounded) const;  // the ring that its exact sum needs
  bool has_room(const Tensor& rounded) const { return ring_for(rounded) <= rounded.format().ring_bits; }

  double elements_, largest_square_ = 0;
  int error_bits_ = 0;  // fraction bits of a rounded error
  int sum_bits_ = 0;    // fraction bits of a sum
};

}  // namespace tacit::gnn
