// TcpMesh — a mesh over TCP sockets: what parties on separate machines, or processes on one, use.
#pragma once

#include <chrono>
#include <memory>

#include "net/mesh.h"
#include "net/tcp/formation.h"

namespace tacit::net {

struct TcpMeshOptions {
  // The longest that a wait lasts while the peer is alive but sends nothing (it computes, or it hangs).
  std::chrono::milliseconds patience{std::chrono::minutes(10)};

  // Every rank lets itself be heard once per heartbeat even while it computes; one that is not heard for `silence` is
  // taken for dead.
  std::chrono::milliseconds heartbeat{std::chrono::seconds(1)};
  std::chrono::milliseconds silence{std::chrono::seconds(10)};

  // How long close() waits for ranks that live but do not finish: a dealer may be done hours before the parties are.
  std::chrono::milliseconds farewell{std::chrono::hours(24)};

  // How long a waiting thread polls before it sleeps, at most; it adapts below that. 0: never polls.
  std::chrono::microseconds spin{50};
};

// The mesh over connections that stand already; connect_mesh (net/connect.h) makes them first.
std::unique_ptr<Mesh> mesh_over(Formation formation, const TcpMeshOptions& options);

}  // namespace tacit::net
