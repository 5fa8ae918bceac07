// Gradient synchronisation the way a data-parallel trainer does it, on the parameters of VGG-11: the plain ways against
// buckets that travel while the backward pass still computes.
//
// The pass is emulated: each layer takes its share of the time that --compute gives, asleep, as if an accelerator
// computed and the processor were free for communication. Gradients are 32-bit fixed-point words. In every repetition
// each way takes its turn.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "bench/programs/bench_meshes.h"
#include "bench/programs/vgg11.h"
#include "bench/tables/measurements.h"
#include "net/collectives/bucketed_all_reduce.h"
#include "net/collectives/calibrate.h"
#include "net/collectives/collectives.h"
#include "net/error.h"

namespace tacit::bench {
namespace {

using launcher::Measurements;
using launcher::Row;
using launcher::Samples;

using namespace net;
using Seconds = std::chrono::duration<double>;

constexpr int kGradientBits = 32;

struct Settings {
  BenchMeshes meshes;
  int parties = 4;
  double compute_ms = 100;
  std::vector<std::string> buckets = {"5MB", "10MB", "25MB", "50MB"};
  int repeats = 5;
  std::string json;
};

// One rank of the training.
class Trainer {
 public:
  Trainer(Mesh& mesh, const Settings& settings)
      : mesh_(mesh),
        compute_(settings.compute_ms * 1e-3),
        group_(mesh),
        calibration_(calibrate_all_reduce(group_)),
        background_(mesh, calibration_.plan) {
    for (auto at = kVgg11.rbegin(); at != kVgg11.rend(); ++at) {
      memory_.emplace_back(static_cast<std::size_t>(at->count), static_cast<std::uint64_t>(mesh.rank() + 1));
      gradients_.push_back({memory_.back(), kGradientBits});
      share_.push_back(static_cast<double>(at->multiplications));
    }
    const double all = std::accumulate(share_.begin(), share_.end(), 0.0);
    for (double& share : share_) share /= all;
  }

  Group& group() { return group_; }
  const Calibration& calibration() const { return calibration_; }

  // Rank 0 collects everybody's gradients, adds them up and sends the sum back, layer by layer.
  void gather_and_scatter() {
    backward([](Words) {});
    for (const Words& gradient : gradients_) {
      std::vector<std::vector<std::uint64_t>> received(static_cast<std::size_t>(mesh_.parties()));
      std::vector<Words> views(received.size(), gradient);
      for (std::size_t r = 1; r < received.size() && mesh_.rank() == 0; ++r) {
        received[r].resize(gradient.words.size());
        views[r].words = received[r];
      }
      std::vector<Tensors> by_party;
      for (const Words& view : views) by_party.emplace_back(&view, 1);
      gather(group_, 0, by_party);
      for (std::size_t r = 1; r < received.size() && mesh_.rank() == 0; ++r) {
        for (std::size_t i = 0; i < gradient.words.size(); ++i) gradient.words[i] += received[r][i];
        views[r] = gradient;
      }
      scatter(group_, 0, by_party);
    }
  }

  void layer_by_layer() {
    backward([](Words) {});
    for (const Words& gradient : gradients_) all_reduce(group_, Tensors(&gradient, 1), calibration_.plan);
  }

  void all_at_once(AllReduce algorithm) {
    backward([](Words) {});
    all_reduce(group_, gradients_, algorithm);
  }

  void in_buckets(std::int64_t bucket_bytes) {
    BucketedAllReduce buckets(background_, bucket_bytes);
    backward([&](Words gradient) { buckets.add(gradient); });
    buckets.finish();
  }

 private:
  template <typename Ready>
  void backward(const Ready& ready) {
    Clock::time_point until = Clock::now();
    for (std::size_t i = 0; i < gradients_.size(); ++i) {
      until += std::chrono::duration_cast<Clock::duration>(compute_ * share_[i]);
      std::this_thread::sleep_until(until);
      ready(gradients_[i]);
    }
  }

  Mesh& mesh_;
  const Seconds compute_;
  Group group_;
  const Calibration calibration_;
  BackgroundAllReduce background_;
  std::vector<std::vector<std::uint64_t>> memory_;
  std::vector<Words> gradients_;  // in the order in which they come: the last layer's first
  std::vector<double> share_;     // of the computing
};

struct Way {
  std::string name;
  std::function<void(Trainer&)> iterate;
};

std::vector<Way> ways(const Settings& settings) {
  std::vector<Way> all = {
      {"gather and scatter", [](Trainer& t) { t.gather_and_scatter(); }},
      {"all-reduce per layer", [](Trainer& t) { t.layer_by_layer(); }},
      {"ring", [](Trainer& t) { t.all_at_once(AllReduce::kRing); }},
      {"two-phase", [](Trainer& t) { t.all_at_once(AllReduce::kTwoPhase); }},
  };
  for (const std::string& size : settings.buckets) {
    const std::int64_t bytes = parse_bytes(size);
    all.push_back({"buckets of " + size, [bytes](Trainer& t) { t.in_buckets(bytes); }});
  }
  return all;
}

struct Iteration {
  double seconds = 0;  // of the slowest rank
  double cpu_seconds = 0;
  std::int64_t bytes = 0;  // that the busiest rank sent
  std::int64_t messages = 0;
  std::int64_t packets = 0;
};

Iteration iterate(Trainer& trainer, const Way& way) {
  Group& group = trainer.group();
  barrier(group);
  const Traffic before = group.mesh().traffic();
  const double cpu_before = cpu_seconds();
  const auto begin = Clock::now();
  way.iterate(trainer);
  const auto took = std::chrono::nanoseconds(Clock::now() - begin);
  const PeerTraffic sent = (group.mesh().traffic() - before).total();
  Iteration it;
  it.seconds = static_cast<double>(largest(group, took.count())) * 1e-9;
  it.cpu_seconds = cpu_seconds() - cpu_before;
  it.bytes = largest(group, sent.payload_sent);
  it.messages = largest(group, sent.messages_sent);
  it.packets = largest(group, sent.packets_sent);
  return it;
}

void add(const Iteration& it, const Settings& settings, Row& row) {
  const auto cores = static_cast<double>(std::thread::hardware_concurrency());
  row.figure("iteration", "ms").add(it.seconds * 1e3);
  row.figure("of it not computing", "ms").add(it.seconds * 1e3 - settings.compute_ms);
  row.figure("sent by the busiest", "MB").add(static_cast<double>(it.bytes) / 1e6);
  row.figure("messages", "").add(static_cast<double>(it.messages));
  row.figure("packets", "").add(static_cast<double>(it.packets));
  row.figure("CPU of all cores", "%").add(100 * it.cpu_seconds / (it.seconds * cores));
}

void run(const Settings& settings, Measurements& report) {
  const std::vector<Way> all = ways(settings);
  std::vector<Row*> rows;
  for (const Way& way : all) rows.push_back(&report.add({{"way", way.name}}));
  std::string choice;
  run_ranks(settings.meshes.make(settings.parties), [&](Mesh& mesh) {
    Trainer trainer(mesh, settings);
    if (mesh.rank() == 0) choice = trainer.calibration().text();
    for (int r = -1; r < settings.repeats; ++r) {  // the first time warms up
      for (std::size_t w = 0; w < all.size(); ++w) {
        const Iteration it = iterate(trainer, all[w]);
        if (mesh.rank() == 0 && r >= 0) add(it, settings, *rows[w]);
      }
    }
  });
  report.note(choice);
  report.note(fmt::format("n = {}, mesh {}, link {}; VGG-11, {} parameters of {} bits; {} ms of computing; {} samples",
                          settings.parties, settings.meshes.mesh(), settings.meshes.link(), total_parameters(),
                          kGradientBits, settings.compute_ms, settings.repeats));
}

}  // namespace
}  // namespace tacit::bench

int main(int argc, char** argv) {
  using namespace tacit::bench;
  using tacit::launcher::Measurements;
  Settings settings;
  CLI::App app("Gradient synchronisation of VGG-11 between n data-parallel trainers");
  settings.meshes.add_options(app);
  app.add_option("--parties", settings.parties, "number of trainers")->check(CLI::Range(2, 64))->capture_default_str();
  app.add_option("--compute", settings.compute_ms, "milliseconds of a backward pass")->capture_default_str();
  app.add_option("--buckets", settings.buckets, "bucket sizes, such as 5MB,25MB")->delimiter(',');
  app.add_option("--repeats", settings.repeats, "samples of everything")->check(CLI::Range(1, 1000));
  app.add_option("--json", settings.json, "file for the figures; - for standard output");
  CLI11_PARSE(app, argc, argv);
  try {
    Measurements report("gradient_sync", argc, argv);
    run(settings, report);
    report.finish(settings.json);
  } catch (const std::exception& error) {
    return tacit::report_and_exit_code(error, "gradient_sync_bench");
  }
  return 0;
}
