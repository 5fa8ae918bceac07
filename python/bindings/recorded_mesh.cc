#include "python/bindings/recorded_mesh.h"

#include <utility>

#include "net/wrapped_mesh.h"

namespace tacit::python {

namespace {

using net::Channel;
using net::ConstBytes;
using net::Mesh;
using net::Stream;

class RecordedChannel final : public net::WrappedChannel {
 public:
  RecordedChannel(Channel& inner, const Mesh& mesh, Views& views) : WrappedChannel(inner), mesh_(mesh), views_(views) {}

  net::Transfer send(Stream stream, std::span<const ConstBytes> pieces) override {
    note(pieces);
    return WrappedChannel::send(stream, pieces);
  }
  void post(Stream stream, ConstBytes message) override {
    note(std::span(&message, 1));
    WrappedChannel::post(stream, message);
  }

 private:
  void note(std::span<const ConstBytes> pieces) {
    SeenMessage message{mesh_.rank(), mesh_.step(), {}};
    for (const ConstBytes piece : pieces) {
      message.bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    }
    views_.add(peer(), std::move(message));
  }

  const Mesh& mesh_;
  Views& views_;
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
  return net::wrapped(std::move(mesh), [&views](Channel& inner, Mesh& around) {
    return std::make_unique<RecordedChannel>(inner, around, views);
  });
}

}  // namespace tacit::python
