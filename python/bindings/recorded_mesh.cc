#include "python/bindings/recorded_mesh.h"

#include <utility>

namespace tacit::python {

namespace {

using net::Bytes;
using net::Channel;
using net::ConstBytes;
using net::Mesh;
using net::Secret;
using net::Stream;
using net::Transfer;

class RecordedChannel final : public Channel {
 public:
  RecordedChannel(Channel& inner, const Mesh& mesh, Views& views) : inner_(inner), mesh_(mesh), views_(views) {}

  int peer() const override { return inner_.peer(); }
  Transfer send(Stream stream, std::span<const ConstBytes> pieces) override {
    note(pieces);
    return inner_.send(stream, pieces);
  }
  Transfer receive(Stream stream, std::span<const Bytes> pieces) override { return inner_.receive(stream, pieces); }
  void post(Stream stream, ConstBytes message) override {
    note(std::span(&message, 1));
    inner_.post(stream, message);
  }
  Secret export_key(std::string_view label, std::int64_t size) const override { return inner_.export_key(label, size); }

 private:
  void note(std::span<const ConstBytes> pieces) {
    SeenMessage message{mesh_.rank(), mesh_.step(), {}};
    for (const ConstBytes piece : pieces) {
      message.bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    }
    views_.add(peer(), std::move(message));
  }

  Channel& inner_;
  const Mesh& mesh_;
  Views& views_;
};

class RecordedMesh final : public Mesh {
 public:
  RecordedMesh(std::unique_ptr<Mesh> inner, Views& views) : inner_(std::move(inner)) {
    for (int peer = 0; peer < inner_->size(); ++peer) {
      channels_.push_back(
          peer == inner_->rank() ? nullptr : std::make_unique<RecordedChannel>(inner_->channel(peer), *inner_, views));
    }
  }

  const net::World& world() const override { return inner_->world(); }
  Channel& channel(int peer) override { return *channels_.at(static_cast<std::size_t>(peer)); }
  std::string describe(int peer) const override { return inner_->describe(peer); }
  net::Traffic traffic() const override { return inner_->traffic(); }
  void count_rounds(std::int64_t rounds) override { inner_->count_rounds(rounds); }
  void set_step(std::string step) override { inner_->set_step(std::move(step)); }
  std::string step() const override { return inner_->step(); }
  std::optional<net::Waiting> waiting() const override { return inner_->waiting(); }
  void close() override { inner_->close(); }
  void abort(Exit exit, std::string_view reason, int culprit) noexcept override {
    inner_->abort(exit, reason, culprit);
  }

 private:
  std::unique_ptr<Mesh> inner_;
  std::vector<std::unique_ptr<RecordedChannel>> channels_;
};

}  // namespace

void Views::add(int to, SeenMessage message) {
  const std::lock_guard lock(mutex_);
  seen_[static_cast<std::size_t>(to)].push_back(std::move(message));
}

std::vector<SeenMessage> Views::of(int rank) const {
  const std::lock_guard lock(mutex_);
  return seen_[static_cast<std::size_t>(rank)];
}

std::unique_ptr<Mesh> recorded(std::unique_ptr<Mesh> mesh, Views& views) {
  return std::make_unique<RecordedMesh>(std::move(mesh), views);
}

}  // namespace tacit::python
