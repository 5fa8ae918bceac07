// DealerCorrelations receives correlated randomness from the dealer: by the seed shared with it,
// and by its messages.
#pragma once

#include "mpc/correlations/correlations.h"
#include "mpc/correlations/dealt_message.h"
#include "mpc/random/pair_seed.h"
#include "mpc/ring/uninitialised.h"
#include "net/mesh.h"

namespace tacit::mpc {

// The CorrelationSource of a mesh with a dealer. Throws ConfigError for a mesh without a dealer.
std::unique_ptr<Correlations> from_the_dealer(net::Mesh& mesh, const Nonce& nonce, Workers& workers);

class DealerCorrelations final : public Correlations {
 public:
  // The mesh and the workers must outlive it; the mesh's first helper is the dealer.
  DealerCorrelations(net::Mesh& mesh, const Nonce& nonce, Workers& workers);

  void begin(std::int64_t operation) override;
  RingTensor mask(const MaskRequest& request) override;
  RingTensor add_mask(const MaskRequest& request, const RingTensor& x, std::uint64_t constant,
                      RingTensor& sum) override;
  BitTensor mask_bits(Shape shape) override;
  Permutation order(int owner, std::int64_t count) override;
  std::vector<RingTensor> words(const WordRequest& request) override;
  std::vector<BitTensor> bits(const BitRequest& request) override;
  std::chrono::nanoseconds waited() const override { return waited_; }

 private:
  StreamName next(Draw draw) { return {operation_, draw, draws_++}; }
  bool our_turn() const { return receiver_of(messages_, mesh_.parties()) == mesh_.rank(); }
  void receive(Correlation what, net::Bytes message);

  net::Mesh& mesh_;
  Workers& workers_;
  net::Channel& dealer_;
  PairSeed seed_;
  std::int64_t operation_ = 0;
  int draws_ = 0;  // in this operation
  std::int64_t messages_ = 0;
  std::chrono::nanoseconds waited_{0};
};

}  // namespace tacit::mpc
