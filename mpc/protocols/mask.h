// mask — opens a masked value Delta = x + lambda. <x> then takes part in any number of products without
// another opening.
//
// Requires    x in Z_2^k
// Reveals     nothing: lambda is uniform in Z_2^k, serves this value only, and only the dealer knows it
// Rounds      1 for any number of tensors
// Sends       k bits an element to each peer (two-phase: 2(n-1)/n times this in total)
// Consumes    lambda from seeds; no dealt words
// Secure      against n-1 passive parties: Delta is uniform for every x; the dealer must not collude
// Papers      Ben-Efraim, Nielsen, Omri, Turbospeedz, ACNS 2019 (a mask belongs to a wire; here tensors over
//             Z_2^k, passive security, and a wire that serves a whole session)
#pragma once

#include <span>
#include <vector>

#include "mpc/session/session.h"

namespace tacit::mpc {

// One opening of all the shares together.
std::vector<Masked> mask(Session& session, std::span<const Share> shares);
Masked mask(Session& session, const Share& share);

}  // namespace tacit::mpc
