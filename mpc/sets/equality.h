// compare_with_peers — does each other party hold the same 32 bytes as this one?
//
// Both ends of a link map their bytes d to a point P = hash(d), under a key that the link's two ends alone have, and
// compare by Diffie and Hellman's exchange (Huberman, Franklin and Hogg, 1999):
//
//   1  a sends u = P_a ^ s        b sends v = P_b ^ t        s, t: secret, fresh for this link and comparison
//   2  a sends v ^ s              b sends u ^ t              equal where P_a = P_b: v ^ s = u ^ t
//
// Requires    d is the same length at all; who takes part is public
// Reveals     to the two ends of a link whether their bytes are equal. Of unequal bytes nothing more: u and u ^ t look
//             uniform to b (DDH). So no list of guesses can be tested afterwards, however few guesses there are: a peer
//             that deviates tests one guess in a run, the value that it puts in.
// Rounds      2
// Sends       64 bytes to each other party that takes part; the dealer gets nothing
// Secure      against n-1 passive parties, and the dealer
#pragma once

#include <vector>

#include "mpc/sealed/storage_key.h"
#include "net/collectives/cost.h"
#include "net/mesh.h"

namespace tacit::mpc {

// takes_part has an entry for each party; a party that takes no part gets true for all. Its own entry is always true.
// Throws ProtocolError where a peer sends what is no point.
std::vector<bool> compare_with_peers(net::Mesh& mesh, const Digest& digest, const std::vector<bool>& takes_part);

// Of one of `taking_part` parties that take part.
net::Cost compare_cost(int taking_part);

}  // namespace tacit::mpc
