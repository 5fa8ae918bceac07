#include "bench/tables/trial.h"

#include <fmt/format.h>

#include <sstream>
#include <vector>

#include "gnn/data/atomic_file.h"
#include "gnn/data/graph_npz.h"
#include "gnn/data/split.h"
#include "launcher/job/job_text.h"
#include "launcher/launch/launch_ranks.h"
#include "launcher/run/run_failed.h"
#include "launcher/settings/threads.h"
#include "launcher/text_file.h"
#include "net/error.h"
#include "net/private_folder.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;

// Loopback has packets of 64 KiB. With Ethernet's size, the packets are as many as in a capture between machines.
constexpr int kEthernetSegment = 1460;
constexpr std::int64_t kMostOfHosts = 1 << 20;  // bytes

// Removes the files of an earlier benchmark from the folder. Refuses a folder that holds other files and no trial.
void make_empty(const fs::path& folder) {
  if (fs::exists(folder) && !fs::exists(folder / "job.toml") && !fs::is_empty(folder)) {
    throw ConfigError(folder.string() + " exists and holds no trial; choose another folder with --keep");
  }
  fs::remove_all(folder);
  net::make_private_folder(folder, "folder of a trial", "choose another with --keep");
}

void write_text(const fs::path& file, const std::string& text) {
  gnn::AtomicFile out(file);
  out.write(std::as_bytes(std::span(text)));
  out.commit();
}

}  // namespace

Trials::Trials(const TrialOptions& options, Console& console) : options_(options), console_(console) {
  if (options.keep.empty()) {
    folder_ = scratch_.emplace("tacit-bench").path();
  } else {
    fs::create_directories(options.keep);
    folder_ = fs::absolute(options.keep);
  }
}

RunAccount Trials::run(const std::string& name, Job job, const gnn::GraphData& whole, const std::string& emulated,
                       int threads) {
  return launched(name, std::move(job), whole, emulated, threads, Wanted::kSuccess);
}

RunAccount Trials::run_to_any_end(const std::string& name, Job job, const gnn::GraphData& whole) {
  return launched(name, std::move(job), whole, "", 0, Wanted::kAnyEnd);
}

RunAccount Trials::launched(const std::string& name, Job job, const gnn::GraphData& whole, const std::string& emulated,
                            int threads, Wanted wanted) {
  const fs::path folder = folder_ / name;
  make_empty(folder);
  job.name = name;
  job.files = {.pattern = "rank{rank}.npz", .each = {}};
  job.roster.clear();
  job.keys = {};
  job.output = "runs";
  write_text(folder / "job.toml", to_toml(job, {}));
  const int parties = static_cast<int>(job.parties);
  for (int rank = 0; rank < parties; ++rank) {
    const gnn::GraphData part = gnn::part_of(whole, job.data.ownership, rank, parties);
    gnn::write_graph_npz(folder / fmt::format("rank{}.npz", rank), part);
  }
  LaunchOrder order;
  order.output = folder / "run";
  order.program = options_.program;
  order.emulated = emulated;
  order.segment = kEthernetSegment;
  order.cpus = options_.cpus;
  order.shown = Shown::kNone;
  order.hosts = hosts_for(job, folder);
  order.ssh = options_.ssh;
  order.port = options_.port;
  if (!order.hosts.empty()) order.start = {"--afresh"};  // an earlier benchmark may have been there
  if (threads > 0) order.start.insert(order.start.end(), {kThreadsFlag, std::to_string(threads)});
  const RanksEnded ended = launch_ranks(load_launched(folder / "job.toml", {}, 0), order, console_);
  const bool ended_itself = ended.exit() == Exit::kConfig && ended.outcome.interrupted == 0;
  if (ended.exit() != Exit::kOk && !(ended_itself && wanted == Wanted::kAnyEnd)) {
    throw RunFailed(static_cast<int>(ended.exit()), fmt::format("{}: {}", name, ended.sentence()), "");
  }
  RunAccount account = read_run(order.output);
  if (options_.keep.empty()) fs::remove_all(folder);
  return account;
}

// The first lines of the file; and the last one, for a dealer.
std::string Trials::hosts_for(const Job& job, const fs::path& folder) const {
  if (options_.hosts.empty()) return "";
  std::istringstream in(read_text_file(options_.hosts, kMostOfHosts, "a list of hosts"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    const std::string host = line.substr(0, line.find('#'));
    if (host.find_first_not_of(" \t\r") != std::string::npos) lines.push_back(host);
  }
  if (std::ssize(lines) < job.ranks()) {
    throw ConfigError(fmt::format("{} has {} hosts for {} parties{}; name more, or measure fewer parties",
                                  options_.hosts, lines.size(), job.parties, job.helpers() > 0 ? " and a dealer" : ""));
  }
  std::string text;
  for (std::int64_t rank = 0; rank < job.parties; ++rank) text += lines[static_cast<std::size_t>(rank)] + "\n";
  if (job.helpers() > 0) text += lines.back() + "\n";
  write_text(folder / "hosts", text);
  return folder / "hosts";
}

}  // namespace tacit::launcher
