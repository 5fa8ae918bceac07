// A small run in which each value is derived from the values before it, for many samples at once:
// each row is a sample.
#pragma once

#include "tests/mpc/security/bit_columns.h"

namespace tacit::mpc {

inline constexpr std::int64_t kSamples = 5056;  // full words of bits

// Computes on one number of the first party and one of the last. For |a|, |b| <= 3 all values stay
// within the ranges that the protocols require.
void run_composed(Session& session, double a, double b);

// The information that n-1 parties gain from an opening beside their own shares: the honest party's
// message, or equivalently the sum. Either may be a sum of bits where the other is not, so a
// dependence may show in one of the two alone.
enum class Seen : unsigned char { kSent, kOpened };

// The coalition's whole view, without the words that follow from other words of the view.
std::vector<Column> columns_of(const Views& views, const std::vector<int>& coalition, int honest, Seen seen);

}  // namespace tacit::mpc
