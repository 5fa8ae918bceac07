// common_seed — a seed that all parties share and the dealer lacks, for draws that every party makes alike.
//
// Every party sends 32 bytes of its own to each other party, over their authenticated links, and the seed is the exclusive or of
// all of them. A coalition of n-1 parties knows the seed, as every party does; a party that does not follow the program could
// choose it.
#pragma once

#include "mpc/random/pair_seed.h"
#include "net/mesh.h"

namespace tacit::mpc {

// All parties call it at the same time; helpers do not. One round.
PairSeed common_seed(net::Mesh& mesh, const Nonce& nonce);

}  // namespace tacit::mpc
