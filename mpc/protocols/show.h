// show — open M = x + 2^(k-2) + r, from which masked form, lift, sign and selection all follow.
//
// Requires    |x| < 2^(k-2) units, x in Z_2^k; beyond, lift and sign are silently wrong
// Reveals     nothing: r is uniform in Z_2^k
// Rounds      1 for any number of tensors
// Sends       k bits an element to each peer (two-phase: 2(n-1)/n of it in all)
// Consumes    r, 64 bits an element, from seeds: nothing is dealt here
// Secure      against n-1 passive parties: M is uniform whatever x is; the dealer must not collude
#pragma once

#include <span>
#include <vector>

#include "mpc/session/clear.h"
#include "mpc/session/dealer.h"
#include "mpc/session/party.h"
#include "mpc/session/values.h"

namespace tacit::mpc {

Cost show_cost(std::span<const Spec> tensors, const CostSetting& setting);
std::vector<Shown> show(Party& party, std::span<const Share> shares);
std::vector<Shown> show(Dealer& dealer, std::span<const Share> shares);
std::vector<Shown> show(Clear& clear, std::span<const Share> shares);

// What was shown is a masked form already: Delta = M - 2^(k-2), lambda = r. Local.
Cost masked_cost(const Spec& shown, const CostSetting& setting);
Masked masked(Party& party, const Shown& shown);
Masked masked(Dealer& dealer, const Shown& shown);
Masked masked(Clear& clear, const Shown& shown);

}  // namespace tacit::mpc
