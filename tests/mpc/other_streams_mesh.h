// with_other_streams — gives one rank pair seeds that differ from those at its peers, as a build
// with other stream names would.
#pragma once

#include "net/wrapped_mesh.h"
#include "tests/net/meshes.h"

namespace tacit::net {

inline Meshes with_other_streams(Meshes meshes, int rank) {
  class OtherStreams final : public WrappedChannel {
   public:
    using WrappedChannel::WrappedChannel;
    Secret export_key(std::string_view label, std::int64_t size) const override {
      return WrappedChannel::export_key(std::string(label) + " otherwise", size);
    }
  };
  auto& mesh = meshes[static_cast<std::size_t>(rank)];
  mesh = wrapped(std::move(mesh), [](Channel& inner, Mesh&) { return std::make_unique<OtherStreams>(inner); });
  return meshes;
}

}  // namespace tacit::net
