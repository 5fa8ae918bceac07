// PairwiseCorrelations is a party's source without a dealer: the parties make every correlation among themselves, pair by pair,
// at the time of the request. Secure against n-1 passive parties (see mpc/README.md for the assumptions).
#pragma once

#include "mpc/correlations/correlations.h"
#include "mpc/ot/pair_network.h"

namespace tacit::mpc {

// The CorrelationSource of a mesh without a dealer.
std::unique_ptr<Correlations> pairwise_correlations(net::Mesh& mesh, const Nonce& nonce, Workers& workers);

// What party `rank` sends to make the correlation. Of a request, only the public part is read: shapes, widths, tables.
MadeCost made_cost(const WordRequest& request, int parties, int rank);
MadeCost made_cost(const BitRequest& request, int parties, int rank);

}  // namespace tacit::mpc
