#include "bench/programs/bench_meshes.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "launcher/settings/link.h"
#include "net/collectives/collectives.h"
#include "net/error.h"
#include "net/memory/emulated_mesh.h"

namespace tacit::bench {

namespace {

using Unit = std::pair<std::string, double>;

// A number and one of the units. A unit that ends with another one comes first in the list.
double parse_quantity(const std::string& text, const std::vector<Unit>& units) {
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  std::string expected;
  for (const auto& [unit, factor] : units) {
    if (used > 0 && value >= 0 && text.substr(used) == unit) return value * factor;
    expected += (expected.empty() ? "" : ", ") + ("'" + unit + "'");
  }
  throw ConfigError(fmt::format("'{}' is not a number with one of the units {}", text, expected));
}

}  // namespace

std::int64_t parse_bytes(const std::string& text) {
  return static_cast<std::int64_t>(parse_quantity(
      text, {{"", 1}, {"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"KiB", 1024}, {"MiB", 1 << 20}, {"GiB", 1 << 30}}));
}

std::string bytes_text(std::int64_t bytes) {
  if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) return fmt::format("{} MiB", bytes >> 20);
  if (bytes >= 1 << 10 && bytes % (1 << 10) == 0) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{} B", bytes);
}

void BenchMeshes::add_options(CLI::App& app) {
  app.add_option("--mesh", mesh_, "what carries the bytes")
      ->check(CLI::IsMember({"memory", "tcp", "tls"}))
      ->capture_default_str();
  app.add_option("--link", link_text_, "emulated link, for example 7.9ms,100Mbit; by default no link is emulated");
}

net::Meshes BenchMeshes::make(int parties, int helpers) const {
  const auto kind = [&](const char* name) { return net::mesh_kind(name).make(parties, helpers); };
  net::Meshes meshes = kind(mesh_ == "memory" ? "Memory" : mesh_ == "tcp" ? "Tcp" : "Tls");
  if (link_text_.empty()) return meshes;
  const net::Link link = launcher::emulated(launcher::parse_link(link_text_));
  for (auto& mesh : meshes) mesh = net::emulate_link(std::move(mesh), link);
  return meshes;
}

std::int64_t largest(net::Group& group, std::int64_t own) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(group.parties()));
  all[static_cast<std::size_t>(group.rank())] = own;
  std::vector<net::Bytes> by_party;
  for (std::int64_t& one : all) by_party.push_back(std::as_writable_bytes(std::span(&one, 1)));
  net::all_gather(group, by_party);
  return *std::max_element(all.begin(), all.end());
}

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace tacit::bench
