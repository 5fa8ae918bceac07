#include "tests/mpc/recording_mesh.h"

#include "net/error.h"

namespace tacit::net {

namespace {

class RecordingChannel final : public Channel {
 public:
  RecordingChannel(Channel& inner, Mesh& mesh, Record& record) : inner_(inner), mesh_(mesh), record_(record) {}

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
    SentMessage message{mesh_.rank(), peer(), mesh_.step(), {}};
    for (const ConstBytes piece : pieces) message.bytes.insert(message.bytes.end(), piece.begin(), piece.end());
    record_.add(std::move(message));
  }

  Channel& inner_;
  Mesh& mesh_;
  Record& record_;
};

class RecordingMesh final : public Mesh {
 public:
  RecordingMesh(std::unique_ptr<Mesh> inner, Record& record) : inner_(std::move(inner)) {
    for (int peer = 0; peer < inner_->size(); ++peer) {
      channels_.push_back(peer == inner_->rank()
                              ? nullptr
                              : std::make_unique<RecordingChannel>(inner_->channel(peer), *inner_, record));
    }
  }

  const World& world() const override { return inner_->world(); }
  Channel& channel(int peer) override {
    TACIT_CHECK(peer >= 0 && peer < size() && peer != rank());
    return *channels_[static_cast<std::size_t>(peer)];
  }
  std::string describe(int peer) const override { return inner_->describe(peer); }
  Traffic traffic() const override { return inner_->traffic(); }
  void count_rounds(std::int64_t rounds) override { inner_->count_rounds(rounds); }
  void set_step(std::string step) override { inner_->set_step(std::move(step)); }
  std::string step() const override { return inner_->step(); }
  std::optional<Waiting> waiting() const override { return inner_->waiting(); }
  void close() override { inner_->close(); }
  void abort(Exit exit, std::string_view reason, int culprit) noexcept override {
    inner_->abort(exit, reason, culprit);
  }

 private:
  std::unique_ptr<Mesh> inner_;
  std::vector<std::unique_ptr<RecordingChannel>> channels_;
};

}  // namespace

void Record::add(SentMessage message) {
  const std::lock_guard lock(mutex_);
  messages_.push_back(std::move(message));
}

std::vector<SentMessage> Record::messages() const {
  const std::lock_guard lock(mutex_);
  return messages_;
}

std::vector<std::byte> Record::bytes(int from, int to, const std::string& step) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::byte> all;
  for (const SentMessage& message : messages_) {
    if (message.from != from || message.to != to || message.step != step) continue;
    all.insert(all.end(), message.bytes.begin(), message.bytes.end());
  }
  return all;
}

Meshes recorded(Meshes meshes, Record& record) {
  for (auto& mesh : meshes) mesh = std::make_unique<RecordingMesh>(std::move(mesh), record);
  return meshes;
}

}  // namespace tacit::net
