// Meshes of every kind, with all ranks in one process, and a thread for each rank's program.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "net/mesh.h"

namespace tacit::net {

using Meshes = std::vector<std::unique_ptr<Mesh>>;  // by rank

struct MeshKind {
  std::string name;
  std::function<Meshes(int parties, int helpers)> make;
};

// All kinds, for tests that hold on each kind: INSTANTIATE_TEST_SUITE_P(…,
// testing::ValuesIn(every_mesh()), mesh_name).
std::vector<MeshKind> every_mesh();

// Finds a kind by its name, including "Plaintext", which every_mesh() lacks because no session runs on
// it. ("Tcp" is plaintext with public keys, for tests.)
MeshKind mesh_kind(const std::string& name);

inline constexpr auto mesh_name = [](const auto& tested) { return tested.param.name; };

// Runs the program at every rank and closes the meshes; a rank that throws aborts its mesh. Returns
// the exception of each rank, null for success.
std::vector<std::exception_ptr> errors_of_ranks(Meshes meshes, const std::function<void(Mesh&)>& program);

// The same for programs that should succeed: rethrows the first rank's exception.
void run_ranks(Meshes meshes, const std::function<void(Mesh&)>& program);

// The message of an error; empty for null.
std::string message_of(const std::exception_ptr& error);

}  // namespace tacit::net
