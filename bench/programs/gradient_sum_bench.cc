// The overhead of a training step with synchronised gradients: conversion to words, the sum in each way, conversion
// back.
//
// The model is VGG-11 for pictures of 32 × 32. The ranks compute nothing beside the synchronisation, so nothing is
// hidden. A copy of the same gradients, in the same repetition, measures the speed of the memory. Times are the
// slowest rank's.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "bench/programs/bench_meshes.h"
#include "bench/tables/measurements.h"
#include "mpc/random/pairwise_masking.h"
#include "net/collectives/collectives.h"
#include "net/error.h"
#include "net/synchronise/gradient_sum.h"

namespace tacit::bench {
namespace {

using launcher::Measurements;
using launcher::Row;

using namespace net;

struct Settings {
  BenchMeshes meshes;
  std::vector<int> parties = {1, 4};
  std::vector<std::string> ways = {"gather-scatter", "per-layer", "ring", "two-phase", "buckets", "secure-sum"};
  std::string bucket = "25MB";
  int repeats = 5;
  std::string json;
};

// Weights and biases, the last layer first.
std::vector<std::int64_t> vgg11() {
  constexpr std::array<std::int64_t, 9> kChannels{3, 64, 128, 256, 256, 512, 512, 512, 512};
  std::vector<std::int64_t> sizes{10, 10 * 512};
  for (std::size_t layer = kChannels.size() - 1; layer > 0; --layer) {
    sizes.push_back(kChannels[layer]);
    sizes.push_back(kChannels[layer] * kChannels[layer - 1] * 9);
  }
  return sizes;
}

// One rank's model.
struct Model {
  explicit Model(int rank) : sizes(vgg11()) {
    float value = static_cast<float>(rank) * 1e-3F;
    for (const std::int64_t size : sizes) {
      std::vector<float>& gradient = gradients.emplace_back(static_cast<std::size_t>(size));
      for (float& one : gradient) one = value += 1e-7F;
      means.emplace_back(gradient.size());
    }
  }

  std::vector<std::int64_t> sizes;
  std::vector<std::vector<float>> gradients, means;
};

// Milliseconds of the slowest rank, at every rank.
double timed(Group& group, const std::function<void()>& act) {
  barrier(group);
  const auto begin = Clock::now();
  act();
  return 1e-6 * static_cast<double>(largest(group, std::chrono::nanoseconds(Clock::now() - begin).count()));
}

void measure_way(Group& group, Model& model, const SyncSettings& settings, int repeats, Row* row) {
  const bool secure = settings.way == SyncWay::kSecureSum;
  Mesh& mesh = group.mesh();
  GradientSum sum(mesh, model.sizes, settings, secure ? mpc::pairwise_masking(mesh) : nullptr);
  const auto for_each = [&](auto act) {
    for (std::size_t p = 0; p < model.sizes.size(); ++p) act(p);
  };
  for (int repeat = -1; repeat < repeats; ++repeat) {
    const double copy = timed(group, [&] { for_each([&](auto p) { model.means[p] = model.gradients[p]; }); });
    const Traffic before = mesh.traffic();
    double ready = 0, finish = 0, mean = 0;
    const double step = timed(group, [&] {
      const auto begin = Clock::now();
      for_each([&](auto p) { sum.ready(p, model.gradients[p]); });
      const auto given = Clock::now();
      sum.finish();
      const auto summed = Clock::now();
      for_each([&](auto p) { sum.mean(p, model.means[p]); });
      const auto milliseconds = [](Clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); };
      ready = milliseconds(given - begin);
      finish = milliseconds(summed - given);
      mean = milliseconds(Clock::now() - summed);
    });
    const PeerTraffic sent = (mesh.traffic() - before).total();
    if (row == nullptr || repeat < 0) continue;
    row->figure("copy", "ms").add(copy);
    row->figure("step", "ms").add(step);
    row->figure("ready", "ms").add(ready);
    row->figure("finish", "ms").add(finish);
    row->figure("mean", "ms").add(mean);
    row->figure("sent by rank 0", "MB").add(1e-6 * static_cast<double>(sent.payload_sent));
  }
}

int run(int argc, char** argv) {
  Settings settings;
  CLI::App app("The overhead of a training step with synchronised gradients of VGG-11");
  settings.meshes.add_options(app);
  app.add_option("--parties", settings.parties, "numbers of parties")->check(CLI::Range(1, 64))->capture_default_str();
  app.add_option("--ways", settings.ways, "ways of synchronising")->capture_default_str();
  app.add_option("--bucket", settings.bucket, "size of a bucket")->capture_default_str();
  app.add_option("--repeats", settings.repeats, "steps that count")->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--json", settings.json, "write the figures to this file (-: standard output)");
  CLI11_PARSE(app, argc, argv);
  Measurements report("gradient_sum", argc, argv);
  for (const int parties : settings.parties) {
    std::vector<Row*> rows;
    for (const std::string& way : settings.ways) {
      rows.push_back(&report.add({{"n", std::to_string(parties)},
                                  {"mesh", settings.meshes.mesh()},
                                  {"link", settings.meshes.link()},
                                  {"way", way}}));
    }
    run_ranks(settings.meshes.make(parties), [&](Mesh& mesh) {
      Group group(mesh);
      Model model(mesh.rank());
      for (std::size_t w = 0; w < rows.size(); ++w) {
        const SyncSettings way{.way = parse_sync_way(settings.ways[w]), .bucket_bytes = parse_bytes(settings.bucket)};
        measure_way(group, model, way, settings.repeats, mesh.rank() == 0 ? rows[w] : nullptr);
      }
    });
  }
  report.finish(settings.json);
  return 0;
}

}  // namespace
}  // namespace tacit::bench

int main(int argc, char** argv) {
  try {
    return tacit::bench::run(argc, argv);
  } catch (const std::exception& error) {
    return tacit::report_and_exit_code(error, "gradient_sum_bench");
  }
}
