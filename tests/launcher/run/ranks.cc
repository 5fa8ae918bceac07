#include "tests/launcher/run/ranks.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "gnn/data/graph_file.h"
#include "gnn/data/preparation.h"
#include "gnn/plain/plain_trainer.h"
#include "gnn/train/target_scale.h"
#include "launcher/job/job.h"
#include "launcher/job/load_job.h"
#include "launcher/run/event_log.h"

namespace tacit::launcher {

namespace fs = std::filesystem;

namespace {

std::string tacit(const Words& words) {
  Words all{TACIT};
  all.insert(all.end(), words.begin(), words.end());
  return net::run_to_success({all, {}, -1});
}

}  // namespace

Words sets(const Words& settings) {
  Words words;
  for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
  return words;
}

namespace {

Words overrides_within(const fs::path& folder, const Words& settings) {
  Words all = sets({"parties=2", "data.labels=rank 0", "roster=" + (folder / "roster").string(),
                    "keys.identity=" + (folder / "key{rank}").string(), "checkpoints.every=5"});
  const Words more = sets(settings);
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

// The files of every run, made once for all tests of a program: six starts of the command.
struct MadeFiles {
  MadeFiles() {
    Words roster{"keys", "roster"};
    for (int rank = 0; rank < Ranks::kSize; ++rank) {
      const Json made = Json::parse(tacit({"keys", "new", path(fmt::format("key{}", rank)), "--json"}));
      roster.insert(roster.end(), {rank < Ranks::kParties ? "--party" : "--dealer", made["fingerprint"]});
    }
    std::ofstream(path("roster")) << tacit(roster);
    fs::copy_file(fs::path(TACIT_SOURCE_DIR) / "examples/jobs/sensors.toml", path("job.toml"));
    tacit({"data", "make", "sensors", "--stations", "50", "--out", path("whole.npz")});
    Words split{"data", "split", path("whole.npz"), "--job", path("job.toml")};
    const Words own = overrides_within(folder.path(), {});
    split.insert(split.end(), own.begin(), own.end());
    tacit(split);
  }

  std::string path(const std::string& name) const { return folder.path() / name; }

  const TemporaryFolder folder;
};

}  // namespace

Ranks::Ranks() {
  static const MadeFiles made;
  fs::copy(made.folder.path(), folder_.path());
}

Words Ranks::overrides(const Words& settings) const { return overrides_within(folder_.path(), settings); }

net::Command Ranks::command(const std::string& verb, int rank, const Words& more) const {
  Words words{TACIT, verb, path("job.toml"), "--rank", std::to_string(rank)};
  for (const Words& some :
       {Words{"--world-size", "3", "--master", master(), "--output", path("out")}, overrides({}), more}) {
    words.insert(words.end(), some.begin(), some.end());
  }
  return {words, {}, -1};
}

std::vector<net::Process> Ranks::start_all(const std::string& verb, const Words& more) const {
  std::vector<net::Process> all;
  for (int rank = 0; rank < kSize; ++rank) all.push_back(start(verb, rank, more));
  return all;
}

std::vector<net::Ended> ends_of(std::vector<net::Process>& processes) {
  std::vector<net::Ended> ends;
  for (net::Process& process : processes) ends.push_back(process.wait(kSoon));
  return ends;
}

std::vector<net::Ended> Ranks::run_all(const std::string& verb, const Words& more) const {
  std::vector<net::Process> all = start_all(verb, more);
  return ends_of(all);
}

std::vector<Json> Ranks::events(int rank, const std::string& name) const {
  return EventLog::read(output(rank) / "events.jsonl", {name});
}

bool Ranks::comes(int rank, const std::string& event) const {
  const auto until = net::Clock::now() + kSoon;
  while (events(rank, event).empty()) {
    if (net::Clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

Json Ranks::summary(int rank) const {
  std::ifstream file(output(rank) / "summary.json");
  return Json::parse(file);
}

Ranks::Twin Ranks::twin(const Words& settings) const {
  std::vector<std::string> all{"parties=2", "data.labels=rank 0"};
  all.insert(all.end(), settings.begin(), settings.end());
  const Job job = load_job(path("job.toml"), all).job;
  const gnn::GraphData whole = gnn::read_graph(path("whole.npz"));
  const gnn::Matrix telling = gnn::targets_of_scale(job.data, whole);
  gnn::PlainTrainer trainer(job.training, {gnn::standardised(*whole.x), gnn::standardised(*whole.targets, telling),
                                           *whole.edges, gnn::rows_where(whole.train_mask),
                                           gnn::rows_where(whole.val_mask), gnn::rows_where(whole.test_mask), true});
  const double unit = gnn::deviations(telling)(0);
  Twin twin;
  trainer.run([&](const gnn::EpochEvent& event) {
    for (const auto& reading : event.readings) {
      if (reading.what.part == gnn::Part::kTest) twin.rmse = reading.value * unit;
    }
  });
  twin.predictions = (trainer.predictions() * unit).array() + telling.mean();
  return twin;
}

void expect_success(const std::vector<net::Ended>& all) {
  for (const net::Ended& one : all) EXPECT_EQ(one.exit_code, 0) << one;
}

}  // namespace tacit::launcher
