// wrapped — a mesh around another mesh, with channels of its own, which note, replace or change the messages.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "net/mesh.h"

namespace tacit::net {

// A channel that forwards every call, to derive from.
class WrappedChannel : public Channel {
 public:
  explicit WrappedChannel(Channel& inner) : inner_(inner) {}

  int peer() const override { return inner_.peer(); }
  Transfer send(Stream stream, std::span<const ConstBytes> pieces) override { return inner_.send(stream, pieces); }
  Transfer receive(Stream stream, std::span<const Bytes> pieces) override { return inner_.receive(stream, pieces); }
  void post(Stream stream, ConstBytes message) override { inner_.post(stream, message); }
  Secret export_key(std::string_view label, std::int64_t size) const override { return inner_.export_key(label, size); }

 private:
  Channel& inner_;
};

// Makes a channel around `inner`, the end of `mesh`'s rank.
using Wrap = std::function<std::unique_ptr<Channel>(Channel& inner, Mesh& mesh)>;

std::unique_ptr<Mesh> wrapped(std::unique_ptr<Mesh> mesh, const Wrap& wrap);

}  // namespace tacit::net
