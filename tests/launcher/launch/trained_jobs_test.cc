// Real trainings that `tacit launch` and `tacit demo` start.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

#include "bench/data/sensors.h"
#include "gnn/data/align.h"
#include "gnn/data/graph_npz.h"
#include "gnn/data/preparation.h"
#include "gnn/data/split.h"
#include "launcher/job/load_job.h"
#include "launcher/json.h"
#include "launcher/settings/threads.h"
#include "launcher/unit_text.h"
#include "tests/launcher/processes/alive.h"
#include "tests/net/process.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

net::Ended run(const std::vector<std::string>& words) { return net::Process({words, {}, -1}).wait(100s); }

// examples/jobs/sensors.toml with its data, for two or three parties.
class Example {
 public:
  // Several targets have different units.
  // With ids, the parts name their nodes, and the last party holds them in another order than the
  // others.
  enum class Ids { kNone, kInOrder, kLastReversed };
  explicit Example(int parties, int targets = 1, Ids ids = Ids::kNone) : parties_(parties) {
    gnn::GraphData whole = gnn::make_sensors({.stations = 60});
    const gnn::Matrix one = *whole.targets, others = gnn::standardised(*whole.x);
    for (int more = 1; more < targets; ++more) {
      gnn::Matrix wider(one.rows(), whole.targets->cols() + 1);
      wider << *whole.targets, others.col(more) * std::pow(20, more);
      whole.targets = wider;
    }
    fs::copy_file(TACIT_SOURCE_DIR "/examples/jobs/sensors.toml", job());
    const Job read = load_job(job(), settings()).job;
    for (int rank = 0; rank < parties; ++rank) {
      gnn::GraphData part = gnn::part_of(whole, read.data.ownership, rank, parties);
      if (ids != Ids::kNone) name_nodes(part, ids == Ids::kLastReversed && rank == parties - 1);
      gnn::write_graph_npz(read.files.of(rank), part);
    }
  }

  std::string job() const { return folder_.path() / "sensors.toml"; }
  fs::path output() const { return folder_.path() / "run"; }

  net::Command launch(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {TACIT, "launch", "-n", std::to_string(parties_), job(), "--output", output()};
    for (const std::string& setting : settings()) words.insert(words.end(), {"--set", setting});
    words.insert(words.end(), more.begin(), more.end());
    return {words, {}, -1};
  }

  // A script that replaces each rank's program.
  std::string program(const std::string& text) const {
    const fs::path path = folder_.path() / "program";
    std::ofstream(path) << "#!/usr/bin/env bash\n" << text;
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }

  std::string events_of(int rank) const {
    std::ifstream in(output() / fmt::format("rank{}", rank) / "events.jsonl");
    return {std::istreambuf_iterator<char>(in), {}};
  }

  // Waits until a rank reports this event.
  bool reaches(int rank, const std::string& what) const {
    for (int tries = 0; tries < 4000; ++tries) {
      if (events_of(rank).find(what) != std::string::npos) return true;
      ::usleep(5000);
    }
    return false;
  }

 private:
  std::vector<std::string> settings() const {
    if (parties_ == 3) return {};
    return {fmt::format("parties={}", parties_), fmt::format("data.labels=rank {}", parties_ - 1)};
  }

  static void name_nodes(gnn::GraphData& part, bool reversed) {
    part.ids.emplace();
    std::vector<std::int64_t> rows;
    for (std::int64_t node = 0; node < part.nodes; ++node) {
      part.ids->push_back(fmt::format("station {}", node));
      rows.insert(rows.begin(), node);
    }
    if (reversed) part = gnn::aligned(part, rows).data;
  }

  TemporaryFolder folder_;
  int parties_;
};

// All processes on this machine that were started with these words.
std::vector<pid_t> processes_with(const std::string& first, const std::string& second) {
  std::vector<pid_t> found;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    std::ifstream in(entry.path() / "cmdline");
    std::string words;
    std::getline(in, words, '\n');  // empty for a process that has just ended, since nobody can read the file then
    if (words.find(first) == std::string::npos || words.find(second) == std::string::npos) continue;
    found.push_back(static_cast<pid_t>(std::stol(entry.path().filename())));
  }
  return found;
}

std::vector<pid_t> ranks_of(const Example& example) { return processes_with(example.output(), std::string("--rank")); }
pid_t process_of(const Example& example, int rank) {
  const std::string words = std::string("--rank") + '\0' + std::to_string(rank) + '\0';
  return processes_with(example.output(), words).at(0);
}

TEST(Launched, JobsTrainToTheEnd) {
  for (const int parties : {2, 3}) {
    const Example example(parties);
    const net::Ended ended = net::Process(example.launch({"--set", "training.epochs=4", "--json"})).wait(60s);
    ASSERT_EQ(ended.exit_code, 0) << ended;
    const Json json = Json::parse(ended.out);
    ASSERT_EQ(json["ranks"].size(), static_cast<std::size_t>(parties) + 1);
    for (int rank = 0; rank < parties; ++rank) {
      const Json& summary = json["ranks"][static_cast<std::size_t>(rank)];
      EXPECT_EQ(summary["epochs"], 4);
      EXPECT_EQ(summary["loss"], json["ranks"][0]["loss"]);
      EXPECT_TRUE(summary["loss"].is_number());
      EXPECT_EQ(summary["readings"].size(), 2u);
    }
    EXPECT_THAT(ended.err, HasSubstr("rank 1 | training  epoch 4/4"));
  }
}

std::string text_of(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Masks differ from run to run, so a truncation rounds by one unit up or down: losses are near, all else is equal.
TEST(Launched, JobsComeToTheSameOnAnyNumberOfThreads) {
  const Example example(2);
  const std::vector<std::string> words = {"--set",           "training.epochs=4", "--set",
                                          "openings=direct", "--afresh",          "--json"};
  std::vector<Json> runs;
  for (const int threads : {1, 3}) {
    std::vector<std::string> more = words;
    more.insert(more.end(), {"--threads", std::to_string(threads)});
    const net::Ended ended = net::Process(example.launch(more)).wait(60s);
    ASSERT_EQ(ended.exit_code, 0) << ended;
    runs.push_back(Json::parse(ended.out)["ranks"]);
    for (const Json& rank : runs.back()) EXPECT_EQ(rank["threads"], threads);
  }
  for (std::size_t rank = 0; rank < runs[0].size(); ++rank) {
    const Json &one = runs[0][rank], &three = runs[1][rank];
    for (const char* equal : {"stated", "stated_by_protocol", "reveals"}) EXPECT_EQ(one[equal], three[equal]) << equal;
    EXPECT_EQ(one["measured"]["rounds"], three["measured"]["rounds"]);
    for (const char* equal : {"payload_sent", "payload_received", "messages_sent"}) {
      EXPECT_EQ(one["measured"]["total"][equal], three["measured"]["total"][equal]) << equal;
    }
  }
  EXPECT_NEAR(runs[0][0]["loss"].get<double>(), runs[1][0]["loss"].get<double>(), 1e-2);
}

TEST(Launched, RanksTakeTheirThreadsFromTheEnvironmentOrShareTheCores) {
  const Example example(2);
  net::Command command = example.launch({"--set", "training.epochs=1", "--afresh", "--json"});
  const auto threads_of = [&] {
    const net::Ended ended = net::Process(command).wait(60s);
    EXPECT_EQ(ended.exit_code, 0) << ended;
    return Json::parse(ended.out)["ranks"][0]["threads"].get<int>();
  };
  EXPECT_EQ(threads_of(), std::max(1, usable_cores() / 3));
  EXPECT_THAT(text_of(example.output() / "rank0" / "job.toml"), HasSubstr("for 3 ranks on this machine"));
  command.environment = {{"TACIT_THREADS", "2"}};
  EXPECT_EQ(threads_of(), 2);
}

TEST(Launched, RanksTakeTheirDeviceFromTheFlagOrTheEnvironment) {
  const Example example(2);
  const auto launched = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"--set", "training.epochs=1", "--afresh", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return example.launch(words);
  };
  const net::Ended small = net::Process(launched({"--device", "auto"})).wait(60s);
  ASSERT_EQ(small.exit_code, 0) << small;
  const Json told = Json::parse(small.out);
  for (const Json& rank : told["ranks"]) EXPECT_EQ(rank["device"], "none") << "too small for a card";
  EXPECT_THAT(text_of(example.output() / "rank1" / "job.toml"), testing::ContainsRegex("device.*auto.*--device"));
  net::Command command = launched({});
  command.environment = {{"TACIT_DEVICE", "cuda:1000"}};  // no machine has so many cards
  const net::Ended none = net::Process(command).wait(60s);
  EXPECT_EQ(none.exit_code, 2) << none;
  EXPECT_THAT(none.err, HasSubstr("TACIT_DEVICE=cuda:1000: there is no device cuda:1000"));
}

TEST(Launched, JobTrainsWithEachSeedAndShowsMeansAndDeviations) {
  const Example example(2);
  const auto launched = [&](const char* epochs) {
    const net::Ended ended =
        net::Process(example.launch({"--seeds", "3,8", "--plain", "--set", epochs, "--json"})).wait(90s);
    EXPECT_EQ(ended.exit_code, 0) << ended;
    return Json::parse(ended.out);
  };
  const Json json = launched("training.epochs=3");
  ASSERT_EQ(json["seeds"].size(), 2);
  EXPECT_NE(json["seeds"][0]["ranks"][0]["loss"], json["seeds"][1]["ranks"][0]["loss"]);
  for (const char* folder : {"seed-3", "seed-8"}) {
    EXPECT_THAT(text_of(example.output() / folder / "rank0" / "job.toml"),
                HasSubstr(fmt::format("seed = {}", folder + 5)));
  }
  for (const Json& figure : json["figures"]) {
    ASSERT_EQ(figure["values"].size(), 2) << figure;
    const double one = figure["values"][0], other = figure["values"][1];
    EXPECT_NEAR(figure["mean"].get<double>(), (one + other) / 2, 1e-9);
    EXPECT_NEAR(figure["deviation"].get<double>(), std::abs(one - other) / std::sqrt(2), 1e-9);
    EXPECT_NEAR(figure["plain_mean"].get<double>(), figure["mean"].get<double>(), 0.02 * std::abs(one) + 0.01)
        << figure;
  }
  EXPECT_GE(json["figures"].size(), 2);
  // A finished run goes on if its epochs are raised.
  const Json more = launched("training.epochs=5");
  EXPECT_EQ(more["seeds"][1]["ranks"][0]["epochs"], 5);
  EXPECT_THAT(text_of(example.output() / "seed-8" / "rank0" / "events.jsonl"), HasSubstr("resumed"));
}

TEST(Launched, JobWithSeedsTakesFinishedOnesThatKeepNoCheckpoints) {
  const Example example(2);
  const auto launched = [&](const char* seeds, const char* epochs) {
    return net::Process(example.launch({"--seeds", seeds, "--set", "checkpoints.every=0", "--set", epochs, "--json"}))
        .wait(60s);
  };
  const net::Ended one = launched("3", "training.epochs=2"), two = launched("3,8", "training.epochs=2");
  ASSERT_EQ(one.exit_code, 0) << one;
  ASSERT_EQ(two.exit_code, 0) << two;
  const Json json = Json::parse(two.out);
  EXPECT_EQ(json["seeds"][0]["ranks"], Json::parse(one.out)["seeds"][0]["ranks"]);
  EXPECT_EQ(json["figures"][0]["values"].size(), 2);
  const net::Ended other = launched("3,8", "training.epochs=3");
  EXPECT_EQ(other.exit_code, 2) << "the results are of another job";
}

TEST(Launched, JobWithSeedsEndsWithTheFirstFailure) {
  const Example example(2);
  const net::Ended bad = net::Process(example.launch({"--seeds", "4..2"})).wait(60s);
  EXPECT_EQ(bad.exit_code, 2) << bad;
  EXPECT_THAT(bad.err, HasSubstr("the last seed is below the first one"));
  const net::Ended failed =
      net::Process(example.launch({"--seeds", "1..3", "--program", example.program("exit 3\n")})).wait(60s);
  EXPECT_NE(failed.exit_code, 0) << failed;
  EXPECT_TRUE(fs::exists(example.output() / "seed-1"));
  EXPECT_FALSE(fs::exists(example.output() / "seed-2"));
}

TEST(Launched, JobSharesItsCpusOutToItsRanks) {
  const Example example(2);  // and a dealer
  const std::string program = example.program("echo \"$@\" >>\"$0.said\"\nexit 2\n");
  EXPECT_NE(net::Process(example.launch({"--cpus", "0-3,8", "--program", program})).wait(60s).exit_code, 0);
  const std::string said = text_of(program + ".said");
  for (const char* words :
       {"--rank 0 .*--cpus 0( |\n)", "--rank 1 .*--cpus 1-2( |\n)", "--rank 2 .*--cpus 3,8( |\n)"}) {
    EXPECT_TRUE(std::regex_search(said, std::regex(words))) << words << " in " << said;
  }
  const auto refused = [&](const char* cpus) {
    const net::Ended ended = net::Process(example.launch({"--cpus", cpus})).wait(60s);
    EXPECT_EQ(ended.exit_code, 2) << ended;
    return ended.err;
  };
  EXPECT_THAT(refused("0,1"), HasSubstr("2 CPUs for 3 ranks, the dealer counted"));
  EXPECT_THAT(refused("0-"), HasSubstr("expected numbers of CPUs, as 0,1 or 0-3,8"));
  EXPECT_THAT(refused("1021-1023"), HasSubstr("--cpus 1022: this process may not use this CPU"))
      << "it says so at each rank";
}

TEST(Launched, JobTrainsOnPlainDataBesideItWhereItIsAsked) {
  const Example example(2);
  const net::Ended ended = net::Process(example.launch({"--set", "training.epochs=4", "--set",
                                                        "training.evaluate_every=2", "--plain", "--json"}))
                               .wait(60s);
  ASSERT_EQ(ended.exit_code, 0) << ended;
  const net::Ended told = run({TACIT, "report", example.output(), "--json"});
  ASSERT_EQ(told.exit_code, 0) << told;
  const Json json = Json::parse(told.out), &loss = json["figures"][0], &rmse = json["figures"][1];
  EXPECT_EQ(loss["series"][1]["name"], "on plain data");
  for (const Json& figure : {loss, rmse}) {
    const std::size_t on_shares = figure["series"].size() / 2;
    for (std::size_t line = 0; line < on_shares; ++line) {
      const Json &shares = figure["series"][line]["value"], &plain = figure["series"][line + on_shares]["value"];
      ASSERT_EQ(shares.size(), plain.size());
      for (std::size_t i = 0; i < shares.size(); ++i) {
        EXPECT_NEAR(shares[i].get<double>(), plain[i].get<double>(), 0.01 * plain[i].get<double>());
      }
    }
  }
  for (const Json& prediction : json["runs"][0]["predictions"]) EXPECT_TRUE(prediction["equal"]) << prediction;
  EXPECT_THAT(text_of(example.output() / "report.html"), HasSubstr("All are equal."));
}

TEST(Launched, JobOfSeveralTargetsTellsTheErrorsOfItsTwinInTheirUnits) {
  const Example example(2, 3);
  const net::Ended ended =
      net::Process(example.launch({"--set", "training.epochs=3", "--set", "model.gcn={hidden = 16, outputs = 3}",
                                   "--set", "reveal.metric=[{what = \"rmse\"}, {what = \"mae\"}]", "--plain"}))
          .wait(60s);
  ASSERT_EQ(ended.exit_code, 0) << ended;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("test mae"), HasSubstr("report: ")));
  const Json told = Json::parse(run({TACIT, "report", example.output(), "--json"}).out);
  const Json& readings = told["runs"][0]["readings"];
  ASSERT_EQ(readings.size(), 2u);
  for (const Json& reading : readings) {
    EXPECT_NEAR(reading["value"].get<double>(), reading["plain"].get<double>(), 0.02 * reading["plain"].get<double>());
    EXPECT_GT(reading["value"], 50) << "the third target's unit is 400";
  }
}

// A run on shares leaves a range: the launcher still trains the twin (plaintext reference), and
// prints the figures of both.
TEST(Launched, JobThatLeavesARangeShowsTheFiguresOfItsTwin) {
  const Example example(2);
  const net::Ended ended = net::Process(example.launch({"--set", "training.epochs=5", "--set", "ranges.activations=1",
                                                        "--set", "training.optimiser.rate=2", "--plain"}))
                               .wait(60s);
  EXPECT_EQ(ended.exit_code, 2) << ended;
  EXPECT_THAT(ended.err, AllOf(HasSubstr("left their range of 1"), HasSubstr("ranges.activations = 4")));
  EXPECT_THAT(ended.out, AllOf(HasSubstr("on shares"), HasSubstr("on plain data"), HasSubstr("(epoch 5)")));
}

TEST(Launched, JobWithAFailingTwinKeepsItsTableAndReport) {
  const Example example(2);
  fs::create_directory(example.output());
  std::ofstream(example.output() / "plain") << "in the way of a folder";
  const net::Ended ended = net::Process(example.launch({"--set", "training.epochs=2", "--plain"})).wait(60s);
  EXPECT_EQ(ended.exit_code, 0) << ended;
  EXPECT_THAT(ended.err, HasSubstr("there is no training on plain data: "));
  EXPECT_THAT(ended.out, AllOf(HasSubstr("rank    role"), HasSubstr("report: ")));
}

TEST(Launched, JobThatDoesNotFitItsDataIsNotStartedWhereATwinIsToBeTrained) {
  const Example example(2, 2);
  const net::Ended ended = net::Process(example.launch({"--plain"})).wait(60s);
  EXPECT_EQ(ended.exit_code, 2) << ended;
  EXPECT_THAT(ended.err, HasSubstr("y: 2 columns for a model of 1 output"));
  EXPECT_FALSE(fs::exists(example.output()));
}

// If one party's rows mean other nodes, the training gives a wrong result without any other
// symptom.
TEST(Launched, JobWithIdsInDifferentOrdersEndsWithTwoAndNamesTheRemedy) {
  for (const int parties : {2, 3, 5}) {
    const Example mixed(parties, 1, Example::Ids::kLastReversed);
    const net::Ended ended = net::Process(mixed.launch({"--set", "training.epochs=2"})).wait(60s);
    EXPECT_EQ(ended.exit_code, 2) << parties << " parties" << ended;
    EXPECT_THAT(ended.err, AllOf(HasSubstr(fmt::format("and {} are not the same list", parties - 1)),
                                 HasSubstr("`tacit data align JOB`"), Not(HasSubstr("station"))));
    for (int rank = 0; rank <= parties; ++rank) {
      std::ifstream in(mixed.output() / fmt::format("rank{}", rank) / "summary.json");
      const Json summary = Json::parse(in);
      EXPECT_EQ(summary["result"], "failed") << rank;
      EXPECT_EQ(summary["exit_code"], 2) << rank;
      EXPECT_THAT(mixed.events_of(rank), Not(HasSubstr("\"event\":\"epoch\""))) << rank;
    }
    const Example equal(parties, 1, Example::Ids::kInOrder);
    const net::Ended trained = net::Process(equal.launch({"--set", "training.epochs=2"})).wait(60s);
    EXPECT_EQ(trained.exit_code, 0) << parties << " parties" << trained;
  }
}

TEST(Launched, JobThatDivergesWithoutTheWatchShowsTheFiguresOfItsTwin) {
  const Example example(2);
  const net::Ended ended = net::Process(example.launch({"--set", "training.epochs=20", "--set", "audit.every=off",
                                                        "--set", "training.optimiser.rate=8", "--plain"}))
                               .wait(60s);
  EXPECT_EQ(ended.exit_code, 2) << ended;
  // The masks decide which of two errors comes first: a loss that has grown a hundredfold, or a loss out of its
  // range.
  EXPECT_THAT(ended.err, testing::AnyOf(HasSubstr("training diverged"), HasSubstr("a value left its declared range")));
  EXPECT_THAT(ended.out, AllOf(HasSubstr("on shares"), HasSubstr("on plain data")));
  EXPECT_THAT(ended.out, testing::ContainsRegex("training loss .*[0-9]e[+][0-9]+ [(]epoch 6[)]"))
      << "and no 300 digits";
  EXPECT_TRUE(fs::exists(example.output() / "plain" / "events.jsonl"));
}

// The table, the summary and the progress line show the same traffic and time of a rank.
TEST(Launched, JobHasTheSameTrafficAndTimeInTableSummaryAndProgress) {
  const Example example(2);
  const net::Ended ended = net::Process(example.launch({"--set", "training.epochs=3"})).wait(60s);
  ASSERT_EQ(ended.exit_code, 0) << ended;
  std::istringstream table(ended.out);
  std::string line;
  std::getline(table, line);
  EXPECT_THAT(line, HasSubstr("MB out  MB in  time s"));
  for (int rank = 0; rank <= 2; ++rank) {
    SCOPED_TRACE(rank);
    std::ifstream in(example.output() / fmt::format("rank{}", rank) / "summary.json");
    const Json summary = Json::parse(in), &total = summary["measured"]["total"];
    std::getline(table, line);
    std::istringstream fields(line);
    const std::vector<std::string> row{std::istream_iterator<std::string>(fields), {}};
    ASSERT_GE(row.size(), 10u) << line;
    const auto field = [&](std::size_t from_end) { return row[row.size() - from_end]; };
    EXPECT_EQ(field(6), std::to_string(summary["measured"]["rounds"].get<std::int64_t>()));
    EXPECT_EQ(field(5), fmt::format("{:.2f}", total["payload_sent"].get<double>() / 1e6));
    EXPECT_EQ(field(4), fmt::format("{:.2f}", total["payload_received"].get<double>() / 1e6));
    EXPECT_EQ(field(3), fmt::format("{:.2f}", summary["seconds"].get<double>()));
    double bytes = -1;  // bytes of an epoch: the mean that the progress line shows
    std::istringstream events(example.events_of(rank));
    while (std::getline(events, line)) {
      const Json event = Json::parse(line);
      if (event["event"] != "epoch") continue;
      const double sent = event["measured"]["total"]["payload_sent"];
      bytes = bytes < 0 ? sent : 0.8 * bytes + 0.2 * sent;
    }
    EXPECT_THAT(ended.err, testing::ContainsRegex(fmt::format("rank {} \\| training  epoch 3/3  [^\n]*  {}/epoch\n",
                                                              rank, bytes_text(bytes))));
  }
}

TEST(Launched, JobWithAKilledPartyEndsEverywhereWithThree) {
  const Example example(3);
  net::Process launcher(example.launch({"--set", "training.epochs=100000"}));
  ASSERT_TRUE(example.reaches(0, "\"epoch\":5,")) << launcher.wait(0s);
  const std::vector<pid_t> ranks = ranks_of(example);
  EXPECT_EQ(ranks.size(), 4u);
  ::kill(process_of(example, 1), SIGKILL);
  const net::Ended ended = launcher.wait(10s);
  EXPECT_EQ(ended.exit_code, 3) << ended;
  EXPECT_THAT(ended.err, AllOf(HasSubstr("rank 1 was ended by SIGKILL"), HasSubstr("report.html")));
  EXPECT_THAT(text_of(example.output() / "report.html"), HasSubstr("rank 1: the account has no end"));
  EXPECT_TRUE(all_gone(ranks, 0ms));
}

TEST(Launched, JobGoesOnFromItsCheckpointAfterARestart) {
  const Example example(2);
  net::Process launcher(
      example.launch({"--set", "training.epochs=200", "--set", "checkpoints.every=20", "--restarts", "1", "--json"}));
  ASSERT_TRUE(example.reaches(1, "\"epoch\":41,")) << launcher.wait(0s);
  ::kill(process_of(example, 1), SIGKILL);
  const net::Ended ended = launcher.wait(60s);
  ASSERT_EQ(ended.exit_code, 0) << ended;
  EXPECT_THAT(ended.err, HasSubstr("rank 1 was ended by SIGKILL; restart 1 of 1"));
  EXPECT_THAT(ended.err, Not(HasSubstr("to go on, at every rank"))) << "the launcher says that";
  const Json json = Json::parse(ended.out);
  EXPECT_EQ(json["restarts"], 1);
  EXPECT_EQ(json["ranks"][0]["epochs"], 200);
  EXPECT_GE(json["ranks"][0]["resumed_from"].get<std::int64_t>(), 20) << ended;
}

// A restart resumes the training that the launch began afresh, and nothing older.
TEST(Launched, JobWithAfreshBeginsAnewOnlyOnce) {
  const Example example(2);
  const std::vector<std::string> setting{"--set", "checkpoints.every=20", "--restarts", "1", "--json"};
  const auto launch = [&](const char* epochs, const std::vector<std::string>& more) {
    net::Command command = example.launch({"--set", std::string("training.epochs=") + epochs});
    for (const std::vector<std::string>& words : {setting, more}) {
      command.arguments.insert(command.arguments.end(), words.begin(), words.end());
    }
    return command;
  };
  ASSERT_EQ(net::Process(launch("100", {})).wait(60s).exit_code, 0);
  net::Process launcher(launch("300", {"--afresh"}));
  ASSERT_TRUE(example.reaches(1, "\"epoch\":141,")) << launcher.wait(0s);
  ::kill(process_of(example, 1), SIGKILL);
  const net::Ended ended = launcher.wait(60s);
  ASSERT_EQ(ended.exit_code, 0) << ended;
  const Json json = Json::parse(ended.out);
  EXPECT_EQ(json["restarts"], 1);
  EXPECT_GE(json["ranks"][0]["resumed_from"].get<std::int64_t>(), 120) << ended;
  for (const char* rank : {"rank0", "rank1", "rank2"}) {
    EXPECT_TRUE(fs::exists(example.output() / (std::string(rank) + ".1"))) << "the files from before the launch";
    EXPECT_FALSE(fs::exists(example.output() / (std::string(rank) + ".2")))
        << "the training that this launch had begun";
  }
}

TEST(Launched, JobEndsWithItsLauncherHoweverThatDies) {
  for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
    const Example example(3);
    net::Process launcher(example.launch({"--set", "training.epochs=100000"}));
    ASSERT_TRUE(example.reaches(0, "\"epoch\":3,")) << launcher.wait(0s);
    const std::vector<pid_t> ranks = ranks_of(example);
    EXPECT_EQ(ranks.size(), 4u);
    ::kill(launcher.pid(), signal);
    const net::Ended ended = launcher.wait(5s);
    EXPECT_FALSE(ended.overdue);
    EXPECT_EQ(ended.exit_code, signal == SIGKILL ? -1 : 128 + signal) << ended;
    EXPECT_TRUE(all_gone(ranks, 2s));
    EXPECT_TRUE(ranks_of(example).empty());
  }
}

TEST(Demo, TrainsNearTheTwinAndLeavesItsReportAlone) {
  const TemporaryFolder folder;
  const net::Ended ended =
      net::Process({{TACIT, "demo", "--epochs", "30", "--json"}, {{"TMPDIR", folder.path()}}, -1}).wait(60s);
  ASSERT_EQ(ended.exit_code, 0) << ended;
  const Json json = Json::parse(ended.out);
  ASSERT_EQ(json["readings"].size(), 2u);
  for (const Json& reading : json["readings"]) {
    EXPECT_NEAR(reading["value"].get<double>(), reading["plain"].get<double>(), 0.2);
  }
  const auto is_loss = [](const Json& reveal) { return reveal["what"] == "training loss" && reveal["count"] == 30; };
  EXPECT_EQ(std::count_if(json["reveals"].begin(), json["reveals"].end(), is_loss), 1);
  const fs::path report = json["report"].get<std::string>();
  EXPECT_EQ(report.parent_path(), folder.path());
  EXPECT_THAT(text_of(report), AllOf(HasSubstr("on plain data"), HasSubstr("All are equal.")));
  fs::remove(report);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Demo, KeepsItsFilesInTheNamedFolder) {
  const TemporaryFolder folder;
  const std::string kept = folder.path() / "kept";
  const net::Ended ended = run({TACIT, "demo", "--parties", "2", "--epochs", "2", "--keep", kept});
  ASSERT_EQ(ended.exit_code, 0) << ended;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("on plain data"), HasSubstr("2 x training loss, to everyone")));
  EXPECT_TRUE(fs::exists(kept + "/demo.toml"));
  EXPECT_TRUE(fs::exists(kept + "/rank2/summary.json"));
  EXPECT_THAT(text_of(kept + "/report.html"), HasSubstr("2 parties and a dealer"));
  EXPECT_EQ(run({TACIT, "demo", "--keep", kept}).exit_code, 2);
}

TEST(Demo, ThatIsInterruptedLeavesNothingAndPromisesNothing) {
  const TemporaryFolder folder;
  net::Process demo({{TACIT, "demo", "--epochs", "1000000"}, {{"TMPDIR", folder.path()}}, -1});
  ASSERT_TRUE(demo.prints("epoch 1/", 30s));
  ::kill(demo.pid(), SIGINT);
  const net::Ended ended = demo.wait(10s);
  EXPECT_EQ(ended.exit_code, 130) << ended;
  EXPECT_THAT(ended.err,
              AllOf(HasSubstr("SIGINT came, and all ranks were ended; the same command starts from the first epoch"),
                    Not(HasSubstr("checkpoint"))));
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Demo, WithoutAFolderNamesTheRemedy) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "file";
  std::ofstream(file) << "mine";
  const net::Ended nowhere = net::Process({{TACIT, "demo"}, {{"TMPDIR", file}}, -1}).wait(10s);
  EXPECT_EQ(nowhere.exit_code, 2) << nowhere;
  EXPECT_THAT(nowhere.err, AllOf(HasSubstr("no folder can be made in " + file), HasSubstr("set TMPDIR to one")));
  EXPECT_THAT(run({TACIT, "demo", "--keep", file}).err, HasSubstr("exists already; --keep needs"));
  EXPECT_THAT(run({TACIT, "demo", "--keep", file + "/kept"}).err,
              HasSubstr("/kept cannot be written: Not a directory; name another with --keep"));
}

TEST(Demo, ThatIsKilledLeavesNothingRunningAndNoFolder) {
  const TemporaryFolder folder;
  net::Process demo({{TACIT, "demo", "--epochs", "1000000"}, {{"TMPDIR", folder.path()}}, -1});
  ASSERT_TRUE(demo.prints("epoch 1/", 30s));
  const std::vector<pid_t> ranks = processes_with(folder.path(), "--rank");
  EXPECT_EQ(ranks.size(), 4u);
  ::kill(demo.pid(), SIGKILL);
  EXPECT_TRUE(all_gone(ranks, 2s));
  for (int tries = 0; tries < 1000 && !fs::is_empty(folder.path()); ++tries) ::usleep(5000);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

// Rank 0 is killed after it has written all its files: the other ranks have finished and ended
// well.
TEST(TrainedJobs, WithARankKilledInItsLastMomentEndWellAfterARestart) {
  const Example example(2);
  const std::string program = example.program(TACIT
                                              " \"$@\"; code=$?\n"
                                              "if [[ \" $* \" == *' --rank 0 '* && $code = 0 && ! -e \"$0.killed\" ]]; "
                                              "then touch \"$0.killed\"; kill -9 $$; fi\n"
                                              "exit $code\n");
  const net::Ended ended =
      net::Process(example.launch({"--restarts", "3", "--program", program, "--set", "training.epochs=8", "--set",
                                   "checkpoints.every=3", "--set", "reveal.model=0", "--json"}))
          .wait(100s);
  EXPECT_EQ(ended.exit_code, 0) << ended;
  EXPECT_THAT(ended.err, HasSubstr("restart 1 of 3"));
  EXPECT_THAT(ended.err, Not(HasSubstr("restart 2 of 3")));
  EXPECT_TRUE(fs::exists(example.output() / "rank0" / "model.npz"));
  EXPECT_THAT(example.events_of(1), HasSubstr("\"event\":\"evaluated\""));
}

}  // namespace
}  // namespace tacit::launcher
