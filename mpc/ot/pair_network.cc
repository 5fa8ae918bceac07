#include "mpc/ot/pair_network.h"

#include "net/error.h"

namespace tacit::mpc {

namespace {

constexpr net::Stream kMadeStream = 128;

}  // namespace

MadeCost& MadeCost::operator+=(const MadeCost& other) {
  rounds += other.rounds;
  bytes += other.bytes;
  messages += other.messages;
  return *this;
}

MadeCost& MadeCost::operator-=(const MadeCost& other) {
  rounds -= other.rounds;
  bytes -= other.bytes;
  messages -= other.messages;
  return *this;
}

PairNetwork::PairNetwork(net::Mesh& mesh) : mesh_(&mesh), rank_(mesh.rank()), parties_(mesh.parties()) {
  TACIT_CHECK(mesh.world().is_party());
}

void PairNetwork::exchange(const Messages& out, Messages& in) {
  TACIT_CHECK(std::ssize(out) == parties_ && std::ssize(in) == parties_);
  const auto own = static_cast<std::size_t>(rank_);
  TACIT_CHECK(out[own].empty() && in[own].empty());
  ++cost_.rounds;
  for (const auto& message : out) {
    TACIT_CHECK(std::ssize(message) <= net::kMaxMessageBytes);
    cost_.bytes += std::ssize(message);
    cost_.messages += message.empty() ? 0 : 1;
  }
  if (planned()) return;
  std::vector<net::Transfer> receives, sends;
  for (int peer = 0; peer < parties_; ++peer) {
    const auto p = static_cast<std::size_t>(peer);
    if (!in[p].empty()) receives.push_back(mesh_->channel(peer).receive(kMadeStream, net::Bytes(in[p])));
  }
  for (int peer = 0; peer < parties_; ++peer) {
    const auto p = static_cast<std::size_t>(peer);
    if (!out[p].empty()) sends.push_back(mesh_->channel(peer).send(kMadeStream, net::ConstBytes(out[p])));
  }
  const auto begun = net::Clock::now();
  for (net::Transfer& transfer : receives) transfer.wait();
  for (net::Transfer& transfer : sends) transfer.wait();
  waited_ += net::Clock::now() - begun;
  mesh_->count_rounds(1);
}

void PairNetwork::repeat(const MadeCost& traffic, std::int64_t times) {
  TACIT_CHECK(planned() && times >= 0);
  cost_ += {traffic.rounds * times, traffic.bytes * times, traffic.messages * times};
}

}  // namespace tacit::mpc
