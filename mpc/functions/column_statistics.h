// Statistics of every column: sum of squares, mean, variance (of the whole, divided by the number of rows N).
//
// A column's sum of squares is the product of its transpose with itself: one dealt element a column, however many rows.
// The variance is the mean square of x less its mean: a large mean costs no precision.
//
// Requires    with f fraction bits, N >= 1 rows, x in Z_2^k and t = division_bits(N), the bit width of N-1 and 12 more
//             (none more for a power of two):
//             sum of squares  sum x^2 < 2^(k-1-2f)
//             mean            |mean| < 2^(k-1-f-t), in result's k - t bits with f fraction bits
//             variance        |mean| < 2^(k-2-f-t), |x| < 2^(k-2-f), variance < 2^(k-1-2f-t), in k - f - t bits with f
//             (K = 64, f = 13: up to 2^13 for 2^12 rows, 2^9 for 2^16; K = 48, f = 12 has none to spare beyond 2^6
//             rows)
// Error       sum of squares 0; mean max(1, n/2) units and 2^-13 of it; variance max(1, n/2) units, 2^-13 of it and the
//             square of the mean's error
// Rounds      sum of squares 1, mean 0, variance 2
// Sends       sum of squares k bits an element to each peer; variance that and k - t bits a column
// Consumes    sum of squares k bits a column are dealt; variance that and 2t bits a column
// Reveals     nothing
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

Share sum_of_squares_by_column(Session& session, const Share& x);  // a row, 2f fraction bits
Cost sum_of_squares_by_column_cost(const Spec& x, const CostSetting& setting);

int division_bits(std::int64_t rows);
Share mean_by_column(Session& session, const Share& x);  // a row

Share variance_by_column(Session& session, const Share& x);  // a row
Cost variance_by_column_cost(const Spec& x, const CostSetting& setting);

}  // namespace tacit::mpc
