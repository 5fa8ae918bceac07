// Runs the benchmarks as a user does, with the smallest runs: the output is complete, and no process stays behind.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "tests/launcher/commands/command.h"
#include "tests/net/process.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class Bench : public testing::Test {
 protected:
  // The first, and only, measurements that it answers with.
  Json measured(std::vector<std::string> words) {
    words.insert(words.begin(), {TACIT, "bench"});
    words.insert(words.end(), {"--json", "--output", output()});
    const auto ended = net::Process({words, {}, -1}).wait(std::chrono::seconds(300));
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    if (ended.exit_code != 0) return {};
    const Json answer = Json::parse(ended.out);
    EXPECT_TRUE(fs::exists(answer["report"].get<std::string>()));
    EXPECT_EQ(answer["measurements"].size(), 1u);
    return answer["measurements"][0];
  }

  std::string output() const { return folder_.path() / "results"; }
  const TemporaryFolder& folder() const { return folder_; }

  static const Json& table(const Json& measured, const std::string& name) {
    for (const Json& one : measured["tables"]) {
      if (one["name"] == name) return one["rows"];
    }
    throw std::runtime_error("there is no table " + name);
  }
  // The data in MB by rank 0's own account of a run: its TCP streams, and 66 bytes of headers to a packet.
  static double captured(const fs::path& run) {
    std::ifstream file(run / "run" / "rank0" / "summary.json");
    const Json total = Json::parse(file)["measured"]["total"];
    const auto both = [&](const std::string& what) {
      return total[what + "_sent"].get<double>() + total[what + "_received"].get<double>();
    };
    return (both("wire") + 66 * both("packets")) / 1e6;
  }
  static double median(const Json& row, const char* figure) { return row["figures"][figure]["median"].get<double>(); }

 private:
  TemporaryFolder folder_;
};

TEST_F(Bench, ScalingTellsOfEveryRankTheDealerAndAllTogether) {
  const std::string keep = folder().path() / "runs";
  const Json made = measured({"scaling", "--parties", "1..3", "--epochs", "5", "--repeats", "2", "--keep", keep});
  const Json& rows = table(made, "ranks");
  ASSERT_EQ(rows.size(), 3u + 4u + 5u) << "parties, the dealer, all";
  for (const Json& row : rows) {
    if (row["labels"]["rank"] == "all") continue;
    for (const char* what : {"wall clock", "packets", "data", "data per epoch", "time per epoch", "CPU", "memory",
                             "memory of the machine"}) {
      ASSERT_TRUE(row["figures"].contains(what)) << row;
      EXPECT_EQ(row["figures"][what]["runs"].size(), 2u) << what;
    }
  }
  const Json &two = rows[3], &three = rows[7];
  ASSERT_THAT(two["labels"].dump(), HasSubstr("\"parties\":\"2\",\"rank\":\"0\""));
  EXPECT_GT(median(two, "data per epoch"), 0.2)
      << "MB: 97 kB each way, half of the dealt bytes, and all bytes before the epochs";
  EXPECT_LT(median(two, "data per epoch"), 2);
  EXPECT_GT(median(three, "data per epoch"), median(two, "data per epoch") * 0.9);
  EXPECT_LT(median(two, "data") * 1e6 / median(two, "packets"), 1514) << "no packet is larger than Ethernet's";
  EXPECT_LT(median(two, "data of a usual epoch"), median(two, "data per epoch"))
      << "the latter includes data that move once";
  for (const std::size_t first : {0u, 2u + 1u, 3u + 4u}) {
    EXPECT_GT(median(rows[first], "time per epoch, a core each"), 0);
    EXPECT_LE(median(rows[first], "time per epoch, a core each"), 1.5 * median(rows[first], "time per epoch"));
  }
  EXPECT_TRUE(made["aims"].empty()) << "these are of 200 epochs";
  EXPECT_THAT(made["notes"].dump(), HasSubstr("aims stated for 200 epochs are not judged: this run had 5 epochs"));
  EXPECT_TRUE(fs::exists(fs::path(output()) / "scaling-ranks.csv"));
  for (std::size_t repeat = 0; repeat < 2; ++repeat) {
    EXPECT_NEAR(three["figures"]["data"]["runs"][repeat],
                captured(fs::path(keep) / fmt::format("scaling-n3-{}", repeat + 1)), 1e-9);
  }
}

TEST_F(Bench, AimsAreJudgedByAsManyEpochsAsTheReportHad) {
  const Json made = measured({"scaling", "--parties", "2", "--epochs", "200", "--repeats", "1"});
  EXPECT_EQ(made["aims"].size(), 2u) << "bytes of two parties, memory; not of five";
}

TEST_F(Bench, TwoMachinesAreALinkApart) {
  const Json made = measured({"two-machine", "--epochs", "4", "--repeats", "1", "--link", "20ms,1Gbit"});
  const Json& rows = table(made, "ranks");
  ASSERT_EQ(rows.size(), 3u);
  const double rounds = median(rows[0], "rounds per epoch");
  EXPECT_GE(rounds, 13);
  EXPECT_GE(median(rows[0], "time per epoch"), rounds * 0.010) << "half a round trip for each round";
  EXPECT_THAT(made["notes"].dump(), HasSubstr("20ms,1Gbit"));
  ASSERT_EQ(made["aims"].size(), 6u) << "each of three links, by whole round trips and by halves";
  EXPECT_THAT(made["notes"].dump(), HasSubstr("aims stated for 200 epochs are not judged"));
  const Json& others = table(made, "other links");
  ASSERT_EQ(others.size(), 6u) << "two links; both ranks and the dealer of one run";
  for (std::size_t row = 3; row < 5; ++row) {
    EXPECT_EQ(others[row]["labels"]["link"], "7.9 ms, 16 Mbit/s") << "the report's own average rate";
    EXPECT_EQ(others[row]["labels"]["rank"], std::to_string(row - 3));
    EXPECT_GT(median(others[row], "time per epoch"), rounds * 0.00395);
    EXPECT_GT(median(others[row], "rate"), 0);
  }
}

TEST_F(Bench, PrivacyTellsCostsAndAttacks) {
  const Json made = measured({"privacy", "--rows", "3000", "--epochs", "3", "--repeats", "1", "--seeds", "2",
                              "--shadows", "3", "--epsilons", "8,1"});
  const Json& costs = table(made, "costs");
  ASSERT_EQ(costs.size(), 4u);
  for (const Json& row : costs) {
    EXPECT_GT(median(row, "usual epoch"), 0) << row;
    EXPECT_EQ(row["figures"].contains("epsilon"), row["labels"]["training"] != "SGD on shares") << row;
  }
  EXPECT_LT(median(costs[3], "data of a usual epoch"), 0.01 * median(costs[1], "data of a usual epoch"));
  EXPECT_GT(median(costs[2], "epsilon"), median(costs[1], "epsilon")) << "parties know the batches";
  const Json& attacks = table(made, "attacks");
  ASSERT_EQ(attacks.size(), 3u);
  EXPECT_GT(median(attacks[0], "AUC by fit"), 0.65);
  EXPECT_GT(median(attacks[0], "AUC by shadow models"), 0.6) << "of three shadow models";
  EXPECT_GT(median(attacks[0], "random bit, trained on"), median(attacks[0], "random bit, others") + 5);
  for (const Json& row : {attacks[1], attacks[2]}) {
    EXPECT_LT(median(row, "AUC by fit"), median(row, "AUC at most"));
    EXPECT_NEAR(median(row, "random bit, others"), 50, 6);
  }
  EXPECT_EQ(made["aims"].size(), 2u);
}

TEST_F(Bench, DataParallelTellsTimeAccuracyAndPriceByLayout) {
  const std::string prices = folder().path() / "prices.toml", keep = folder().path() / "runs";
  std::ofstream(prices) << "currency = \"USD\"\n[hour]\n1 = 3600\n2 = 7200\n2x1 = 36000\n";
  const Json made = measured({"data-parallel", "--layouts", "1x1,1x2,2x1", "--rows", "6000", "--epochs", "4", "--seeds",
                              "2", "--prices", prices, "--keep", keep});
  const Json& rows = table(made, "layouts");
  ASSERT_EQ(rows.size(), 3u);
  const double hours[] = {3600, 7200, 36000};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Json& row = rows[i];
    for (const auto& [name, figure] : row["figures"].items()) EXPECT_EQ(figure["runs"].size(), 2u) << name;
    EXPECT_LE(median(row, "shortest epoch"), median(row, "time per epoch"));
    EXPECT_LE(median(row, "time per epoch"), median(row, "longest epoch"));
    for (std::size_t seed = 0; seed < 2; ++seed) {
      const auto run = [&](const Json& of, const char* what) {
        return of["figures"][what]["runs"][seed].get<double>();
      };
      EXPECT_NEAR(run(row, "speed-up"), run(rows[0], "time per epoch") / run(row, "time per epoch"), 1e-9);
      EXPECT_NEAR(run(row, "price"), run(row, "wall clock") * hours[i] / 3600, 1e-9);
    }
    EXPECT_EQ(row["figures"]["price"]["unit"], "USD");
    EXPECT_GT(median(row, "test accuracy"), 58) << "%: the commoner answer alone is right for 59 %";
    EXPECT_LT(median(row, "test accuracy"), 75);
  }
  EXPECT_EQ(median(rows[0], "sent per epoch"), 0) << "one party has nobody to send to";
  EXPECT_EQ(median(rows[1], "sent per epoch"), 0) << "threads are of one party";
  EXPECT_LT(median(rows[0], "all-reduce"), 50);
  EXPECT_GT(median(rows[2], "all-reduce"), median(rows[0], "all-reduce"));
  // 602 weights of 14 bits or so in each of 18 steps, and less than as much again for TLS, heartbeats and the meeting.
  constexpr double kWeights = 9 * 50 + 50 + 50 * 2 + 2, kSteps = 18;
  EXPECT_GT(median(rows[2], "sent per epoch"), kSteps * kWeights * 10 / 8 / 1e6);
  EXPECT_LT(median(rows[2], "sent per epoch"), 2 * kSteps * kWeights * 20 / 8 / 1e6);
  EXPECT_NEAR(median(rows[0], "epsilon"), median(rows[2], "epsilon"), 0.1 * median(rows[0], "epsilon"));
  EXPECT_THAT(made["notes"].dump(), HasSubstr("links are loopback"));
  EXPECT_THAT(made["command"].get<std::string>(), HasSubstr("--layouts 1x1,1x2,2x1 --rows 6000"));
  std::ifstream file(fs::path(keep) / "data-parallel-2x1-1" / "run" / "rank1" / "summary.json");
  EXPECT_TRUE(Json::parse(file).contains("profile")) << "runs are kept, a folder for each layout and seed";
}

TEST_F(Bench, DataParallelRefusesBadPricesBeforeItTrains) {
  const std::string prices = folder().path() / "prices.toml";
  const auto refused = [&](const std::string& text) {
    std::ofstream(prices) << text;
    const Ran ran = tacit({"bench", "data-parallel", "--prices", prices, "--output", output()});
    EXPECT_EQ(ran.exit_code, 2) << ran;
    EXPECT_FALSE(fs::exists(output()));
    return ran.err;
  };
  EXPECT_THAT(refused("[hour]\n1 = 1.14\n2 = -2\n4 = 4.56\n"),
              HasSubstr("prices.toml:3:5: hour.2: expected the price of an hour, a number from 0"));
  EXPECT_THAT(refused("[hour]\n1 = 1.14\n2 = 2.28\n"), HasSubstr("has no price for the layout 1x4: add \"4 = ...\""));
  EXPECT_THAT(refused("[hour\n"), HasSubstr("prices.toml:1:"));
  EXPECT_EQ(tacit({"bench", "data-parallel", "--prices", "/nowhere", "--output", output()}).exit_code, 2);
  for (const char* layouts : {"", "2", "0x1", "1x1,1x1", "1x1000"}) {
    EXPECT_EQ(tacit({"bench", "data-parallel", "--layouts", layouts, "--output", output()}).exit_code, 2) << layouts;
  }
  for (const char* rate : {"0", "nan", "x"}) {
    EXPECT_EQ(tacit({"bench", "data-parallel", "--rate", rate, "--output", output()}).exit_code, 2) << rate;
  }
  EXPECT_EQ(tacit({"bench", "data-parallel", "--rows", "10", "--output", output()}).exit_code, 2);
}

TEST_F(Bench, AccuracyComparesEveryModel) {
  const Json made = measured({"accuracy", "--parties", "2", "--epochs", "5", "--full-epochs", "30", "--cities", "2"});
  const Json& rows = table(made, "models");
  const std::vector<std::string> one_set = {"GCN on shares 5",
                                            "GCN, plain data 5",
                                            "GraphSAGE on shares 5",
                                            "GraphSAGE, plain data 5",
                                            "dense network on shares 5",
                                            "dense network, plain data 5",
                                            "GCN on shares 30",
                                            "GCN, plain data 30",
                                            "GraphSAGE on shares tuned, up to 30",
                                            "GraphSAGE, plain data tuned, up to 30",
                                            "dense network on shares tuned, up to 30",
                                            "dense network, plain data tuned, up to 30",
                                            "exact Gaussian process 5",
                                            "sparse Gaussian process, 40 points 5",
                                            "exact Gaussian process all",
                                            "sparse Gaussian process, 40 points all",
                                            "ridge regression ",
                                            "mean over neighbours ",
                                            "mean predictor "};
  std::map<std::string, std::vector<std::string>> models;
  std::map<std::string, Json> found;  // "own air GCN on shares 5"
  for (const Json& row : rows) {
    const auto label = [&](const char* name) { return row["labels"][name].get<std::string>(); };
    models[label("data")].push_back(label("model") + " " + label("epochs"));
    found[label("data") + " " + models[label("data")].back()] = row;
    for (const char* what : {"train RMSE", "test RMSE", "training time"}) {
      EXPECT_EQ(row["figures"][what]["runs"].size(), 2u) << row["labels"] << ": " << what;
    }
  }
  EXPECT_EQ(models.size(), 2u);
  for (const char* data : {"shared air", "own air"}) {
    EXPECT_EQ(models[data], one_set) << data;
    const auto row = [&](const std::string& model) { return found[fmt::format("{} {}", data, model)]; };
    for (const char* network : {"GCN", "GraphSAGE", "dense network"}) {
      const std::string full = network == std::string("GCN") ? "30" : "tuned, up to 30";
      for (const std::string& epochs : {std::string("5"), full}) {
        const Json twin = row(fmt::format("{}, plain data {}", network, epochs));
        const Json secure = row(fmt::format("{} on shares {}", network, epochs));
        for (const char* what : {"train RMSE", "test RMSE"}) {
          EXPECT_NEAR(median(secure, what), median(twin, what), 0.03 * median(twin, what)) << network << " " << epochs;
        }
        EXPECT_FALSE(secure["figures"].contains("report's test RMSE")) << "the report has none on shares";
        EXPECT_GT(median(twin, "report's test RMSE"), 30);
      }
    }
    EXPECT_EQ(median(row("GCN, plain data 5"), "report's train RMSE"), 109.95);
    EXPECT_EQ(median(row("dense network, plain data tuned, up to 30"), "report's training time"), 141.42);
    EXPECT_EQ(median(row("mean over neighbours "), "report's test RMSE"), 33.84);
    for (const char* process : {"exact Gaussian process", "sparse Gaussian process, 40 points"}) {
      const Json all = row(fmt::format("{} all", process));
      EXPECT_GT(median(all, "in the 95 % interval"), 75) << "of 60 test nodes";
      EXPECT_LE(median(all, "in the 95 % interval"), 100);
      EXPECT_NEAR(median(all, "deviation"), median(all, "test RMSE"), 0.5 * median(all, "test RMSE"));
    }
    EXPECT_FALSE(row("ridge regression ")["figures"].contains("deviation"));
  }
  ASSERT_EQ(made["aims"].size(), 1u) << "the others are of 100 and 1000 epochs";
  EXPECT_THAT(made["aims"][0]["what"].get<std::string>(), HasSubstr("an epoch of 24 hours"));
  EXPECT_EQ(table(made, "hours").empty(), false);
  EXPECT_THAT(made["notes"].dump(), HasSubstr("2 parties and a dealer"));
  ASSERT_EQ(table(made, "tuned").size(), 4u) << "two networks, two data sets";
  for (const Json& tuned : table(made, "tuned")) EXPECT_LE(median(tuned, "chosen epochs"), 30);
  const Json& sizes = table(made, "sizes")[0]["figures"];
  const std::string city = folder().path() / "city.npz";
  ASSERT_EQ(tacit({"data", "make", "sensors", "--seed", "1", "--out", city}).exit_code, 0);
  EXPECT_NEAR(sizes["data"]["runs"][0].get<double>(), 1e-6 * static_cast<double>(fs::file_size(city)), 1e-12);
  constexpr double kParameters = 8 * 16 + 16 + 16 + 1;
  EXPECT_NEAR(sizes["encrypted model"]["median"].get<double>(), 1e-3 * 8 * kParameters, 1e-12);
  EXPECT_GT(sizes["plain model"]["median"].get<double>(), 1e-3 * 4 * kParameters) << "in float32, with names";
  EXPECT_LT(sizes["plain model"]["median"].get<double>(), 1e-3 * 16 * kParameters);
}

TEST_F(Bench, DivergenceRefusesBadRatesBeforeItTrains) {
  for (const char* rates : {"", "0", "-0.1", "17", "x", "nan", "0.1,,1", "0.1,1e-1"}) {
    const Ran ran = tacit({"bench", "divergence", "--rates", rates, "--output", output()});
    EXPECT_EQ(ran.exit_code, 2) << rates << ran;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << "one sentence: " << ran.err;
  }
  EXPECT_EQ(tacit({"bench", "divergence", "--parties", "9", "--output", output()}).exit_code, 2);
  EXPECT_EQ(tacit({"bench", "divergence", "--seeds", "0", "--output", output()}).exit_code, 2);
  EXPECT_FALSE(fs::exists(output()));
}

TEST_F(Bench, BreakdownAddsUpToTheStatedCost) {
  const Json made = measured({"breakdown", "--epochs", "10", "--repeats", "1", "--link", "1ms,1Gbit"});
  const auto sum = [&](const char* name, const char* figure) {
    double all = 0;
    for (const Json& row : table(made, name)) all += median(row, figure);
    return all;
  };
  for (const char* figure : {"calls", "rounds", "sent", "dealt"}) {
    EXPECT_NEAR(sum("protocols", figure), sum("parts", figure), 1e-6) << figure;
  }
  EXPECT_NEAR(sum("protocols", "time"), sum("parts", "time"), 1e-9) << "the time between protocols is a row of its own";
  EXPECT_GE(sum("parts", "rounds"), 12) << "and the evaluation's rounds, a ninth for each epoch";
  EXPECT_LT(sum("parts", "rounds"), 16);
  EXPECT_EQ(made["aims"][0]["met"], true) << "stated equals measured";
  const Json& limits = table(made, "limits");
  ASSERT_EQ(limits.size(), 7u);
  EXPECT_NEAR(median(limits[0], "time"), 11 * 0.5e-3, 1e-9) << "half a round trip for each round";
  EXPECT_GE(median(limits[5], "time"), median(limits[4], "time")) << "no epoch is faster than its lower limit";
}

TEST_F(Bench, SweepChangesOneThing) {
  const Json made = measured({"sweep", "--only", "hidden", "--epochs", "3", "--repeats", "1"});
  const Json& rows = table(made, "hidden");
  ASSERT_GE(rows.size(), 3u);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_GT(median(rows[i], "data of a usual epoch"), median(rows[i - 1], "data of a usual epoch"));
    EXPECT_GT(median(rows[i], "data once"), median(rows[i], "data of a usual epoch"));
    EXPECT_TRUE(rows[i]["figures"].contains("on shares"));
    EXPECT_TRUE(rows[i]["figures"].contains("on plain data"));
  }
}

TEST_F(Bench, RefusesWrongOptions) {
  EXPECT_THAT(tacit({"bench", "sweep", "--only", "hiden"}).err, HasSubstr("there is no sweep \"hiden\""));
  EXPECT_EQ(tacit({"bench", "sweep", "--only", "hiden"}).exit_code, 2);
  for (const char* parties : {"0", "9", "1..9", "2,,3", "x", "3..", ""}) {
    EXPECT_EQ(tacit({"bench", "scaling", "--parties", parties, "--output", output()}).exit_code, 2) << parties;
  }
  EXPECT_EQ(tacit({"bench", "scaling", "--link", "fast", "--output", output()}).exit_code, 2);
  EXPECT_THAT(tacit({"bench", "collectives", "--parties", "1", "--output", output()}).err, HasSubstr("moves no bytes"));
  EXPECT_EQ(tacit({"bench", "collectives", "--programs", "/nowhere", "--output", output()}).exit_code, 2);
  EXPECT_EQ(tacit({"bench", "scaling", "--hosts", "/nowhere", "--output", output()}).exit_code, 2);
  EXPECT_EQ(tacit({"bench", "breakdown", "--epochs", "2", "--output", output()}).exit_code, 2) << "none is usual";
  EXPECT_EQ(tacit({"bench", "all", "--programs", "/nowhere", "--output", output()}).exit_code, 2);
  EXPECT_FALSE(fs::exists(output())) << "without a measurement no file is written";
}

TEST_F(Bench, LooksAtItsFolderBeforeItMeasures) {
  const std::string file = folder().path() / "file";
  std::ofstream(file) << "mine";
  EXPECT_THAT(tacit({"bench", "sweep", "--output", file}).err, HasSubstr("cannot be made"));
  std::ofstream(folder().path() / "package.json") << "{}";
  EXPECT_THAT(tacit({"bench", "sweep", "--output", folder().path()}).err, HasSubstr("package.json"));
}

}  // namespace
}  // namespace tacit::launcher
