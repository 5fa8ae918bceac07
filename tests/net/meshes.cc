#include "tests/net/meshes.h"

#include <mutex>
#include <thread>

#include "net/error.h"
#include "net/memory/emulated_mesh.h"
#include "net/memory/memory_mesh.h"
#include "net/tcp/tcp_mesh.h"
#include "tests/net/loopback_formation.h"

namespace tacit::net {

namespace {

constexpr std::chrono::seconds kPatience{30};  // a hanging test reports its place

Meshes over_loopback(int parties, int helpers, Encryption encryption) {
  TcpMeshOptions options;
  options.patience = kPatience;
  Meshes meshes;
  for (Formation& formation : loopback_formations({parties, helpers, encryption})) {
    meshes.push_back(mesh_over(std::move(formation), options));
  }
  return meshes;
}

Meshes over_an_emulated_link(int parties, int helpers) {
  Meshes meshes = memory_mesh(parties, helpers, {.patience = kPatience});
  for (auto& mesh : meshes) mesh = emulate_link(std::move(mesh), {std::chrono::microseconds(100), 10e9});
  return meshes;
}

struct Outcome {
  std::vector<std::exception_ptr> errors;
  std::exception_ptr first;
};

Outcome run(Meshes meshes, const std::function<void(Mesh&)>& program) {
  Outcome outcome;
  outcome.errors.resize(meshes.size());
  std::mutex mutex;
  std::vector<std::jthread> threads;
  for (std::size_t r = 0; r < meshes.size(); ++r) {
    threads.emplace_back([&, r, mesh = std::move(meshes[r])]() mutable {
      try {
        program(*mesh);
        mesh->close();
      } catch (const std::exception& error) {
        {
          const std::lock_guard lock(mutex);
          outcome.errors[r] = std::current_exception();
          if (!outcome.first) outcome.first = outcome.errors[r];
        }
        mesh->abort(exit_of(error), error.what(), -1);
      }
      mesh.reset();
    });
  }
  threads.clear();
  return outcome;
}

}  // namespace

std::vector<MeshKind> every_mesh() {
  return {
      {"Memory", [](int parties, int helpers) { return memory_mesh(parties, helpers, {.patience = kPatience}); }},
      {"Emulated", over_an_emulated_link},
      {"Tcp",
       [](int parties, int helpers) { return over_loopback(parties, helpers, Encryption::kPlainWithPublicKeys); }},
      {"Tls", [](int parties, int helpers) { return over_loopback(parties, helpers, Encryption::kTls); }},
  };
}

MeshKind mesh_kind(const std::string& name) {
  if (name == "Plaintext") {
    return {name, [](int parties, int helpers) { return over_loopback(parties, helpers, Encryption::kPlain); }};
  }
  for (MeshKind& kind : every_mesh()) {
    if (kind.name == name) return std::move(kind);
  }
  TACIT_CHECK(false);
}

std::vector<std::exception_ptr> errors_of_ranks(Meshes meshes, const std::function<void(Mesh&)>& program) {
  return run(std::move(meshes), program).errors;
}

void run_ranks(Meshes meshes, const std::function<void(Mesh&)>& program) {
  const Outcome outcome = run(std::move(meshes), program);
  if (outcome.first) std::rethrow_exception(outcome.first);
}

std::string message_of(const std::exception_ptr& error) {
  if (!error) return "";
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  }
}

}  // namespace tacit::net
