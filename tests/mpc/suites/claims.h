// Claims — what the suites say of a session, as functions that measure it: for whatever interprets the program.
//
// Errors are in units of the last place of what was computed.
#pragma once

#include <functional>

#include "tests/mpc/suites/errors.h"
#include "tests/mpc/suites/interpreter.h"

namespace tacit::mpc {

// Zeros times zeros, or times anything that the format holds: the product is exactly zero before bits are dropped, and
// within the bound of drop after.
enum class Factor : unsigned char { kZero, kAnything };
Errors zero_products(const Interpreter& interpreter, Format format, Factor other, std::int64_t elements);

// The same of matrices: rows x inner times inner x cols, and the transposes of both.
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
// drop may be off by on both sides, and is damped by y.
Errors multiply_truncate_chain(const Interpreter& interpreter, Format format, int steps);

// Matrix products with either operand, or both, transposed, against exact arithmetic.
Errors transposed_products(const Interpreter& interpreter);

// The values -1 unit, -2 units, … and halves, wholes and the edge, revealed.
Errors revealed_negatives(const Interpreter& interpreter, Format format);

// Public constants from 1e-9 to 1: each is refused, or is what it should be within a hundredth. In hundredths of it.
using ConstantEncoder = std::function<std::uint64_t(double value, Format format)>;
Errors public_constants(const ConstantEncoder& encode);

// A weight that is updated so many times by 0.3 of a unit, a gradient averaged over thousands of nodes: how far it has
// gone per update from where it should. Stated: a twentieth of a unit, for the mean of many weights.
Errors small_updates(const Interpreter& interpreter, int updates);

}  // namespace tacit::mpc
