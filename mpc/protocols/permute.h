// permute — the rows of <x> in an order that one party knows, and back.
//
// The dealer and the owner draw a uniformly random key for THIS permutation alone. The owner tells the other parties
// tau = key^-1 after order, once: uniform, since the key is. The dealer deals lambda in the key's order, everyone
// reorders its share by tau, and the owner adds Delta in the true order. The way back uses the same key and the same
// tau (a second pair would reveal the permutation's square): each reorders its share by tau^-1, it is masked, and what
// is left of the key is undone as above.
//
// Requires    order is a permutation of 0 … rows-1, at the owner
// Reveals     nothing: not to the other parties, who see tau; not to the dealer, who knows the key and never sees tau
// Rounds      permutation 1; permute 0; unpermute 1
// Sends       permutation: the owner, ceil(log2 rows) bits a row to each peer; unpermute: k bits an element (mask)
// Consumes    permute, unpermute: k bits an element are dealt; unpermute: lambda from seeds
// Secure      against n-1 passive parties without the owner: a simulator draws tau as a random permutation (the key is
// one,
//             and unknown to them), Delta of the way back and dealt shares at random; the dealer must not collude
#pragma once

#include <vector>

#include "mpc/session/clear.h"
#include "mpc/session/dealer.h"
#include "mpc/session/party.h"
#include "mpc/session/values.h"

namespace tacit::mpc {

using Order = std::vector<std::int64_t>;

Cost permutation_cost(int owner, std::int64_t size, const CostSetting& setting);
Permutation permutation(Party& party, int owner, std::int64_t size, const Order* order);
Permutation permutation(Dealer& dealer, int owner, std::int64_t size, const Order* order);
Permutation permutation(Clear& clear, int owner, std::int64_t size, const Order* order);

Cost permute_cost(const Spec& x, const CostSetting& setting);
Share permute(Party& party, const Masked& x, const Permutation& permutation);
Share permute(Dealer& dealer, const Masked& x, const Permutation& permutation);
Share permute(Clear& clear, const Masked& x, const Permutation& permutation);

Cost unpermute_cost(const Spec& x, const CostSetting& setting);
Share unpermute(Party& party, const Share& x, const Permutation& permutation);
Share unpermute(Dealer& dealer, const Share& x, const Permutation& permutation);
Share unpermute(Clear& clear, const Share& x, const Permutation& permutation);

}  // namespace tacit::mpc
