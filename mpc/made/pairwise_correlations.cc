#include "mpc/correlations/pairwise_correlations.h"

#include <vector>

#include "mpc/correlations/own_masks.h"
#include "mpc/made/making.h"
#include "mpc/made/planned_tasks.h"
#include "mpc/random/fresh_secret.h"

namespace tacit::mpc {

namespace {

constexpr CorrelationsFrom kHere = CorrelationsFrom::kParties;

class PairwiseCorrelations final : public Correlations {
 public:
  PairwiseCorrelations(net::Mesh& mesh, const Nonce& nonce, Workers& workers)
      : network_(mesh),
        making_(network_, nonce, workers, kHere),
        masks_(fresh_secret(PairSeed::kSeedBytes), nonce, workers, mesh.rank()) {}

  void begin(std::int64_t operation) override { masks_.begin(operation); }
  RingTensor mask(const MaskRequest& request) override { return masks_.mask(request.shape, request.bits); }
  RingTensor add_mask(const MaskRequest& request, const RingTensor& x, std::uint64_t constant,
                      RingTensor& sum) override {
    return masks_.add_mask(request, x, constant, sum);
  }
  BitTensor mask_bits(Shape shape) override { return masks_.mask_bits(shape); }
  Permutation order(int owner, std::int64_t count) override { return masks_.order(owner, count); }
  std::vector<RingTensor> words(const WordRequest& request) override { return make<RingTensor>(request); }
  std::vector<BitTensor> bits(const BitRequest& request) override { return make<BitTensor>(request); }
  CorrelationsFrom made_by() const override { return kHere; }
  std::chrono::nanoseconds waited() const override { return network_.waited(); }

 private:
  template <typename Tensor, typename Request>
  std::vector<Tensor> make(const Request& request) {
    std::vector<Tensor> shares;
    std::vector<LockStep::Task> tasks;
    making_.add(request, shares, tasks);
    LockStep::run(network_, tasks);
    return shares;
  }

  PairNetwork network_;
  Making making_;
  OwnMasks masks_;
};

}  // namespace

std::unique_ptr<Correlations> pairwise_correlations(net::Mesh& mesh, const Nonce& nonce, Workers& workers) {
  return std::make_unique<PairwiseCorrelations>(mesh, nonce, workers);
}

MadeCost start_cost(int parties, int rank, CorrelationsFrom from) {
  PairNetwork plan(rank, parties);
  Workers workers;
  const Making making(plan, Nonce{}, workers, from);
  return plan.cost();
}

MadeCost made_cost(const WordRequest& request, int parties, int rank, CorrelationsFrom from) {
  return planned_request(request, parties, rank, from).cost;
}

MadeCost made_cost(const BitRequest& request, int parties, int rank, CorrelationsFrom from) {
  return planned_request(request, parties, rank, from).cost;
}

}  // namespace tacit::mpc
