// Claims — what the suites say of a session, as functions that measure it: for whatever interprets the program.
//
// Errors are in units of the last place of what was computed.
#pragma once

#include <functional>

#include "tests/mpc/suites/errors.h"
#include "tests/mpc/suites/interpreter.h"

namespace tacit::mpc {

// Zeros times zeros, and times anything that the format holds, so many elements of each: a product is exactly zero
// before bits are dropped, and within the bound of drop after.
Errors zero_products(const Interpreter& interpreter, Format format, std::int64_t elements);

// The listing of the report on CrypTen, literally: rank 0 shares two vectors of five zeros, and their product, element
// by element, is dropped and revealed; so many times.
Errors listed_zero_products(const Interpreter& interpreter, Format format, int times);

// The same of a matrix of zeros, rows x inner times inner x cols, and of the transposes of both.
enum class Factor : unsigned char { kZero, kAnything };
struct MatrixSizes {
  std::int64_t rows, inner, cols;
};
Errors zero_matrix_products(const Interpreter& interpreter, Format format, Factor other, MatrixSizes sizes,
                            int times = 1);

// Products of factors uniform in ±`largest`, dropped to the format's fraction bits, against exact arithmetic.
Errors truncated_products(const Interpreter& interpreter, Format format, double largest, std::int64_t elements,
                          unsigned seed = 1);

// Products at the edge of the range: the largest that can be shown after they are dropped. Dropped, shown and lifted.
Errors products_at_the_edge(const Interpreter& interpreter, Format format);

// x = x·y + b so many times, |y| <= 0.95 and fresh each time, against the clear session. The bound: each step adds what
// drop may be off by in both, and damps what was there by y.
Errors multiply_truncate_chain(const Interpreter& interpreter, Format format, int steps);

// Matrix products with either operand, or both, transposed, against exact arithmetic.
Errors transposed_products(const Interpreter& interpreter);

// The values -1 unit, -2 units, … and halves, wholes and the edge, revealed.
Errors revealed_negatives(const Interpreter& interpreter, Format format);

// Public constants from 1e-9 to 1: each is refused, or is what it should be within a hundredth. In hundredths of it.
using ConstantEncoder = std::function<std::uint64_t(double value, Format format)>;
Errors public_constants(const ConstantEncoder& encode);

// So many samples of one value, in units after so many bits are dropped: how far each rounding is off. Their mean is
// zero in a session that rounds without bias.
Errors fixed_fractions(const Interpreter& interpreter, int bits, double value, std::int64_t samples);
// The same of five units times 2^bits / 2^20: every share ends in so many zeros.
Errors scaled_fractions(const Interpreter& interpreter, int bits, std::int64_t samples);

// What was shown, lifted and selected by its sign: every value of the range for rings up to 12 bits and every hi, and
// the edges in every ring. Exact.
Errors lifts_and_signs_of_every_value(const Interpreter& interpreter, int times);
Errors lifts_and_signs_at_the_edges(const Interpreter& interpreter, int times);

// A weight that is updated so many times by 0.3 of a unit, a gradient averaged over thousands of nodes: how far it has
// gone per update from where it should. Stated: a fiftieth of a unit, for the mean of many weights.
Errors small_updates(const Interpreter& interpreter, int updates);

}  // namespace tacit::mpc
