#include "mpc/ot/ferret_ot.h"

#include <algorithm>
#include <cstring>

#include "mpc/ot/bound_transfers.h"
#include "mpc/random/fresh_secret.h"
#include "net/error.h"

namespace tacit::mpc {

FerretOt::FerretOt(PairNetwork& network, const Nonce& nonce, Workers& workers, SoftSpokenOt& first,
                   const FerretSet& set)
    : network_(network),
      workers_(workers),
      set_(set),
      stocks_(static_cast<std::size_t>(network.parties())),
      senders_(stocks_.size()),
      receivers_(stocks_.size()) {
  if (network.parties() > 1) start(nonce, first);
}

template <typename Visit>
void FerretOt::for_peers(const Visit& visit) const {
  for (int peer = 0; peer < network_.parties(); ++peer) {
    if (peer != network_.rank()) visit(peer, static_cast<std::size_t>(peer));
  }
}

// A transfer's choice moves to bit 0 of t, and bit 0 of q becomes 0: with bit 0 of Delta, t = q ^ u·Delta still.
void FerretOt::start(const Nonce& nonce, SoftSpokenOt& first) {
  const std::int64_t blocks = blocks_for(set_.kept());
  auto out = network_.messages(), in = network_.messages();
  for_peers([&](int peer, std::size_t p) {
    out[p].resize(static_cast<std::size_t>(blocks * kCorrectionBytes));
    in[p].resize(out[p].size());
    if (network_.planned()) return;
    SecretBlocks choices(blocks), t(blocks * kBlockBits);
    const net::Secret random = fresh_secret(blocks * std::int64_t{sizeof(Block)});
    std::memcpy(choices.data(), random.bytes().data(), random.bytes().size());
    first.receiver(peer).take(choices.blocks(), t.blocks(), out[p], workers_);
    for (std::int64_t i = 0; i < t.size(); ++i) {
      const std::uint64_t u = (choices.words()[i / 64] >> (i % 64)) & 1;
      t[i].low = (t[i].low & ~std::uint64_t{1}) | u;
    }
    receivers_[p].emplace(FerretName{nonce, peer, network_.rank()}, set_, std::move(t));
  });
  network_.exchange(out, in);
  for_peers([&](int peer, std::size_t p) {
    if (network_.planned()) return;
    SoftSpokenSender& sender = first.sender(peer);
    SecretBlocks q(blocks * kBlockBits);
    sender.take(in[p], q.blocks(), workers_);
    for (std::int64_t i = 0; i < q.size(); ++i) q[i].low &= ~std::uint64_t{1};
    senders_[p].emplace(FerretName{nonce, network_.rank(), peer}, set_, sender.delta(), std::move(q));
  });
}

void FerretOt::reserve(std::int64_t transfers) {
  if (network_.parties() == 1) return;
  while (true) {
    std::vector<bool> receivers;
    for (const std::int64_t stock : stocks_) receivers.push_back(stock < transfers);
    if (std::ranges::find(receivers, true) == receivers.end()) return;
    extend(receivers);
  }
}

void FerretOt::extend(const std::vector<bool>& receivers) {
  const bool receives = receivers[static_cast<std::size_t>(network_.rank())];
  const auto choices_size = static_cast<std::size_t>(choice_bytes(set_.trees, set_.depth));
  const auto sums_size = static_cast<std::size_t>(sum_bytes(set_.trees, set_.depth));
  auto choices_out = network_.messages(), choices_in = network_.messages();
  auto sums_out = network_.messages(), sums_in = network_.messages();
  for_peers([&](int, std::size_t p) {
    choices_out[p].resize(receives ? choices_size : 0);
    sums_in[p].resize(receives ? sums_size : 0);
    choices_in[p].resize(receivers[p] ? choices_size : 0);
    sums_out[p].resize(receivers[p] ? sums_size : 0);
    if (receives && !network_.planned()) receivers_[p]->choose(choices_out[p]);
  });
  network_.exchange(choices_out, choices_in);
  for_peers([&](int, std::size_t p) {
    if (receivers[p] && !network_.planned()) senders_[p]->extend(choices_in[p], sums_out[p], workers_);
  });
  network_.exchange(sums_out, sums_in);
  for_peers([&](int, std::size_t p) {
    if (receives && !network_.planned()) receivers_[p]->extend(sums_in[p], workers_);
  });
  for (std::size_t p = 0; p < stocks_.size(); ++p) stocks_[p] += receivers[p] ? set_.left() : 0;
}

void FerretOt::count(int party, std::int64_t transfers) {
  std::int64_t& stock = stocks_[static_cast<std::size_t>(party)];
  TACIT_CHECK(transfers >= 0 && (network_.planned() || transfers <= stock));
  stock -= transfers;
}

}  // namespace tacit::mpc
