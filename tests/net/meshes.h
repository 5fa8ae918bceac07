// Meshes of every kind, all ranks in one process, and a thread for each rank to run a program in.
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

// All kinds, for tests that hold on each: INSTANTIATE_TEST_SUITE_P(…, testing::ValuesIn(every_mesh()), mesh_name).
std::vector<MeshKind> every_mesh();

// By its name; also "Plaintext", on which no session runs ("Tcp" is plaintext whose keys everybody knows, for tests).
MeshKind mesh_kind(const std::string& name);

inline constexpr auto mesh_name = [](const auto& tested) { return tested.param.name; };

// Runs the program at every rank and closes the meshes; a rank that throws aborts its mesh. What each rank threw, null
// where it did not.
std::vector<std::exception_ptr> errors_of_ranks(Meshes meshes, const std::function<void(Mesh&)>& program);

// The same, where none should fail: throws what the first rank to fail threw.
void run_ranks(Meshes meshes, const std::function<void(Mesh&)>& program);

// What an error says; empty for null.
std::string message_of(const std::exception_ptr& error);

}  // namespace tacit::net
