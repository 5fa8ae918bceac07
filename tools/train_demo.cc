// train_demo — the sensor network trained by three parties of which none shows its data. tools/demo starts it:
//
//   train_demo data DIR    makes the graph and the parts that the parties' files hold
//   train_demo rank        one party, or the dealer, as RANK and the roster say
//   train_demo twin FILE   the same training in double precision, on the whole graph
//
// Rank 0 and 1 hold columns of readings, as does rank 2; rank 1 knows which stations are near each other, rank 2 what
// was read an hour later. Nobody learns more than the training loss, and the error at the end.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "gnn/data/graph_file.h"
#include "gnn/data/graph_npz.h"
#include "gnn/data/preparation.h"
#include "gnn/data/sensors.h"
#include "gnn/data/split.h"
#include "gnn/plain/plain_trainer.h"
#include "gnn/run/training_run.h"
#include "mpc/kernels/freed_memory.h"
#include "net/connect.h"

namespace {

using namespace tacit;
using namespace tacit::gnn;
using Clock = std::chrono::steady_clock;

constexpr int kParties = 3;

DataPlan data_plan() {
  return {{parse_ownership("columns", GraphPart::kFeatures), parse_ownership("rank 1", GraphPart::kEdges),
           parse_ownership("rank 2", GraphPart::kLabels), parse_ownership("public", GraphPart::kMasks)}};
}

TrainingPlan training_plan() {
  TrainingPlan plan;
  plan.model = ModelSpec::gcn(16, 1);
  plan.epochs = 200;
  plan.metrics = {{Metric::kRootMeanSquaredError, gnn::Part::kTrain},
                  {Metric::kRootMeanSquaredError, gnn::Part::kTest}};
  return plan;
}

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

void make_data(const std::filesystem::path& folder) {
  const GraphData whole = make_sensors({});
  write_graph_npz(folder / "whole.npz", whole);
  for (int rank = 0; rank < kParties; ++rank) {
    const GraphData part = part_of(whole, data_plan().ownership, rank, kParties);
    write_graph_npz(folder / fmt::format("rank{}.npz", rank), part);
    fmt::print("rank {}: {} of {} columns of readings{}{}\n", rank, part.x ? part.x->cols() : 0, whole.x->cols(),
               part.edges ? fmt::format(", {} edges", part.edges->size()) : "",
               part.targets ? ", what is read next" : "");
  }
}

struct RankFlags {
  std::string key, roster, data;
};

std::unique_ptr<net::Mesh> join(const RankFlags& flags) {
  net::RendezvousOptions options;
  options.deadline = std::chrono::minutes(1);
  options.agreement.set("job", "train_demo");
  return net::join_mesh(flags.key, flags.roster, options);
}

void show(const EpochEvent& event, Clock::time_point begin) {
  const bool tells = event.epoch == 1 || event.epoch % 25 == 0;
  if (event.loss && tells)
    fmt::print("epoch {:>3}  loss {:.4f}  {:.2f} s\n", event.epoch, *event.loss, seconds_since(begin));
  for (const EpochEvent::Reading& reading : event.readings) {
    fmt::print("{} {} {:.2f} ug/m3\n", name_of(reading.what.part), name_of(reading.what.metric), reading.value);
  }
  if (event.last) {
    fmt::print("an epoch: {} rounds, {:.0f} kB sent; this rank's memory: {:.0f} MB at most\n", event.cost.rounds,
               static_cast<double>(event.traffic->total().payload_sent) / 1e3,
               static_cast<double>(event.usage.peak_memory) / 1e6);
  }
  std::fflush(stdout);
}

void run_rank(const RankFlags& flags) {
  mpc::keep_freed_memory();
  const std::unique_ptr<net::Mesh> mesh = join(flags);
  const bool party = mesh->world().is_party();
  std::optional<GraphData> own;
  if (party) {
    own = read_graph(flags.data);
  }
  const auto begin = Clock::now();
  const net::Traffic before = mesh->traffic();
  RunOptions options;
  options.data_name = flags.data;
  if (mesh->rank() == 0) options.on_epoch = [&](const EpochEvent& event) { show(event, begin); };
  const RunResult result = run_training(*mesh, data_plan(), training_plan(), own ? &*own : nullptr, options);
  const net::Traffic traffic = mesh->traffic() - before;
  mesh->close();
  if (mesh->rank() != 0) return;
  fmt::print("what rank 0 sent and received:\n{}\nrevealed:\n", net::format_table(traffic, 0));
  for (const mpc::Reveal& reveal : result.reveals) fmt::print("  {} x {}\n", reveal.count, reveal.reason);
}

void run_twin(const std::string& file) {
  const GraphData whole = read_graph(file);
  const double unit = deviations(*whole.targets)(0);
  PlainTrainer trainer(training_plan(), {standardised(*whole.x),
                                         standardised(*whole.targets),
                                         *whole.edges,
                                         rows_where(whole.train_mask),
                                         {},
                                         rows_where(whole.test_mask),
                                         data_plan().private_graph()});
  trainer.run([&](const EpochEvent& event) {
    for (const EpochEvent::Reading& reading : event.readings) {
      fmt::print("{} {} {:.2f} ug/m3\n", name_of(reading.what.part), name_of(reading.what.metric),
                 reading.value * unit);
    }
  });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("the sensor network, trained by parties of which none shows its data");
  app.require_subcommand(1);
  std::string folder, file;
  RankFlags flags;
  CLI::App* data = app.add_subcommand("data", "make the graph and the parties' parts");
  data->add_option("folder", folder, "where they go")->required();
  CLI::App* rank = app.add_subcommand("rank", "one party or the dealer, as RANK and the roster say");
  rank->add_option("--key", flags.key, "file with this rank's private key")->required();
  rank->add_option("--roster", flags.roster, "file with everybody's fingerprints")->required();
  rank->add_option("--data", flags.data, "a party's part of the graph");
  CLI::App* twin = app.add_subcommand("twin", "the same training in double precision");
  twin->add_option("file", file, "the whole graph")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    if (*data) make_data(folder);
    if (*rank) run_rank(flags);
    if (*twin) run_twin(file);
    return 0;
  } catch (const std::exception& error) {
    return tacit::report_and_exit_code(error, "train_demo");
  }
}
