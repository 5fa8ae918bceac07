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
//   unwind     that list goes round once more, in its order: each party takes its own exponent off (s_i ^ -1). The last
//              has P(x) for every x that all hold, and sends it to all, who find their own texts in it.
//
// Requires    texts differ within a party (the caller sees to that); at most kMostTexts of them
// Reveals     to every party: which of its texts all hold, their common order, and how many texts each party has. To
//             parties on the way: how many texts the first two, three, ... parties have in common. A coalition of up to
//             n-1 parties: the sizes of the intersections of the remaining party's texts with their own, and with
//             what several of them hold, never which texts these are beyond those that all hold. To the dealer and to
//             the network: that it happens, and sizes of messages.
// Rounds      1 for sizes and nonces, n - 1 in the ring, n - 1 in the filter, n in the unwinding. A party waits in one
// of
//             the filter's at most, and in two of the unwinding's
// Sends       40 bytes to each other party; 32 for each text of all parties but the right neighbour; the filtered list
// (not
//             from party n-2), the unwound list, which party n-3 (of two: 1) sends to all others: 8 bytes, and 32 a
//             text
// Computes    per party one exponentiation for each text of every party, and one for each text in common
// Secure      against n-1 passive parties (DDH, random oracle). A party that deviates can put in texts that it guesses,
//             learn whether all others hold them, and make the answer wrong
// Checks      every point that arrives is a canonical encoding and no identity; a list has the announced length and no
//             point twice; the last list holds points of own texts only. Else ProtocolError
// Memory      32 bytes for each text of the two largest lists, three times that at most
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
  // Exponentiations that are done here, and about how many there are; in the calling thread.
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
