// show — a masked opening: the parties open M = x + 2^(k-2) + r. M gives the masked form, the lift
// (ring extension), the sign and the selection.
//
// Requires    |x| < 2^(k-2) units, x in Z_2^k; for a larger x, lift and sign are silently wrong
// Reveals     nothing: r is uniform in Z_2^k
// Rounds      1 for any number of tensors
// Sends       k bits an element to each peer (two-phase: 2(n-1)/n times this in total)
// Consumes    r, 64 bits an element, from seeds; no dealt words here
// Secure      against n-1 passive parties: M is uniform for every x; the dealer must not collude
// Papers      Escudero and others, Improved Primitives, CRYPTO 2020 (a masked opening, with the mask's bits
//             in shared form; here one opening has four uses)
#pragma once

#include <span>
#include <vector>

#include "mpc/session/session.h"

namespace tacit::mpc {

// One opening of all the shares together.
std::vector<Shown> show(Session& session, std::span<const Share> shares);
Shown show(Session& session, const Share& share);

// The masked form of a shown value, in its ring: Delta = M - 2^(k-2), lambda = r. Local.
Masked masked(Session& session, const Shown& shown);

// A masked row as a shown value of `rows` equal rows, in a ring no wider than its own: M = Delta + 2^(k-2), r = lambda. Local,
// without an opening. The parties have lambda modulo the masked ring, so no result may be in a wider one. |x| < 2^(k-2).
Shown shown_rows(const Masked& row, std::int64_t rows, int ring_bits);

}  // namespace tacit::mpc
