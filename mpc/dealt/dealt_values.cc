#include "mpc/correlations/dealt_values.h"

#include "mpc/dealt/bit_products.h"
#include "mpc/dealt/lifted_multiple.h"
#include "mpc/dealt/lifted_product.h"
#include "mpc/dealt/look_up.h"
#include "mpc/dealt/mask_products.h"
#include "mpc/dealt/products.h"
#include "mpc/dealt/route.h"
#include "mpc/dealt/selection.h"
#include "mpc/dealt/winner.h"
#include "mpc/dealt/wrap.h"

namespace tacit::mpc {

namespace {

// The requests that need more of the rank than its threads.
std::vector<RingTensor> dealt_by(const DealingRank& rank, const MatrixProductRequest& request) {
  return dealt(request, rank.products);
}

std::vector<RingTensor> dealt_by(const DealingRank& rank, const NoiseRequest& request) {
  std::vector<RingTensor> drawn{RingTensor::zeros(request.of, request.bits)};
  rank.noise.add(request.sigma, drawn.front());
  return drawn;
}

template <typename Request>
std::vector<RingTensor> dealt_by(const DealingRank& rank, const Request& request) {
  return dealt(request, rank.workers);
}

}  // namespace

std::vector<RingTensor> dealt_words(const WordRequest& request, const DealingRank& rank) {
  return std::visit([&](const auto& one) { return dealt_by(rank, one); }, request);
}

std::vector<BitTensor> dealt_bits(const BitRequest& request, Workers& workers) {
  return std::visit([&](const auto& one) { return dealt(one, workers); }, request);
}

}  // namespace tacit::mpc
