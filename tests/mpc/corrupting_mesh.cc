#include "tests/mpc/corrupting_mesh.h"

#include <algorithm>

namespace tacit::net {

namespace {

// Flips the lowest bit of the message once the message has arrived.
class Flipped final : public Transfer::State {
 public:
  Flipped(Transfer inner, Bytes first) : inner_(std::move(inner)), first_(first) {}
  // A caller that finds the message complete need not wait.
  bool done() const override {
    if (!inner_.done()) return false;
    flip();
    return true;
  }
  void wait() override {
    inner_.wait();
    flip();
  }
  Clock::time_point finished_at() const override { return inner_.finished_at(); }

 private:
  void flip() const {
    if (!flipped_) first_.front() ^= std::byte{1};
    flipped_ = true;
  }

  Transfer inner_;
  Bytes first_;
  mutable bool flipped_ = false;
};

class CorruptingChannel final : public WrappedChannel {
 public:
  CorruptingChannel(Channel& inner, Mesh& mesh, Corruption& corruption)
      : WrappedChannel(inner), mesh_(mesh), corruption_(corruption) {}

  Transfer receive(Stream stream, std::span<const Bytes> pieces) override {
    Transfer transfer = WrappedChannel::receive(stream, pieces);
    if (mesh_.rank() != corruption_.rank || mesh_.step() != corruption_.step) return transfer;
    if (peer() >= mesh_.parties()) return transfer;
    if (corruption_.received++ != corruption_.message) return transfer;
    const auto first = std::find_if(pieces.begin(), pieces.end(), [](Bytes piece) { return !piece.empty(); });
    return first == pieces.end() ? std::move(transfer)
                                 : Transfer(std::make_unique<Flipped>(std::move(transfer), *first));
  }

 private:
  Mesh& mesh_;
  Corruption& corruption_;
};

}  // namespace

Meshes corrupting(Meshes meshes, Corruption& corruption) {
  for (auto& mesh : meshes) {
    mesh = wrapped(std::move(mesh), [&](Channel& inner, Mesh& own) {
      return std::make_unique<CorruptingChannel>(inner, own, corruption);
    });
  }
  return meshes;
}

}  // namespace tacit::net
