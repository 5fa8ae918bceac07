#include "mpc/ot/pair_network.h"

#include <algorithm>
#include <functional>

#include "mpc/ot/lock_step.h"
#include "net/error.h"

namespace tacit::mpc {

namespace {

constexpr net::Stream kMadeStream = 128;

}  // namespace

MadeCost& MadeCost::operator+=(const MadeCost& other) {
  rounds += other.rounds;
  bytes += other.bytes;
  messages += other.messages;
  transfers += other.transfers;
  leakage = capped_sum(leakage, other.leakage);
  return *this;
}

MadeCost& MadeCost::operator-=(const MadeCost& other) {
  rounds -= other.rounds;
  bytes -= other.bytes;
  messages -= other.messages;
  transfers -= other.transfers;
  leakage -= other.leakage;
  return *this;
}

PairNetwork::PairNetwork(net::Mesh& mesh) : mesh_(&mesh), rank_(mesh.rank()), parties_(mesh.parties()) {
  TACIT_CHECK(mesh.world().is_party());
}

void PairNetwork::Round::add(const Messages& to_send, Messages& to_receive) {
  for (std::size_t p = 0; p < out.size(); ++p) {
    if (!to_send[p].empty()) out[p].emplace_back(to_send[p]);
    if (!to_receive[p].empty()) in[p].emplace_back(to_receive[p]);
  }
}

void PairNetwork::exchange(const Messages& out, Messages& in) {
  TACIT_CHECK(std::ssize(out) == parties_ && std::ssize(in) == parties_);
  const auto own = static_cast<std::size_t>(rank_);
  TACIT_CHECK(out[own].empty() && in[own].empty());
  if (lock_step_ != nullptr) return lock_step_->exchange(out, in);
  Round round(parties_);
  round.add(out, in);
  move(round);
}

void PairNetwork::move(const Round& round) {
  ++cost_.rounds;
  for (const auto& pieces : round.out) {
    for (const net::ConstBytes piece : pieces) cost_.bytes += std::ssize(piece);
    cost_.messages += pieces.empty() ? 0 : 1;
  }
  if (planned()) return record(round);
  std::vector<net::Transfer> receives, sends;
  for (int peer = 0; peer < parties_; ++peer) {
    const auto& pieces = round.in[static_cast<std::size_t>(peer)];
    if (!pieces.empty()) receives.push_back(mesh_->channel(peer).receive(kMadeStream, pieces));
  }
  for (int peer = 0; peer < parties_; ++peer) {
    const auto& pieces = round.out[static_cast<std::size_t>(peer)];
    if (!pieces.empty()) sends.push_back(mesh_->channel(peer).send(kMadeStream, pieces));
  }
  const auto begun = net::Clock::now();
  for (net::Transfer& transfer : receives) transfer.wait();
  for (net::Transfer& transfer : sends) transfer.wait();
  waited_ += net::Clock::now() - begun;
  mesh_->count_rounds(1);
}

void PairNetwork::add_leakage(std::int64_t units) {
  cost_.leakage = capped_sum(cost_.leakage, units);
  if (planned()) trace_.leakage = capped_sum(trace_.leakage, units);
}

void PairNetwork::count_transfers(std::span<const std::int64_t> by_party) {
  const std::int64_t most = std::ranges::max(by_party);
  cost_.transfers += most;
  if (!planned()) return;
  trace_.transfers += most;
  trace_.transfers_of.resize(by_party.size());
  std::ranges::transform(by_party, trace_.transfers_of, trace_.transfers_of.begin(), std::plus());
}

std::shared_ptr<const void> PairNetwork::hold_for_now(std::int64_t bytes) {
  count_held(for_now_, bytes);
  return {this, [bytes](PairNetwork* network) { network->for_now_ -= bytes; }};
}

void PairNetwork::record(const Round& round) {
  std::vector<bool> peers;
  MadeTrace::Round& recorded = trace_.rounds.emplace_back();
  for (const auto& pieces : round.out) {
    for (const net::ConstBytes piece : pieces) recorded.bytes += std::ssize(piece);
    peers.push_back(!pieces.empty());
  }
  const auto known = std::ranges::find(trace_.peers, peers);
  recorded.peers = static_cast<std::size_t>(known - trace_.peers.begin());
  if (known == trace_.peers.end()) trace_.peers.push_back(std::move(peers));
}

}  // namespace tacit::mpc
