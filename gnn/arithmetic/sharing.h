// Shares the numbers of one rank as tensors of all ranks, and reveals tensors as numbers.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "gnn/arithmetic/arithmetic.h"

namespace tacit::gnn {

// The owner's numbers, |x| <= bound. `mine` is null in a process that does not hold them. No rounds.
Tensor share_input(Arithmetic& arithmetic, int owner, Shape shape, const Matrix* mine, Precision precision,
                   double bound, const std::string& name);
// Numbers that all parties know; `values` runs where they are needed. No rounds.
Tensor share_known(Arithmetic& arithmetic, Shape shape, const std::function<Matrix()>& values, Precision precision,
                   double bound, const std::string& name);
Tensor share_known(Arithmetic& arithmetic, const Matrix& values, double bound, const std::string& name);

// Exponents of numbers, from -1000 to 1100: whole numbers in a narrow ring.
Tensor share_exponents(Arithmetic& arithmetic, int owner, Shape shape, const Matrix* mine, const std::string& name);
// The largest exponent of each row, as a row. Rounds: 3.
Tensor largest_exponents(Arithmetic& arithmetic, const Tensor& exponents);

// `reason` goes into the session's account of reveals. One round.
mpc::Public reveal(Arithmetic& arithmetic, const Tensor& x, mpc::To to, std::string_view reason);
// A row of whole numbers, to every party; zeros at the dealer, and in a session that computes nothing.
std::vector<int> revealed_whole_numbers(Arithmetic& arithmetic, const Tensor& row, std::string_view reason);

}  // namespace tacit::gnn
