#include "tests/mpc/security/broken_correlations.h"

#include <algorithm>
#include <functional>
#include <map>
#include <random>

namespace tacit::mpc {

namespace {

void clear_highest(RingTensor& words) {
  for (std::uint64_t& word : words.words()) word &= low_bits(words.bits()) >> 1;
}

class SpoiltCorrelations final : public Correlations {
 public:
  SpoiltCorrelations(std::unique_ptr<Correlations> inner, Fault fault, int rank)
      : inner_(std::move(inner)), fault_(fault), known_(static_cast<unsigned>(rank)) {}

  void begin(std::int64_t operation) override { inner_->begin(operation); }

  RingTensor mask(const MaskRequest& request) override {
    RingTensor mask = inner_->mask(request);
    if (fault_ == Fault::kShortMasks) clear_highest(mask);
    replace(mask.words());
    for (std::uint64_t& word : mask.words()) word &= low_bits(request.bits);
    return mask;
  }

  BitTensor mask_bits(Shape shape) override {
    BitTensor mask = inner_->mask_bits(shape);
    replace(mask.words());
    mask.clear_padding();
    return mask;
  }

  Permutation order(int owner, std::int64_t count) override { return inner_->order(owner, count); }

  std::vector<RingTensor> words(const WordRequest& request) override {
    std::vector<RingTensor> shares = inner_->words(request);
    if (fault_ == Fault::kShortShares) std::for_each(shares.begin(), shares.end(), clear_highest);
    return shares;
  }

  std::vector<BitTensor> bits(const BitRequest& request) override { return inner_->bits(request); }
  std::chrono::nanoseconds waited() const override { return inner_->waited(); }

 private:
  void replace(std::span<std::uint64_t> mask) {
    if (fault_ == Fault::kNoMasks) std::fill(mask.begin(), mask.end(), 0);
    if (fault_ == Fault::kKnownMasks) std::generate(mask.begin(), mask.end(), std::ref(known_));
    if (fault_ == Fault::kOneMask) {
      const auto [first, fresh] = used_.try_emplace(mask.size(), mask.begin(), mask.end());
      std::copy(first->second.begin(), first->second.end(), mask.begin());
    }
  }

  std::unique_ptr<Correlations> inner_;
  const Fault fault_;
  std::map<std::size_t, std::vector<std::uint64_t>> used_;  // by size
  std::mt19937_64 known_;
};

}  // namespace

CorrelationSource spoilt(Fault fault, int party) {
  return [=](net::Mesh& mesh, const Nonce& nonce, Workers& workers) -> std::unique_ptr<Correlations> {
    if (party >= 0 && party != mesh.rank()) return from_the_dealer(mesh, nonce, workers);
    return std::make_unique<SpoiltCorrelations>(from_the_dealer(mesh, nonce, workers), fault, mesh.rank());
  };
}

}  // namespace tacit::mpc
