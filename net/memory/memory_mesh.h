// MemoryMesh is a mesh between threads of one process: the reference for the behaviour of every
// mesh, and the mesh of most tests.
//
// A message is copied once, from the sender's memory to the receiver's, by the second of the two
// threads. A small message is kept in between, so that its sender is done at once. Wire bytes equal
// payload bytes.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "net/mesh.h"

namespace tacit::net {

struct MemoryMeshOptions {
  std::chrono::milliseconds patience{std::chrono::minutes(10)};  // longest wait
};

// A message up to this size is done once it is sent.
inline constexpr std::int64_t kMemoryMeshKeeps = 64 * 1024;

// Returns one mesh per rank, parties first. Each may move to a thread of its own.
std::vector<std::unique_ptr<Mesh>> memory_mesh(int parties, int helpers = 0, const MemoryMeshOptions& options = {});

}  // namespace tacit::net
