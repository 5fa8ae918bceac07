// gradient_trainer — one rank of a data-parallel training of VGG-11, or a whole training in one process. `tacit bench
// gradients` starts it and reads its JSON.
//
// RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT are in the environment, as for every rank of Tacit; `tacit keys` makes
// the files of --key and --roster.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <functional>

#include "bench/trainer/diverged.h"
#include "bench/trainer/training.h"
#include "gnn/data/atomic_file.h"
#include "launcher/processes/console.h"
#include "launcher/run/interruption.h"
#include "launcher/run/run_failed.h"
#include "launcher/settings/link.h"
#include "launcher/settings/seat.h"
#include "launcher/settings/threads.h"
#include "net/connect.h"
#include "net/error.h"
#include "net/memory/emulated_mesh.h"
#include "net/synchronise/gradient_sum.h"

namespace tacit::bench {
namespace {

constexpr const char* kProgram = "gradient_trainer";

struct Flags {
  TrainerOptions training;
  std::string data, key, roster, link, json;
  std::int64_t train = 0, test = 0;
  int threads = 0, segment = 0;
  double deadline = 600;  // seconds
};

const char* variable(const char* name) { return std::getenv(name); }

// A line on stderr now, unless its reader stands still.
using Say = std::function<void(const std::string&)>;

// "25MB" as bytes.
std::int64_t bytes_of(const std::string& text) {
  double value = 0;
  std::size_t used = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  const std::string unit = used > 0 ? text.substr(used) : "";
  for (const auto& [name, factor] :
       {std::pair<const char*, double>{"", 1}, {"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"KiB", 1024}, {"MiB", 1 << 20}}) {
    if (used > 0 && unit == name && value * factor >= 8 && value * factor <= 1e12) {
      return static_cast<std::int64_t>(value * factor);
    }
  }
  throw ConfigError(
      fmt::format("--bucket {}: expected at least 8 bytes, with one of the units B, kB, MB, KiB, MiB, as 25MB", text));
}

void check(Flags& flags) {
  TrainerOptions& training = flags.training;
  training.bucket_bytes = bytes_of(training.bucket);
  const auto refuse = [](const std::string& option, const char* expected) {
    throw ConfigError(fmt::format("{}: expected {}", option, expected));
  };
  const auto given = [](const char* flag, auto value) { return fmt::format("{} {}", flag, value); };
  if (training.way != kSingle && training.way != kAsync) {
    try {
      net::parse_sync_way(training.way);
    } catch (const ConfigError&) {
      refuse(given("--way", training.way),
             "single, gather-scatter, per-layer, ring, two-phase, buckets, secure-sum or async");
    }
  }
  if (training.batch < 1 || training.batch > 100'000) refuse(given("--batch", training.batch), "1 ... 100000 pictures");
  if (training.micro_batches < 1 || training.micro_batches > net::kMaxWorldSize) {
    refuse(given("--micro-batches", training.micro_batches), "1 ... 1024");
  }
  if (training.micro_batches > 1 && training.way != kSingle) {
    refuse(given("--micro-batches", training.micro_batches), "1 unless --way is single");
  }
  if (training.epochs < 1) refuse(given("--epochs", training.epochs), "at least 1");
  if (training.iterations < 0) refuse(given("--iterations", training.iterations), "at least 1, or 0 for all");
  if (training.staleness < 0 || training.staleness > 1000) {
    refuse(given("--staleness", training.staleness), "0 ... 1000 steps");
  }
  if (!(training.rate > 0 && training.rate <= 100)) refuse(given("--rate", training.rate), "more than 0, at most 100");
  if (!(training.momentum >= 0 && training.momentum < 1)) {
    refuse(given("--momentum", training.momentum), "at least 0, less than 1");
  }
  if (!(training.weight_decay >= 0 && training.weight_decay <= 1)) {
    refuse(given("--weight-decay", training.weight_decay), "0 ... 1");
  }
  if (!(flags.deadline > 0)) refuse(given("--deadline", flags.deadline), "more than 0 seconds");
}

// The settings that must be equal at all ranks.
net::Agreement agreement_of(const Flags& flags) {
  const TrainerOptions& training = flags.training;
  net::Agreement agreement;
  const auto set = [&](const char* name, const auto& value) { agreement.set(name, fmt::format("{}", value)); };
  agreement.set("program", kProgram);
  set("--way", training.way);
  set("--bucket", training.bucket_bytes);
  set("--fraction-bits", training.fraction_bits);
  set("--batch", training.batch);
  set("--epochs", training.epochs);
  set("--iterations", training.iterations);
  set("--seed", training.seed);
  set("--staleness", training.staleness);
  set("--rate", training.rate);
  set("--momentum", training.momentum);
  set("--weight-decay", training.weight_decay);
  set("--batch-norm", training.batch_norm);
  set("--train", flags.train);
  set("--link", flags.link);
  return agreement;
}

std::unique_ptr<net::Mesh> join(const Flags& flags, std::exception_ptr refusal, const std::string& why,
                                launcher::Interruption& interruption, const Say& say) {
  if (flags.key.empty() || flags.roster.empty()) {
    throw ConfigError(
        fmt::format("--way {} needs --key and --roster, the files that `tacit keys` makes; --way single needs none",
                    flags.training.way));
  }
  net::RendezvousOptions options;
  options.agreement = agreement_of(flags);
  options.segment = flags.segment;
  options.deadline = std::chrono::milliseconds(static_cast<std::int64_t>(1000 * flags.deadline));
  const net::Environment here = net::read_environment(variable);
  options.log = say;
  options.objection = [&, refusal, rank = here.rank]() -> std::exception_ptr {
    if (const int signal = interruption.signal(); signal != 0) {
      return std::make_exception_ptr(NetError(launcher::interrupted(rank, signal), rank));
    }
    if (!refusal) return nullptr;
    return std::make_exception_ptr(ConfigError(fmt::format("rank {} cannot take part: {}", rank, why)));
  };
  std::unique_ptr<net::Mesh> mesh = net::join_mesh(flags.key, flags.roster, options);
  if (!flags.link.empty()) {
    mesh = net::emulate_link(std::move(mesh), launcher::emulated(launcher::parse_link(flags.link)));
  }
  return mesh;
}

TrainerReport train_as_rank(const Flags& flags, launcher::Interruption& interruption, const Say& say) {
  gnn::PictureSets pictures;
  std::exception_ptr refusal;
  std::string why;
  try {
    pictures = gnn::read_pictures(flags.data, flags.train, flags.test);
  } catch (const Error& error) {  // the other ranks wait for this one
    refusal = std::current_exception();
    why = error.what();
  }
  if (flags.training.way == kSingle) {
    if (refusal) std::rethrow_exception(refusal);
    return train(flags.training, pictures, nullptr, say);
  }
  std::unique_ptr<net::Mesh> mesh;
  try {
    mesh = join(flags, refusal, why, interruption, say);
  } catch (const Error&) {
    if (refusal) std::rethrow_exception(refusal);
    throw;
  }
  interruption.tell([&] { mesh->abort(Exit::kNet, launcher::interrupted(mesh->rank(), interruption.signal()), -1); });
  try {
    if (refusal) std::rethrow_exception(refusal);
    const auto say_as_rank = [&](const std::string& line) {
      if (mesh->rank() == 0) say(line);
    };
    TrainerReport report = train(flags.training, pictures, mesh.get(), say_as_rank);
    mesh->close();
    interruption.tell({});
    return report;
  } catch (const std::exception& error) {
    interruption.tell({});
    const auto* ours = dynamic_cast<const Error*>(&error);
    mesh->abort(exit_of(error), ours != nullptr ? ours->what() : "it ended with an error; see its own log", -1);
    throw;
  }
}

// The default: this process' cores, divided by the ranks on this machine.
int threads_of(const Flags& flags) {
  int ranks_here = 1;
  if (flags.training.way != kSingle && flags.threads == 0) {
    const net::Environment here = net::read_environment(variable);
    if (launcher::is_this_machine(here.master.host)) ranks_here = here.world_size;
  }
  return launcher::find_threads(flags.threads, variable, ranks_here).value;
}

void write(const TrainerReport& report, const Flags& flags) {
  const std::string text = to_json(report, flags.training).dump(1) + "\n";
  if (flags.json.empty() || flags.json == "-") {
    fmt::print("{}", text);
    return;
  }
  gnn::AtomicFile file(flags.json);
  file.write(std::as_bytes(std::span(text)));
  file.commit();
}

void run(Flags& flags) {
  check(flags);
  flags.training.threads = threads_of(flags);
  launcher::Console console(STDERR_FILENO);
  launcher::Interruption interruption;
  TrainerReport report;
  try {
    report = train_as_rank(flags, interruption, [&](const std::string& line) {
      console.say(line);
      console.flush(std::chrono::milliseconds(0));
    });
  } catch (const Diverged& error) {  // the iterations before the end count
    write(error.measured(), flags);
    throw;
  } catch (const Error& error) {
    const int signal = interruption.signal();
    if (signal == 0 || error.exit() != Exit::kNet) throw;
    const int rank = flags.training.way == kSingle ? 0 : net::read_environment(variable).rank;
    throw launcher::RunFailed(launcher::Interruption::exit_code(signal), launcher::interrupted(rank, signal), "",
                              interruption.held_back());
  }
  write(report, flags);
}

}  // namespace
}  // namespace tacit::bench

int main(int argc, char** argv) {
  using namespace tacit::bench;
  Flags flags;
  TrainerOptions& training = flags.training;
  CLI::App app("Trains VGG-11 on pictures of 32 x 32 pixels: one rank of several, or alone");
  app.add_option("--way", training.way,
                 "single, gather-scatter, per-layer, ring, two-phase, buckets, secure-sum or async")
      ->capture_default_str();
  app.add_option("--data", flags.data, "folder in CIFAR-10's binary format (`tacit data make pictures`)")->required();
  app.add_option("--train", flags.train, "pictures to train on; 0: all")->capture_default_str();
  app.add_option("--test", flags.test, "pictures to test on; 0: all")->capture_default_str();
  app.add_option("--bucket", training.bucket, "size of a bucket of gradients")->capture_default_str();
  app.add_option("--fraction-bits", training.fraction_bits, "of the fixed point in which gradients are added")
      ->capture_default_str();
  app.add_option("--batch", training.batch, "pictures of a rank in each iteration")->capture_default_str();
  app.add_option("--micro-batches", training.micro_batches,
                 "single: parts of the batch, added in the ranks' fixed point: the bits of so many ranks")
      ->capture_default_str();
  app.add_option("--epochs", training.epochs, "")->capture_default_str();
  app.add_option("--iterations", training.iterations, "end after so many iterations; 0: after the epochs")
      ->capture_default_str();
  app.add_option("--seed", training.seed, "seed of weights, order and augmentation")->check(CLI::NonNegativeNumber);
  app.add_option("--staleness", training.staleness, "async: steps that a peer's gradient may be late")
      ->capture_default_str();
  app.add_option("--rate", training.rate, "learning rate")->capture_default_str();
  app.add_option("--momentum", training.momentum, "")->capture_default_str();
  app.add_option("--weight-decay", training.weight_decay, "")->capture_default_str();
  app.add_flag("--batch-norm", training.batch_norm, "batch normalisation after each convolution");
  app.add_option("--threads", flags.threads,
                 "otherwise TACIT_THREADS, or this process' cores divided by the ranks here")
      ->check(CLI::Range(1, tacit::launcher::kMostThreads));
  app.add_option("--link", flags.link, "a link to emulate between ranks on this machine, as 7.9ms,100Mbit");
  app.add_option("--segment", flags.segment, "packets of this size on loopback, as on Ethernet");
  app.add_option("--key", flags.key, "this rank's private key");
  app.add_option("--roster", flags.roster, "the public keys of all ranks");
  app.add_option("--deadline", flags.deadline, "seconds for all ranks to be there")->capture_default_str();
  app.add_option("--json", flags.json, "file for the measurements; standard output if left out");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(tacit::Exit::kConfig);
  }
  try {
    run(flags);
  } catch (tacit::launcher::RunFailed& failed) {
    fmt::print(stderr, "{}: {}\n", kProgram, failed.what());
    return failed.exit_code();
  } catch (const std::exception& error) {
    return tacit::report_and_exit_code(error, kProgram);
  }
  return 0;
}
