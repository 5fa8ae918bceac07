// Party is the context of a protocol's party side: the other parties, a seed for each pair with
// another party, and correlated randomness.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "mpc/correlations/correlations.h"
#include "mpc/kernels/workers.h"
#include "mpc/random/noise_pool.h"
#include "mpc/random/pair_seed.h"
#include "mpc/session/matrix_products.h"
#include "mpc/session/profile.h"
#include "mpc/session/transcript.h"
#include "net/collectives/all_reduce_plan.h"
#include "net/collectives/group.h"

namespace tacit::mpc {

class Party {
 public:
  // The mesh, the workers and the device must outlive this object. `device`: null for none.
  Party(net::Mesh& mesh, const Nonce& nonce, Workers& workers, net::AllReducePlan plan,
        std::unique_ptr<Correlations> correlations, device::Device* device = nullptr);

  int rank() const { return group_.rank(); }
  int parties() const { return group_.parties(); }
  bool first() const { return rank() == 0; }  // the party that adds public values
  Workers& workers() { return workers_; }
  MatrixProducts& products() { return products_; }
  net::Mesh& mesh() { return mesh_; }
  net::Group& group() { return group_; }
  Correlations& correlations() { return *correlations_; }
  const Nonce& nonce() const { return nonce_; }
  Waited waited() const { return {group_.waited(), correlations_->waited()}; }
  CostSetting cost_setting() const { return {parties(), rank(), &plan_, correlations_->made_by()}; }

  void begin(std::int64_t operation);

  // Each becomes the sum of all parties' tensors (bits: modulo 2), together in one opening. The transcript absorbs the
  // sums, and the words that one party adds up for others.
  void open(std::span<RingTensor> tensors) { open(tensors, {}); }
  void open(std::span<RingTensor> tensors, std::span<BitTensor> bits);

  // Each becomes the sum of all parties' tensors at this party, and is used up at the others. The words are masked, and the
  // two ends of each message hash it.
  void open_to(int party, std::span<RingTensor> tensors);
  // The words of this party, at all parties. The two ends of each message hash it.
  void tell_all(int from, RingTensor& words);

  // A new name for a stream shared with other parties. All parties draw the same names.
  StreamName next(Draw draw) { return {operation_, draw, draws_++}; }
  PairSeed& seed(int peer) { return seeds_[static_cast<std::size_t>(peer)]; }

  // Randomness of this party alone.
  RingTensor own_random(Shape shape, int bits);
  BitTensor own_random_bits(Shape shape);
  // Discrete Gaussian noise of this party alone, from the operating system's randomness.
  NoisePool& own_noise() { return own_noise_; }

  Transcript& transcript() { return transcript_; }

  // Replaces shares by uniform shares of the same sum (zero sharing), without communication. The
  // streams depend on the transcripts of all pairs of parties so far. If two parties have seen
  // different words, the sum becomes uniform, too.
  void refresh(RingTensor& share);

 private:
  net::Mesh& mesh_;
  const Nonce nonce_;
  Workers& workers_;
  MatrixProducts products_;
  net::Group group_;
  const net::AllReducePlan plan_;
  std::vector<PairSeed> seeds_;  // indexed by party; this party's own entry is unused
  Transcript transcript_;
  PairSeed own_seed_;
  NoisePool own_noise_;
  std::unique_ptr<Correlations> correlations_;
  std::int64_t operation_ = 0;
  int draws_ = 0;
};

}  // namespace tacit::mpc
