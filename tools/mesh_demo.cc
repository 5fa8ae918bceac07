// mesh_demo — one party of a mesh, as a process, to try a network. The process joins the other parties, adds up a
// tensor with them, checks the sum, and prints the traffic that it has sent and received.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <vector>

#include "net/collectives/all_reduce.h"
#include "net/connect.h"
#include "net/error.h"

namespace {

using namespace tacit::net;
using Clock = std::chrono::steady_clock;

struct Flags {
  std::string key;
  std::string roster;
  std::int64_t elements = 1 << 20;
};

Flags read_flags(int argc, char** argv) {
  Flags flags;
  CLI::App app("one party of a mesh that adds up a tensor");
  app.add_option("--key", flags.key, "file with this rank's private key")->required();
  app.add_option("--roster", flags.roster, "file with everybody's fingerprints")->required();
  app.add_option("--elements", flags.elements, "words of the tensor")->check(CLI::PositiveNumber);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    throw tacit::ConfigError(error.what());
  }
  return flags;
}

std::unique_ptr<Mesh> join(const Flags& flags) {
  RendezvousOptions options;
  options.deadline = std::chrono::minutes(1);
  options.agreement.set("elements", std::to_string(flags.elements));
  options.log = [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); };
  return join_mesh(flags.key, flags.roster, options);
}

// Rank r's tensor: spread over all 64 bits, so that sums wrap.
std::uint64_t element(int rank, std::uint64_t i) {
  return (i + 1) * 0x9e3779b97f4a7c15U * (static_cast<std::uint64_t>(rank) + 1);
}

std::vector<std::uint64_t> tensor_of(int rank, std::int64_t elements) {
  std::vector<std::uint64_t> words(static_cast<std::size_t>(elements));
  for (std::uint64_t i = 0; i < words.size(); ++i) words[i] = element(rank, i);
  return words;
}

void require_right(const std::vector<std::uint64_t>& sum, const Mesh& mesh) {
  for (std::uint64_t i = 0; i < sum.size(); ++i) {
    std::uint64_t expected = 0;
    for (int rank = 0; rank < mesh.parties(); ++rank) expected += element(rank, i);
    if (sum[i] == expected) continue;
    throw tacit::ProtocolError(
        fmt::format("rank {}: element {} of the sum is {:x}, expected {:x}", mesh.rank(), i, sum[i], expected));
  }
}

void run(Mesh& mesh, std::int64_t elements) {
  std::vector<std::uint64_t> words = tensor_of(mesh.rank(), elements);
  const Words tensor{words};
  Group group(mesh);
  mesh.set_step("adding up");
  const Clock::time_point begin = Clock::now();
  all_reduce(group, std::span(&tensor, 1), AllReduce::kTwoPhase);
  const std::chrono::duration<double, std::milli> took = Clock::now() - begin;
  mesh.set_step("checking the sum");
  require_right(words, mesh);
  const Traffic traffic = mesh.traffic();
  mesh.close();
  const std::string verdict = fmt::format(
      "rank {} of {}: the sum of all {} tensors of {} words ({} MiB) is right, and took {:.0f} ms over TLS\n",
      mesh.rank(), mesh.parties(), mesh.parties(), elements, elements * 8 >> 20, took.count());
  std::fputs((verdict + format_table(traffic, mesh.rank()) + "\n").c_str(), stdout);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Flags flags = read_flags(argc, argv);
    const std::unique_ptr<Mesh> mesh = join(flags);
    run(*mesh, flags.elements);
    return 0;
  } catch (const std::exception& error) {
    return tacit::report_and_exit_code(error, "mesh_demo");
  }
}
