// The cost of a training epoch for n parties and a dealer, or without a dealer (--correlations pairwise or pairwise-softspoken):
// time, traffic, rounds, CPU, memory; beside it the twin (plaintext reference) in double precision.
//
// All ranks run in this process, the dealer too, each on --threads threads: on fewer cores than these they share.
// --alone measures one rank by itself: the rank repeats its part of a recorded run without its peers.
#include <fmt/format.h>

#include "bench/data/communities.h"
#include "bench/programs/alone.h"
#include "bench/programs/bench_meshes.h"
#include "bench/programs/chosen.h"
#include "bench/tables/measurements.h"
#include "mpc/ahead/making_ahead.h"
#include "mpc/correlations/dealer_correlations.h"
#include "mpc/correlations/pairwise_correlations.h"
#include "mpc/kernels/freed_memory.h"
#include "net/collectives/calibrate.h"
#include "net/error.h"
#include "tests/gnn/train/sample_run.h"

namespace tacit::bench {
namespace {

using launcher::Measurements;
using launcher::Row;
using launcher::Samples;

using namespace gnn;
using net::Clock;

struct Settings {
  BenchMeshes meshes;
  std::vector<int> parties = {2, 3, 5};
  std::vector<std::string> only;
  std::string openings = "measured";
  std::string correlations = "dealer";
  std::int64_t epochs = 40;
  Alone alone;

  bool pairwise() const { return correlations.starts_with("pairwise"); }
  int helpers() const { return pairwise() ? 0 : 1; }
  mpc::CorrelationsFrom from() const {
    return correlations == "pairwise" ? mpc::CorrelationsFrom::kAheadByFerret
                                      : mpc::CorrelationsFrom::kAheadBySoftSpoken;
  }
  // The source of a rank that is measured alone, without a maker.
  mpc::CorrelationSource source() const {
    if (pairwise()) return mpc::pairwise_correlations;
    return mpc::from_the_dealer;
  }
  std::int64_t stations = 300;
  std::string json;
};

constexpr std::int64_t kWarmUp = 5;  // uncounted epochs: the first ones share and mask the constant data

// A graph with the size of the Cora citation graph.
Sample citations() {
  CommunitiesOptions options;
  options.nodes = 2708;
  options.features = 1433;
  TrainingPlan plan;
  plan.model = ModelSpec::gcn(16, 7);
  plan.objective = Objective::kCrossEntropy;
  plan.rate.initial = 0.2;
  plan.optimiser = SgdOptions{.momentum = 0.9, .weight_decay = 5e-4};
  return sample_of(make_communities(options), plan, GraphKind::kPublic);
}

struct Work {
  std::string name;
  Sample sample;
};

std::vector<Work> works(const Settings& settings) {
  std::vector<Work> all{{"sensors, private graph", sensors_sample(GraphKind::kPrivateDense, settings.stations)},
                        {"sensors, public graph", sensors_sample(GraphKind::kPublic, settings.stations)},
                        {"citations, public graph", citations()}};
  for (Work& work : all) {
    work.sample.plan.epochs = settings.epochs + kWarmUp;
    work.sample.plan.metrics.clear();
  }
  return chosen(std::move(all), settings.only);
}

// Milliseconds from one event to the next.
class Stopwatch {
 public:
  double lap() {
    const auto now = Clock::now();
    const double took = std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
    return took;
  }

 private:
  Clock::time_point last_ = Clock::now();
};

net::AllReducePlan plan_of_openings(net::Mesh& mesh, const Settings& settings) {
  if (settings.openings == "direct") return net::AllReducePlan({{0, net::AllReduce::kDirect}});
  net::Group group(mesh);
  return net::calibrate_all_reduce(group).plan;
}

void measure(const Work& work, int parties, int threads, const Settings& settings, Row& row) {
  Stopwatch twins;
  plain_run(work.sample);
  row.figure("twin", "ms/epoch").add(twins.lap() / static_cast<double>(work.sample.plan.epochs));
  net::run_ranks(settings.meshes.make(parties, settings.helpers()), [&](net::Mesh& mesh) {
    if (!mesh.world().is_party()) {
      mpc::DealerSession session(mesh, {.threads = threads});
      secret_run(session, work.sample);
      return session.flush();
    }
    const mpc::SessionOptions options{.threads = threads};
    std::optional<mpc::MakingAhead> maker;
    if (settings.pairwise()) maker.emplace(mesh, options, settings.from());
    mpc::PartySession session(mesh, plan_of_openings(mesh, settings), options,
                              maker ? maker->source() : mpc::from_the_dealer);
    Stopwatch epochs;
    double cpu = cpu_seconds();
    auto waited = session.waited_for_dealer();
    const auto note = [&](const EpochEvent& event) {
      const double took = epochs.lap(), cpu_now = cpu_seconds(), cpu_took = cpu_now - cpu;
      const auto waited_now = session.waited_for_dealer(), waited_took = waited_now - waited;
      cpu = cpu_now;
      waited = waited_now;
      if (mesh.rank() != 0 || event.epoch <= kWarmUp) return;
      row.figure("epoch", "ms").add(took);
      row.figure(settings.pairwise() ? "waited for correlations" : "waited for the dealer", "ms")
          .add(std::chrono::duration<double, std::milli>(waited_took).count());
      row.figure("CPU, all ranks", "ms").add(1000 * cpu_took);
      row.figure("rounds", "").add(static_cast<double>(event.cost.rounds));
      row.figure("sent to a peer", "kB").add(static_cast<double>(event.cost.bytes) / (parties - 1) / 1000);
      if (settings.pairwise()) {
        const double made = static_cast<double>(event.cost.made_bytes) / (parties - 1) / 1000;
        row.figure("sent to a peer for correlations", "kB").add(made);
      } else {
        row.figure("dealt", "kB").add(static_cast<double>(event.cost.dealt_bytes) / 1000);
      }
    };
    if (!maker) return static_cast<void>(secret_run(session, work.sample, note));
    maker->run([&](mpc::Session& ahead) { secret_run(ahead, work.sample); },
               [&] { secret_run(session, work.sample, note); });
    if (mesh.rank() != 0) return;
    const auto epochs_of_all = static_cast<double>(work.sample.plan.epochs);
    row.figure("rounds for correlations", "an epoch")
        .add(static_cast<double>(maker->beside_stated(session.stated()).made_rounds) / epochs_of_all);
  });
}

// One rank's part of a training, over any mesh.
Events train_at(net::Mesh& mesh, const Sample& sample, int threads, const mpc::CorrelationSource& source,
                const std::function<void(const EpochEvent&)>& on_epoch = {}) {
  if (!mesh.world().is_party()) {
    mpc::DealerSession session(mesh, {.threads = threads});
    Events events = secret_run(session, sample, on_epoch);
    session.flush();
    return events;
  }
  mpc::PartySession session(mesh, net::AllReducePlan({{0, net::AllReduce::kDirect}}), {.threads = threads}, source);
  return secret_run(session, sample, on_epoch);
}

// One rank's part, repeated from a record of all.
void measure_alone(const Work& work, int parties, const Settings& settings, Measurements& report) {
  Events recorded;
  const auto train = [&](net::Mesh& mesh) {
    Events events = train_at(mesh, work.sample, 1, settings.source());
    if (mesh.rank() == 0) recorded = std::move(events);
  };
  settings.alone.measure(
      settings.meshes.make(parties, settings.helpers()), train,
      [&](net::Mesh& mesh, int threads, Labels labels, const Clock::duration& copying) {
        labels.emplace_back("work", work.name);
        Row& row = report.add(std::move(labels));
        Stopwatch epochs;
        double cpu = cpu_seconds();
        Clock::duration copied = copying;
        const Events events = train_at(mesh, work.sample, threads, settings.source(), [&](const EpochEvent& event) {
          const double took = epochs.lap(), cpu_now = cpu_seconds(), cpu_took = cpu_now - cpu;
          const double copies = std::chrono::duration<double, std::milli>(copying - copied).count();
          cpu = cpu_now;
          copied = copying;
          if (event.epoch <= kWarmUp) return;
          row.figure("epoch", "ms").add(took);
          row.figure("CPU", "ms").add(1000 * cpu_took);
          row.figure("copies of messages", "ms").add(copies);
        });
        if (mesh.rank() == 0 && events.back().loss != recorded.back().loss) {
          throw ProtocolError("the repeated run ended with another loss than the recorded run");
        }
      });
}

}  // namespace
}  // namespace tacit::bench

int main(int argc, char** argv) {
  using namespace tacit::bench;
  using tacit::launcher::Measurements;
  Settings settings;
  CLI::App app("Epochs of training between n parties and a dealer");
  settings.meshes.add_options(app);
  app.add_option("--parties", settings.parties, "numbers of parties")->check(CLI::Range(2, 64));
  app.add_option("--only", settings.only, "run only trainings with one of the words in their name");
  app.add_option("--openings", settings.openings, "how openings travel: by the measured plan, or all in one round")
      ->check(CLI::IsMember({"measured", "direct"}));
  app.add_option("--correlations", settings.correlations,
                 "who makes them: a dealer, or the parties (pairwise, pairwise-softspoken)")
      ->check(CLI::IsMember({"dealer", "pairwise", "pairwise-softspoken"}));
  app.add_option("--epochs", settings.epochs, "that count")->check(CLI::Range(1, 100000));
  settings.alone.add_options(app, "numbers of threads for each rank, for example 1,2");
  app.add_option("--stations", settings.stations, "number of nodes of the sensors' graphs")
      ->check(CLI::Range(5, 100000));
  app.add_option("--json", settings.json, "file for the figures; - for standard output");
  CLI11_PARSE(app, argc, argv);
  tacit::mpc::keep_freed_memory();
  try {
    Measurements report("training", argc, argv);
    for (const Work& work : works(settings)) {
      for (const int parties : settings.parties) {
        if (settings.alone) {
          measure_alone(work, parties, settings, report);
          continue;
        }
        for (const int threads : settings.alone.threads()) {
          Labels labels{{"n", std::to_string(parties)}, {"work", work.name}};
          if (settings.alone.threads().size() > 1) labels.emplace_back("threads", std::to_string(threads));
          measure(work, parties, threads, settings, report.add(std::move(labels)));
        }
      }
    }
    report.note(fmt::format(
        "mesh {}, link {}; {} in one process, {} thread(s) each; correlations {}; openings {}; {} epochs; the "
        "training loss is revealed in every one",
        settings.meshes.mesh(), settings.meshes.link(), settings.alone ? "one rank" : "all ranks",
        fmt::join(settings.alone.threads(), " or "), settings.correlations,
        settings.alone ? "direct" : settings.openings, settings.epochs));
    report.note(
        "CrypTen 775868a, 2-core EPYC, plain TCP, n = 2, 3, 5: sensors 85, 285, 648 ms, 4.47, 10.6, 18.6 MB sent by "
        "rank 0; as large as Cora 2510, 9580, 21000 ms, 104.5, 514, 979 MB");
    report.note(
        "MP-SPDZ 3a0a7b1, the same machine: sensors with A·X precomputed, dealer, n = 2: 20.1 ms, 1.99 MB; as large as "
        "Cora with squared error: 998 ms, 68.5 MB; replicated, n = 3: 6.3 ms, 0.356 MB; 578 ms, 4.9 MB");
    report.finish(settings.json);
  } catch (const std::exception& error) {
    return tacit::report_and_exit_code(error, "training_bench");
  }
}
