// Dealer is the context of a protocol's dealer side. The dealer sees masks and functions of masks, and
// no data.
//
// The dealer runs ahead of the parties until their room for its messages is full. At most
// `ahead_bytes` wait here to be sent, or one message if it is larger.
#pragma once

#include <deque>
#include <vector>

#include "mpc/correlations/dealt_message.h"
#include "mpc/kernels/workers.h"
#include "mpc/random/noise_pool.h"
#include "mpc/random/pair_seed.h"
#include "mpc/ring/uninitialised.h"
#include "mpc/session/matrix_products.h"
#include "mpc/session/profile.h"
#include "net/mesh.h"

namespace tacit::mpc {

class Dealer {
 public:
  // The mesh, the workers and the device must outlive this object. `device`: null for none.
  Dealer(net::Mesh& mesh, const Nonce& nonce, Workers& workers, std::int64_t ahead_bytes,
         device::Device* device = nullptr);

  int parties() const { return mesh_.parties(); }
  Workers& workers() { return workers_; }
  MatrixProducts& products() { return products_; }
  net::Mesh& mesh() { return mesh_; }

  void begin(std::int64_t operation);
  void wait(net::Transfer& transfer);  // and adds the time to waited()
  Waited waited() const { return waited_; }

  // The sum of the parties' masks. Correlations::mask gives each party its share.
  RingTensor mask(Shape shape, int bits);
  BitTensor mask_bits(Shape shape);
  // The order that Correlations::order gives to its owner.
  Permutation order(int owner, std::int64_t count);
  // Discrete Gaussian noise of the dealer alone, from the operating system's randomness.
  NoisePool& own_noise() { return own_noise_; }

  // Sends one message with shares of all these values. The values must be reduced and have one
  // shape.
  void deal(Correlation what, std::vector<RingTensor> values);
  void deal_bits(Correlation what, std::vector<BitTensor> values);

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
  PairSeed& seed(int party) { return seeds_[static_cast<std::size_t>(party)]; }

  net::Mesh& mesh_;
  Workers& workers_;
  MatrixProducts products_;
  std::vector<PairSeed> seeds_;  // indexed by party
  NoisePool own_noise_;
  const std::int64_t ahead_bytes_;
  std::int64_t operation_ = 0;
  int draws_ = 0;
  std::int64_t messages_ = 0;
  std::deque<Sending> sending_;
  std::int64_t sending_bytes_ = 0;
  Waited waited_;
};

}  // namespace tacit::mpc
