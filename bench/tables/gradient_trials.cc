#include "bench/tables/gradient_trials.h"

#include <fmt/format.h>

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
constexpr const char* kPythonOfDdp = "/usr/bin/python3";

std::string pictures_in(const fs::path& folder, const GradientOptions& options) {
  gnn::PicturesOptions pictures;
  if (options.train > 0) pictures.train = options.train;
  if (options.test > 0) pictures.test = options.test;
  gnn::make_pictures(pictures, folder);
  return folder;
}

std::string json_of_rank(const fs::path& folder, int rank) { return folder / fmt::format("rank{}.json", rank); }

}  // namespace

void expect_gradient_trainer(const GradientOptions& options) {
  if (find_built_program(options.programs, kGradientTrainer)) return;
  throw ConfigError(fmt::format(
      "{} is not in {}: it needs libtorch; install it (Debian: apt install libtorch-dev) and build again, or "
      "name the folder of a build with --programs. `tacit bench collectives` measures the ways to add up "
      "without training, and needs no libtorch",
      kGradientTrainer, folder_of_programs(options.programs).string()));
}

GradientTrials::GradientTrials(const GradientOptions& options, Console& console)
    : options_(options), console_(console), scratch_("tacit-bench") {
  expect_gradient_trainer(options);
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
    if (!options_.link.empty()) add("--link", options_.link);
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
  Job job;  // without files of keys, so that keys are made
  job.parties = settings.ranks;
  job.correlations = Job::Correlations::kNone;
  const RunKeys keys = run_keys(job, folder);
  const net::ReservedPort port;
  const auto command = [&](int rank, bool) {
    const bool ddp = settings.way == kDdpWay;
    Command one{.arguments =
                    ddp ? std::vector<std::string>{kPythonOfDdp, options_.ddp} : std::vector<std::string>{program_}};
    for (const std::string& word : arguments_of(settings)) one.arguments.push_back(word);
    const auto add = [&](const char* flag, const std::string& value) {
      one.arguments.insert(one.arguments.end(), {flag, value});
    };
    if (settings.ranks > 1 && !ddp) {
      add("--key", keys.keys[static_cast<std::size_t>(rank)]);
      add("--roster", keys.roster);
      add("--segment", std::to_string(kSegmentOfEthernet));
    }
    add("--json", json_of_rank(folder, rank));
    one.environment = {{"RANK", std::to_string(rank)},
                       {"WORLD_SIZE", std::to_string(settings.ranks)},
                       {"MASTER_ADDR", "127.0.0.1"},
                       {"MASTER_PORT", std::to_string(port.number())}};
    return one;
  };
  EndSignals signals;
  const RanksEnded ended =
      run({.command = command, .count = settings.ranks, .shown = Shown::kNone, .longest_silence = options_.silence},
          signals, console_);
  if (ended.exit() != Exit::kOk) {
    throw RunFailed(static_cast<int>(ended.exit()), fmt::format("{}: {}", settings.text(), ended.sentence()), "");
  }
  GradientAccount account;
  for (int rank = 0; rank < settings.ranks; ++rank) {
    account.ranks.push_back(read_gradient_rank(json_of_rank(folder, rank), settings.way, rank));
  }
  return account;
}

}  // namespace tacit::launcher
