// intersect finds the texts that all parties hold (private set intersection, PSI). The protocol follows
// Meadows (1986) and Huberman, Franklin and Hogg (1999), for n parties in a ring.
//
// Party i has a secret s_i and different texts T_i, and puts the texts in a random order.
//
//   names      nonce = hash of 32 fresh bytes of every party; P(x) = hash of x under the nonce, in ristretto255
//   ring       n steps. In step 1, i sends P(x) ^ s_i for x in T_i to its right neighbour. In each later
//              step, i takes the list from its left neighbour, raises each point to s_i, shuffles the list,
//              and passes it on. After n steps every list has been raised to s_1 ... s_n, and lies at its
//              owner's left neighbour.
//   filter     party n-1 sends the finished list of party 0 to party 0. Party 0 keeps the points that are in
//              the finished list of party 1, and sends these on, and so forth. Party n-2 obtains the points
//              that all parties hold, and sorts them: this is the common order.
//   common     party n-2 sends that list to all other parties
//   back       every party looks the common points up in its finished list, and derives from its shuffle
//              their positions in the list that it received, and sends these positions to its left
//              neighbour, which does the same, until they reach the list's owner: the positions of its own
//              texts in the common order.
//
// Requires    texts differ within a party (the caller checks this); at most kMostTexts a party
// Reveals     to every party: the texts that it shares with all parties, their common order, and the number of
//             texts of each party. To parties on the way: how many texts the first two, three, ... parties
//             have in common. To a coalition of up to n-1 parties: the sizes of the intersections of the
//             remaining party's texts with the texts of each member, and with the common texts of several
//             members, but not the texts in these intersections, except the texts that all parties hold. To
//             the dealer and to the network: the fact of an intersection, and sizes of messages.
// Rounds      1 for sizes and nonces, n - 1 in the ring, n - 1 in the filter, 1 for the common list, n - 1
//             back. Each party waits in at most one round of the filter
// Sends       40 bytes to each other party; 32 for each text of all parties except the right neighbour's;
//             the filtered list (not party n-2): 8 bytes, and 32 a text; party n-2 to all others the common
//             list: 8, and 32 a text; 4 (n - 1) for each text in common
// Computes    per party one exponentiation for each text of every party
// Secure      against n-1 passive parties (DDH, random oracle). P(x) ^ s for a secret s looks like a random
//             point, except that equal texts give equal points. A list that i has raised and shuffled
//             therefore tells a coalition without i how many of i's texts are among its own, and no more.
//             The positions that come back also mark i's points of the texts that all parties
//             hold. The coalition knows these texts and their order from its own answer, and without s_i
//             the points stay random. A party that deviates can put in guessed texts, learn whether all
//             others hold them, and make the answer wrong
// Checks      every arriving point is a canonical encoding and not the identity; a list has the announced
//             length and no point twice; common points are in the finished lists; positions lie in their
//             list, each once. Otherwise ProtocolError
// Memory      68 bytes for each text of the two largest lists, and 4 for each text of every party
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "net/collectives/cost.h"
#include "net/mesh.h"

namespace tacit::mpc {

inline constexpr std::int64_t kMostTexts = 1 << 27;

struct IntersectOptions {
  int threads = 1;
  // Receives the number of finished exponentiations of this party and their total. Runs in the
  // calling thread.
  std::function<void(std::int64_t done, std::int64_t of)> on_progress;
};

struct Intersection {
  std::vector<std::int64_t> own;     // positions in this party's texts, in the common order
  std::vector<std::int64_t> counts;  // number of texts of every party
};

// The cost at party `rank`. common[k] is the number of texts that parties 0 ... k have in common.
net::Cost intersect_cost(int rank, const std::vector<std::int64_t>& counts, const std::vector<std::int64_t>& common);

// Every party of the mesh must call this; the dealer must not.
Intersection intersect(net::Mesh& mesh, std::span<const std::string> texts, const IntersectOptions& options = {});

}  // namespace tacit::mpc
