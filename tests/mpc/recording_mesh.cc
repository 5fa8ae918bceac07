#include "tests/mpc/recording_mesh.h"

#include <utility>

#include "net/wrapped_mesh.h"
#include "tests/net/meshes.h"

namespace tacit::net {

namespace {

class RecordingChannel final : public WrappedChannel {
 public:
  RecordingChannel(Channel& inner, Mesh& mesh, Record& record) : WrappedChannel(inner), mesh_(mesh), record_(record) {}

  Transfer send(Stream stream, std::span<const ConstBytes> pieces) override {
    note(stream, pieces);
    return WrappedChannel::send(stream, pieces);
  }
  void post(Stream stream, ConstBytes message) override {
    note(stream, std::span(&message, 1));
    WrappedChannel::post(stream, message);
  }

 private:
  void note(Stream stream, std::span<const ConstBytes> pieces) {
    SentMessage message{mesh_.rank(), peer(), mesh_.step(), {}, stream};
    std::size_t size = 0;
    for (const ConstBytes piece : pieces) size += piece.size();
    message.bytes.reserve(size);
    for (const ConstBytes piece : pieces) message.bytes.insert(message.bytes.end(), piece.begin(), piece.end());
    record_.add(std::move(message));
  }

  Mesh& mesh_;
  Record& record_;
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

std::vector<SentMessage> Record::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(messages_, {});
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
  for (auto& mesh : meshes) {
    mesh = wrapped(std::move(mesh),
                   [&](Channel& inner, Mesh& own) { return std::make_unique<RecordingChannel>(inner, own, record); });
  }
  return meshes;
}

}  // namespace tacit::net
