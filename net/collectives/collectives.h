// The collectives are operations of all parties of a group. All parties must call them in the same
// order with the same shapes.
//
// A list of tensors (Tensors) shares the round and the messages. If each party has a part of its
// own, by_party[r] is the list of rank r. Words are reduced mod 2^k before they leave, and so are
// all results. A cost is the traffic that one rank sends; tests compare it with the measured
// traffic. See net/collectives/all_reduce.h for all_reduce.
#pragma once

#include <vector>

#include "net/channel.h"
#include "net/collectives/cost.h"
#include "net/collectives/group.h"
#include "net/collectives/words.h"

namespace tacit::net {

using TensorsByParty = std::span<const Tensors>;
using ShapesByParty = std::span<const std::span<const WordShape>>;

// broadcast sends the root's words to every party.
//
// Rounds      1
// Sends       the root: k bits per element to each peer
void broadcast(Group& group, int root, Tensors tensors);
Cost broadcast_cost(std::span<const WordShape> tensors, int parties, int root, int rank);

// gather sends every party's words to the root.
//
// The other entries of by_party are written at the root, and ignored elsewhere.
// Rounds      1
// Sends       every party except the root: k bits per element of its own
void gather(Group& group, int root, TensorsByParty by_party);
Cost gather_cost(ShapesByParty by_party, int root, int rank);

// scatter sends each party its own words from the root.
//
// The other entries of by_party are read at the root, and ignored elsewhere.
// Rounds      1
// Sends       the root: k bits per element of every other party
void scatter(Group& group, int root, TensorsByParty by_party);
Cost scatter_cost(ShapesByParty by_party, int root, int rank);

// all_gather sends every party's words to every party.
//
// Rounds      1
// Sends       k bits per element of its own to each peer
void all_gather(Group& group, TensorsByParty by_party);
Cost all_gather_cost(ShapesByParty by_party, int rank);

// reduce_scatter gives each party the sum of all parties' words for it.
//
// The sum replaces by_party[rank]; the other entries stay unchanged.
// Rounds      1
// Sends       k bits per element of every other party
void reduce_scatter(Group& group, TensorsByParty by_party);
Cost reduce_scatter_cost(ShapesByParty by_party, int rank);

// barrier returns after every party has called it.
//
// Rounds      1
// Sends       an empty message to each peer
void barrier(Group& group);
Cost barrier_cost(int parties);

// The same for plain bytes, with one message to each receiver.
void broadcast(Group& group, int root, Bytes bytes);
void gather(Group& group, int root, std::span<const Bytes> by_party);
void scatter(Group& group, int root, std::span<const Bytes> by_party);
void all_gather(Group& group, std::span<const Bytes> by_party);

}  // namespace tacit::net
