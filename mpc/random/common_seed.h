// common_seed — a seed that all parties share and the dealer lacks, for draws that every party makes alike.
//
// Every party sends 32 random bytes to each other party, over their authenticated links, and the seed is the exclusive or
// of all parties' bytes. Every party knows the seed, and so does a coalition. A party that does not follow the program
// could choose the seed.
#pragma once

#include "mpc/random/pair_seed.h"
#include "net/mesh.h"

namespace tacit::mpc {

// All parties call it at the same time; helpers do not. One round.
PairSeed common_seed(net::Mesh& mesh, const Nonce& nonce);

}  // namespace tacit::mpc
