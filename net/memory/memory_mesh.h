// MemoryMesh — a mesh between threads of one process: the reference for what every mesh does, and what tests run on.
//
// A message is copied once, from the sender's memory to the receiver's, by whichever thread comes second; a small one
// is kept in between, so that its sender is done at once. On the wire is what callers sent and nothing else.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "net/mesh.h"

namespace tacit::net {

struct MemoryMeshOptions {
  std::chrono::milliseconds patience{std::chrono::minutes(10)};  // the longest that a wait lasts
};

// Messages up to this size are done when they are sent.
inline constexpr std::int64_t kMemoryMeshKeeps = 64 * 1024;

// One mesh per rank, parties first; each may move to a thread of its own.
std::vector<std::unique_ptr<Mesh>> memory_mesh(int parties, int helpers = 0, const MemoryMeshOptions& options = {});

}  // namespace tacit::net
