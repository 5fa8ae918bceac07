// The cost of a round when n processes share this machine: every rank sends 64 bytes to every other
// and waits for the others' bytes.
//
// Threads that spin while they wait are compared, in the same run, with threads that sleep at once.
// Spinning must pay if a core is free, and must not hurt if there are more processes than cores.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "bench/tables/measurements.h"
#include "net/error.h"
#include "net/tcp/tcp_mesh.h"
#include "tests/net/loopback_formation.h"

namespace tacit::bench {
namespace {

using launcher::Measurements;
using launcher::Row;
using launcher::Samples;

using namespace net;
using std::chrono::microseconds;

struct Settings {
  int repeats = 7;
  int rounds = 1000;
  std::vector<int> parties = {2, 3, 4, 6, 8};
  std::string json;
};

struct Variant {
  std::string name;
  microseconds spin;
  std::unique_ptr<Mesh> mesh;
};

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

void rounds(Mesh& mesh, int count) {
  std::vector<std::array<std::byte, 64>> out(static_cast<std::size_t>(mesh.size())), in(out.size());
  for (int i = 0; i < count; ++i) {
    std::vector<Transfer> receives, sends;
    for (int step = 1; step < mesh.size(); ++step) {
      const int from = (mesh.rank() + mesh.size() - step) % mesh.size();
      receives.push_back(mesh.channel(from).receive(kMainStream, Bytes(in[static_cast<std::size_t>(from)])));
    }
    for (int step = 1; step < mesh.size(); ++step) {
      const int to = (mesh.rank() + step) % mesh.size();
      sends.push_back(mesh.channel(to).send(kMainStream, ConstBytes(out[static_cast<std::size_t>(to)])));
    }
    for (Transfer& t : receives) t.wait();
    for (Transfer& t : sends) t.wait();
  }
}

void measure(const Settings& settings, int parties, std::vector<Variant>& variants, Measurements& report) {
  std::vector<Row*> rows;
  for (const Variant& v : variants) rows.push_back(&report.add({{"n", std::to_string(parties)}, {"waiting", v.name}}));
  for (int repeat = -1; repeat < settings.repeats; ++repeat) {
    for (std::size_t i = 0; i < variants.size(); ++i) {
      rounds(*variants[i].mesh, settings.rounds / 10);
      const double cpu = cpu_seconds();
      const auto begin = Clock::now();
      rounds(*variants[i].mesh, settings.rounds);
      const double wall = std::chrono::duration<double>(Clock::now() - begin).count();
      if (repeat < 0) continue;
      rows[i]->figure("round", "us").add(1e6 * wall / settings.rounds);
      rows[i]->figure("CPU of rank 0", "%").add(100 * (cpu_seconds() - cpu) / wall);
    }
  }
  for (Variant& v : variants) v.mesh->close();
}

// Rank 0 is this process; the others are children.
void measure(const Settings& settings, int parties, Measurements& report) {
  auto spinning = loopback_formations({parties, 0, Encryption::kTls});
  auto sleeping = loopback_formations({parties, 0, Encryption::kTls});
  std::vector<pid_t> children;
  int rank = 0;
  for (int r = 1; r < parties && rank == 0; ++r) {
    const pid_t child = ::fork();
    if (child < 0) throw NetError("cannot start another process");
    if (child == 0) rank = r;
    if (child > 0) children.push_back(child);
  }
  const auto take = [rank](std::vector<Formation>& all, microseconds spin) {
    TcpMeshOptions options;
    options.spin = spin;
    Formation mine = std::move(all[static_cast<std::size_t>(rank)]);
    all.clear();  // the other ends belong to the other processes
    return mesh_over(std::move(mine), options);
  };
  const microseconds spin = TcpMeshOptions{}.spin;
  std::vector<Variant> variants;
  variants.push_back({fmt::format("spins {} us at most", spin.count()), spin, take(spinning, spin)});
  variants.push_back({"sleeps at once", microseconds(0), take(sleeping, microseconds(0))});
  measure(settings, parties, variants, report);
  if (rank != 0) ::_exit(0);
  for (const pid_t child : children) ::waitpid(child, nullptr, 0);
}

int run(int argc, char** argv) {
  Settings settings;
  CLI::App app("A round of 64 bytes from everyone to everyone, with waits that spin and waits that sleep");
  app.add_option("--repeats", settings.repeats, "repetitions that count")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--rounds", settings.rounds, "rounds per repetition")
      ->check(CLI::Range(10, 1'000'000))
      ->capture_default_str();
  app.add_option("--parties", settings.parties, "numbers of parties")->check(CLI::Range(2, 64))->capture_default_str();
  app.add_option("--json", settings.json, "write the figures to this file (-: standard output)");
  CLI11_PARSE(app, argc, argv);
  Measurements report("rounds", argc, argv);
  for (const int parties : settings.parties) measure(settings, parties, report);
  report.finish(settings.json);
  return 0;
}

}  // namespace
}  // namespace tacit::bench

int main(int argc, char** argv) {
  try {
    return tacit::bench::run(argc, argv);
  } catch (const std::exception& error) {
    return tacit::report_and_exit_code(error, "rounds_bench");
  }
}
