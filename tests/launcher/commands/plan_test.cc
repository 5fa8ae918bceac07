// What `tacit plan` says is what `tacit launch` then measures, for the example jobs.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "tests/launcher/commands/command.h"
#include "tests/net/process.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class PlanOf : public testing::Test {
 protected:
  explicit PlanOf(const std::string& job = "sensors") : job_(path(job + ".toml")) {
    fs::copy_file(fs::path(TACIT_SOURCE_DIR) / "examples/jobs" / (job + ".toml"), job_);
  }
  std::string path(const std::string& name) const { return folder_.path() / name; }

  void make_data(const std::vector<std::string>& what) const {
    std::vector<std::string> words = {"data", "make"};
    words.insert(words.end(), what.begin(), what.end());
    words.insert(words.end(), {"--out", path("whole.npz")});
    ASSERT_EQ(tacit(words).exit_code, 0);
    ASSERT_EQ(tacit({"data", "split", path("whole.npz"), "--job", job_}).exit_code, 0);
  }

  static std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  // Every epoch of every rank, and the run as a whole.
  void expect_measured(int parties, const std::vector<std::string>& settings) const {
    const Json plan = tacit(with({"plan", job_, "--json"}, settings)).json();
    expect_alike(parties, tacit({"plan", job_, "--json"}).json());
    expect_alike(parties, plan);
    const std::string output = path("run");
    const auto launched =
        net::Process({with({TACIT, "launch", job_, "--output", output, "--afresh"}, settings), {}, -1})
            .wait(std::chrono::seconds(100));
    ASSERT_EQ(launched.exit_code, 0) << launched.err;
    for (int rank = 0; rank < parties; ++rank) {
      const Json& planned = plan["ranks"][static_cast<std::size_t>(rank)];
      std::ifstream events(fs::path(output) / fmt::format("rank{}", rank) / "events.jsonl");
      std::vector<Json> epochs;
      for (std::string line; std::getline(events, line);) {
        Json event = Json::parse(line);
        if (event["event"] == "epoch") epochs.push_back(std::move(event));
      }
      ASSERT_EQ(std::ssize(epochs), plan["epochs"]);
      for (std::size_t i = 0; i < epochs.size(); ++i) {
        std::int64_t sent = 0;  // to parties
        for (const auto& [peer, traffic] : epochs[i]["measured"]["peers"].items()) {
          if (std::stoi(peer) < parties) sent += traffic["payload_sent"].get<std::int64_t>();
        }
        EXPECT_EQ(sent, planned["bytes_of_epochs"][i]) << "epoch " << i + 1 << " of rank " << rank;
        EXPECT_EQ(epochs[i]["measured"]["rounds"], planned["rounds_of_epochs"][i])
            << "epoch " << i + 1 << " of rank " << rank;
      }
      std::ifstream file(fs::path(output) / fmt::format("rank{}", rank) / "summary.json");
      const Json summary = Json::parse(file);
      EXPECT_EQ(summary["openings"], plan["openings"]);
      const Json& stated = summary["stated"];
      for (const char* what : {"rounds", "bytes", "messages", "dealt_bytes"}) {
        EXPECT_EQ(stated[what], planned["total"][what]) << what << " of rank " << rank;
      }
    }
  }

  // What the table by parties says of the job's own number is what the others do.
  static void expect_alike(int parties, const Json& plan) {
    const Json* busiest = &plan["ranks"][0];
    for (const Json& rank : plan["ranks"]) {
      if (rank["total"]["bytes"] > (*busiest)["total"]["bytes"]) busiest = &rank;
    }
    const auto own = std::find_if(plan["by_parties"].begin(), plan["by_parties"].end(),
                                  [&](const Json& of) { return of["parties"] == parties; });
    ASSERT_NE(own, plan["by_parties"].end());
    EXPECT_EQ((*own)["epoch"], (*busiest)["epoch"]);
    EXPECT_EQ((*own)["epoch_seconds"][0], plan["links"][0]["epoch_seconds"]);
    // As large as what another number of parties is said to send.
    const double sent = plan["by_parties"][0]["epoch"]["bytes"], of_own = (*own)["epoch"]["bytes"];
    EXPECT_LT(of_own, 2.5 * sent);
    EXPECT_GE(of_own, sent);
  }

  TemporaryFolder folder_;
  const std::string job_;
};

class PlanOfCitations : public PlanOf {
 protected:
  PlanOfCitations() : PlanOf("citations") {}
};

class PlanOfPayments : public PlanOf {
 protected:
  PlanOfPayments() : PlanOf("payments") {}
};

// Private edges and masks, early stopping, predictions for one rank.
TEST_F(PlanOfPayments, IsWhatIsMeasured) {
  make_data({"communities", "--nodes", "300", "--classes", "2", "--features", "24", "--words", "6", "--validate", "60",
             "--test", "100"});
  expect_measured(3, {"--set", "training.epochs=5", "--set", "training.evaluate_every=1"});
}

TEST_F(PlanOf, SensorsIsWhatIsMeasured) {
  make_data({"sensors", "--stations", "60"});
  expect_measured(3, {"--set", "training.epochs=4"});
  expect_measured(3, {"--set", "training.epochs=3", "--set", "openings=two-phase", "--set", "data.edges=rank 1"});
}

TEST_F(PlanOfCitations, IsWhatIsMeasured) {
  make_data({"communities", "--nodes", "1700", "--features", "250"});
  expect_measured(2, {"--set", "training.epochs=3"});
}

TEST_F(PlanOf, TakesTheWholeGraphOrItsSizesWhereThereAreNoParts) {
  const Ran none = tacit({"plan", job_});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, AllOf(HasSubstr("the part of rank 0 is not here"), HasSubstr("--graph"), HasSubstr("--nodes")));
  make_data({"sensors", "--stations", "60"});
  const Json by_parts = tacit({"plan", job_, "--json"}).json();
  EXPECT_EQ(tacit({"plan", job_, "--graph", path("whole.npz"), "--json"}).json()["ranks"], by_parts["ranks"]);
  std::vector<std::string> words = {"plan", job_, "--json"};
  for (const char* size : {"nodes", "features", "train", "validation", "test"}) {
    words.push_back(fmt::format("--{}", size));
    words.push_back(by_parts["sizes"][size].dump());
  }
  const Json stated = tacit(words).json();
  EXPECT_EQ(stated["ranks"], by_parts["ranks"]);
  EXPECT_EQ(stated["sizes"]["at_most"], false);  // the graph is private: all of it is looked at
}

TEST_F(PlanOfCitations, OfAnUnknownPublicGraphIsAtMost) {
  make_data({"communities", "--nodes", "2708", "--features", "1433"});
  const Json known = tacit({"plan", job_, "--json"}).json();
  const Ran stated = tacit({"plan", job_, "--json", "--nodes", "2708", "--features", "1433", "--train", "140",
                            "--validation", "500", "--test", "1000"});
  EXPECT_EQ(stated.json()["sizes"]["at_most"], true);
  EXPECT_GT(stated.json()["ranks"][0]["total"]["bytes"], known["ranks"][0]["total"]["bytes"]);
  EXPECT_EQ(stated.json()["ranks"][0]["total"]["rounds"], known["ranks"][0]["total"]["rounds"]);
}

TEST_F(PlanOf, ComparesNumbersOfPartiesAndLinks) {
  make_data({"sensors", "--stations", "40"});
  const Ran ran = tacit({"plan", job_, "--parties", "2,100", "--rtt", "10", "--bandwidth", "20"});
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr("100 parties"), HasSubstr("yours (10 ms, 20 Mbit/s)"), HasSubstr("WAN"),
                    HasSubstr("training loss to everyone, 200 x 1 numbers"), Not(HasSubstr("may stop early"))));
  const Json json = tacit({"plan", job_, "--parties", "2,100", "--rtt", "10", "--bandwidth", "20", "--json"}).json();
  EXPECT_EQ(json["by_parties"].size(), 2);
  EXPECT_EQ(json["links"].size(), 3);
  EXPECT_GT(json["links"][1]["seconds"], json["links"][0]["seconds"]);
  EXPECT_THAT(tacit({"plan", job_, "--parties", "1"}).err, HasSubstr("--parties"));
}

// An early end costs less, and what is measured before each session cannot be known: both are said.
TEST_F(PlanOf, SaysWhatItCannotKnow) {
  make_data({"sensors", "--stations", "40"});
  const Ran ran = tacit({"plan", job_, "--set", "openings=measured", "--set",
                         "training.stopping={metric=\"loss\",patience=3}", "--set", "training.epochs=1000000"});
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("settled by the links"), HasSubstr("may stop early"), Not(HasSubstr("exactly")),
                             HasSubstr("of the epochs 10000 were planned one by one")));
}

// A long training is as its epochs: what is not planned one by one is added all the same.
TEST_F(PlanOf, MoreEpochsThanArePlannedOneByOneAddUp) {
  make_data({"sensors", "--stations", "40"});
  const auto plan_of = [&](std::int64_t epochs, const std::string& every) {
    return tacit({"plan", job_, "--json", "--set", fmt::format("training.epochs={}", epochs), "--set",
                  "training.evaluate_every=" + every})
        .json();
  };
  for (const char* every : {"0", "1", "7", "20000"}) {
    SCOPED_TRACE(every);
    const Json few = plan_of(10'000, every), many = plan_of(30'011, every);
    EXPECT_EQ(few["exact"], true);
    EXPECT_EQ(many["exact"], false);
    EXPECT_EQ(many["epochs"], 30'011);
    EXPECT_LE(many["planned_epochs"], 10'005) << "and those that there must be of each kind";
    EXPECT_EQ(many["planned_epochs"], std::ssize(many["ranks"][0]["numbers_of_epochs"]));
    EXPECT_EQ(few["ranks"][0]["epoch"], many["ranks"][0]["epoch"]);
    const auto total = [](const Json& plan) { return plan["ranks"][0]["total"]["bytes"].get<double>(); };
    EXPECT_NEAR(total(many) / total(few), 3.0011, 0.005);
    EXPECT_EQ(many["reveals"][0]["count"], 30'011);
    const std::int64_t evaluations = *every == '0' ? 1 : (30'011 + std::stoll(every) - 1) / std::stoll(every);
    EXPECT_EQ(many["reveals"][1]["count"], evaluations);
    EXPECT_GT(many["links"][0]["seconds"], 2.5 * few["links"][0]["seconds"].get<double>());
  }
}

TEST_F(PlanOfPayments, TellsProgramsAllThatItTellsPeople) {
  make_data({"communities", "--nodes", "300", "--classes", "2", "--features", "24", "--words", "6", "--validate", "60",
             "--test", "100"});
  const Json plan =
      tacit({"plan", job_, "--json", "--set", "openings=direct", "--rtt", "0", "--bandwidth", "1"}).json();
  EXPECT_EQ(plan["decisions"][0]["count"], 20);
  EXPECT_EQ(plan["exact"], true);
  EXPECT_EQ(plan["may_stop_early"], true);
  EXPECT_LT(plan["links"][2]["better_epoch_seconds"], plan["links"][2]["epoch_seconds"]);
  EXPECT_EQ(tacit({"plan", job_, "--json", "--set", "openings=measured"}).json()["exact"], false);
}

// No data, and no matrix of all nodes by all nodes.
TEST_F(PlanOf, OfManyNodesTakesNoTimeToSpeakOf) {
  const auto begin = std::chrono::steady_clock::now();
  const Ran ran = tacit({"plan", job_, "--nodes", "200000", "--features", "100", "--train", "1000", "--test", "100"});
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_THAT(ran.out, HasSubstr("TB"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST_F(PlanOf, TakesNoNumberThatIsNone) {
  for (const char* word : {"nan", "inf", "-nan", "1e400", "0x10", ""}) {
    EXPECT_EQ(
        tacit({"plan", job_, "--nodes", "9", "--features", "1", "--train", "5", "--rtt", word, "--bandwidth", "1"})
            .exit_code,
        2)
        << word;
  }
}

}  // namespace
}  // namespace tacit::launcher
