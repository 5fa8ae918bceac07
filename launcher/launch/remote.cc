#include "launcher/launch/remote.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gnn/data/atomic_file.h"
#include "launcher/job/job_text.h"
#include "launcher/launch/on_host.h"
#include "launcher/launch/ranks.h"
#include "launcher/run/event_log.h"
#include "launcher/run/rank_run.h"
#include "launcher/run/run_failed.h"
#include "net/printable.h"
#include "net/private_folder.h"
#include "net/rendezvous/roster.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kMostSilence{60};
constexpr std::int64_t kMostLines =
    10'000;  // from a host whose rank has not started: a greeting of the shell and an answer
constexpr int kSshFailed = 255;
constexpr const char* kNodes = "nodes.txt";  // the list of nodes to predict, on the host

// Waits up to three seconds until the summary no longer says "running": a rank may still write its
// error after its ssh has ended. A killed rank never changes its summary.
constexpr std::string_view kUntilItHasEnded =
    R"(for i in 1 2 3 4 5 6 7 8 9 10 11 12; do grep -qs '"result": *"running"' summary.json prediction.json service.json || break; sleep 0.25; done;)";

void write_file(const fs::path& path, const std::string& text) {
  gnn::AtomicFile file(path);
  file.write(std::as_bytes(std::span(text)));
  file.commit();
}

// `ssh`: the client and its options.
[[noreturn]] void fail(int rank, const Host& host, const std::vector<std::string>& ssh, const std::string& what,
                       const End& end, const std::string& said) {
  const std::string reason = end.signal != 0 ? fmt::format("nothing came for {} s", kMostSilence.count())
                             : said.empty()  ? fmt::format("exit code {}", end.exit_code)
                                             : said;
  if (end.exit_code == kSshFailed) {
    throw NetError(
        fmt::format("rank {}'s host {} cannot be reached by ssh: {}; see to it that `{}{} {}` gets in without a "
                    "question",
                    rank, host.text(), reason, fmt::join(ssh, " "),
                    host.port == 0 ? "" : fmt::format(" -p {}", host.port), host.destination),
        rank);
  }
  if (end.exit_code == kNotFound) {
    throw ConfigError(fmt::format("rank {}'s host {}: {} failed: {}; install tacit there, or say --program PATH", rank,
                                  host.text(), what, reason));
  }
  throw ConfigError(fmt::format("rank {}'s host {}: {} failed: {}", rank, host.text(), what, reason));
}

}  // namespace

Remote::Remote(const LaunchedJob& launched, RemoteOptions options, EndSignals& signals, Console& console)
    : launched_(launched), options_(std::move(options)), signals_(signals), console_(console) {}

Ranks Remote::prepare() {
  if (!launched_.job().keys.storage.empty()) {
    console_.say(
        "tacit: keys.storage is not sent to the hosts; each rank seals its checkpoints with storage.key, made "
        "in its output folder there");
  }
  if (!launched_.job().roster.empty() || !launched_.job().keys.identity.empty()) {
    console_.say(
        "tacit: the job's roster and keys.identity are not used: each host has a rank.key of its own, and this "
        "launcher "
        "makes the roster of these keys");
  }
  for (int rank = 0; rank < launched_.ranks(); ++rank) ledger_there(rank);  // reports an error before anything runs
  prepare_folders();
  copy(make_roster());
  return {.command = [this](int rank, bool again) { return training(rank, again); },
          .event_copy = [this](int rank) { return folder_here(rank) / FetchedFiles::kEvents; },
          .count = launched_.ranks(),
          .restarts = options_.restarts,
          .grace = grace_of(options_.verb)};
}

fs::path Remote::folder_here(int rank) const { return options_.output / fmt::format("rank{}", rank); }

// A host moves the files of an earlier run aside. The copies of events from that run must go, so that they do not mix
// with the events of the new run.
void Remote::prepare_folders() const {
  const bool afresh = std::ranges::find(options_.start, "--afresh") != options_.start.end();
  for (int rank = 0; rank < launched_.ranks(); ++rank) {
    net::make_private_folder(folder_here(rank), "output folder", "name another with --output");
    std::error_code ignored;  // an error stops the copy later
    if (afresh) fs::remove(folder_here(rank) / FetchedFiles::kEvents, ignored);
  }
}

void Remote::collect() {
  std::vector<Fetch> fetches;
  std::vector<Command> commands;
  for (int rank = 0; rank < launched_.ranks(); ++rank) {
    fetches.push_back(fetching(rank));
    commands.push_back(fetches.back().command);
  }
  on_all("fetching the rank's files", commands, Silence::kLimited);
  for (int rank = 0; rank < launched_.ranks(); ++rank) {
    about(rank, [&] { fetches[static_cast<std::size_t>(rank)].files->expect_end(); });
  }
}

void Remote::collect_what_there_is() {
  for (int rank = 0; rank < launched_.ranks(); ++rank) {
    std::string last;  // the reason for a failure
    try {
      const Fetch fetch = fetching(rank);
      Watch watch(signals_, console_, [&](int, std::string_view line) { last = line; });
      watch.limit_silence(kMostSilence);
      watch.start(fetch.command);
      const Watch::Outcome outcome = watch.run();
      if (outcome.interrupted != 0) return;
      if (outcome.well()) {
        fetch.files->expect_end();
        continue;
      }
    } catch (const Error& error) {
      last = error.what();
    }
    console_.say(fmt::format("tacit: not all files of rank {} could be fetched: {}", rank, last));
  }
}

Remote::Fetch Remote::fetching(int rank) const {
  const auto files = std::make_shared<FetchedFiles>(folder_here(rank), launched_.id);
  Command command =
      there(rank, fmt::format("cd {}/{}/rank{} && {} {}", as_word(host(rank).folder), as_word(options_.run), rank,
                              kUntilItHasEnded, FetchedFiles::script(launched_.id)));
  command.take_output = [this, rank, files](std::string_view bytes) { about(rank, [&] { files->take(bytes); }); };
  return {files, std::move(command)};
}

// Names the rank and its host in errors of `act`.
void Remote::about(int rank, const std::function<void()>& act) const {
  const auto named = [&](const Error& error) {
    return fmt::format("rank {}'s host {}: {}", rank, host(rank).text(), error.what());
  };
  try {
    act();
  } catch (const ProtocolError& error) {
    throw ProtocolError(named(error), rank);
  } catch (const ConfigError& error) {
    throw ConfigError(named(error));
  }
}

Command Remote::there(int rank, const std::string& script) const { return on_host(options_.ssh, host(rank), script); }

Remote::Said Remote::on_all(const std::string& what, const std::vector<Command>& commands, Silence silence) {
  Said said(commands.size());
  std::vector<std::int64_t> lines(commands.size());
  Watch watch(signals_, console_, [&](int rank, std::string_view line) {
    const auto at = static_cast<std::size_t>(rank);
    said[at] = line;
    if (++lines[at] <= kMostLines) return;
    throw ProtocolError(
        fmt::format("rank {}'s host {}: {} gave more than {} lines", rank, host(rank).text(), what, kMostLines), rank);
  });
  if (silence == Silence::kLimited) watch.limit_silence(kMostSilence);
  for (const Command& command : commands) watch.start(command);
  const Watch::Outcome outcome = watch.run();
  if (outcome.interrupted != 0) throw RunFailed(128 + outcome.interrupted, "interrupted during " + what, "");
  if (outcome.failed.empty()) return said;
  const int first = outcome.failed.front();
  const auto failed = static_cast<std::size_t>(first);
  fail(first, options_.hosts[failed], options_.ssh, what, outcome.ends[failed], said[failed]);
}

std::string Remote::make_roster() {
  std::vector<Command> commands;
  for (int rank = 0; rank < launched_.ranks(); ++rank) {
    const std::string program = as_word(options_.program);
    commands.push_back(
        there(rank, fmt::format("umask 077 && mkdir -p {0} && cd {0} && if ! [ -e rank.key ]; then {1} keys "
                                "new rank.key >/dev/null; fi && exec {1} keys show rank.key",
                                as_word(host(rank).folder), program)));
  }
  const Said said = on_all("making a key", commands, Silence::kLimited);
  std::vector<net::RosterEntry> entries;
  for (int rank = 0; rank < launched_.ranks(); ++rank) {
    const std::string& grouped = said[static_cast<std::size_t>(rank)];  // preceded by a shell's greeting, perhaps
    try {
      entries.push_back({rank < launched_.job().parties ? net::Role::kParty : net::Role::kDealer,
                         net::Fingerprint::parse(grouped),
                         {}});
    } catch (const ConfigError& error) {
      throw ConfigError(
          fmt::format("rank {}'s host {} shows no fingerprint: {}", rank, host(rank).text(), error.what()));
    }
  }
  return net::Roster(std::move(entries)).text();
}

// The part of the data to predict, or of the training.
std::string Remote::part_here(int rank) const {
  const Job& job = launched_.job();
  if (rank >= job.parties) return "";
  const std::string part = predicts() && !job.predict_files.empty() ? job.predict_files.of(rank) : part_file(job, rank);
  return !part.empty() && (fs::is_regular_file(part) || fs::is_regular_file(fs::path(part) / "nodes.csv")) ? part : "";
}

std::string Remote::part_name(int rank) const {
  const Job& job = launched_.job();
  if (predicts() && !job.predict_files.empty()) {
    return "predicted" + fs::path(job.predict_files.of(rank)).extension().string();
  }
  return "part" + fs::path(job.files.of(rank)).extension().string();
}

// The job that is copied has no settings of single ranks. Relative paths are below the rank's folder on its host.
std::vector<std::string> Remote::service_settings(int rank) const {
  if (options_.verb != "serve" || rank >= launched_.job().parties) return {};
  const JobService& service = launched_.service_as_written;
  std::vector<std::string> settings = {fmt::format("serve.requests_per_minute={}", service.limits.requests_per_minute),
                                       fmt::format("serve.nodes_per_request={}", service.limits.nodes_per_request)};
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) settings.push_back(fmt::format("serve.{}={}", key, value));
  };
  add("socket", service.socket.of(rank));
  add("http", service.http);
  add("folder", service.folder.of(rank));
  return settings;
}

// A ledger counts at the host. One that lies here would see nothing of the training, and its budget would not hold.
std::string Remote::ledger_there(int rank) const {
  if (rank >= launched_.job().parties) return "";
  const std::string written = launched_.ledger_as_written.of(rank);
  if (!written.empty() && fs::path(written).is_relative() && fs::exists(launched_.job().ledger.of(rank))) {
    throw ConfigError(fmt::format(
        "rank {}'s privacy ledger {} is on this machine, and the rank runs on {}, where a ledger of its own "
        "would begin with nothing spent: move the ledger into the folder {} there, or start the rank here "
        "(tacit train)",
        rank, net::printable(launched_.job().ledger.of(rank)), host(rank).text(), net::printable(host(rank).folder)));
  }
  return written;
}

// One call for each host: makes the folder private, then takes the files.
void Remote::copy(const std::string& roster) {
  const fs::path job_file = options_.staging / "job.toml", roster_file = options_.staging / "roster";
  write_file(job_file, shared_toml(launched_.job()));
  write_file(roster_file, roster);
  std::vector<Command> commands;
  for (int rank = 0; rank < launched_.ranks(); ++rank) {
    SentFiles files = {{job_file, "job.toml"}, {roster_file, "roster"}};
    const Job& job = launched_.job();
    const bool aligned = job.join != Job::Join::kNone && (!predicts() || job.predict_files.empty());
    const std::string part = aligned ? aligned_file(part_name(rank)) : part_name(rank);
    std::string ready = fmt::format("umask 077 && cd {} && chmod 700 .", as_word(host(rank).folder));
    if (const std::string here = part_here(rank); fs::is_directory(here)) {
      ready += fmt::format(" && rm -rf {0} && mkdir {0}", as_word(part));  // no table of an earlier part stays in it
      for (const fs::directory_entry& file : fs::directory_iterator(here)) {
        if (!file.is_regular_file() || file.path().extension() != ".csv") continue;
        files.emplace_back(file.path(), fs::path(part) / file.path().filename());
      }
    } else if (!here.empty()) {
      files.emplace_back(here, part);
    }
    if (sends_nodes(rank)) files.emplace_back(options_.who, kNodes);
    commands.push_back(sending(options_.ssh, host(rank), ready, files));
  }
  on_all("copying the job", commands, Silence::kAllowed);  // a large part takes its time
}

Command Remote::training(int rank, bool again) const {
  std::vector<std::string> words = {"env",
                                    fmt::format("{}={}", kLaunchedVariable, launched_.id),
                                    fmt::format("{}=1", kEventsVariable),
                                    options_.program,
                                    options_.verb,
                                    "job.toml",
                                    "--rank",
                                    std::to_string(rank)};
  words.insert(words.end(), {"--world-size", std::to_string(launched_.ranks())});
  words.insert(words.end(), {"--master", fmt::format("{}:{}", options_.hosts[0].name(), options_.port)});
  words.insert(words.end(), {"--output", options_.run, "--key", "rank.key"});
  const Job& job = launched_.job();
  const bool other = predicts() && !job.predict_files.empty();
  const RankFiles& written = other ? launched_.predicted_as_written : launched_.files_as_written;
  const std::string data = part_here(rank).empty() ? written.of(rank) : part_name(rank);
  if (rank < job.parties && !data.empty()) {
    if (predicts() && !other) {
      words.insert(words.end(), {kOverrideFlag, "data.files=" + data});
    } else {
      words.insert(words.end(), {"--data", data});
    }
  }
  if (sends_nodes(rank)) words.insert(words.end(), {"--who", kNodes});
  for (const std::string& setting : service_settings(rank)) words.insert(words.end(), {kOverrideFlag, setting});
  if (const std::string ledger = ledger_there(rank); !ledger.empty()) {
    words.insert(words.end(), {kOverrideFlag, "privacy.ledger=" + ledger});
  }
  words.insert(words.end(), {kOverrideFlag, "roster=roster"});
  for (const std::string& flag : starting(options_.start, again)) words.push_back(flag);
  return running(options_.ssh, host(rank), words, grace_of(options_.verb));
}

}  // namespace tacit::launcher
