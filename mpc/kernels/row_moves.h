// Rows in another order, and sums over rows: loops over Z_2^k whose order of rows is given by numbers of rows.
//
// Every number of a row must be in range and, for place_rows, no place may be there twice: the caller checks orders that came
// from elsewhere.
#pragma once

#include <cstdint>
#include <span>

#include "mpc/kernels/workers.h"
#include "mpc/ring/ring_tensor.h"

namespace tacit::mpc {

using RowNumbers = std::span<const std::int32_t>;

// Row i of out is row i of a, plus row from[i] of b. a may have fewer rows: the others count as zeros.
void add_rows(const RingTensor& a, const RingTensor& b, RowNumbers from, RingTensor& out, Workers& workers);

// Row to[i] of out is row i of a. Rows with a place beyond out are left out. out has at most as many rows as a, and every row of
// out gets one.
void place_rows(const RingTensor& a, RowNumbers to, RingTensor& out, Workers& workers);
// The same for a view with col_stride 1; its words are reduced into out's ring.
void place_rows(RingView a, RowNumbers to, RingTensor& out, Workers& workers);

// In place: every row becomes the sum of all rows up to it, and the inverse of that.
void sum_up(RingTensor& rows, Workers& workers);
void take_differences(RingTensor& rows, Workers& workers);

// Row i of out is row i of a times the number in row i of `by`, a column.
void scale_rows(const RingTensor& a, RingView by, RingTensor& out, Workers& workers);

}  // namespace tacit::mpc
