// The bins in which the values of a column of numbers are counted, for its mode or median: one for each whole number of a short
// range, otherwise 4,096 that are narrow near zero.
//
// A rule states money as 0 ... 1e9, and half of the values are below 1,000. Of 4,096 equal parts the first one then has them all.
// Half of the bins are therefore equal parts of the range, and half are equal parts of each power of two between the
// range's largest magnitude and 2^-24 of it. A median is off by half a bin at most: by 1.2 % of itself (0.6 % if the range has one
// sign), or by 2^-12 of the range if that is less. Both halves are one function of the number, so that the bins are known from the rules
// alone, and counts of several parties add up.
#pragma once

#include <cstddef>

#include "gnn/clean/rules.h"

namespace tacit::gnn {

// All functions take a column with a range.
bool counts_each(const CleaningColumn& column);
std::size_t bins_of_numbers(const CleaningColumn& column);
std::size_t bin_of(const CleaningColumn& column, double number);

struct NumberBin {
  double middle = 0, half_width = 0;  // a half width of 0: all values in the bin are equal
};
NumberBin number_bin(const CleaningColumn& column, std::size_t bin);

}  // namespace tacit::gnn
