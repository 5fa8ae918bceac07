#include "mpc/correlations/pairwise_correlations.h"

#include <vector>

#include "mpc/made/making.h"
#include "mpc/made/planned_tasks.h"
#include "mpc/random/pair_seed.h"

namespace tacit::mpc {

namespace {

constexpr CorrelationsFrom kHere = CorrelationsFrom::kParties;

class PairwiseCorrelations final : public Correlations {
 public:
  PairwiseCorrelations(net::Mesh& mesh, const Nonce& nonce, Workers& workers)
      : network_(mesh), making_(network_, nonce, workers, kHere), own_(PairSeed::own(nonce, &workers)) {}

  void begin(std::int64_t operation) override {
    operation_ = operation;
    draws_ = 0;
  }
  RingTensor mask(const MaskRequest& request) override {
    RingTensor words(request.shape, request.bits);
    own_.fill(next(Draw::kMask), words);
    return words;
  }
  RingTensor add_mask(const MaskRequest& request, const RingTensor& x, std::uint64_t constant,
                      RingTensor& sum) override {
    RingTensor words(request.shape, request.bits);
    own_.fill_and_add(next(Draw::kMask), words, x, constant, sum);
    return words;
  }
  BitTensor mask_bits(Shape shape) override {
    BitTensor bits(shape);
    own_.fill(next(Draw::kMask), bits);
    return bits;
  }
  Permutation order(int owner, std::int64_t count) override {
    const StreamName name = next(Draw::kOrder);
    return owner == network_.rank() ? own_.order(name, count) : Permutation();
  }
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
  StreamName next(Draw draw) { return {operation_, draw, draws_++}; }

  PairNetwork network_;
  Making making_;
  PairSeed own_;
  std::int64_t operation_ = 0;
  int draws_ = 0;  // in this operation
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
  return LockStep::cost(*planned_tasks(request, parties, rank, from));
}

MadeCost made_cost(const BitRequest& request, int parties, int rank, CorrelationsFrom from) {
  return LockStep::cost(*planned_tasks(request, parties, rank, from));
}

}  // namespace tacit::mpc
