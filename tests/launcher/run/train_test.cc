// A rank's whole run, from its files to its results.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "gnn/metric/divergence.h"
#include "tests/launcher/run/ranks.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

double test_rmse(const Json& summary) {
  for (const Json& reading : summary["readings"]) {
    if (reading["what"] == "test rmse") return reading["value"];
  }
  return 0;
}

mode_t mode_of(const fs::path& path) {
  struct stat about {};
  EXPECT_EQ(::stat(path.c_str(), &about), 0) << path;
  return about.st_mode & 07777;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The sum of one cost over all parts of the profile.
std::int64_t sum_of(const Json& profile, const char* number) {
  std::int64_t sum = 0;
  for (const char* when : {"before", "first_epoch", "parts", "after"}) {
    for (const Json& part : profile[when]) {
      for (const Json& one : part["protocols"]) sum += one["cost"][number].get<std::int64_t>();
    }
  }
  return sum;
}

TEST(Train, ReachesTheErrorOfItsTwinAndLeavesAnAccountAtEveryRank) {
  const Ranks ranks;
  const Words settings{"training.epochs=30", "reveal.model=0", "reveal.predictions=1"};
  Words more = sets(settings);
  more.emplace_back("--json");
  const std::vector<net::Ended> ends = ranks.run_all("train", more);
  expect_success(ends);
  const Json answer = Json::parse(ends[0].out);
  const double expected = ranks.twin(settings).rmse;
  EXPECT_NEAR(test_rmse(answer), expected, 0.02 * expected);
  EXPECT_THAT(ends[0].err, HasSubstr("training  epoch 30/30  loss "));
  EXPECT_THAT(ends[0].err, Not(HasSubstr("\x1b"))) << "no terminal";
  EXPECT_THAT(ends[1].err, HasSubstr("rank 1: listens at 127.0.0.1:"))
      << "like rank 0, so that no other machine can call";

  for (int rank = 0; rank < Ranks::kSize; ++rank) {
    SCOPED_TRACE(rank);
    const bool party = rank != Ranks::kDealer;
    const Json summary = ranks.summary(rank);
    EXPECT_EQ(summary["result"], "finished");
    EXPECT_EQ(summary["epochs"], 30);
    EXPECT_EQ(summary["job_digest"], answer["job_digest"]);
    EXPECT_EQ(summary["profile"]["epochs"], 29) << "and the first";
    for (const char* number : {"rounds", "bytes", "messages", "dealt_bytes", "dealt_messages"}) {
      EXPECT_EQ(sum_of(summary["profile"], number), summary["stated"][number]) << number;
    }
    EXPECT_GT(summary["profile"]["parts"][0]["seconds"], 0.0);
    EXPECT_THAT(
        summary["reveals"],
        testing::Contains(Json({{"what", "training loss"}, {"to", "everyone"}, {"count", 30}, {"elements", 30}})));
    std::int64_t judged = 0;  // losses and metrics that the guard judged
    for (const Json& reveal : summary["reveals"]) {
      if (reveal["what"] == "training loss" || reveal["what"].get<std::string>().ends_with(" rmse")) {
        judged += reveal["count"].get<std::int64_t>();
      }
    }
    EXPECT_GT(judged, 30);
    EXPECT_EQ(summary["decisions"], Json({{{"what", gnn::kDivergenceGuard}, {"count", judged}}}));
    for (const char* name : {"started", "joined", "agreed", "afresh", "revealed", "finished"}) {
      EXPECT_EQ(ranks.events(rank, name).size(), 1u) << name;
    }
    const std::vector<Json> epochs = ranks.events(rank, "epoch");
    ASSERT_EQ(epochs.size(), 30u);
    EXPECT_EQ(epochs[9]["epoch"], 10);
    EXPECT_EQ(epochs[9]["loss"].is_number(), party);
    if (party) {
      const Json& peers = epochs[9]["measured"]["peers"];
      EXPECT_EQ(peers[std::to_string(1 - rank)]["payload_sent"], epochs[9]["stated"]["bytes"]) << "measured = stated";
    }
    EXPECT_EQ(ranks.events(rank, "checkpoint").size(), party ? 6u : 0u);
    EXPECT_THAT(text_of(ranks.output(rank) / "job.toml"), HasSubstr("# --set training.epochs=30"));
    EXPECT_EQ(mode_of(ranks.output(rank)), 0700u);
    EXPECT_EQ(mode_of(ranks.output(rank) / "events.jsonl"), 0600u);
    EXPECT_EQ(fs::exists(ranks.output(rank) / "storage.key"), party);
    EXPECT_EQ(fs::exists(ranks.output(rank) / "model.npz"), rank == 0);
    EXPECT_EQ(fs::exists(ranks.output(rank) / "predictions.npz"), rank == 1);
  }
  EXPECT_EQ(mode_of(ranks.output(0) / "model.npz"), 0600u);
  EXPECT_EQ(mode_of(ranks.output(1) / "storage.key"), 0600u);

  const std::vector<net::Ended> again = ranks.run_all("train", sets(settings));
  for (const net::Ended& one : again) {
    EXPECT_EQ(one.exit_code, 2) << one;
    EXPECT_THAT(one.err, HasSubstr("holds the results of a run that has finished"));
  }
  EXPECT_EQ(ranks.summary(0)["result"], "finished") << "untouched";
  Words afresh = sets({"training.epochs=2"});
  afresh.emplace_back("--afresh");
  expect_success(ranks.run_all("train", afresh));
  EXPECT_EQ(ranks.summary(0)["epochs"], 2);
  EXPECT_TRUE(fs::exists(ranks.output(0).string() + ".1/model.npz"));

  // A caller that starts ranks itself may set any word; a launch's own name marks the checkpoints
  // that this launch has begun.
  for (const char* launch : {"1", "0123456789abcdef"}) {
    ASSERT_EQ(::setenv("TACIT_LAUNCHED", launch, 1), 0);
    expect_success(ranks.run_all("train", afresh));
    const std::vector<net::Ended> once_more = ranks.run_all("train", afresh);
    ::unsetenv("TACIT_LAUNCHED");
    expect_success(once_more);
    if (launch == std::string("1")) continue;
    for (const net::Ended& one : once_more) EXPECT_THAT(one.err, HasSubstr("goes on after epoch 2"));
  }
}

TEST(Train, GoesOnAfterAKillAsIfNothingHadBeen) {
  const Ranks ranks;
  const Words settings{"training.epochs=500"};
  std::vector<net::Process> all = ranks.start_all("train", sets(settings));
  ASSERT_TRUE(ranks.comes(1, "checkpoint"));
  all[1].signal(SIGKILL);
  const std::vector<net::Ended> ends = ends_of(all);
  EXPECT_EQ(ends[1].signal, SIGKILL) << ends[1];
  EXPECT_EQ(ranks.summary(1)["result"], "running") << "nobody could say more";
  for (const int rank : {0, 2}) {
    EXPECT_EQ(ends[static_cast<std::size_t>(rank)].exit_code, 3) << ends[static_cast<std::size_t>(rank)];
    EXPECT_THAT(ends[static_cast<std::size_t>(rank)].err, HasSubstr("rank 1 (party"));
    EXPECT_THAT(ends[static_cast<std::size_t>(rank)].err,
                HasSubstr("tacit train " + ranks.path("job.toml") + " --resume --rank"));
  }
  const Json failed = ranks.summary(0);
  EXPECT_EQ(failed["result"], "failed");
  EXPECT_GE(failed["newest_checkpoint"], 5);

  const std::vector<net::Ended> resumed = ranks.run_all("train", sets(settings));
  expect_success(resumed);
  EXPECT_THAT(resumed[0].err, HasSubstr("goes on after epoch "));
  EXPECT_THAT(resumed[0].out, HasSubstr("/rank0: checkpoints, events.jsonl, "));
  EXPECT_THAT(resumed[Ranks::kDealer].out, HasSubstr("/rank2: events.jsonl, ")) << "it has no checkpoints";
  const Json summary = ranks.summary(0);
  EXPECT_EQ(summary["epochs"], 500);
  EXPECT_GE(summary["resumed_from"], 5);
  for (const Json& reveal : summary["reveals"]) {
    if (reveal["what"] == "training loss") {
      EXPECT_GE(reveal["count"], 500) << "repeated ones too";
    }
  }
  const double expected = ranks.twin(settings).rmse;
  EXPECT_NEAR(test_rmse(summary), expected, 0.02 * expected);
  EXPECT_EQ(ranks.events(0, "started").size(), 2u) << "one account of both sessions";
  EXPECT_EQ(ranks.events(0, "resumed").size(), 1u);
}

// If one party loses its files, the other parties keep theirs.
TEST(Train, RefusesToBeginAnewWhereAPartyHasLostItsCheckpoints) {
  const Ranks ranks;
  std::vector<net::Process> all = ranks.start_all("train", sets({"training.epochs=1000000"}));
  const auto until = net::Clock::now() + kSoon;
  while (ranks.events(0, "checkpoint").size() < 3 && net::Clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  all[1].signal(SIGKILL);
  ends_of(all);
  fs::remove_all(ranks.output(1) / "checkpoints");
  const std::size_t trained = ranks.events(0, "epoch").size();
  for (const net::Ended& one : ranks.run_all("train", sets({"training.epochs=1000000"}))) {
    EXPECT_EQ(one.exit_code, 2) << one;
    EXPECT_THAT(one.err, testing::AllOf(HasSubstr("a checkpoint would be lost"), HasSubstr("--afresh")));
  }
  EXPECT_EQ(ranks.events(0, "epoch").size(), trained);
}

TEST(Train, TakesItsSeatFromTheEnvironmentAndItsOwnFilesFromFlags) {
  const Ranks ranks;
  const net::Endpoint master = net::Endpoint::parse(ranks.master());
  std::vector<net::Process> all;
  for (int rank = 0; rank < Ranks::kSize; ++rank) {
    Words words{TACIT, "train", ranks.path("job.toml"), "--key", ranks.path("key" + std::to_string(rank)), "--quiet"};
    const Words more = sets({"parties=2", "data.labels=rank 0", "roster=" + ranks.path("roster"), "training.epochs=2",
                             "checkpoints.every=0", "output=" + ranks.path("out")});
    words.insert(words.end(), more.begin(), more.end());
    if (rank != Ranks::kDealer)
      words.insert(words.end(), {"--data", ranks.path("rank" + std::to_string(rank) + ".npz")});
    all.emplace_back(net::Command{words,
                                  {{"RANK", std::to_string(rank)},
                                   {"WORLD_SIZE", "3"},
                                   {"MASTER_ADDR", master.host},
                                   {"MASTER_PORT", std::to_string(master.port)}},
                                  -1});
  }
  for (const net::Ended& one : ends_of(all)) {
    EXPECT_EQ(one.exit_code, 0) << one;
    EXPECT_EQ(one.err, "");
    EXPECT_THAT(one.out, HasSubstr("has finished: 2 epochs"));
  }
  EXPECT_THAT(text_of(ranks.output(1) / "job.toml"), HasSubstr("# rank: 1 (RANK in the environment)"));
  EXPECT_FALSE(fs::exists(ranks.output(1) / "checkpoints"));
  EXPECT_FALSE(fs::exists(ranks.output(1) / "storage.key"));
}

}  // namespace
}  // namespace tacit::launcher
