// PairwiseCorrelations is a party's source without a dealer: the parties make every correlation among themselves, pair by pair,
// at the time of the request, with SoftSpoken's transfers. Jobs make them ahead instead (mpc/ahead/making_ahead.h). Secure against
// n-1 passive parties (see mpc/README.md for the assumptions).
//
// A mask is drawn from this party's own seed, so that no other rank can draw it. The requests are made of the steps of
// made/engine.h, in tiles (made/tiles.h), whose rounds are shared (ot/lock_step.h). The code is in made/pairwise_correlations.cc: it
// needs tables of the protocols, which need this header.
#pragma once

#include "mpc/correlations/correlations.h"
#include "mpc/ot/pair_network.h"

namespace tacit::mpc {

// The CorrelationSource of a mesh without a dealer. Every party makes it at the same time; start_cost() is sent.
std::unique_ptr<Correlations> pairwise_correlations(net::Mesh& mesh, const Nonce& nonce, Workers& workers);

// The cost of the start for party `rank`, once, before the first correlation.
MadeCost start_cost(int parties, int rank, CorrelationsFrom from);

// The cost of the correlation for party `rank`, alone. Only the public part of a request is read: shapes, widths, tables.
MadeCost made_cost(const WordRequest& request, int parties, int rank, CorrelationsFrom from);
MadeCost made_cost(const BitRequest& request, int parties, int rank, CorrelationsFrom from);

}  // namespace tacit::mpc
