// The values of requests, computed from the sums of all parties' masks. The dealer deals shares of these values.
//
// The code is in mpc/dealt/, one file for each kind of request. That folder needs tables of the protocols, and the protocols
// need this header.
#pragma once

#include <vector>

#include "mpc/correlations/correlations.h"
#include "mpc/kernels/workers.h"
#include "mpc/random/noise_pool.h"

namespace tacit::mpc {

class MatrixProducts;

// The threads, the matrix products on threads or a device, and the noise of the rank that deals.
struct DealingRank {
  Workers& workers;
  MatrixProducts& products;
  NoisePool& noise;
};

// One tensor for each width of the request. The masks in the request are the sums of all parties' masks.
std::vector<RingTensor> dealt_words(const WordRequest& request, const DealingRank& rank);
// One tensor for each product.
std::vector<BitTensor> dealt_bits(const BitRequest& request, Workers& workers);

}  // namespace tacit::mpc
