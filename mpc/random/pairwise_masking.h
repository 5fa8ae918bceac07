// pairwise_masking — masks of the parties of a sum that cancel in the sum: the secure sum of gradients.
//
// Every two parties i < j draw a stream s_ij from the seed of their link (pair_seed.h). Party i adds it, party j subtracts
// it. Party i sends x_i + sum over j > i of s_ij - sum over j < i of s_ji, and the masks of all parties add up to zero.
//
// Reveals     the sum, to every party
// Rounds      as the sum without masks, and one when the masking is made
// Sends       nothing beside the sum; 32 bytes to each rank when the masking is made
// Computes    n-1 streams of AES-128 as long as the words
// Secure      against any number of passive parties, without a dealer. Let H be the honest parties. Any two parties of H
//             share a stream that no other party can compute. The words that leave H are therefore uniform among all words
//             with their sum: a simulator draws them at random, and needs only the sum of the inputs of H. Partial sums
//             that the algorithms of all_reduce pass on are sums of such words. If H is one party (n-1 parties collude, or
//             n = 2), the result minus the coalition's inputs is the input of H, with any protocol.
//             A party that deviates can make the sum wrong, at all parties alike, and learns no more
// Once        A mask is drawn once: the name of its stream is a count of calls, and PairSeed refuses a second use. The key
//             depends on the TLS session and on a nonce of fresh bytes from every rank, so neither a restart nor a second
//             masking on the same mesh repeats one. Keys and masks are wiped
// Paper       Bonawitz and others, Practical Secure Aggregation, CCS 2017, section 4.0.1; without their recovery of
//             parties that drop out: here a lost party ends the run
#pragma once

#include <memory>

#include "net/mesh.h"
#include "net/synchronise/masking.h"

namespace tacit::mpc {

// All ranks of the mesh call it at the same time; a helper's has no masks. The mesh must outlive it.
std::unique_ptr<net::Masking> pairwise_masking(net::Mesh& mesh);

}  // namespace tacit::mpc
