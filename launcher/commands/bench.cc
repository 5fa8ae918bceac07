#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <filesystem>

#include "bench/tables/accuracy.h"
#include "bench/tables/bench_results.h"
#include "bench/tables/breakdown.h"
#include "bench/tables/collectives.h"
#include "bench/tables/data_parallel.h"
#include "bench/tables/demo_job.h"
#include "bench/tables/divergence.h"
#include "bench/tables/preprocessing.h"
#include "bench/tables/privacy.h"
#include "bench/tables/rates.h"
#include "bench/tables/scaling.h"
#include "bench/tables/sweep.h"
#include "bench/tables/two_machine.h"
#include "launcher/commands/bench_answer.h"
#include "launcher/commands/bench_gradients.h"
#include "launcher/commands/verb.h"
#include "launcher/settings/cpus.h"
#include "launcher/settings/link.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;

// The options of all benchmarks.
struct BenchOptions {
  std::string output = "tacit-bench";
  TrialOptions trials;
  std::string link;
  std::string parties, cpus;
  ScalingOptions scaling;
  TwoMachineOptions two_machine;
  AccuracyOptions accuracy;
  DivergenceOptions divergence;
  std::string rates = text_of(divergence.rates);
  BreakdownOptions breakdown;
  SweepOptions sweep;
  PrivacyOptions privacy;
  DataParallelOptions data_parallel;
  std::string layouts = text_of(data_parallel.layouts), prices;
  CollectivesOptions collectives;
  PreprocessingOptions preprocessing;
};
using KeptOptions = std::shared_ptr<BenchOptions>;

using Benchmark = Measurements (*)(const KeptOptions&, Trials&, Console&);

Answer run(const KeptOptions& options, const std::vector<Benchmark>& benchmarks) {
  Console console(STDERR_FILENO);
  if (!options->cpus.empty()) options->trials.cpus = parse_cpus(options->cpus);
  Trials trials(options->trials, console);
  std::vector<std::function<Measurements(Console&)>> bound;
  for (const Benchmark benchmark : benchmarks) {
    bound.emplace_back([&, benchmark](Console& its) { return benchmark(options, trials, its); });
  }
  return run_benchmarks(options->output, console, bound);
}

constexpr int kDealer = 1;  // the number of dealers in the demonstration's job

Measurements scaling(const KeptOptions& options, Trials& trials, Console& console) {
  ScalingOptions& its = options->scaling;
  its.emulated = options->link;
  its.here = options->trials.hosts.empty();
  if (!options->parties.empty()) its.parties = parse_parties(options->parties);
  if (const auto& cpus = options->trials.cpus; !cpus.empty()) share_out(cpus, its.parties.back() + kDealer);
  const std::string command = command_of("scaling", {{"--parties", fmt::format("{}", fmt::join(its.parties, ","))},
                                                     {"--epochs", std::to_string(its.epochs)},
                                                     {"--repeats", std::to_string(its.repeats)},
                                                     {"--link", options->link},
                                                     {"--cpus", options->cpus},
                                                     {"--hosts", options->trials.hosts}});
  return measure_scaling(trials, its, command, console);
}

Measurements two_machine(const KeptOptions& options, Trials& trials, Console& console) {
  TwoMachineOptions& its = options->two_machine;
  if (!options->trials.hosts.empty()) its.emulated.clear();
  if (!options->link.empty()) its.emulated = options->link;
  return measure_two_machine(trials, its,
                             command_of("two-machine", {{"--epochs", std::to_string(its.epochs)},
                                                        {"--repeats", std::to_string(its.repeats)},
                                                        {"--link", its.emulated},
                                                        {"--cpus", options->cpus},
                                                        {"--hosts", options->trials.hosts}}),
                             console);
}

Measurements accuracy(const KeptOptions& options, Trials& trials, Console& console) {
  const AccuracyOptions& its = options->accuracy;
  return measure_accuracy(trials, its,
                          command_of("accuracy", {{"--parties", std::to_string(its.parties)},
                                                  {"--epochs", std::to_string(its.epochs)},
                                                  {"--full-epochs", std::to_string(its.full_epochs)},
                                                  {"--cities", std::to_string(its.cities)}}),
                          console);
}

Measurements divergence(const KeptOptions& options, Trials& trials, Console& console) {
  DivergenceOptions& its = options->divergence;
  its.rates = parse_rates(options->rates);
  if (!options->parties.empty()) its.parties = parse_parties(options->parties);
  return measure_divergence(trials, its,
                            command_of("divergence", {{"--rates", options->rates},
                                                      {"--parties", fmt::format("{}", fmt::join(its.parties, ","))},
                                                      {"--epochs", std::to_string(its.epochs)},
                                                      {"--seeds", std::to_string(its.seeds)}}),
                            console);
}

Measurements breakdown(const KeptOptions& options, Trials& trials, Console& console) {
  BreakdownOptions& its = options->breakdown;
  if (!options->link.empty()) its.emulated = options->link;
  return measure_breakdown(trials, its,
                           command_of("breakdown", {{"--parties", std::to_string(its.parties)},
                                                    {"--epochs", std::to_string(its.epochs)},
                                                    {"--repeats", std::to_string(its.repeats)},
                                                    {"--link", its.emulated}}),
                           console);
}

Measurements sweep(const KeptOptions& options, Trials& trials, Console& console) {
  const SweepOptions& its = options->sweep;
  return measure_sweep(trials, its,
                       command_of("sweep", {{"--only", fmt::format("{}", fmt::join(its.only, ","))},
                                            {"--parties", std::to_string(its.parties)},
                                            {"--epochs", std::to_string(its.epochs)},
                                            {"--accuracy-epochs", std::to_string(its.accuracy_epochs)},
                                            {"--repeats", std::to_string(its.repeats)}}),
                       console);
}

Measurements privacy(const KeptOptions& options, Trials& trials, Console& console) {
  const PrivacyOptions& its = options->privacy;
  return measure_privacy(trials, its,
                         command_of("privacy", {{"--parties", std::to_string(its.parties)},
                                                {"--rows", std::to_string(its.rows)},
                                                {"--epochs", std::to_string(its.epochs)},
                                                {"--repeats", std::to_string(its.repeats)},
                                                {"--seeds", std::to_string(its.seeds)},
                                                {"--shadows", std::to_string(its.shadows)},
                                                {"--epsilons", fmt::format("{:g}", fmt::join(its.epsilons, ","))}}),
                         console);
}

Measurements data_parallel(const KeptOptions& options, Trials& trials, Console& console) {
  DataParallelOptions& its = options->data_parallel;
  its.layouts = parse_layouts(options->layouts);
  its.emulated = options->link;
  its.here = options->trials.hosts.empty();
  const Prices prices = options->prices.empty() ? Prices() : Prices(options->prices);
  return measure_data_parallel(trials, its, prices,
                               command_of("data-parallel", {{"--layouts", options->layouts},
                                                            {"--rows", std::to_string(its.rows)},
                                                            {"--epochs", std::to_string(its.epochs)},
                                                            {"--batch", std::to_string(its.batch)},
                                                            {"--rate", fmt::format("{:g}", its.rate)},
                                                            {"--seeds", std::to_string(its.seeds)},
                                                            {"--link", options->link},
                                                            {"--cpus", options->cpus},
                                                            {"--hosts", options->trials.hosts},
                                                            {"--prices", options->prices}}),
                               console);
}

Measurements collectives(const KeptOptions& options, Trials&, Console& console) {
  CollectivesOptions& its = options->collectives;
  if (!options->parties.empty()) its.parties = parse_parties(options->parties);
  std::erase(its.parties, 1);
  if (its.parties.empty()) throw ConfigError("--parties 1: one party moves no bytes; name two at least, as 2..5");
  return measure_collectives(its,
                             command_of("collectives", {{"--parties", fmt::format("{}", fmt::join(its.parties, ","))},
                                                        {"--repeats", std::to_string(its.repeats)}}),
                             console);
}

Measurements gradients(const KeptOptions& options, Trials&, Console& console) {
  return measure_gradients_quickly(options->collectives.programs, console);
}

Measurements preprocessing(const KeptOptions& options, Trials&, Console& console) {
  const PreprocessingOptions& its = options->preprocessing;
  return measure_preprocessing(
      its,
      command_of("preprocessing", {{"--records", std::to_string(its.records)},
                                   {"--percents", fmt::format("{}", fmt::join(its.percents, ","))},
                                   {"--cores", fmt::format("{}", fmt::join(its.cores, ","))},
                                   {"--repeats", std::to_string(its.repeats)}}),
      console);
}

CLI::Option* add_count(CLI::App& verb, const char* name, auto& count, const char* what, std::int64_t most,
                       std::int64_t least = 1) {
  return verb.add_option(name, count, what)->capture_default_str()->check(CLI::Range(least, most));
}

void add_output(CLI::App& verb, BenchOptions& options) {
  verb.add_option("--output", options.output, "folder for JSON, CSV and a page of all measurements there")
      ->capture_default_str();
}

void add_trials(CLI::App& verb, BenchOptions& options) {
  add_output(verb, options);
  verb.add_option("--keep", options.trials.keep, "keep the runs' own folders here, for `tacit report`");
  verb.add_option("--program", options.trials.program, "the tacit command of the ranks")->group("");
}

CLI::Option* add_link(CLI::App& verb, BenchOptions& options) {
  return verb
      .add_option("--link", options.link,
                  "a link to emulate between all ranks, as 7.9ms,100Mbit: round trip, and bandwidth of each rank")
      ->check(parsed_by(parse_link));
}

void add_hosts(CLI::App& verb, BenchOptions& options, CLI::Option* link) {
  CLI::Option* hosts = verb.add_option("--hosts", options.trials.hosts,
                                       "over ssh instead of here: a file with \"user@host[:port] [folder]\" for each "
                                       "party, then the dealer if there is one");
  hosts->excludes(link);
  verb.add_option(kCpusFlag, options.cpus, "CPUs for the ranks, as 0-7: each rank stays on its own part")
      ->check(parsed_by(parse_cpus))
      ->excludes(hosts);
  verb.add_option("--ssh", options.trials.ssh, "with --hosts: the ssh command and its options")
      ->capture_default_str()
      ->needs(hosts);
  verb.add_option("--port", options.trials.port, "with --hosts: rank 0's port on its host")
      ->check(CLI::Range(1, 65535))
      ->needs(hosts);
}

void add_parties(CLI::App& verb, BenchOptions& options) {
  verb.add_option("--parties", options.parties, "numbers of parties, as 1..8 or 2,3,5")
      ->check(parsed_by(parse_parties));
}

constexpr std::int64_t kMostEpochs = 1'000'000, kMostRepeats = 1000;
constexpr std::int64_t kFirstUsualAndLast = 3;  // epochs
constexpr int kLeastParties = 2;                // a single party has no secrets to protect

void add_scaling(CLI::App& bench, Choice& choice, const KeptOptions& options) {
  CLI::App* verb =
      add_verb(bench, choice, "scaling", "cost of an epoch for n parties and the dealer, and its growth",
               "tacit bench scaling --parties 1..8 --epochs 200", [options] { return run(options, {scaling}); });
  add_parties(*verb, *options);
  add_count(*verb, "--epochs", options->scaling.epochs, "of each run", kMostEpochs);
  add_count(*verb, "--repeats", options->scaling.repeats, "runs for each number of parties", kMostRepeats);
  add_hosts(*verb, *options, add_link(*verb, *options));
  add_trials(*verb, *options);
}

void add_two_machine(CLI::App& bench, Choice& choice, const KeptOptions& options) {
  CLI::App* verb =
      add_verb(bench, choice, "two-machine", "two parties on a link of 7.9 ms, beside the report's two machines",
               "tacit bench two-machine\n  tacit bench two-machine --hosts hosts",
               [options] { return run(options, {two_machine}); });
  add_count(*verb, "--epochs", options->two_machine.epochs, "of each run", kMostEpochs, kFirstUsualAndLast);
  add_count(*verb, "--repeats", options->two_machine.repeats, "runs", kMostRepeats);
  add_hosts(*verb, *options, add_link(*verb, *options));
  add_trials(*verb, *options);
}

void add_accuracy(CLI::App& bench, Choice& choice, const KeptOptions& options) {
  CLI::App* verb =
      add_verb(bench, choice, "accuracy", "errors on shares beside plain training and other models",
               "tacit bench accuracy --epochs 100 --full-epochs 1000", [options] { return run(options, {accuracy}); });
  add_count(*verb, "--parties", options->accuracy.parties, "how many", kMostDemoParties, kLeastParties);
  add_count(*verb, "--epochs", options->accuracy.epochs, "few epochs", kMostEpochs);
  add_count(*verb, "--full-epochs", options->accuracy.full_epochs, "until nothing more is learnt", kMostEpochs);
  add_count(*verb, "--cities", options->accuracy.cities, "of sensors, each made from a seed: what is repeated", 100);
  add_trials(*verb, *options);
}

void add_divergence(CLI::App& bench, Choice& choice, const KeptOptions& options) {
  CLI::App* verb = add_verb(
      bench, choice, "divergence", "learning rates at which a training on shares diverges, beside plain training",
      "tacit bench divergence --rates 0.01,0.1,1 --parties 2,5", [options] { return run(options, {divergence}); });
  verb->add_option("--rates", options->rates, "learning rates above 0 and up to 16, as 1e-3,0.1")
      ->capture_default_str()
      ->check(parsed_by(parse_rates));
  add_parties(*verb, *options);
  add_count(*verb, "--epochs", options->divergence.epochs, "of each training that does not diverge", kMostEpochs);
  add_count(*verb, "--seeds", options->divergence.seeds,
            "trainings of each rate; a seed makes the sensors and the first weights", 1000);
  add_trials(*verb, *options);
}

void add_breakdown(CLI::App& bench, Choice& choice, const KeptOptions& options) {
  CLI::App* verb = add_verb(bench, choice, "breakdown", "an epoch's bytes, rounds and time by part, and its limits",
                            "tacit bench breakdown --parties 3 --link 10ms,100Mbit",
                            [options] { return run(options, {breakdown}); });
  add_count(*verb, "--parties", options->breakdown.parties, "how many", kMostDemoParties, kLeastParties);
  add_count(*verb, "--epochs", options->breakdown.epochs, "of each run", kMostEpochs, kFirstUsualAndLast);
  add_count(*verb, "--repeats", options->breakdown.repeats, "runs", kMostRepeats);
  add_link(*verb, *options);
  add_trials(*verb, *options);
}

void add_sweep(CLI::App& bench, Choice& choice, const KeptOptions& options) {
  CLI::App* verb = add_verb(bench, choice, "sweep",
                            "costs and errors as nodes, features, hidden units, layers, ring and link change",
                            "tacit bench sweep\n  tacit bench sweep --only public-nodes,ring", [options] {
                              // Refuses to overwrite a file that holds sweeps beyond the chosen ones.
                              if (const auto& only = options->sweep.only; !only.empty())
                                BenchResults(options->output).expect_whole("sweep", only);
                              return run(options, {sweep});
                            });
  verb->add_option("--only", options->sweep.only, fmt::format("some of {}", fmt::join(sweep_names(), ", ")))
      ->delimiter(',');
  add_count(*verb, "--parties", options->sweep.parties, "how many", kMostDemoParties, kLeastParties);
  add_count(*verb, "--epochs", options->sweep.epochs, "of each run", kMostEpochs, kFirstUsualAndLast);
  add_count(*verb, "--accuracy-epochs", options->sweep.accuracy_epochs, "of each run that is about errors", kMostEpochs,
            kFirstUsualAndLast);
  add_count(*verb, "--repeats", options->sweep.repeats, "runs of each", kMostRepeats);
  add_trials(*verb, *options);
}

void add_privacy_bench(CLI::App& bench, Choice& choice, const KeptOptions& options) {
  constexpr std::int64_t kLeastRows = 2000, kMostRows = 10'000'000;
  CLI::App* verb =
      add_verb(bench, choice, "privacy", "cost of private training; accuracy and attacks by epsilon",
               "tacit bench privacy --rows 1225000 --seeds 5", [options] { return run(options, {privacy}); });
  PrivacyOptions& its = options->privacy;
  add_count(*verb, "--parties", its.parties, "how many", kMostDemoParties, kLeastParties);
  add_count(*verb, "--rows", its.rows, "rows of the trainings that measure costs", kMostRows, kLeastRows);
  add_count(*verb, "--epochs", its.epochs, "of each of these", kMostEpochs, kFirstUsualAndLast);
  add_count(*verb, "--repeats", its.repeats, "runs of each", kMostRepeats);
  add_count(*verb, "--seeds", its.seeds, "attacked trainings, each on data of its own", 1000);
  add_count(*verb, "--shadows", its.shadows, "models that the attacker trains; 0: none", 10'000, 0);
  verb->add_option("--epsilons", its.epsilons, "epsilon of each attacked training; one more training has no privacy")
      ->delimiter(',')
      ->capture_default_str()
      ->check(number_between(0.01, 1000));
  add_trials(*verb, *options);
}

void add_data_parallel(CLI::App& bench, Choice& choice, const KeptOptions& options) {
  constexpr std::int64_t kLeastRows = 2000, kMostRows = 10'000'000;
  CLI::App* verb = add_verb(bench, choice, "data-parallel",
                            "private training by parties and threads: time, accuracy, epsilon and price",
                            "tacit bench data-parallel --layouts 1x1,2x1,4x1 --prices prices.toml",
                            [options] { return run(options, {data_parallel}); });
  DataParallelOptions& its = options->data_parallel;
  verb->add_option("--layouts", options->layouts, "parties x threads of each, as 1x1,2x4; speed-ups are over 1x1")
      ->capture_default_str()
      ->check(parsed_by(parse_layouts));
  add_count(*verb, "--rows", its.rows, "made census records, before cleaning", kMostRows, kLeastRows);
  add_count(*verb, "--epochs", its.epochs, "of each training", kMostEpochs);
  add_count(*verb, "--batch", its.batch, "records of a step, of all parties together", kMostRows);
  verb->add_option("--rate", its.rate, "learning rate")->capture_default_str()->check(number_between(1e-6, 1000));
  add_count(*verb, "--seeds", its.seeds, "trainings of each layout; a seed makes records and first weights", 1000);
  verb->add_option("--prices", options->prices,
                   "a TOML file: a table [hour] with the price of an hour by number of workers (4 = 4.56) or layout "
                   "(2x2 = 5), and a currency; otherwise 1.14 for each worker");
  add_hosts(*verb, *options, add_link(*verb, *options));
  add_trials(*verb, *options);
}

void add_collectives(CLI::App& bench, Choice& choice, const KeptOptions& options) {
  CLI::App* verb =
      add_verb(bench, choice, "collectives", "cost of moving bytes, without secrets: net's benchmarks",
               "tacit bench collectives --parties 2..5", [options] { return run(options, {collectives}); });
  add_parties(*verb, *options);
  add_count(*verb, "--repeats", options->collectives.repeats, "samples of everything", kMostRepeats);
  verb->add_option("--programs", options->collectives.programs, "the folder where these benchmarks were built");
  add_output(*verb, *options);
}

void add_preprocessing(CLI::App& bench, Choice& choice, const KeptOptions& options) {
  CLI::App* verb =
      add_verb(bench, choice, "preprocessing",
               "cleaning a raw table: in sequence, in threads, with Dask, as MapReduce through files",
               "tacit bench preprocessing --records 1225000", [options] { return run(options, {preprocessing}); });
  PreprocessingOptions& its = options->preprocessing;
  add_count(*verb, "--records", its.records, "of the whole table", 1'000'000'000);
  verb->add_option("--percents", its.percents, "parts of the table, each cleaned by itself")
      ->delimiter(',')
      ->check(CLI::Range(1, 100));
  verb->add_option("--cores", its.cores, "numbers of threads, and of processes of Dask")
      ->delimiter(',')
      ->check(CLI::Range(1, 64));
  add_count(*verb, "--repeats", its.repeats, "runs of each", kMostRepeats);
  verb->add_option("--dask", its.dask, "tools/data/clean_with_dask.py, if it is not beside the build folder");
  add_output(*verb, *options);
}

// Every benchmark and every table, from fewer runs of smaller sizes. Runs have as many epochs as the documents', so that
// the aims are judged.
void make_quick(BenchOptions& options) {
  options.scaling.parties = {1, 2, 3, 5};
  options.scaling.repeats = 2;
  options.two_machine.repeats = 1;
  options.accuracy.cities = 2;
  options.rates = "1e-4,1e-2,0.1,1";
  options.divergence.parties = {1, 2, 3};
  options.breakdown.epochs = 30;
  options.breakdown.repeats = 2;
  options.privacy.rows = 20'000;
  options.privacy.repeats = 1;
  options.privacy.seeds = 2;
  options.privacy.shadows = 8;
  options.layouts = "1x1,1x2,2x1,4x1";
  options.data_parallel.rows = 30'000;
  options.data_parallel.seeds = 2;
  options.sweep.only = {"public-nodes", "features", "ring"};
  options.sweep.epochs = 8;
  options.sweep.repeats = 1;
  options.collectives.parties = {2, 3};
  options.collectives.repeats = 2;
  options.preprocessing.percents = {1, 25};
  options.preprocessing.cores = {1, 2};
  options.preprocessing.repeats = 2;
}

void add_all(CLI::App& bench, Choice& choice, const KeptOptions& options) {
  const auto quick = std::make_shared<bool>(false);
  CLI::App* verb =
      add_verb(bench, choice, "all", "all benchmarks, one after the other",
               "tacit bench all --output results\n  tacit bench all --quick", [options, quick] {
                 if (*quick) make_quick(*options);
                 expect_programs(options->collectives);
                 std::vector<Benchmark> all = {scaling, two_machine,   accuracy,      divergence, breakdown,
                                               privacy, data_parallel, preprocessing, sweep,      collectives};
                 // Last, since it is the one that needs libtorch.
                 if (can_measure_gradients(options->collectives.programs)) all.push_back(gradients);
                 return run(options, all);
               });
  verb->add_flag("--quick", *quick, "fewer runs of smaller sizes: at most 15 minutes on two cores");
  verb->add_option("--programs", options->collectives.programs, "the folder where net's benchmarks were built");
  add_trials(*verb, *options);
}

void add_page(CLI::App& bench, Choice& choice, const KeptOptions& options) {
  CLI::App* verb = add_verb(bench, choice, "page", "write the page of a folder of measurements again",
                            "tacit bench page results", [options] {
                              const std::string page = fs::absolute(BenchResults(options->output).write_page());
                              return Answer{fmt::format("report: {}\n", page), {{"report", page}}};
                            });
  verb->add_option("DIR", options->output, "with JSON files of `tacit bench`")->required();
}

}  // namespace

void add_bench(CLI::App& tacit, Choice& choice) {
  CLI::App* bench = add_group(tacit, "bench", "measure cost and accuracy of trainings, beside published results",
                              "tacit bench scaling --parties 2..5");
  const auto options = std::make_shared<BenchOptions>();
  add_all(*bench, choice, options);
  add_scaling(*bench, choice, options);
  add_two_machine(*bench, choice, options);
  add_accuracy(*bench, choice, options);
  add_divergence(*bench, choice, options);
  add_breakdown(*bench, choice, options);
  add_privacy_bench(*bench, choice, options);
  add_data_parallel(*bench, choice, options);
  add_bench_gradients(*bench, choice);
  add_sweep(*bench, choice, options);
  add_collectives(*bench, choice, options);
  add_preprocessing(*bench, choice, options);
  add_page(*bench, choice, options);
}

}  // namespace tacit::launcher
