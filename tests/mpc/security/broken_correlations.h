// Correlations that are wrong on purpose, each in a way in which results may stay right: for the negative controls.
#pragma once

#include "tests/mpc/security/recorded_session.h"

namespace tacit::mpc {

enum class Fault : unsigned char {
  kNoMasks,      // masks are zero
  kShortMasks,   // the highest bit of every mask is zero
  kOneMask,      // values of one size are all under the same mask
  kKnownMasks,   // masks are the same in every session
  kShortShares,  // the highest bit of every share of what is dealt is zero
};

// At one party alone, or at all (-1): what the dealer gives, spoilt.
CorrelationSource spoilt(Fault fault, int party = -1);

}  // namespace tacit::mpc
