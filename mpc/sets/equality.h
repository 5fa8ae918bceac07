// compare_with_peers tells for each other party whether it holds the same 32 bytes (private equality
// test).
//
// Both ends of a link map their bytes d to a point P = hash(d), under a key that only these two ends have.
// The ends compare the points by Diffie and Hellman's exchange (Huberman, Franklin and Hogg, 1999):
//
//   1  a sends u = P_a ^ s        b sends v = P_b ^ t        s, t: secret, fresh for this link and comparison
//   2  a sends v ^ s              b sends u ^ t              equal if P_a = P_b: v ^ s = u ^ t
//
// Requires    d has the same length at all parties; the list of participants is public
// Reveals     to the two ends of a link whether their bytes are equal. Unequal bytes reveal nothing more:
//             u and u ^ t look uniform to b (DDH). A list of guesses therefore cannot be tested
//             afterwards, however short it is. A peer that deviates can test one guess in a run: the
//             value that it puts in
// Rounds      2
// Sends       64 bytes to each other participant; the dealer gets nothing
// Secure      against n-1 passive parties, and the dealer
#pragma once

#include <vector>

#include "mpc/sealed/storage_key.h"
#include "net/collectives/cost.h"
#include "net/mesh.h"

namespace tacit::mpc {

// `takes_part` has an entry for each party. A party that takes no part gets true for all. A party's
// own entry is always true. Throws ProtocolError if a peer sends an invalid point.
std::vector<bool> compare_with_peers(net::Mesh& mesh, const Digest& digest, const std::vector<bool>& takes_part);

// The cost at one of `taking_part` participants.
net::Cost compare_cost(int taking_part);

}  // namespace tacit::mpc
