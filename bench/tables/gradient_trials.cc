#include "bench/tables/gradient_trials.h"

#include <fmt/format.h>

#include <fstream>

#include "bench/data/made_pictures.h"
#include "bench/tables/built_program.h"
#include "launcher/launch/ranks.h"
#include "launcher/launch/run_keys.h"
#include "launcher/run/run_failed.h"
#include "net/error.h"
#include "net/rendezvous/reserved_port.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;

// Loopback has packets of 64 KiB; with this size, packets are counted as between machines.
constexpr int kSegmentOfEthernet = 1460;
constexpr std::chrono::seconds kMostSilenceOfHost{60};
constexpr const char* kPythonOfDdp = "/usr/bin/python3";

std::string pictures_in(const fs::path& folder, const GradientOptions& options) {
  gnn::PicturesOptions pictures;
  if (options.train > 0) pictures.train = options.train;
  if (options.test > 0) pictures.test = options.test;
  gnn::make_pictures(pictures, folder);
  return folder;
}

// New keys for the ranks. A single process needs none.
RunKeys keys_of_training(const GradientSettings& settings, const fs::path& folder) {
  Job job;  // without files of keys, so that keys are made
  job.parties = settings.ranks;
  job.training.correlations = Job::Correlations::kNone;
  return run_keys(job, folder);
}

std::string json_of_rank(const fs::path& folder, int rank) { return folder / fmt::format("rank{}.json", rank); }

// The ranks that left an account although they failed, because their training diverged.
GradientAccount diverged_in(const fs::path& folder, const GradientSettings& settings) {
  GradientAccount account;
  for (int rank = 0; rank < settings.ranks; ++rank) {
    if (!fs::exists(json_of_rank(folder, rank))) continue;
    GradientRankAccount one = read_gradient_rank(json_of_rank(folder, rank), settings.way, rank);
    if (one.diverged > 0) account.ranks.push_back(std::move(one));
  }
  return account;
}

}  // namespace

void expect_gradient_trainer(const GradientOptions& options) {
  if (!options.hosts.empty() || find_built_program(options.programs, kGradientTrainer)) return;
  throw ConfigError(fmt::format(
      "{} is not in {}: it needs libtorch; install it (Debian: apt install libtorch-dev) and build again, or "
      "name the folder of a build with --programs. `tacit bench collectives` measures the ways to add up "
      "without training, and needs no libtorch",
      kGradientTrainer, folder_of_programs(options.programs).string()));
}

GradientTrials::GradientTrials(const GradientOptions& options, Console& console)
    : options_(options), console_(console), scratch_("tacit-bench") {
  expect_gradient_trainer(options);
  if (!options.hosts.empty()) {
    if (options.data.empty()) {
      throw ConfigError(
          "--hosts needs --data with the folder of the pictures on each host; `tacit data make pictures` makes one "
          "there");
    }
    hosts_.emplace(options);
    program_ = options.programs.empty() ? kGradientTrainer : (fs::path(options.programs) / kGradientTrainer).string();
    data_ = options.data;
    return;
  }
  program_ = built_program(options.programs, kGradientTrainer);
  if (!options.data.empty()) {
    data_ = fs::absolute(options.data);
    if (!fs::is_directory(data_)) {
      throw ConfigError(
          fmt::format("--data {}: no such folder; name one with CIFAR-10's binary batches, or leave the "
                      "option out to train on made pictures",
                      options.data));
    }
  } else {
    data_ = pictures_in(scratch_.path() / "pictures", options);
  }
}

const GradientAccount& GradientTrials::of(const GradientSettings& settings) {
  const auto known = made_.find(settings);
  if (known != made_.end()) return known->second;
  const fs::path folder = scratch_.path() / fmt::format("training{}", made_.size() + 1);
  fs::create_directories(folder);
  GradientAccount account = run_training(settings, folder);
  fs::remove_all(folder);
  return made_.emplace(settings, std::move(account)).first->second;
}

std::vector<std::string> GradientTrials::arguments_of(const GradientSettings& settings) const {
  std::vector<std::string> words = {"--way", settings.way};
  const auto add = [&](const char* flag, const std::string& value) { words.insert(words.end(), {flag, value}); };
  if (settings.ranks > 1) add("--bucket", settings.bucket);
  if (settings.ranks > 1 && settings.way != kDdpWay) {
    add("--staleness", std::to_string(options_.staleness));
    if (const std::string& link = settings.link.empty() ? options_.link : settings.link; !link.empty())
      add("--link", link);
  }
  add("--batch", std::to_string(settings.batch));
  add("--epochs", std::to_string(settings.epochs));
  add("--iterations", std::to_string(settings.iterations));
  add("--seed", std::to_string(settings.seed));
  add("--data", data_);
  add("--train", std::to_string(options_.train));
  add("--test", std::to_string(settings.test));
  add("--rate", fmt::format("{}", options_.rate));
  add("--momentum", fmt::format("{}", options_.momentum));
  add("--weight-decay", fmt::format("{}", options_.weight_decay));
  if (options_.batch_norm) words.emplace_back("--batch-norm");
  if (settings.micro_batches > 1) add("--micro-batches", std::to_string(settings.micro_batches));
  add("--threads", std::to_string(settings.threads));
  return words;
}

GradientAccount GradientTrials::run_training(const GradientSettings& settings, const fs::path& folder) {
  const RanksEnded ended = hosts_ ? run_there(settings, folder) : run_here(settings, folder);
  if (ended.exit() != Exit::kOk) {
    if (ended.exit() == Exit::kConfig && ended.outcome.interrupted == 0) {
      GradientAccount account = diverged_in(folder, settings);
      if (account.diverged() > 0) return account;
    }
    throw RunFailed(static_cast<int>(ended.exit()), fmt::format("{}: {}", settings.text(), ended.sentence()), "");
  }
  GradientAccount account;
  for (int rank = 0; rank < settings.ranks; ++rank) {
    account.ranks.push_back(read_gradient_rank(json_of_rank(folder, rank), settings.way, rank));
  }
  return account;
}

RanksEnded GradientTrials::run_here(const GradientSettings& settings, const fs::path& folder) {
  const RunKeys keys = keys_of_training(settings, folder);
  const net::ReservedPort port;
  const auto command = [&](int rank, bool) {
    const bool ddp = settings.way == kDdpWay;
    Command one{.arguments =
                    ddp ? std::vector<std::string>{kPythonOfDdp, options_.ddp} : std::vector<std::string>{program_}};
    std::vector<std::string>& words = one.arguments;
    for (const std::string& word : arguments_of(settings)) words.push_back(word);
    if (settings.ranks > 1 && !ddp) {
      words.insert(words.end(), {"--key", keys.keys[static_cast<std::size_t>(rank)], "--roster", keys.roster});
      words.insert(words.end(), {"--segment", std::to_string(kSegmentOfEthernet)});
    }
    words.insert(words.end(), {"--json", json_of_rank(folder, rank)});
    one.environment = {{"RANK", std::to_string(rank)},
                       {"WORLD_SIZE", std::to_string(settings.ranks)},
                       {"MASTER_ADDR", "127.0.0.1"},
                       {"MASTER_PORT", std::to_string(port.number())}};
    return one;
  };
  EndSignals signals;
  return run({.command = command, .count = settings.ranks, .shown = Shown::kNone, .longest_silence = options_.silence},
             signals, console_);
}

// Copies the keys, trains, and fetches the ranks' measurements.
RanksEnded GradientTrials::run_there(const GradientSettings& settings, const fs::path& folder) {
  const RunKeys keys = keys_of_training(settings, folder);
  EndSignals signals;
  std::vector<Command> copies;
  for (int rank = 0; rank < settings.ranks; ++rank) {
    copies.push_back(hosts_->copying(rank, {keys.keys[static_cast<std::size_t>(rank)], keys.roster}));
  }
  run_on_hosts("copying its key", copies, signals);
  const auto command = [&](int rank, bool) {
    const std::string master = hosts_->master();
    const std::size_t colon = master.rfind(':');
    std::vector<std::string> words = {fmt::format("RANK={}", rank), fmt::format("WORLD_SIZE={}", settings.ranks),
                                      "MASTER_ADDR=" + master.substr(0, colon),
                                      "MASTER_PORT=" + master.substr(colon + 1), program_};
    for (const std::string& word : arguments_of(settings)) words.push_back(word);
    if (settings.ranks > 1) {
      const std::string key = fs::path(keys.keys[static_cast<std::size_t>(rank)]).filename();
      words.insert(words.end(), {"--key", key, "--roster", fs::path(keys.roster).filename()});
    }
    words.insert(words.end(), {"--json", fs::path(json_of_rank(folder, rank)).filename()});
    return hosts_->running(rank, words);
  };
  RanksEnded ended =
      run({.command = command, .count = settings.ranks, .shown = Shown::kNone, .longest_silence = options_.silence},
          signals, console_);
  // A rank that failed has left its measurements if its training diverged.
  const bool well = ended.exit() == Exit::kOk;
  if (!well && (ended.exit() != Exit::kConfig || ended.outcome.interrupted != 0)) return ended;
  std::vector<Command> fetches;
  std::vector<std::string> fetched(static_cast<std::size_t>(settings.ranks));
  for (int rank = 0; rank < settings.ranks; ++rank) {
    Command& one = fetches.emplace_back(hosts_->fetching(rank, fs::path(json_of_rank(folder, rank)).filename()));
    one.take_output = [&text = fetched[static_cast<std::size_t>(rank)], rank](std::string_view bytes) {
      constexpr std::size_t kMostOfHost = 256 << 20;
      if (text.size() + bytes.size() > kMostOfHost) throw ProtocolError("a host sends more than 256 MiB", rank);
      text += bytes;
    };
  }
  run_on_hosts("fetching what it measured", fetches, signals);
  for (int rank = 0; rank < settings.ranks; ++rank) {
    const std::string& text = fetched[static_cast<std::size_t>(rank)];
    if (well || !text.empty()) std::ofstream(json_of_rank(folder, rank)) << text;
  }
  return ended;
}

void GradientTrials::run_on_hosts(const std::string& what, const std::vector<Command>& commands, EndSignals& signals) {
  std::vector<std::string> last(commands.size());
  Watch watch(signals, console_, [&](int rank, std::string_view line) { last[static_cast<std::size_t>(rank)] = line; });
  watch.limit_silence(kMostSilenceOfHost);
  for (const Command& command : commands) watch.start(command);
  const Watch::Outcome outcome = watch.run();
  if (outcome.interrupted != 0) throw RunFailed(128 + outcome.interrupted, "interrupted during " + what, "");
  if (outcome.failed.empty()) return;
  const int rank = outcome.failed.front();
  throw NetError(fmt::format("rank {}'s host {}: {} failed: {}; see to it that ssh gets in without a question", rank,
                             hosts_->text(rank), what, last[static_cast<std::size_t>(rank)]),
                 rank);
}

}  // namespace tacit::launcher
