// A small run in which everything is derived from everything, many times at once: each row is a sample of it.
#pragma once

#include "tests/mpc/security/bit_columns.h"

namespace tacit::mpc {

inline constexpr std::int64_t kSamples = 5056;  // full words of bits

// Of one number of the first party and one of the last. All values are within the ranges of what is done with them for
// |a|, |b| <= 3.
void run_composed(Session& session, double a, double b);

// What n-1 parties see of an opening beside their own shares of it: what the honest party sends, or, which says the
// same, the sum. One is a sum of bits where the other is none, so that a dependence may show in either.
enum class Seen : unsigned char { kSent, kOpened };

// All that the parties of the coalition see of it, but for what follows from that.
std::vector<Column> columns_of(const Views& views, const std::vector<int>& coalition, int honest, Seen seen);

}  // namespace tacit::mpc
