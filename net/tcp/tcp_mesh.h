// TcpMesh is a mesh over TCP sockets, for parties on separate machines or in separate processes.
#pragma once

#include <chrono>
#include <memory>

#include "net/mesh.h"
#include "net/tcp/formation.h"

namespace tacit::net {

struct TcpMeshOptions {
  // Longest wait for a peer that is alive but sends nothing, because it computes or hangs.
  std::chrono::milliseconds patience{std::chrono::minutes(10)};

  // Every rank sends one heartbeat in this interval, even while it computes. A rank that is silent
  // for `silence` is considered dead.
  std::chrono::milliseconds heartbeat{std::chrono::seconds(1)};
  std::chrono::milliseconds silence{std::chrono::seconds(10)};

  // Limit of close() for ranks that are alive but unfinished: long, since a dealer may finish hours
  // before the parties.
  std::chrono::milliseconds farewell{std::chrono::hours(24)};

  // Longest time that a waiting thread polls before it sleeps. The actual time adapts to recent
  // waits. 0: never poll.
  std::chrono::microseconds spin{50};
};

// Builds the mesh over existing connections. connect_mesh (net/connect.h) makes them first.
std::unique_ptr<Mesh> mesh_over(Formation formation, const TcpMeshOptions& options);

}  // namespace tacit::net
