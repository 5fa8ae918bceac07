// The cost of an all-reduce: the four algorithms for n parties and tensors of any size, and the
// automatic choice among them.
//
// In every repetition each algorithm takes its turn, so that a drift of the machine's speed affects
// all algorithms alike. A time is the slowest rank's, per all-reduce, in a row of all-reduces that
// fills some milliseconds.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bench/programs/bench_meshes.h"
#include "bench/tables/measurements.h"
#include "net/collectives/all_reduce.h"
#include "net/collectives/calibrate.h"
#include "net/collectives/collectives.h"
#include "net/error.h"

namespace tacit::bench {
namespace {

using launcher::Measurements;
using launcher::Row;
using launcher::Samples;

using namespace net;

struct Settings {
  BenchMeshes meshes;
  std::vector<int> parties = {2, 3, 4, 5, 6, 7, 8};
  std::vector<std::string> sizes = {"1KiB", "16KiB", "256KiB", "1MiB", "4MiB", "16MiB", "64MiB"};
  int repeats = 5;
  int calibrations = 3;
  double seconds_per_sample = 0.02;
  std::string json;
};

double time_of(Group& group, Tensors tensors, AllReduce algorithm, int calls) {
  barrier(group);
  const auto begin = Clock::now();
  for (int i = 0; i < calls; ++i) all_reduce(group, tensors, algorithm);
  const auto took = largest(group, std::chrono::nanoseconds(Clock::now() - begin).count());
  return static_cast<double>(took) * 1e-9 / calls;
}

// One algorithm at one size: the same figures at every rank.
struct Measurement {
  AllReduce algorithm;
  Samples milliseconds{"ms"};
  int calls = 1;  // in a sample
  std::int64_t bytes = 0;
  std::int64_t messages = 0;
};

struct Point {
  std::int64_t bytes = 0;
  std::vector<Measurement> by_algorithm;

  // The algorithm's median over the best median.
  double ratio(AllReduce algorithm) const;
};

double Point::ratio(AllReduce algorithm) const {
  double own = 0, best = std::numeric_limits<double>::infinity();
  for (const Measurement& m : by_algorithm) {
    best = std::min(best, m.milliseconds.median());
    if (m.algorithm == algorithm) own = m.milliseconds.median();
  }
  return own / best;
}

// Counts the bytes of the busiest rank, and checks every rank's bytes against the stated ones.
void count(Group& group, Tensors tensors, Measurement& m) {
  const Traffic before = group.mesh().traffic();
  all_reduce(group, tensors, m.algorithm);
  const PeerTraffic sent = (group.mesh().traffic() - before).total();
  const Cost stated = all_reduce_cost(m.algorithm, shapes(tensors), group.parties(), group.rank());
  TACIT_CHECK(sent.payload_sent == stated.bytes && sent.messages_sent == stated.messages);
  m.bytes = largest(group, sent.payload_sent);
  m.messages = largest(group, sent.messages_sent);
}

Point measure(Group& group, std::int64_t bytes, const Settings& settings) {
  std::vector<std::uint64_t> memory(static_cast<std::size_t>(bytes / 8), 1);
  const Words tensor{memory, kWordBits};
  const Tensors tensors(&tensor, 1);
  Point point{bytes, {}};
  for (const AllReduce algorithm : kAllReduceAlgorithms) {
    Measurement& m = point.by_algorithm.emplace_back(Measurement{algorithm});
    count(group, tensors, m);
    m.calls = std::max(1, static_cast<int>(settings.seconds_per_sample / time_of(group, tensors, algorithm, 1)));
  }
  for (int r = 0; r < settings.repeats; ++r) {
    for (Measurement& m : point.by_algorithm) {
      m.milliseconds.add(time_of(group, tensors, m.algorithm, m.calls) * 1e3);
    }
  }
  return point;
}

void report(const Point& point, int parties, const AllReducePlan& plan, Measurements& report) {
  for (const Measurement& m : point.by_algorithm) {
    Row& row = report.add({{"n", std::to_string(parties)},
                           {"size", bytes_text(point.bytes)},
                           {"algorithm", std::string(name(m.algorithm))},
                           {"chosen", m.algorithm == plan.choose(point.bytes) ? "yes" : ""}});
    row.figures.emplace_back("time", m.milliseconds);
    row.figure("of the best", "x").add(point.ratio(m.algorithm));
    row.figure("sent by the busiest", "bytes").add(static_cast<double>(m.bytes));
    row.figure("messages", "").add(static_cast<double>(m.messages));
  }
}

// The quality of the automatic choice, over all sizes and calibrations.
struct Verdict {
  int choices = 0;
  int close = 0;  // within 15 % of the best
  double worst = 0;

  void add(double ratio) {
    ++choices;
    close += ratio <= 1.15 ? 1 : 0;
    worst = std::max(worst, ratio);
  }
};

void run(const Settings& settings, Measurements& all) {
  Verdict verdict;
  for (const int parties : settings.parties) {
    std::vector<Point> points;
    std::vector<Calibration> calibrations;
    run_ranks(settings.meshes.make(parties), [&](Mesh& mesh) {
      Group group(mesh);
      for (int i = 0; i < settings.calibrations; ++i) {
        Calibration calibration = calibrate_all_reduce(group);
        if (mesh.rank() == 0) calibrations.push_back(std::move(calibration));
      }
      for (const std::string& size : settings.sizes) {
        Point point = measure(group, parse_bytes(size), settings);
        if (mesh.rank() == 0) points.push_back(std::move(point));
      }
    });
    for (const Point& point : points) {
      report(point, parties, calibrations.front().plan, all);
      for (const Calibration& c : calibrations) verdict.add(point.ratio(c.plan.choose(point.bytes)));
    }
    for (const Calibration& c : calibrations) all.note(fmt::format("n = {}: {}", parties, c.text()));
  }
  all.note(fmt::format("mesh {}, link {}; {} samples of everything", settings.meshes.mesh(), settings.meshes.link(),
                       settings.repeats));
  all.note(fmt::format("the automatic choice is within 15 % of the best in {} of {} cases, {:.2f} x at worst",
                       verdict.close, verdict.choices, verdict.worst));
}

}  // namespace
}  // namespace tacit::bench

int main(int argc, char** argv) {
  using namespace tacit::bench;
  using tacit::launcher::Measurements;
  Settings settings;
  CLI::App app("The cost of an all-reduce by algorithm, size and number of parties");
  settings.meshes.add_options(app);
  app.add_option("--parties", settings.parties, "numbers of parties")->delimiter(',');
  app.add_option("--sizes", settings.sizes, "sizes, such as 1KiB,64MiB")->delimiter(',');
  app.add_option("--repeats", settings.repeats, "samples of everything")->check(CLI::Range(1, 1000));
  app.add_option("--calibrations", settings.calibrations, "how often the automatic choice is made")
      ->check(CLI::Range(1, 1000));
  app.add_option("--seconds", settings.seconds_per_sample, "shortest sample");
  app.add_option("--json", settings.json, "file for the figures; - for standard output");
  CLI11_PARSE(app, argc, argv);
  try {
    Measurements all("all_reduce", argc, argv);
    run(settings, all);
    all.finish(settings.json);
  } catch (const std::exception& error) {
    return tacit::report_and_exit_code(error, "all_reduce_bench");
  }
  return 0;
}
