// MeshDealer is the dealer of a mesh. The dealer draws the sums of the parties' masks and sends shares of the correlations. It
// sees masks and functions of masks, and no data.
//
// The dealer runs ahead of the parties until their room for its messages is full. At most
// `ahead_bytes` wait here to be sent, or one message if it is larger.
#pragma once

#include <deque>
#include <vector>

#include "mpc/correlations/dealt_message.h"
#include "mpc/correlations/dealt_values.h"
#include "mpc/random/noise_pool.h"
#include "mpc/random/pair_seed.h"
#include "mpc/ring/uninitialised.h"
#include "mpc/session/dealer.h"
#include "mpc/session/matrix_products.h"
#include "net/mesh.h"

namespace tacit::mpc {

class MeshDealer final : public Dealer {
 public:
  // The mesh, the workers and the device must outlive this object. `device`: null for none.
  MeshDealer(net::Mesh& mesh, const Nonce& nonce, Workers& workers, std::int64_t ahead_bytes,
             device::Device* device = nullptr);

  int parties() const override { return mesh_.parties(); }
  Workers& workers() override { return workers_; }
  Waited waited() const override { return waited_; }
  net::Mesh& mesh() { return mesh_; }

  void begin(std::int64_t operation) override;
  // The sums of the parties' masks.
  RingTensor mask(Shape shape, int bits) override;
  BitTensor mask_bits(Shape shape) override;
  Permutation order(int owner, std::int64_t count) override;
  // Computes the correlation's values, and sends one message with a share of each value.
  void deal(const WordRequest& request) override;
  void deal(const BitRequest& request) override;
  bool decision() override;

  // Waits until all messages have left.
  void flush();

 private:
  struct Sending {
    std::int64_t bytes() const;
    UninitialisedVector<std::byte> message;
    std::vector<BitTensor> planes;  // the rest of the message
    net::Transfer transfer;         // declared last: destroyed before the memory that it reads
  };
  StreamName next(Draw draw) { return {operation_, draw, draws_++}; }
  UninitialisedVector<std::byte> message(Correlation what, std::int64_t bytes) const;
  void send(UninitialisedVector<std::byte> message, std::vector<BitTensor> planes = {});
  void wait(net::Transfer& transfer);  // and adds the time to waited()
  PairSeed& seed(int party) { return seeds_[static_cast<std::size_t>(party)]; }

  net::Mesh& mesh_;
  Workers& workers_;
  MatrixProducts products_;
  std::vector<PairSeed> seeds_;  // indexed by party
  NoisePool own_noise_;          // from the operating system's randomness
  const std::int64_t ahead_bytes_;
  std::int64_t operation_ = 0;
  int draws_ = 0;
  std::int64_t messages_ = 0;
  std::deque<Sending> sending_;
  std::int64_t sending_bytes_ = 0;
  Waited waited_;
};

}  // namespace tacit::mpc
