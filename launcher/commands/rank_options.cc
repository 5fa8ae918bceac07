#include "launcher/commands/rank_options.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "launcher/commands/verb.h"
#include "launcher/plan/memory_need.h"
#include "launcher/run/member.h"
#include "launcher/settings/cpus.h"
#include "launcher/settings/device_choice.h"
#include "launcher/settings/threads.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;

std::string absolute(const std::string& path) { return fs::absolute(path).lexically_normal().string(); }

// Quotes the word for a shell, if necessary.
std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-{}";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string safe = "'";
  for (const char c : word) safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return safe + "'";
}

// States the seat in full, since the environment that defined it may be gone when the user resumes.
std::string resume_command(const RankOptions& options, const ReadJob& job, const std::string& verb) {
  const Seat seat = find_seat(
      options.seat, [](const char* name) { return std::getenv(name); }, seat_in(job));
  std::string command = fmt::format("tacit {} {} --resume", verb, quoted(options.job.file));
  const auto add = [&](const char* flag, const std::string& value) {
    if (!value.empty()) command += fmt::format(" {} {}", flag, quoted(value));
  };
  add("--rank", std::to_string(seat.rank.value));
  add("--world-size", std::to_string(seat.world_size.value));
  add("--master", seat.master().text());
  add("--output", options.output);
  add("--key", options.key);
  add("--data", options.data);
  add("--emulate", options.emulated);
  if (options.threads > 0) add(kThreadsFlag, std::to_string(options.threads));
  add(kDeviceFlag, options.device);
  add(kCpusFlag, options.cpus);
  if (options.memory_unchecked) command += fmt::format(" {}", kMemoryUncheckedFlag);
  for (const std::string& setting : options.job.overrides) add(kOverrideFlag, setting);
  return command;
}

std::string value_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

}  // namespace

ErrandOrder errand_of(const RankOptions& options) {
  return {job_of(options), options.seat, options.quiet, options.threads,
          std::chrono::milliseconds(std::llround(1e3 * options.deadline))};
}

ReadJob job_of(const RankOptions& options) {
  ReadJob read = options.job.load();
  const auto set = [&](const std::string& flag, const std::string& setting) {
    read.sources.set(setting, Source::flag(flag));
  };
  if (!options.output.empty()) {
    read.job.output = absolute(options.output);
    set("--output", "output");
  }
  for (const fs::path path : {options.key, options.data}) {
    if (!path.empty() && path.is_relative()) expect_no_rank_in(fs::current_path());
  }
  if (!options.key.empty()) {
    read.job.keys.identity = {.pattern = absolute(options.key), .each = {}};
    set("--key", "keys.identity");
  }
  if (!options.data.empty()) {
    (options.predicts ? read.job.predict_files : read.job.files) = {.pattern = absolute(options.data), .each = {}};
    set("--data", options.predicts ? "predict.files" : "data.files");
  }
  if (!options.who.empty()) {
    read.job.predict_nodes = absolute(options.who);
    set("--who", "predict.nodes");
  }
  if (options.seat.master) {
    read.job.master = *options.seat.master;
    set("--master", "master");
  }
  return read;
}

void add_run_options(CLI::App& verb, RankOptions& options) {
  verb.add_option("--metrics", options.metrics,
                  "HOST:PORT for Prometheus; anyone who reaches it sees the numbers that this rank sees");
  verb.add_option("--emulate", options.emulated, kEmulateHelp);
  verb.add_option(kCpusFlag, options.cpus,
                  "CPUs on which this rank stays, as 2 or 0-3,8; otherwise the system chooses");
  add_device_option(verb, options.device);
  verb.add_flag(kMemoryUncheckedFlag, options.memory_unchecked, kMemoryUncheckedHelp);
  verb.add_option("--segment", options.segment, "bytes in a TCP packet at most")
      ->check(CLI::Range(536, 65535))
      ->group("");
}

void add_threads_option(CLI::App& verb, int& threads, const char* help) {
  verb.add_option(kThreadsFlag, threads, help)->check(CLI::Range(1, kMostThreads));
}

void add_device_option(CLI::App& verb, std::string& device, const char* help) {
  verb.add_option(kDeviceFlag, device, help);
}

void add_rank_options(CLI::App& verb, RankOptions& options) {
  verb.add_option("JOB", options.job.file, "the job file, the same at every rank")->required();
  verb.add_option("--rank", options.seat.rank, "this process' rank; otherwise from RANK or the scheduler");
  verb.add_option("--world-size", options.seat.world_size, "number of ranks, with the dealer");
  verb.add_option("--master", options.seat.master, "HOST:PORT of rank 0");
  verb.add_option("--output", options.output, "folder for the output of ranks, each in rank<r>/");
  verb.add_option("--key", options.key, "this rank's private key, instead of the job's keys.identity");
  verb.add_option("--data", options.data,
                  options.predicts
                      ? "this party's part of other data to predict; otherwise the training's are predicted"
                      : "this party's part of the data, instead of the job's data.files");
  verb.add_option("--deadline", options.deadline, "seconds to wait for all ranks")
      ->capture_default_str()
      ->check(number_between(0.1, 1e6));
  add_threads_option(verb, options.threads);
  verb.add_flag("--quiet", options.quiet, "print only the answer and errors");
  add_job_options(verb, options.job);
}

void explain_seat(const RankOptions& options, const ReadJob& job, Choice& choice) {
  const auto get = [](const char* name) { return std::getenv(name); };
  explain(options.job, job, choice, text_of(explain_seat(options.seat, get, seat_in(job))));
}

Answer run_rank(const RankOptions& options, Choice& choice, const std::string& verb, Goal goal, Start start) {
  RankOrder order;
  order.job = job_of(options);
  explain_seat(options, order.job, choice);
  order.seat = options.seat;
  order.goal = goal;
  order.start = start;
  order.quiet = options.quiet;
  order.check_memory = !options.memory_unchecked;
  if (!options.metrics.empty()) order.metrics = net::Endpoint::parse(options.metrics);
  order.segment = options.segment;
  order.threads = options.threads;
  order.device = options.device;
  order.own_cpus = !options.cpus.empty();
  if (order.own_cpus) stay_on(parse_cpus(options.cpus));  // before any thread is started
  if (!options.emulated.empty()) order.emulated = parse_link(options.emulated);
  order.deadline = std::chrono::milliseconds(std::llround(1e3 * options.deadline));
  const std::string launched = value_of(kLaunchedVariable);
  if (is_launch(launched)) order.launch = launched;
  if (launched.empty()) order.resume_command = resume_command(options, order.job, verb);
  return run_rank(order, [](const char* name) { return std::getenv(name); });
}

}  // namespace tacit::launcher
