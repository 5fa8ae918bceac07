// Ferret — many correlated transfers from few, by learning parity with noise (Yang, Weng, Lan, Zhang, Wang, Ferret: Fast Extension for
// Correlated OT with Small Communication, CCS 2020; passive version, with half trees).
//
// The receiver has random bits u and gets t; the sender has Delta and gets q, where t = q ^ u·Delta. u is bit 0 of t, and bit 0 of
// Delta is 1. One extension takes kept() transfers: the base of 2^log_base, and one for each level of each half tree. Leaves of
// the trees are transfers whose u is the noise: 1 at one place of each 2^depth. So the rows A·base ^ leaves (FerretRound) are transfers
// with u = A·(u of the base) ^ noise. The first kept() rows serve the next extension and nothing else; the rest is the stock.
//
//   receiver -> sender   1 bit a level and tree
//   sender -> receiver   16 bytes a level and tree
//   to choose a transfer's bit b: receiver -> sender   b ^ u; the sender adds (b ^ u)·Delta to q, which it may use before
//
// With kFerretSet, an extension gives 3,811,856 transfers for 354,750 bytes: 0.745 bits each, and 1 bit to choose.
//
// Requires    transfers t = q ^ u·Delta of random u for the first extension, which serve nothing else
// Memory      at either end with kFerretSet: 5 MB for each extension with transfers in stock, and 4.5 MB for the next one. All of it is
//             wiped
// Error       none
// Secure      against passive parties: regular learning parity with noise (2^log_base secret bits, trees·2^depth samples, one error in
//             2^depth), for sparse public matrices of ten ones a row; and half_tree.h. With kFerretSet, the best known attacks on
//             one extension take 2^149 operations, and 2^129 if columns are chosen better than at random (docs/spec/lpn_estimate.py).
//             A sender that knows many bits b of one extension, and solves it, learns the other bits b of this extension and of all
//             later ones, which descend from it. One bit of Delta is known; 127 are secret
// Numbers     of transfers begin at 2^63. SoftSpoken's, under the same Delta, are smaller: pads of correlation_hash.h never meet
// Time        depends on the counts alone
// Thread      one, which may use the workers
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include "mpc/kernels/workers.h"
#include "mpc/ot/ferret_round.h"
#include "mpc/random/nonce.h"
#include "net/channel.h"

namespace tacit::mpc {

// One direction of one pair in one session.
struct FerretName {
  Nonce nonce{};
  int sender = 0, receiver = 0;
};

// For 128 transfers.
inline constexpr std::int64_t kFerretCorrectionBytes = sizeof(Block);

// The rounds of one end, oldest first, and the transfers that serve the next one.
template <typename Trees>
class FerretStock {
 public:
  // base: at least set.kept() transfers.
  FerretStock(const FerretName& name, const FerretSet& set, SecretBlocks base);

  const FerretSet& set() const { return set_; }
  // The transfers for the levels of the next extension's trees.
  std::span<const Block> tree_transfers() const;
  void extend(Trees trees, Workers& workers);

  std::uint64_t used() const { return used_; }  // the number of the next transfer
  std::int64_t left() const;
  // At most left().
  void take(std::span<Block> out, Workers& workers);

 private:
  FerretSet set_;
  typename FerretRound<Trees>::Key key_;
  SecretBlocks next_;
  std::uint64_t rounds_ = 0;
  std::deque<FerretRound<Trees>> stock_;
  std::uint64_t used_ = std::uint64_t{1} << 63;
};

class FerretReceiver {
 public:
  FerretReceiver(const FerretName& name, const FerretSet& set, SecretBlocks base)
      : stock_(name, set, std::move(base)) {}

  // The two steps of an extension. The messages have choice_bytes and sum_bytes of the set.
  void choose(net::Bytes choices);
  void extend(net::ConstBytes sums, Workers& workers);

  std::uint64_t used() const { return stock_.used(); }
  std::int64_t left() const { return stock_.left(); }
  // 128 transfers for each block of choices: bit i of a block is the choice of its i-th transfer.
  void take(std::span<const Block> choices, std::span<Block> t, net::Bytes corrections, Workers& workers);

 private:
  FerretStock<PuncturedHalfTrees> stock_;
  std::optional<PuncturedHalfTrees> trees_;  // between the two steps
};

class FerretSender {
 public:
  FerretSender(const FerretName& name, const FerretSet& set, const Block& delta, SecretBlocks base);

  void extend(net::ConstBytes choices, net::Bytes sums, Workers& workers);

  const Block& delta() const { return delta_[0]; }
  std::uint64_t used() const { return stock_.used(); }
  std::int64_t left() const { return stock_.left(); }
  // Transfers of random choices, and their correction to the receiver's bits: bit i of a block of corrections is that of its i-th transfer.
  void take(std::span<Block> q, Workers& workers) { stock_.take(q, workers); }
  void correct(std::span<const Block> corrections, std::span<Block> q, Workers& workers) const;

 private:
  SecretBlocks delta_{1};
  FerretStock<WholeHalfTrees> stock_;
};

extern template class FerretStock<WholeHalfTrees>;
extern template class FerretStock<PuncturedHalfTrees>;

}  // namespace tacit::mpc
