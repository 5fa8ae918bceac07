#include "mpc/random/pairwise_masking.h"

#include <vector>

#include "mpc/random/pair_seed.h"

namespace tacit::mpc {

namespace {

class PairwiseMasking final : public net::Masking {
 public:
  explicit PairwiseMasking(net::Mesh& mesh) : rank_(mesh.rank()) {
    const Nonce nonce = agree_on_nonce(mesh);
    if (!mesh.world().is_party()) return;
    for (int peer = 0; peer < mesh.parties(); ++peer) {
      seeds_.push_back(peer == rank_ ? PairSeed() : PairSeed(mesh.channel(peer), nonce));
    }
  }

  void mask(std::span<std::uint64_t> words) override {
    const StreamName name{calls_++, Draw::kZero};
    for (int peer = 0; peer < std::ssize(seeds_); ++peer) {
      PairSeed& seed = seeds_[static_cast<std::size_t>(peer)];
      if (rank_ < peer) seed.add(name, words);
      if (rank_ > peer) seed.subtract(name, words);
    }
  }

 private:
  const int rank_;
  std::vector<PairSeed> seeds_;  // by party
  std::int64_t calls_ = 0;
};

}  // namespace

std::unique_ptr<net::Masking> pairwise_masking(net::Mesh& mesh) { return std::make_unique<PairwiseMasking>(mesh); }

}  // namespace tacit::mpc
