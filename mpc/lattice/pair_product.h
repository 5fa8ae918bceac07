// PairProduct — one planned part of a product, at one party: its messages to a peer, without the network.
//
// For each pair in which this party encrypts: encrypt(), and later open() of the answer. For each pair in which the peer encrypts:
// answer(). They add this party's shares of the pair's cross terms to `out`. The ciphertexts of an operand that stays serve many
// products, which do not encrypt. Thread: one, which may use the workers.
#pragma once

#include "mpc/lattice/kept_ciphertexts.h"
#include "mpc/lattice/party_keys.h"
#include "mpc/lattice/product_plan.h"

namespace tacit::mpc::lattice {

class PairProduct {
 public:
  // x and y are this party's shares of the whole operands. Reserves the numbers of its encryptions, if it encrypts.
  PairProduct(const PlannedPart& part, PartyKeys& keys, RingView x, RingView y, Workers& workers, bool encrypts = true);

  // Writes plan.ciphertexts_bytes(): the same message to each peer. Once.
  void encrypt(std::span<std::byte> message);
  // The ciphertexts of a holder's message. Once for each holder.
  PeerCiphertexts received(int holder, UninitialisedVector<std::byte> message);
  // Writes plan.answers_bytes() for the holder's ciphertexts of this product, or of an earlier one with the same plan and the same
  // encrypted operand. Once for each holder.
  void answer(int holder, const PeerCiphertexts& theirs, std::span<std::byte> message, RingTensor& out);
  void open(std::span<const std::byte> answers, RingTensor& out) const;

 private:
  std::int64_t answers() const { return count_.m * count_.p; }
  std::vector<Ciphertext> read(int holder, const PeerCiphertexts& theirs) const;
  std::vector<Term> terms(std::span<const Ciphertext> ciphertexts, std::int64_t x, std::int64_t y) const;
  // The term's multiplier, as signed numbers.
  void write_multiplier(std::int64_t term, std::int64_t x, std::int64_t y, std::uint64_t* words) const;
  void add_shares(std::int64_t answer, std::span<const std::uint64_t> shares, RingTensor& out) const;

  const ProductPlan& plan_;
  const Blocks& blocks_;
  const ProductSize count_, first_;
  PartyKeys& keys_;
  const RingView x_, y_;
  Workers& workers_;
  const std::int64_t first_encryption_;
  std::vector<std::int64_t> places_;  // where each answer begins in a message, and the end
};

}  // namespace tacit::mpc::lattice
