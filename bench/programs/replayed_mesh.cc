#include "bench/programs/replayed_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "net/memory/memory_mesh.h"
#include "net/wrapped_mesh.h"

namespace tacit::net {

namespace {

class ReplayedChannel final : public WrappedChannel {
 public:
  ReplayedChannel(Channel& inner, int rank, std::span<const SentMessage> recorded, Clock::duration& copying)
      : WrappedChannel(inner), copying_(copying) {
    for (const SentMessage& message : recorded) {
      if (message.from == peer() && message.to == rank) streams_[message.stream].messages.push_back(&message.bytes);
    }
  }

  Transfer send(Stream, std::span<const ConstBytes>) override { return {}; }
  void post(Stream, ConstBytes) override {}
  Transfer receive(Stream stream, std::span<const Bytes> pieces) override {
    ConstBytes rest = next(stream);
    std::size_t expected = 0;
    for (const Bytes piece : pieces) expected += piece.size();
    if (expected != rest.size()) {
      throw ProtocolError(fmt::format("rank {} sent {} B in the recorded run, and {} B are expected now", peer(),
                                      rest.size(), expected));
    }
    const Clock::time_point begin = Clock::now();
    for (const Bytes piece : pieces) {
      std::copy_n(rest.begin(), piece.size(), piece.begin());
      rest = rest.subspan(piece.size());
    }
    copying_ += Clock::now() - begin;
    return {};
  }

 private:
  struct Messages {
    std::vector<const std::vector<std::byte>*> messages;  // in the order of sending
    std::size_t received = 0;
  };

  ConstBytes next(Stream stream) {
    const auto found = streams_.find(stream);
    if (found == streams_.end() || found->second.received == found->second.messages.size()) {
      throw ProtocolError(fmt::format("rank {} sent no more messages in the recorded run", peer()));
    }
    return *found->second.messages[found->second.received++];
  }

  std::map<Stream, Messages> streams_;
  Clock::duration& copying_;
};

}  // namespace

// The memory mesh supplies the ranks' names and the counts of rounds. Its channels carry nothing.
std::unique_ptr<Mesh> replayed(std::span<const SentMessage> recorded, const World& world, Clock::duration& copying) {
  Meshes meshes = memory_mesh(world.parties, world.helpers);
  return wrapped(std::move(meshes[static_cast<std::size_t>(world.rank)]), [&](Channel& inner, Mesh& own) {
    return std::make_unique<ReplayedChannel>(inner, own.rank(), recorded, copying);
  });
}

}  // namespace tacit::net
