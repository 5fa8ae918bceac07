// Reciprocals and inverse roots of small numbers (mpc/functions/reciprocal.h), and products of pairs of numbers.
//
// Requires    2^-8 <= x <= 2^12; 1 <= x <= 2^20 in the functions for whole numbers
// Rounds      4 for a reciprocal or a root
// Error       2^-9 of itself; of the root of a whole number also 2^-16 for two parties, n/2 times that for more
#pragma once

#include <optional>

#include "gnn/arithmetic/arithmetic.h"

namespace tacit::gnn {

// Results are in a narrow ring, and finer than values.
Tensor reciprocal(Arithmetic& arithmetic, const Tensor& x);
Tensor inverse_root(Arithmetic& arithmetic, const Tensor& x);

// The same for whole numbers without fraction bits, in a ring of at least 23 bits. The results are at most 1, with 33 fraction
// bits and with 16.
Tensor reciprocal_of_whole(Arithmetic& arithmetic, const Tensor& x);
Tensor inverse_root_of_whole(Arithmetic& arithmetic, const Tensor& x);

// The elements of a matrix that are not zero.
struct Places {
  Tensor at;                      // 0 or 1
  std::optional<Tensor> weights;  // the elements' factors, in Precision::kWeight; empty: 1
};

// More pairs than this are computed in blocks of rows, one after the other, which bounds the memory.
inline constexpr std::int64_t kPairsAtOnce = std::int64_t{1} << 22;

// rows · columns · weights for elements with `at` = 1, exactly zero for `at` = 0. |result| <= bound, in the top ring.
// `columns` is `rows` transposed, or ones. Rounds: 3; with weights 5, and 4 for ones. Each further block takes 2; with
// weights 3.
Tensor products_of_pairs(Arithmetic& arithmetic, const Places& places, const Tensor& rows, const Tensor& columns,
                         double bound, const std::string& name, std::int64_t at_once = kPairsAtOnce);

// A tensor of a wider ring, which the top ring has room for.
Tensor in_top_ring(Arithmetic& arithmetic, const Tensor& x);

}  // namespace tacit::gnn
