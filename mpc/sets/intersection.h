// intersect — which of its texts do all parties hold? Private set intersection after Meadows (1986) and Huberman,
// Franklin and Hogg (1999), for n parties round a ring.
//
// Party i has secret s_i, texts T_i, all different, and puts them in an order that it draws.
//
//   names      nonce = hash of 32 fresh bytes of every party; P(x) = hash of x under the nonce, in ristretto255
//   ring       n steps. Step 1: i sends P(x) ^ s_i for x in T_i to its right neighbour. Then: i takes the list that its
//              left neighbour sent, raises each point to s_i, shuffles, passes it on. After n steps every list has been
//              raised to s_1 ... s_n, and lies at its owner's left neighbour.
//   filter     party n-1 sends the finished list of party 0 to party 0, which keeps what is in the finished list of
//              party 1, and sends that on; ... party n-2 has what all hold, and sorts it: this is the common order.
//   common     party n-2 sends that list to all others
//   back       every party looks the common points up in the finished list that it holds, and knows by its own shuffle
//              where they lay in the list that it received. It sends these positions to its left neighbour, who
//              does the same, until they come to the list's owner: the positions of its own texts in the common order.
//
// Requires    texts differ within a party (the caller sees to that); at most kMostTexts of them
// Reveals     to every party: which of its texts all hold, their common order, and how many texts each party has. To
//             parties on the way: how many texts the first two, three, ... parties have in common. A coalition of up to
//             n-1 parties: the sizes of the intersections of the remaining party's texts with their own, and with
//             what several of them hold, never which texts these are beyond those that all hold. To the dealer and to
//             the network: that it happens, and sizes of messages.
// Rounds      1 for sizes and nonces, n - 1 in the ring, n - 1 in the filter, 1 for the common list, n - 1 back. A
//             party waits in one of the filter's at most
// Sends       40 bytes to each other party; 32 for each text of all parties but the right neighbour's; the filtered
//             list (not party n-2): 8 bytes, and 32 a text; party n-2 to all others the common list: 8, and 32 a text;
//             4 (n - 1) for each text in common
// Computes    per party one exponentiation for each text of every party
// Secure      against n-1 passive parties (DDH, random oracle). P(x) ^ s for a secret s cannot be told from a random
//             point, equal for equal texts alone, so a list that i has raised and shuffled tells a coalition without i
//             how many of i's texts are among its own, and no more. The positions that come back tell in addition
//             which of i's points belong to the texts that all hold: the coalition knows these texts and their order
//             from its own answer, and without s_i the points stay random. A party that deviates can put in texts that
//             it guesses, learn whether all others hold them, and make the answer wrong
// Checks      every point that arrives is a canonical encoding and no identity; a list has the announced length and no
//             point twice; common points are in the finished lists; positions lie in their list, each once. Else
//             ProtocolError
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
  // Exponentiations that are done here, and how many there are; in the calling thread.
  std::function<void(std::int64_t done, std::int64_t of)> on_progress;
};

struct Intersection {
  std::vector<std::int64_t> own;     // positions in this party's texts, in the common order
  std::vector<std::int64_t> counts;  // of every party's texts
};

// Of the party `rank`. common[k]: how many texts parties 0 ... k all have.
net::Cost intersect_cost(int rank, const std::vector<std::int64_t>& counts, const std::vector<std::int64_t>& common);

// Every party of the mesh calls it; the dealer does not.
Intersection intersect(net::Mesh& mesh, std::span<const std::string> texts, const IntersectOptions& options = {});

}  // namespace tacit::mpc
