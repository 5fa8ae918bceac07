#include "launcher/commands/bench_gradients.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <memory>

#include "bench/tables/built_program.h"
#include "bench/tables/gradients.h"
#include "launcher/commands/bench_answer.h"
#include "launcher/settings/link.h"

namespace tacit::launcher {

namespace {

// The flags in their written form. A count of 0 and an empty text stand for the default, which --quick changes.
struct GradientFlags {
  GradientOptions rest;
  std::string ways, buckets, batches, epochs, update = "sync,async";
  int seeds = 0;
  std::int64_t train = -1, test = -1, iterations = 0, silence = 0;
  double rate = 0;
  bool quick = false;
  std::string output = "tacit-bench";
};

constexpr const char* kNoDdp = "none";

// The sizes of the document, or a few minutes on two cores.
struct Sizes {
  const char *buckets, *batches, *epochs;
  int seeds;
  std::int64_t train, test, iterations;
  double rate;
};
constexpr Sizes kDocumentsSizes = {"5MB,10MB,25MB,50MB", "64,128,256", "1..10", 5, 0, 0, 39, 0.1};
constexpr Sizes kQuickSizes = {"5MB,25MB", "4,8", "1..2", 2, 320, 100, 5, 0.02};

std::string all_ways() {
  std::string names;
  for (const GradientWay& way : gradient_ways()) names += fmt::format("{}{}", names.empty() ? "" : ",", way.name);
  return names;
}

const std::string& or_else(const std::string& told, const std::string& usual) { return told.empty() ? usual : told; }

GradientOptions options_of(const GradientFlags& flags) {
  const Sizes& sizes = flags.quick ? kQuickSizes : kDocumentsSizes;
  GradientOptions options = flags.rest;
  const Updates updates = parse_updates(flags.update);
  options.async = updates.async;
  options.ways = updates.sync ? parse_gradient_ways(or_else(flags.ways, all_ways())) : std::vector<std::string>();
  if (!updates.sync && !flags.ways.empty()) {
    throw ConfigError("--ways names synchronous ways, and --update async leaves them out; say --update sync,async");
  }
  options.buckets = parse_buckets(or_else(flags.buckets, sizes.buckets));
  options.batches = parse_counts(or_else(flags.batches, sizes.batches), "batches");
  options.epochs = parse_counts(or_else(flags.epochs, sizes.epochs), "epochs");
  options.rate = flags.rate > 0 ? flags.rate : sizes.rate;
  options.seeds = flags.seeds > 0 ? flags.seeds : sizes.seeds;
  options.train = flags.train >= 0 ? flags.train : sizes.train;
  options.test = flags.test >= 0 ? flags.test : sizes.test;
  options.iterations = flags.iterations > 0 ? flags.iterations : sizes.iterations;
  if (options.ddp.empty() && options.link.empty() && options.hosts.empty()) options.ddp = find_ddp();
  if (options.ddp == kNoDdp) options.ddp.clear();
  if (!options.ddp.empty() && !(options.link.empty() && options.hosts.empty())) {
    throw ConfigError(
        "--ddp: PyTorch's program runs here, without an emulated link; leave out --link and --hosts, or --ddp");
  }
  if (flags.silence > 0) options.silence = std::chrono::seconds(flags.silence);
  return options;
}

std::string command_of_gradients(const GradientOptions& options) {
  const GradientOptions usual;
  const auto unless_usual = [](const auto& value, const auto& its_usual) {
    return value == its_usual ? std::string() : fmt::format("{}", value);
  };
  std::string command =
      command_of("gradients", {{"--ways", fmt::format("{}", fmt::join(options.ways, ","))},
                               {"--buckets", fmt::format("{}", fmt::join(options.buckets, ","))},
                               {"--batch", fmt::format("{}", fmt::join(options.batches, ","))},
                               {"--epochs", fmt::format("{}", fmt::join(options.epochs, ","))},
                               {"--update", options.ways.empty() ? "async"
                                            : options.async      ? "sync,async"
                                                                 : "sync"},
                               {"--seeds", std::to_string(options.seeds)},
                               {"--ranks", std::to_string(options.ranks)},
                               {"--staleness", std::to_string(options.staleness)},
                               {"--data", options.data},
                               {"--train", std::to_string(options.train)},
                               {"--test", std::to_string(options.test)},
                               {"--iterations", std::to_string(options.iterations)},
                               {"--rate", unless_usual(options.rate, usual.rate)},
                               {"--momentum", unless_usual(options.momentum, usual.momentum)},
                               {"--weight-decay", unless_usual(options.weight_decay, usual.weight_decay)},
                               {"--ddp", options.ddp.empty() ? kNoDdp : ""},
                               {"--link", options.link},
                               {"--threads", options.threads > 0 ? std::to_string(options.threads) : ""},
                               {"--hosts", options.hosts}});
  if (!options.batch_norm) command += " --no-batch-norm";
  return command;
}

Measurements measure(const GradientOptions& options, Console& console) {
  return measure_gradients(options, command_of_gradients(options), console);
}

void add_sizes(CLI::App& verb, GradientFlags& flags) {
  constexpr std::int64_t kMostPictures = 1'000'000;
  const auto or_quick = [](const auto& usual, const auto& quick) {
    return fmt::format(" [{}; quick: {}]", usual, quick);
  };
  constexpr const Sizes &its = kDocumentsSizes, &quick = kQuickSizes;
  verb.add_option("--ways", flags.ways, fmt::format("synchronous ways, some of {} [all]", all_ways()))
      ->check(parsed_by(parse_gradient_ways));
  verb.add_option("--buckets", flags.buckets, "sizes for the way \"buckets\"" + or_quick(its.buckets, quick.buckets))
      ->check(parsed_by(parse_buckets));
  verb.add_option("--batch", flags.batches,
                  "batch sizes: pictures of a rank in a step; most trainings use the first" +
                      or_quick(its.batches, quick.batches))
      ->check(parsed_by([](const std::string& text) { return parse_counts(text, "batches"); }));
  verb.add_option("--epochs", flags.epochs, "test results are shown after these" + or_quick(its.epochs, quick.epochs))
      ->check(parsed_by([](const std::string& text) { return parse_counts(text, "epochs"); }));
  verb.add_option("--update", flags.update, "sync, async or both")
      ->capture_default_str()
      ->check(parsed_by(parse_updates));
  verb.add_option("--seeds", flags.seeds,
                  "trainings of each kind; a seed makes first weights and the pictures' order" +
                      or_quick(its.seeds, quick.seeds))
      ->check(CLI::Range(1, 1000));
  verb.add_option("--train", flags.train, "pictures to train on; 0: all" + or_quick(its.train, quick.train))
      ->check(CLI::Range(std::int64_t{0}, kMostPictures));
  verb.add_option("--test", flags.test, "pictures to test on; 0: all" + or_quick(its.test, quick.test))
      ->check(CLI::Range(std::int64_t{0}, kMostPictures));
  verb.add_option("--rate", flags.rate, "learning rate" + or_quick(its.rate, quick.rate))
      ->check(number_between(1e-6, 16));
  verb.add_option(
          "--iterations", flags.iterations,
          "measured iterations of a training, after an unmeasured one" + or_quick(its.iterations, quick.iterations))
      ->check(CLI::Range(1, 100'000));
}

void add_training(CLI::App& verb, GradientOptions& options) {
  verb.add_option("--ranks", options.ranks, "of each way but \"single\"")
      ->capture_default_str()
      ->check(CLI::Range(2, 64));
  verb.add_option("--staleness", options.staleness, "asynchronous: a gradient is at most so many steps late")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000));
  verb.add_option("--data", options.data, "a folder with CIFAR-10's binary batches; without it, pictures are made");
  verb.add_option("--momentum", options.momentum)->capture_default_str()->check(number_between(0, 0.9999));
  verb.add_option("--weight-decay", options.weight_decay)->capture_default_str()->check(number_between(0, 1));
  verb.add_flag("--batch-norm,!--no-batch-norm", options.batch_norm,
                "batch normalisation after each convolution [yes; without it, name a rate of 0.02 or less]");
}

}  // namespace

void add_bench_gradients(CLI::App& bench, Choice& choice) {
  const auto flags = std::make_shared<GradientFlags>();
  CLI::App* verb =
      add_verb(bench, choice, "gradients", "ways to synchronise gradients of VGG-11: time, bytes, loss and accuracy",
               "tacit bench gradients --quick\n  tacit bench gradients --ways gather-scatter,buckets --seeds 3 "
               "--train 10000 --link 1ms,1Gbit",
               [flags] {
                 const GradientOptions options = options_of(*flags);
                 expect_gradient_trainer(options);
                 Console console(STDERR_FILENO);
                 return run_benchmarks(flags->output, console, {[&](Console& its) { return measure(options, its); }});
               });
  add_sizes(*verb, *flags);
  add_training(*verb, flags->rest);
  verb->add_flag("--quick", flags->quick, "few pictures and iterations: some minutes on two cores");
  CLI::Option* link =
      verb->add_option("--link", flags->rest.link,
                       "a link to emulate between all ranks, as 1ms,1Gbit: round trip, and bandwidth of each rank")
          ->check(parsed_by(parse_link));
  CLI::Option* hosts =
      verb->add_option("--hosts", flags->rest.hosts,
                       "over ssh instead of here: a file with \"user@host[:port] [folder]\" for each rank; --data and "
                       "--programs are then folders on the hosts");
  hosts->excludes(link);
  verb->add_option("--ssh", flags->rest.ssh, "with --hosts: the ssh command and its options")
      ->capture_default_str()
      ->needs(hosts);
  verb->add_option("--port", flags->rest.port, "with --hosts: rank 0's port on its host")
      ->check(CLI::Range(1, 65535))
      ->needs(hosts);
  verb->add_option("--threads", flags->rest.threads,
                   "threads of a rank [the cores here, divided by the ranks; 1 with --hosts]")
      ->check(CLI::Range(1, 1024));
  verb->add_option(
      "--ddp", flags->rest.ddp,
      "PyTorch's DistributedDataParallel for comparison: the script ddp_gloo.py, or none [beside the build folder "
      "where python3-torch is installed]");
  verb->add_option("--programs", flags->rest.programs, "the folder where gradient_trainer was built");
  verb->add_option("--silence", flags->silence, "seconds without a line of output after which a training is ended")
      ->group("");
  verb->add_option("--output", flags->output, "folder for JSON, CSV and a page of all measurements there")
      ->capture_default_str();
}

bool can_measure_gradients(const std::string& programs) {
  return find_built_program(programs, kGradientTrainer).has_value();
}

Measurements measure_gradients_quickly(const std::string& programs, Console& console) {
  GradientFlags flags;
  flags.quick = true;
  flags.rest.programs = programs;
  return measure(options_of(flags), console);
}

}  // namespace tacit::launcher
