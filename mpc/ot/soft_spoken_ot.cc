#include "mpc/ot/soft_spoken_ot.h"

#include <cstring>

#include "mpc/ot/base_ot.h"
#include "mpc/random/fresh_secret.h"

namespace tacit::mpc {

namespace {

// The set-up with one peer. This party's transfers to the peer use base transfers in the opposite direction.
struct Pair {
  int peer = -1;
  SecretBlocks delta{1};
  std::optional<BaseOtSender> base_sender;      // of the trees that this party knows
  std::optional<BaseOtReceiver> base_receiver;  // of the trees that the peer knows
};

class SetUp {
 public:
  SetUp(PairNetwork& network, const Nonce& nonce, Workers& workers)
      : network_(network), nonce_(nonce), workers_(workers) {
    for (int peer = 0; peer < network.parties(); ++peer) {
      if (peer != network.rank()) pairs_.emplace_back().peer = peer;
    }
  }

  void run(std::vector<std::optional<SoftSpokenSender>>& senders,
           std::vector<std::optional<SoftSpokenReceiver>>& receivers) {
    send_first_points();
    send_points();
    send_sums(senders, receivers);
  }

 private:
  bool planned() const { return network_.planned(); }

  PairNetwork::Messages messages_of(std::int64_t bytes) const {
    auto messages = network_.messages();
    for (const Pair& pair : pairs_)
      messages[static_cast<std::size_t>(pair.peer)].resize(static_cast<std::size_t>(bytes));
    return messages;
  }

  void send_first_points() {
    auto out = messages_of(sizeof(Point)), in = messages_of(sizeof(Point));
    for (Pair& pair : pairs_) {
      if (planned()) break;
      const net::Secret delta = fresh_secret(sizeof(Block));
      std::memcpy(pair.delta.data(), delta.bytes().data(), sizeof(Block));
      pair.delta[0].low |= 1;
      pair.base_sender.emplace(BaseOtName{nonce_, network_.rank(), pair.peer});
      std::memcpy(out[static_cast<std::size_t>(pair.peer)].data(), &pair.base_sender->point(), sizeof(Point));
    }
    network_.exchange(out, in);
    for (Pair& pair : pairs_) {
      if (planned()) break;
      Point a;
      std::memcpy(&a, in[static_cast<std::size_t>(pair.peer)].data(), sizeof a);
      const net::Secret choices = base_choices(pair.delta[0]);
      pair.base_receiver.emplace(BaseOtName{nonce_, pair.peer, network_.rank()}, a, choices.bytes(), workers_);
    }
  }

  void send_points() {
    auto out = messages_of(kTreeLevels * sizeof(Point)), in = messages_of(kTreeLevels * sizeof(Point));
    for (const Pair& pair : pairs_) {
      if (planned()) break;
      std::memcpy(out[static_cast<std::size_t>(pair.peer)].data(), pair.base_receiver->points().data(),
                  kTreeLevels * sizeof(Point));
    }
    network_.exchange(out, in);
    points_ = std::move(in);
  }

  void send_sums(std::vector<std::optional<SoftSpokenSender>>& senders,
                 std::vector<std::optional<SoftSpokenReceiver>>& receivers) {
    constexpr std::size_t kSumBytes = 2 * kTreeLevels * sizeof(Block);
    auto out = messages_of(kSumBytes), in = messages_of(kSumBytes);
    for (Pair& pair : pairs_) {
      if (planned()) break;
      const auto p = static_cast<std::size_t>(pair.peer);
      std::vector<Point> points(kTreeLevels);
      std::memcpy(points.data(), points_[p].data(), points_[p].size());
      WholeTrees trees(pair.base_sender->keys(points, workers_));
      std::memcpy(out[p].data(), trees.sums.data(), kSumBytes);
      receivers[p].emplace(std::move(trees.leaves));
    }
    network_.exchange(out, in);
    for (Pair& pair : pairs_) {
      if (planned()) break;
      const auto p = static_cast<std::size_t>(pair.peer);
      std::array<Block, 2 * kTreeLevels> sums;
      std::memcpy(sums.data(), in[p].data(), kSumBytes);
      senders[p].emplace(pair.delta[0], punctured_leaves(pair.delta[0], pair.base_receiver->keys(), sums));
    }
  }

  PairNetwork& network_;
  const Nonce& nonce_;
  Workers& workers_;
  std::vector<Pair> pairs_;
  PairNetwork::Messages points_;
};

}  // namespace

SoftSpokenOt::SoftSpokenOt(PairNetwork& network, const Nonce& nonce, Workers& workers)
    : senders_(static_cast<std::size_t>(network.parties())), receivers_(static_cast<std::size_t>(network.parties())) {
  if (network.parties() == 1) return;
  SetUp(network, nonce, workers).run(senders_, receivers_);
}

}  // namespace tacit::mpc
