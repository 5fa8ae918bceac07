// The forecast of `tacit plan` equals the measurement of `tacit launch`, for the example jobs.
#include <fmt/format.h>

#include <chrono>
#include <fstream>

#include "tests/launcher/commands/plan_of.h"
#include "tests/net/process.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;

class MeasuredPlanOf : public PlanOf {
 protected:
  using PlanOf::PlanOf;

  // Compares every epoch of every rank, and the run as a whole.
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

  // The row of the table by parties for the job's own number is consistent with the other rows.
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
    // Similar to the bytes forecast for another number of parties.
    const double sent = plan["by_parties"][0]["epoch"]["bytes"], of_own = (*own)["epoch"]["bytes"];
    EXPECT_LT(of_own, 2.5 * sent);
    EXPECT_GE(of_own, sent);
  }
};

class MeasuredPlanOfCitations : public MeasuredPlanOf {
 protected:
  MeasuredPlanOfCitations() : MeasuredPlanOf("citations") {}
};

class MeasuredPlanOfPayments : public MeasuredPlanOf {
 protected:
  MeasuredPlanOfPayments() : MeasuredPlanOf("payments") {}
};

// Private edges and masks, early stopping, predictions for one rank.
TEST_F(MeasuredPlanOfPayments, EqualsTheMeasurement) {
  make_data({"communities", "--nodes", "300", "--classes", "2", "--features", "24", "--words", "6", "--validate", "60",
             "--test", "100"});
  expect_measured(3, {"--set", "training.epochs=5", "--set", "training.evaluate_every=1"});
  expect_measured(3, {"--set", "training.epochs=3", "--set", "data.adjacency=sparse"});
}

TEST_F(MeasuredPlanOf, SensorsEqualsTheMeasurement) {
  make_data({"sensors", "--stations", "60"});
  expect_measured(3, {"--set", "training.epochs=4"});
  expect_measured(3, {"--set", "training.epochs=3", "--set", "openings=two-phase", "--set", "data.edges=rank 1"});
  expect_measured(3, {"--set", "training.epochs=3", "--set", "data.edges=rank 1", "--set", "data.adjacency=sparse"});
}

TEST_F(MeasuredPlanOfCitations, EqualsTheMeasurement) {
  make_data({"communities", "--nodes", "1700", "--features", "250"});
  expect_measured(2, {"--set", "training.epochs=3"});
}

}  // namespace
}  // namespace tacit::launcher
