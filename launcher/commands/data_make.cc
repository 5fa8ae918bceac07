#include <fmt/format.h>

#include "bench/data/census.h"
#include "bench/data/communities.h"
#include "bench/data/made_pictures.h"
#include "bench/data/sensors.h"
#include "gnn/data/atomic_file.h"
#include "gnn/data/graph_npz.h"
#include "launcher/commands/verb.h"
#include "launcher/data/contents.h"
#include "launcher/data/new_file.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

struct Target {
  std::string out;
  bool force = false;
};

void expect_ending(const std::string& out, const char* ending) {
  if (std::filesystem::path(out).extension() == ending) return;
  throw ConfigError(fmt::format("--out {}: expected a name that ends in {}", net::printable(out, 80), ending));
}

void expect_usable(const Target& target) {
  expect_ending(target.out, ".npz");
  expect_absent(target.out, target.force);
}

Answer write(const gnn::GraphData& graph, const Target& target) {
  gnn::write_graph_npz(target.out, graph);
  Answer answer{fmt::format("{}: {}\n", target.out, contents(graph)), contents_json(graph)};
  answer.json["file"] = target.out;
  return answer;
}

void add_target(CLI::App& verb, Target& target) {
  verb.add_option("--out", target.out, "the .npz file to write")->required();
  verb.add_flag("--force", target.force, kForceHelp);
}

// CLI11 would parse -1 as 2^64 - 1.
void add_seed(CLI::App& verb, std::uint64_t& seed) {
  verb.add_option("--seed", seed, "the same seed makes the same file everywhere")
      ->capture_default_str()
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 40));
}

void add_sensors(CLI::App& make, Choice& choice) {
  struct Options {
    Target target;
    gnn::SensorsOptions sensors;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* verb = add_verb(make, choice, "sensors",
                            "an air-quality network: predict each station's reading an hour later (regression)",
                            "tacit data make sensors --stations 300 --seed 1 --out whole.npz", [options] {
                              expect_usable(options->target);
                              return write(gnn::make_sensors(options->sensors), options->target);
                            });
  add_target(*verb, options->target);
  gnn::SensorsOptions& sensors = options->sensors;
  verb->add_option("--stations", sensors.stations, "nodes")->capture_default_str();
  add_seed(*verb, sensors.seed);
  CLI::Option* hour = verb->add_option("--hour", sensors.hour, "hour of the day, from which the next hour is predicted")
                          ->capture_default_str();
  CLI::Option* hours =
      verb->add_option(
              "--hours", sensors.hours,
              "so many hours of the day, each a snapshot of the graph: the last one is the test, and the hours "
              "before it are trained on")
          ->capture_default_str()
          ->excludes(hour);
  verb->add_option(
          "--window", sensors.window,
          "hours from which the next one is predicted: their features stand side by side. The first hours have "
          "no such past, and are no snapshots")
      ->capture_default_str()
      ->needs(hours);
  verb->add_option("--neighbours", sensors.neighbours, "number of neighbours of each station")->capture_default_str();
  verb->add_option("--error", sensors.error, "standard deviation of a reading's error, in ug/m3")
      ->capture_default_str();
  verb->add_flag("--own-air", sensors.own_air,
                 "each station stands in air of its own: its features suffice, and neighbours do not help");
}

void add_communities(CLI::App& make, Choice& choice) {
  struct Options {
    Target target;
    gnn::CommunitiesOptions communities;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* verb =
      add_verb(make, choice, "communities", "nodes with words, in communities to distinguish (classification)",
               "tacit data make communities --nodes 3000 --classes 7 --out whole.npz", [options] {
                 expect_usable(options->target);
                 return write(gnn::make_communities(options->communities), options->target);
               });
  add_target(*verb, options->target);
  gnn::CommunitiesOptions& made = options->communities;
  verb->add_option("--nodes", made.nodes, "nodes")->capture_default_str();
  verb->add_option("--classes", made.classes, "communities")->capture_default_str();
  verb->add_option("--features", made.features, "number of words")->capture_default_str();
  verb->add_option("--degree", made.average_degree, "neighbours of a node, on average")->capture_default_str();
  verb->add_option("--homophily", made.homophily, "the share of edges inside a class")->capture_default_str();
  verb->add_option("--words", made.words, "number of words of each node")->capture_default_str();
  verb->add_option("--topic", made.topic, "the chance that a word is its class's own")->capture_default_str();
  add_seed(*verb, made.seed);
  verb->add_option("--train-per-class", made.train_per_class, "nodes of each class to train on")->capture_default_str();
  verb->add_option("--validation,--validate", made.val, "nodes to validate")->capture_default_str();
  verb->add_option("--test", made.test, "nodes to test")->capture_default_str();
}

struct MadeCensus {
  std::string out, rules;
  bool force = false;
  gnn::CensusOptions census;
};

Answer make_raw_census(const MadeCensus& options) {
  expect_ending(options.out, ".csv");
  expect_absent(options.out, options.force);
  if (!options.rules.empty()) expect_absent(options.rules, options.force);
  gnn::AtomicFile raw(options.out);
  std::int64_t bytes = 0;
  gnn::make_census(options.census, [&](std::string_view text) {
    raw.write(std::as_bytes(std::span(text)));
    bytes += std::ssize(text);
  });
  raw.commit();
  if (!options.rules.empty()) {
    gnn::AtomicFile rules(options.rules);
    const std::string text = gnn::census_rules();
    rules.write(std::as_bytes(std::span(text)));
    rules.commit();
  }
  const gnn::CensusChances chances = gnn::census_chances();
  Answer answer;
  answer.text = fmt::format(
      "{}: {} records, {} bytes\n  employed: {:.1f} %. The best possible accuracy is {:.4f} from all values, and "
      "{:.4f} "
      "after cleaning\n",
      options.out, options.census.records, bytes, 100 * chances.employed, chances.best, chances.best_cleaned);
  if (!options.rules.empty()) answer.text += fmt::format("{}: the rules for `tacit data clean`\n", options.rules);
  answer.json = {{"file", options.out},
                 {"records", options.census.records},
                 {"bytes", bytes},
                 {"employed", chances.employed},
                 {"best_accuracy", chances.best},
                 {"best_accuracy_cleaned", chances.best_cleaned}};
  if (!options.rules.empty()) answer.json["rules"] = options.rules;
  return answer;
}

void add_census(CLI::App& make, Choice& choice) {
  const auto options = std::make_shared<MadeCensus>();
  CLI::App* verb = add_verb(make, choice, "census",
                            "raw records of people with missing and invalid codes, to be cleaned (classification)",
                            "tacit data make census --records 10000 --out raw.csv --rules rules.toml",
                            [options] { return make_raw_census(*options); });
  verb->add_option("--out", options->out, "the CSV file to write")->required();
  verb->add_option("--rules", options->rules, "the file to write with rules for `tacit data clean`");
  verb->add_option("--records", options->census.records, "people")->capture_default_str();
  add_seed(*verb, options->census.seed);
  verb->add_flag("--force", options->force, kForceHelp);
}

struct MadePictures {
  std::string output;
  bool force = false;
  gnn::PicturesOptions pictures;
};

Answer make_picture_files(const MadePictures& options) {
  const std::filesystem::path folder(options.output);
  for (const char* name : gnn::kTrainingBatches) expect_absent(folder / name, options.force);
  expect_absent(folder / gnn::kTestBatch, options.force);
  const gnn::PicturesOptions& made = options.pictures;
  gnn::make_pictures(made, folder);
  Answer answer;
  answer.text = fmt::format(
      "{}: {} pictures to train on in data_batch_1.bin ... data_batch_5.bin, {} in test_batch.bin, of {} classes\n",
      options.output, made.train, made.test, gnn::kPictureClasses);
  answer.json = {{"folder", options.output},
                 {"train", made.train},
                 {"test", made.test},
                 {"classes", gnn::kPictureClasses},
                 {"bytes", (made.train + made.test) * gnn::kRecordBytes}};
  return answer;
}

void add_pictures(CLI::App& make, Choice& choice) {
  const auto options = std::make_shared<MadePictures>();
  CLI::App* verb = add_verb(make, choice, "pictures",
                            "pictures of 32 x 32 pixels in the format of CIFAR-10, for `tacit bench gradients`",
                            "tacit data make pictures --train 50000 --test 10000 --output pictures",
                            [options] { return make_picture_files(*options); });
  verb->add_option("--output", options->output, "the folder to write six files into; made if it is missing")
      ->required();
  verb->add_option("--train", options->pictures.train, "pictures to train on")->capture_default_str();
  verb->add_option("--test", options->pictures.test, "pictures to test on")->capture_default_str();
  add_seed(*verb, options->pictures.seed);
  verb->add_flag("--force", options->force, kForceHelp);
}

}  // namespace

void add_data_make(CLI::App& data, Choice& choice) {
  CLI::App* make =
      add_group(data, "make", "make data from a seed, for trials", "tacit data make sensors --out whole.npz");
  add_sensors(*make, choice);
  add_communities(*make, choice);
  add_census(*make, choice);
  add_pictures(*make, choice);
}

}  // namespace tacit::launcher
