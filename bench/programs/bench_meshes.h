// The meshes of a benchmark: the kind of mesh, and the emulated link between ranks. All ranks are
// threads of this process.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>

#include "net/collectives/group.h"
#include "tests/net/meshes.h"

namespace tacit::bench {

class BenchMeshes {
 public:
  void add_options(CLI::App& app);

  net::Meshes make(int parties, int helpers = 0) const;

  const std::string& mesh() const { return mesh_; }
  std::string link() const { return link_text_.empty() ? "none" : link_text_; }

 private:
  std::string mesh_ = "memory";
  std::string link_text_;
};

// "1KiB,64MiB,5MB,1000" as bytes.
std::int64_t parse_bytes(const std::string& text);
std::string bytes_text(std::int64_t bytes);

// The largest of the parties' numbers, at every party.
std::int64_t largest(net::Group& group, std::int64_t own);

// CPU seconds that this process has used so far, all threads.
double cpu_seconds();

}  // namespace tacit::bench
