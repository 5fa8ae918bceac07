// lift — ring extension: the shown value x in a wider ring, exactly.
//
//   x = M - 2^(k-2) - r + 2^k (r >> k  +  (1 - m) sigma)   in Z_2^K,   m and sigma the bits k-1 of M and r:
//
// M as an integer is x + 2^(k-2) + (r mod 2^k), unless that sum exceeded 2^k. The sum exceeded 2^k exactly
// when sigma is set and m is not, because 0 <= x + 2^(k-2) < 2^(k-1).
//
// Requires    |x| < 2^(k-2) units, as show does; K >= k
// Reveals     nothing
// Rounds      0
// Sends       nothing
// Consumes    shares of r >> k and of sigma in Z_2^(K-k): 2(K-k) bits an element are dealt
// Secure      against n-1 passive parties: local except for dealt shares, which are uniform except for
//             their sums; the dealer must not collude
// Papers      Dalskov, Escudero, Keller, PoPETs 2020 (the top bits of the opened word and of the mask tell
//             the wrap; here the protocol widens the ring instead of truncating)
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

Share lift(Session& session, const Shown& shown, int ring_bits);

}  // namespace tacit::mpc
