// Functions of shared matrices, as one rank computes them; every rank calls the same ones in the same order.
//
// Bounds      Every value has a public bound. The bounds of operands give the bound of the result. If this is larger than the
//             declared bound of all values (Seat::bound), the result gets the declared one. The range watch finds opened values
//             that left the declared bound
// Reach       Sums and products with public numbers open nothing, so nothing watches them. Each value also keeps its reach: the
//             bound that follows from its operands alone. The ring has room for it, or the operation is refused before it is
//             computed. A value that is opened under a mask counts by its bound again. Before that, an operand with a reach
//             beyond 2^21 bounds is opened by itself, and the range watch compares it with several ranges: a round, and 40 dealt
//             bits an element for each
// Rounding    A product of two fixed-point values keeps all its fraction bits until another operation needs room. So a
//             product by zero that is revealed is exactly zero, for any number of parties
// Thread      its session's
#pragma once

#include <optional>
#include <span>
#include <string>

#include "gnn/arithmetic/arithmetic.h"
#include "mpc/levels/range_audit.h"

namespace tacit::python {

// A matrix at one rank.
struct Held {
  gnn::Tensor tensor;
  std::optional<gnn::Tensor> settled;  // rounded to the fraction bits of values; rounded once, since a party can learn
                                       // from two roundings of one value
  bool certain = false;                // within its bound by how it was made
  bool turned = false;                 // the tensors are read the other way
  double reach = 0;                    // at least the tensor's bound; 0: the tensor's bound
  bool within_reach = false;           // by how it was made
};

// A rank's arithmetic and the declared bound.
struct Seat {
  gnn::Arithmetic& arithmetic;
  mpc::RangeAudit& audit;
  double bound;     // declared: of every value, with its rounding
  double rounding;  // the largest error of a value that was rounded
};
Seat seat_of(gnn::Arithmetic& arithmetic, mpc::RangeAudit& audit, double bound);

Held shared(const Seat& seat, int owner, mpc::Shape shape, const mpc::Matrix* mine, double bound);

// Shapes must match.
Held sum(const Seat& seat, Held& x, Held& y);
Held difference(const Seat& seat, Held& x, Held& y);
Held product(const Seat& seat, Held& x, Held& y);
Held matrix_product(const Seat& seat, Held& x, Held& y);

// Operations with public numbers. Every rank passes the same numbers.
Held negative(const Held& x);
Held scaled(const Seat& seat, Held& x, double factor);
Held plus_public(const Seat& seat, Held& x, const mpc::Matrix& numbers);
Held times_public(const Seat& seat, Held& x, const mpc::Matrix& factors);
Held public_matrix_times(const Seat& seat, const mpc::Matrix& left, Held& x);
Held times_public_matrix(const Seat& seat, Held& x, const mpc::Matrix& right);

// 1 where x >= units · 2^-f, else 0; f is the number of fraction bits of values.
Held at_least(const Seat& seat, Held& x, std::int64_t units);
Held opposite(const Seat& seat, const Held& bits);  // 1 - bits
Held relu(const Seat& seat, Held& x);
Held sigmoid(const Seat& seat, Held& x);
Held softmax(const Seat& seat, Held& x);  // of each row; at most kMostClasses columns

inline constexpr std::int64_t kMostClasses = 1024;

// A row with the sum of each column; a column with the sum of each row.
Held column_sums(const Seat& seat, Held& x);
Held row_sums(const Seat& seat, Held& x);

Held transposed(const Held& x);
// Rows begin … end - 1; columns likewise.
Held rows(const Held& x, std::int64_t begin, std::int64_t end);
Held columns(const Held& x, std::int64_t begin, std::int64_t end);
// A row, a column or a single element, repeated until it has this shape.
Held stretched(const Held& x, mpc::Shape shape);

}  // namespace tacit::python
