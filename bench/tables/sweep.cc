#include "bench/tables/sweep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "bench/data/communities.h"
#include "bench/data/sensors.h"
#include "bench/tables/demo_job.h"
#include "bench/tables/growth.h"
#include "bench/tables/rank_figures.h"
#include "bench/tables/this_machine.h"
#include "launcher/event_json.h"
#include "launcher/launch/twin.h"
#include "launcher/report/quantity.h"
#include "net/error.h"

namespace tacit::launcher {

namespace {

using namespace figure_name;

// One point of a sweep.
struct Setting {
  std::string value;  // the varied setting's
  Job job;
  gnn::GraphData whole;
  std::string emulated;
};

struct Sweep {
  std::string name, varied, about;
  std::vector<std::function<Setting(const SweepOptions&)>> settings;  // data are made when their turn comes
};

gnn::GraphData stations(std::int64_t count) {
  gnn::SensorsOptions options;
  options.stations = count;
  return gnn::make_sensors(options);
}

Job with_public_graph(Job job) {
  job.data.ownership.edges = {.kind = gnn::PartOwnership::Kind::kPublic, .rank = 0, .sizes = {}};
  return job;
}

gnn::LayerSpec convolution(std::int64_t outputs) {
  return {.kind = gnn::LayerSpec::Kind::kGraphConvolution, .outputs = outputs};
}

Setting of_nodes(std::int64_t nodes, bool public_graph, const SweepOptions& options) {
  Job job = demo_job(options.parties, options.epochs);
  job.training.ranges.features = 32;  // among many stations, some read far from the mean
  return {std::to_string(nodes), public_graph ? with_public_graph(job) : job, stations(nodes), ""};
}

// Words of papers: any number of columns.
Setting of_features(std::int64_t features, const SweepOptions& options) {
  gnn::CommunitiesOptions graph;
  graph.nodes = 1000;
  graph.features = features;
  graph.val = 200;
  graph.test = 300;
  Job job = with_public_graph(demo_job(options.parties, options.epochs));
  job.data.classes = graph.classes;
  job.data.features = gnn::FeatureScaling::kNone;
  job.data.standardise_targets = false;
  job.training.model = gnn::ModelSpec::gcn(16, graph.classes);
  job.training.objective = gnn::Objective::kCrossEntropy;
  job.training.metrics = {{gnn::Metric::kAccuracy, gnn::Part::kTest, mpc::To::everyone()}};
  return {std::to_string(features), std::move(job), gnn::make_communities(graph), ""};
}

Setting of_hidden(std::int64_t hidden, const SweepOptions& options) {
  Job job = demo_job(options.parties, options.epochs);
  job.training.model = gnn::ModelSpec::gcn(hidden, 1);
  return {std::to_string(hidden), std::move(job), stations(300), ""};
}

Setting of_layers(int layers, const SweepOptions& options) {
  constexpr std::int64_t kHidden = 16;
  Job job = demo_job(options.parties, options.epochs);
  job.training.model.layers.clear();
  for (int layer = 1; layer < layers; ++layer) {
    job.training.model.layers.push_back(convolution(kHidden));
    job.training.model.layers.push_back({.kind = gnn::LayerSpec::Kind::kRelu});
  }
  job.training.model.layers.push_back(convolution(1));
  return {std::to_string(layers), std::move(job), stations(300), ""};
}

Setting of_ring(std::int64_t bits, std::int64_t fraction_bits, const SweepOptions& options) {
  Job job = demo_job(options.parties, options.accuracy_epochs);
  job.training.top = {static_cast<int>(bits), static_cast<int>(fraction_bits)};
  return {fmt::format("{}, {}", bits, fraction_bits), std::move(job), stations(300), ""};
}

Setting of_link(const std::string& link, const SweepOptions& options) {
  return {link.empty() ? "none" : link, demo_job(options.parties, options.epochs), stations(300), link};
}

template <typename Value, typename Make>
std::vector<std::function<Setting(const SweepOptions&)>> each(const std::vector<Value>& values, const Make& make) {
  std::vector<std::function<Setting(const SweepOptions&)>> settings;
  for (const Value& value : values) {
    settings.push_back([value, make](const SweepOptions& options) { return make(value, options); });
  }
  return settings;
}

// The counts that fit into this machine's memory: a party has taken 115 bytes for each pair of nodes, the dealer 44.
std::vector<std::int64_t> private_node_counts(const SweepOptions& options) {
  const auto memory = this_machine()["memory"].get<double>();
  std::vector<std::int64_t> fit;
  for (const std::int64_t nodes : {100, 300, 1000, 2000, 3000, 5000, 8000, 12'000, 20'000}) {
    const auto pairs = static_cast<double>(nodes) * static_cast<double>(nodes);
    if (pairs * (115 * options.parties + 44) < memory / 2) fit.push_back(nodes);
  }
  return fit;
}

std::vector<Sweep> all_sweeps(const SweepOptions& options) {
  const auto public_nodes = [](std::int64_t n, const SweepOptions& o) { return of_nodes(n, true, o); };
  const auto private_nodes = [](std::int64_t n, const SweepOptions& o) { return of_nodes(n, false, o); };
  using Ring = std::pair<std::int64_t, std::int64_t>;
  const auto ring = [](const Ring& r, const SweepOptions& o) { return of_ring(r.first, r.second, o); };
  using Numbers = std::vector<std::int64_t>;
  return {
      {"public-nodes", "nodes", "Sensors, the graph public: everything but the graph grows with the nodes.",
       each(Numbers{300, 1000, 3000, 10'000, 30'000, 100'000}, public_nodes)},
      {"private-nodes", "nodes", "Sensors, the graph private and dense: a matrix of nodes times nodes.",
       each(private_node_counts(options), private_nodes)},
      {"features", "features", "1000 papers of 7 fields by their words, the graph public, cross-entropy.",
       each(Numbers{64, 128, 512, 2048}, of_features)},
      {"hidden", "hidden units", "Sensors, 300 nodes, the graph private.",
       each(Numbers{4, 8, 16, 32, 64, 128}, of_hidden)},
      {"layers", "layers", "Sensors, 300 nodes, the graph private; graph convolutions with 16 hidden units.",
       each(std::vector<int>{1, 2, 3, 4, 6}, of_layers)},
      {"ring", "ring bits, fraction bits", "Sensors, 300 nodes, the graph private, trained for longer.",
       each(std::vector<Ring>{{64, 16}, {64, 13}, {64, 10}, {56, 13}, {56, 12}, {48, 12}, {48, 10}}, ring)},
      {"link", "link", "Sensors, 300 nodes, the graph private; every rank's link to all others, emulated.",
       each(std::vector<std::string>{"", "1ms,1Gbit", "10ms,1Gbit", "10ms,100Mbit", "40ms,100Mbit", "100ms,20Mbit"},
            of_link)},
  };
}

bool wanted(const std::string& name, const std::vector<std::string>& only) {
  return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
}

// The last readings, and their distance from the twin's.
void add_errors(const RunAccount& run, const Setting& setting, Row& row) {
  const auto plain = train_twin(setting.job, setting.whole);
  for (const ToldReading& reading : run.teller().readings) {
    if (!reading.what.starts_with("test ")) continue;
    row.figure("on shares", reading.what).add(reading.value);
    for (const gnn::EpochEvent::Reading& one : plain) {
      if (name_of(one.what) == reading.what) row.figure("on plain data", reading.what).add(one.value);
    }
  }
}

void add_costs(const RunAccount& run, Row& row) {
  for (const RankAccount& account : run.ranks) {
    Row figures;
    add_figures(account, figures);
    const bool dealer = account.role == "dealer";
    if (!dealer && account.rank != 0) continue;
    const std::vector<const char*> names =
        dealer ? std::vector<const char*>{kEpochData, kMemory}
               : std::vector<const char*>{kUsualTime, kUsualData, kOnceData, kEpochRounds, kMemory};
    for (const char* name : names) {
      const Samples* samples = figures.find(name);
      if (samples == nullptr) continue;
      row.figure(dealer ? fmt::format("{}, dealer", name) : name, samples->unit()).add(samples->median());
    }
  }
}

// Runs every setting once, then all settings again, since machines drift. Errors are from the last repetition.
void run_sweep(const Sweep& sweep, Trials& trials, const SweepOptions& options, Measurements& made, Console& console) {
  Table& table = made.table(sweep.name, sweep.about);
  for (int repeat = 1; repeat <= options.repeats; ++repeat) {
    for (std::size_t which = 0; which < sweep.settings.size(); ++which) {
      const Setting setting = sweep.settings[which](options);
      Row& row = repeat == 1 ? table.add({{sweep.varied, setting.value}}) : table.rows[which];
      const std::string name = fmt::format("sweep-{}-{}-{}", sweep.name, which + 1, repeat);
      const RunAccount run = trials.run(name, setting.job, setting.whole, setting.emulated);
      add_costs(run, row);
      if (repeat == options.repeats) add_errors(run, setting, row);
      console.say(fmt::format("sweep: {} of {}, {} = {}: {} and {} in a usual epoch at rank 0", repeat, options.repeats,
                              sweep.varied, setting.value,
                              text_of(Quantity::kSeconds, row.find(kUsualTime)->values().back()),
                              text_of(Quantity::kBytes, row.find(kUsualData)->values().back() * 1e6)));
    }
  }
}

// The aim: data are linear in the nodes of a public graph.
void add_linear_aim(Measurements& made) {
  const Table* table = made.find("public-nodes");
  if (table == nullptr) return;
  std::vector<Point> points;
  for (const Row& row : table->rows) {
    points.push_back({std::stod(row.label("nodes")), row.find(kUsualData)->median()});
  }
  const auto growth = growth_of(points);
  if (!growth) return;
  made.aim({"data of a usual epoch in the nodes of a public graph", "linear at most",
            fmt::format("as n^{:.2f} (R squared {:.4f})", growth->exponent, growth->fit), growth->exponent <= 1.1});
}

}  // namespace

std::vector<std::string> sweep_names() {
  std::vector<std::string> names;
  for (const Sweep& sweep : all_sweeps({})) names.push_back(sweep.name);
  return names;
}

Measurements measure_sweep(Trials& trials, const SweepOptions& options, const std::string& command, Console& console) {
  const std::vector<std::string> names = sweep_names();
  for (const std::string& name : options.only) {
    if (!wanted(name, names)) {
      throw ConfigError(fmt::format("there is no sweep \"{}\"; expected some of {}", name, fmt::join(names, ", ")));
    }
  }
  Measurements made("sweep", command);
  for (const Sweep& sweep : all_sweeps(options)) {
    if (wanted(sweep.name, options.only)) run_sweep(sweep, trials, options, made, console);
  }
  add_linear_aim(made);
  made.note(
      fmt::format("{} parties and a dealer on this machine, loopback but for the sweep of links; {} epochs ({} of "
                  "rings); a usual epoch is neither the first nor the last; data once are all before the second: "
                  "meeting, shares of the data, masks of the values that stay; the dealer's data per epoch include "
                  "these; private graphs have as many nodes as fit into half of this machine's memory; {} repetitions, "
                  "in turns; errors are from the last one",
                  options.parties, options.epochs, options.accuracy_epochs, options.repeats));
  return made;
}

}  // namespace tacit::launcher
