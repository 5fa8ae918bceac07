// Correlations that are wrong on purpose, each in a way that may leave results right, for the
// negative controls.
#pragma once

#include "tests/mpc/security/recorded_session.h"

namespace tacit::mpc {

enum class Fault : unsigned char {
  kNoMasks,      // masks are zero
  kShortMasks,   // the highest bit of every mask is zero
  kOneMask,      // all values of one size are under the same mask
  kKnownMasks,   // masks are the same in every session
  kShortShares,  // the highest bit of every share of dealt values (correlated randomness) is zero
};

// Spoils the dealer's correlations at one party, or at all parties (-1).
CorrelationSource spoilt(Fault fault, int party = -1);

}  // namespace tacit::mpc
