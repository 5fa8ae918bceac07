// Alone — the options --alone and --threads of a benchmark: one rank runs without its peers, which would share its cores.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/net/meshes.h"

namespace tacit::bench {

using Labels = std::vector<std::pair<std::string, std::string>>;

class Alone {
 public:
  void add_options(CLI::App& app, const std::string& threads_help);

  explicit operator bool() const { return rank_.has_value(); }
  const std::vector<int>& threads() const { return threads_; }

  // Runs `program` at all ranks of `meshes`, and then `repeat` for each number of threads, over a mesh that gives the
  // chosen rank the recorded messages again. Both runs need the same plan of openings and the same order of calls.
  // `labels` name the rank and its threads. `copying` grows by the time in which recorded messages are copied to the rank. From
  // then on all randomness of this process is one constant.
  using Program = std::function<void(net::Mesh&)>;
  using Repeat =
      std::function<void(net::Mesh& mesh, int threads, const Labels& labels, const net::Clock::duration& copying)>;
  void measure(net::Meshes meshes, const Program& program, const Repeat& repeat) const;

 private:
  std::optional<int> rank_;
  std::vector<int> threads_ = {1};
};

}  // namespace tacit::bench
