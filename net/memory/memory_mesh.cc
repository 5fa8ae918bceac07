#include "net/memory/memory_mesh.h"

#include "net/memory/memory_hub.h"

namespace tacit::net {

namespace {

// Shared by the meshes of all ranks. The last mesh destroys it.
using Hub = std::shared_ptr<MemoryHub>;

template <typename Piece>
std::int64_t total_bytes(std::span<const Piece> pieces) {
  TACIT_CHECK(std::ssize(pieces) <= kMaxPieces);
  std::int64_t sum = 0;
  for (const Piece& piece : pieces) sum += std::ssize(piece);
  TACIT_CHECK(sum <= kMaxMessageBytes);
  return sum;
}

class Sending final : public Transfer::State {
 public:
  Sending(MemoryHub& hub, std::shared_ptr<MemorySend> send) : hub_(hub), send_(std::move(send)) {}
  ~Sending() override { hub_.withdraw(*send_); }
  bool done() const override { return hub_.done(*send_); }
  void wait() override { hub_.wait(*send_); }
  Clock::time_point finished_at() const override { return hub_.finished_at(*send_); }

 private:
  MemoryHub& hub_;
  std::shared_ptr<MemorySend> send_;
};

class Receiving final : public Transfer::State {
 public:
  Receiving(MemoryHub& hub, MemoryReceive receive) : hub_(hub), receive_(std::move(receive)) { hub_.submit(receive_); }
  ~Receiving() override { hub_.withdraw(receive_); }
  bool done() const override { return hub_.done(receive_); }
  void wait() override { hub_.wait(receive_); }
  Clock::time_point finished_at() const override { return hub_.finished_at(receive_); }

 private:
  MemoryHub& hub_;
  MemoryReceive receive_;
};

class MemoryChannel final : public Channel {
 public:
  MemoryChannel(MemoryHub& hub, int rank, int peer) : hub_(hub), rank_(rank), peer_(peer) {}

  int peer() const override { return peer_; }

  Transfer send(Stream stream, std::span<const ConstBytes> pieces) override {
    const std::int64_t size = total_bytes(pieces);
    const bool keep = size <= kMemoryMeshKeeps;
    auto send = keep ? kept(stream, pieces, size) : described(stream, size);
    if (!keep) send->pieces.assign(pieces.begin(), pieces.end());
    hub_.submit(send);
    return Transfer(std::make_unique<Sending>(hub_, std::move(send)));
  }

  void post(Stream stream, ConstBytes message) override {
    const std::span<const ConstBytes> pieces(&message, 1);
    hub_.submit(kept(stream, pieces, total_bytes(pieces)));
  }

  Transfer receive(Stream stream, std::span<const Bytes> pieces) override {
    MemoryReceive receive;
    receive.rank = rank_;
    receive.peer = peer_;
    receive.stream = stream;
    receive.size = total_bytes(pieces);
    receive.pieces.assign(pieces.begin(), pieces.end());
    return Transfer(std::make_unique<Receiving>(hub_, std::move(receive)));
  }

  Secret export_key(std::string_view label, std::int64_t size) const override {
    return hub_.export_key(rank_, peer_, label, size);
  }

 private:
  std::shared_ptr<MemorySend> described(Stream stream, std::int64_t size) const {
    auto send = std::make_shared<MemorySend>();
    send->rank = rank_;
    send->peer = peer_;
    send->stream = stream;
    send->size = size;
    return send;
  }

  std::shared_ptr<MemorySend> kept(Stream stream, std::span<const ConstBytes> pieces, std::int64_t size) const {
    auto send = described(stream, size);
    send->copy.reserve(static_cast<std::size_t>(size));
    for (const ConstBytes piece : pieces) send->copy.insert(send->copy.end(), piece.begin(), piece.end());
    send->pieces = {ConstBytes(send->copy)};
    return send;
  }

  MemoryHub& hub_;
  const int rank_;
  const int peer_;
};

class MemoryMesh final : public Mesh {
 public:
  MemoryMesh(Hub hub, const World& world) : hub_(std::move(hub)), world_(world) {
    for (int peer = 0; peer < world_.size(); ++peer) {
      channels_.push_back(peer == world_.rank ? nullptr : std::make_unique<MemoryChannel>(*hub_, world_.rank, peer));
    }
  }
  ~MemoryMesh() override {
    if (!hub_->closed(world_.rank)) abort(Exit::kNet, "it ended without finishing its part", -1);
  }

  const World& world() const override { return world_; }
  Channel& channel(int peer) override {
    TACIT_CHECK(peer >= 0 && peer < world_.size() && peer != world_.rank);
    return *channels_[static_cast<std::size_t>(peer)];
  }
  std::string describe(int peer) const override { return hub_->describe(peer); }
  Traffic traffic() const override { return hub_->traffic(world_.rank); }
  void count_rounds(std::int64_t rounds) override { hub_->count_rounds(world_.rank, rounds); }
  void set_step(std::string step) override { hub_->set_step(world_.rank, std::move(step)); }
  std::string step() const override { return hub_->step(world_.rank); }
  std::optional<Waiting> waiting() const override { return hub_->waiting(world_.rank); }
  void close() override { hub_->close(world_.rank); }
  void abort(Exit exit, std::string_view reason, int culprit) noexcept override {
    try {
      hub_->abort(world_.rank, exit, reason, culprit);
    } catch (...) {  // out of memory: the other ranks will notice the end without a reason
    }
  }

 private:
  const Hub hub_;
  const World world_;
  std::vector<std::unique_ptr<MemoryChannel>> channels_;
};

}  // namespace

std::vector<std::unique_ptr<Mesh>> memory_mesh(int parties, int helpers, const MemoryMeshOptions& options) {
  TACIT_CHECK(parties >= 1 && helpers >= 0 && parties + helpers <= kMaxWorldSize);
  const auto hub = std::make_shared<MemoryHub>(parties, helpers, options.patience);
  std::vector<std::unique_ptr<Mesh>> meshes;
  for (int rank = 0; rank < hub->size(); ++rank) {
    meshes.push_back(std::make_unique<MemoryMesh>(hub, World{rank, parties, helpers}));
  }
  return meshes;
}

}  // namespace tacit::net
