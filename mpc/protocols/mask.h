// mask — open Delta = x + lambda; <x> then takes part in any number of products that open nothing.
//
// Requires    x in Z_2^k
// Reveals     nothing: lambda is uniform in Z_2^k, belongs to this value alone, and is known to nobody but the dealer
// Rounds      1 for any number of tensors
// Sends       k bits an element to each peer (two-phase: 2(n-1)/n of it in all)
// Consumes    lambda from seeds: nothing is dealt
// Secure      against n-1 passive parties: Delta is uniform whatever x is; the dealer must not collude
#pragma once

#include <span>
#include <vector>

#include "mpc/session/clear.h"
#include "mpc/session/dealer.h"
#include "mpc/session/party.h"
#include "mpc/session/values.h"

namespace tacit::mpc {

Cost mask_cost(std::span<const Spec> tensors, const CostSetting& setting);
std::vector<Masked> mask(Party& party, std::span<const Share> shares);
std::vector<Masked> mask(Dealer& dealer, std::span<const Share> shares);
std::vector<Masked> mask(Clear& clear, std::span<const Share> shares);

}  // namespace tacit::mpc
