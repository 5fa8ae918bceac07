// Sessions that are wrong on purpose, each with one error found in CrypTen's code. Only for the
// negative control.
#pragma once

#include "tests/mpc/suites/interpreter.h"

namespace tacit::mpc {

enum class Mistake : unsigned char {
  // Shares are divided in the same ring, and a wrap of their sum is corrected for by its count …
  kScaleLost,     // (a) … but not times 2^(k-f)
  kWrapGuessed,   // (c) … as guessed from the wraps of x + r; two parties correct for nothing
  kStorageOrder,  // (b) Delta of a transposed operand is read in the order of storage
  kDecoding,      // (d) a negative is off by one with probability |v| / 2^f
  kTowardsZero,   // (f) values are truncated towards zero
};

Interpreter broken_parties(int parties, Mistake mistake);

}  // namespace tacit::mpc
