// DealerCorrelations — a party's end of the dealer: seeds shared with it, and its messages.
#pragma once

#include "mpc/random/pair_seed.h"
#include "mpc/session/correlations.h"
#include "mpc/session/dealt_message.h"
#include "net/mesh.h"

namespace tacit::mpc {

class DealerCorrelations final : public Correlations {
 public:
  // The mesh must outlive it; its first helper is the dealer.
  DealerCorrelations(net::Mesh& mesh, const Nonce& nonce);

  void begin(std::int64_t operation) override;
  RingTensor mask(Shape shape, int bits) override;
  BitTensor mask_bits(Shape shape) override;
  std::vector<RingTensor> dealt(const Request& request) override;
  std::vector<BitTensor> dealt_bits(const BitRequest& request) override;
  std::vector<std::int64_t> permutation_key(int owner, std::int64_t size) override;
  std::chrono::nanoseconds waited() const override { return waited_; }

 private:
  StreamName next(Draw draw) { return {operation_, draw, draws_++}; }
  bool our_turn() const { return receiver_of(messages_, mesh_.parties()) == mesh_.rank(); }
  std::vector<std::byte> receive(Correlation what, std::int64_t bytes);

  net::Mesh& mesh_;
  net::Channel& dealer_;
  PairSeed seed_;
  std::int64_t operation_ = 0;
  int draws_ = 0;  // in this operation
  std::int64_t messages_ = 0;
  std::chrono::nanoseconds waited_{0};
};

}  // namespace tacit::mpc
