// Claims — statements of the suites about a session, as functions that measure them for any
// interpreter of the program.
//
// Errors are in units of the last place of the computed value.
#pragma once

#include <functional>

#include "tests/mpc/suites/errors.h"
#include "tests/mpc/suites/interpreter.h"

namespace tacit::mpc {

// Products of `count` zeros with zeros and with any values of the format. A product is exactly zero
// before bits are dropped, and within the bound of drop afterwards.
Errors zero_products(const Interpreter& interpreter, Format format, std::int64_t elements);

// The listing of the report on CrypTen, literally: rank 0 shares two vectors of five zeros; their
// product, element by element, is dropped (truncated) and revealed. Repeated `times` times.
Errors listed_zero_products(const Interpreter& interpreter, Format format, int times);

// The same for a zero matrix, rows x inner times inner x cols, and for the transposes of both.
enum class Factor : unsigned char { kZero, kAnything };
struct MatrixSizes {
  std::int64_t rows, inner, cols;
};
Errors zero_matrix_products(const Interpreter& interpreter, Format format, Factor other, MatrixSizes sizes,
                            int times = 1);

// Products of factors uniform in ±`largest`, dropped to the format's fraction bits, against exact arithmetic.
Errors truncated_products(const Interpreter& interpreter, Format format, double largest, std::int64_t elements,
                          unsigned seed = 1);

// Products at the edge of the range: the largest that can be shown after they are dropped. Dropped,
// shown and lifted.
Errors products_at_the_edge(const Interpreter& interpreter, Format format);

// Iterates x = x·y + b for `steps` steps, |y| <= 0.95 and fresh in each step, against the clear
// session. The bound: each step adds the error of drop in both sessions, and y damps the error
// before it.
Errors multiply_truncate_chain(const Interpreter& interpreter, Format format, int steps);

// Matrix products with either operand or both transposed, against exact arithmetic.
Errors transposed_products(const Interpreter& interpreter);

// Reveals the values -1 unit, -2 units, … and halves, whole numbers and the edge.
Errors revealed_negatives(const Interpreter& interpreter, Format format);

// Public constants from 1e-9 to 1: each is refused, or is right within a hundredth. Errors are in
// hundredths.
using ConstantEncoder = std::function<std::uint64_t(double value, Format format)>;
Errors public_constants(const ConstantEncoder& encode);

// Drops bits from `samples` copies of one value; the errors of rounding are in units of the result.
// Their mean is zero in a session that rounds without bias.
Errors fixed_fractions(const Interpreter& interpreter, int bits, double value, std::int64_t samples);
// The same for five units times 2^bits / 2^20: every share ends in that many zeros.
Errors scaled_fractions(const Interpreter& interpreter, int bits, std::int64_t samples);

// Values that were shown, lifted (ring extension) and selected (multiplexer) by their sign: every
// value of the range for rings up to 12 bits and every hi, and the edges in every ring. Exact.
Errors lifts_and_signs_of_every_value(const Interpreter& interpreter, int times);
Errors lifts_and_signs_at_the_edges(const Interpreter& interpreter, int times);

// Updates a weight many times by 0.3 of a unit, a gradient averaged over thousands of nodes.
// Measures the error of the mean step. Stated: a fiftieth of a unit, for the mean of many weights.
Errors small_updates(const Interpreter& interpreter, int updates);

}  // namespace tacit::mpc
