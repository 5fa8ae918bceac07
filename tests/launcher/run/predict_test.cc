// After a training: predictions from its checkpoints, and the model that it revealed.
#include <gmock/gmock.h>

#include <fstream>

#include "gnn/data/npz.h"
#include "tests/launcher/run/ranks.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

net::Ended run(const Words& words) {
  Words all{TACIT};
  all.insert(all.end(), words.begin(), words.end());
  return net::Process({all, {}, -1}).wait(kSoon);
}

TEST(Predict, GivesTheNamedRankTheTwinsPredictionsAndNoRankTheModel) {
  const Ranks ranks;
  const Words settings{"training.epochs=30"};
  expect_success(ranks.run_all("train", sets(settings)));
  EXPECT_FALSE(fs::exists(ranks.output(1) / "predictions.npz"));
  const Json trained = ranks.summary(0);
  const std::vector<net::Ended> ends =
      ranks.run_all("predict", sets({"training.epochs=30", "reveal.predictions=1", "reveal.model=0"}));
  expect_success(ends);
  EXPECT_THAT(ends[1].out, AllOf(HasSubstr("rank 1 has predicted 50 nodes, by the model of 30 epochs in "),
                                 HasSubstr("predictions.npz, checkpoints, events.jsonl, prediction.json")));
  EXPECT_EQ(ranks.summary(0), trained) << "the account of the training is unchanged";
  std::ifstream account(ranks.output(1) / "prediction.json");
  EXPECT_EQ(Json::parse(account)["command"], "predict");
  EXPECT_FALSE(fs::exists(ranks.output(0) / "predictions.npz"));
  EXPECT_FALSE(fs::exists(ranks.output(0) / "model.npz"));
  const auto read = gnn::Npz(ranks.output(1) / "predictions.npz").read("predictions");
  const std::vector<double> predicted = gnn::values_as<double>(read);
  const Ranks::Twin twin = ranks.twin(settings);
  ASSERT_EQ(static_cast<Eigen::Index>(predicted.size()), twin.predictions.rows());
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    EXPECT_NEAR(predicted[i], twin.predictions(static_cast<Eigen::Index>(i), 0), 0.03 * twin.rmse) << i;
  }
  EXPECT_EQ(ranks.events(1, "finished").size(), 2u);
}

TEST(Predict, WithoutAModelOrAnAudienceNamesTheRemedy) {
  const Ranks ranks;
  for (const net::Ended& one : ranks.run_all("predict")) {
    EXPECT_EQ(one.exit_code, 2) << one;
    EXPECT_THAT(one.err, HasSubstr("--set reveal.predictions=0"));
  }
  const std::vector<net::Ended> ends = ranks.run_all("predict", sets({"reveal.predictions=0"}));
  for (const net::Ended& one : ends) {
    EXPECT_EQ(one.exit_code, 2) << one;
    EXPECT_THAT(one.err, HasSubstr("or train first"));
  }
}

std::string whole_text(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Stations that are not in the training, as a file for each rank.
std::string other_stations(const Ranks& ranks) {
  const std::string folder = ranks.path("other");
  fs::create_directory(folder);
  EXPECT_EQ(
      run({"data", "make", "sensors", "--stations", "40", "--seed", "9", "--out", folder + "/whole.npz"}).exit_code, 0);
  Words split{"data", "split", folder + "/whole.npz", "--job", ranks.path("job.toml"), "--out", folder};
  const Words own = ranks.overrides({});
  split.insert(split.end(), own.begin(), own.end());
  EXPECT_EQ(run(split).exit_code, 0);
  return folder + "/rank{rank}.npz";
}

TEST(Predict, OfOtherDataGivesTheNodesThatARankNames) {
  const Ranks ranks;
  expect_success(ranks.run_all("train", sets({"training.epochs=10"})));
  const std::string parts = other_stations(ranks), list = ranks.path("who");
  std::ofstream(list) << "# asked for\n39\n0 # the first\n\n5\n5\n";
  const Words settings = sets({"reveal.predictions=1", "predict.files=" + parts});
  const auto predict = [&](const Words& at_rank_1) {
    std::vector<net::Process> all;
    for (int rank = 0; rank < Ranks::kSize; ++rank) {
      Words words = settings;
      if (rank == 1) words.insert(words.end(), at_rank_1.begin(), at_rank_1.end());
      all.push_back(ranks.start("predict", rank, words));
    }
    return ends_of(all);
  };
  std::vector<net::Ended> ends = predict({"--who", list});
  expect_success(ends);
  EXPECT_THAT(ends[0].err, HasSubstr("predicts 3 of 40 nodes, which rank 1 names, with other data than in the training "
                                     "at ranks 0 and 1, by the checkpoint of epoch 10"));
  EXPECT_THAT(ends[1].out, HasSubstr("rank 1 has predicted 3 nodes, by the model of 10 epochs in "));
  const gnn::Npz few(ranks.output(1) / "predictions.npz");
  EXPECT_THAT(gnn::values_as<std::int64_t>(few.read("nodes")), testing::ElementsAre(0, 5, 39));
  const std::vector<double> of_few = gnn::values_as<double>(few.read("predictions"));
  const std::string table = whole_text(ranks.output(1) / "predictions.csv");
  EXPECT_THAT(table, testing::StartsWith("node,prediction\n0,"));
  EXPECT_THAT(table, HasSubstr("\n39,"));

  ends = predict({});
  expect_success(ends);
  EXPECT_THAT(ends[1].err,
              HasSubstr("the earlier predictions are in " + (ranks.output(1) / "predictions.1.npz").string()));
  EXPECT_EQ(whole_text(ranks.output(1) / "predictions.1.csv"), table);
  const std::vector<double> all =
      gnn::values_as<double>(gnn::Npz(ranks.output(1) / "predictions.npz").read("predictions"));
  ASSERT_EQ(all.size(), 40u);
  EXPECT_NEAR(of_few.at(1), all.at(5), 0.5);

  // The plan states the costs that the session of rank 0 measured.
  Words plan{"plan", ranks.path("job.toml"), "--predict", "--json"};
  const Words more = ranks.overrides({"reveal.predictions=1", "predict.files=" + parts});
  plan.insert(plan.end(), more.begin(), more.end());
  const Json planned = Json::parse(run(plan).out),
             measured = Json::parse(whole_text(ranks.output(0) / "prediction.json"));
  EXPECT_EQ(planned["sizes"]["predicted"], 40);
  EXPECT_TRUE(planned["exact"]);
  for (const char* number : {"rounds", "bytes", "dealt_bytes"}) {
    EXPECT_EQ(planned["ranks"][0]["total"][number], measured["stated"][number]) << number;
  }

  std::ofstream(list) << "40\n";
  for (const net::Ended& one : predict({"--who", list})) {
    EXPECT_EQ(one.exit_code, 2) << one;
  }
}

TEST(Predict, ByALaunchGivesOtherDataAndProbabilities) {
  const Ranks ranks;
  Words words{"launch", ranks.path("job.toml"), "--output", ranks.path("run")};
  const Words settings = ranks.overrides({"training.epochs=5"});
  words.insert(words.end(), settings.begin(), settings.end());
  ASSERT_EQ(run(words).exit_code, 0);
  const std::string list = ranks.path("who");
  std::ofstream(list) << "7\n";
  for (const std::string& more :
       {std::string("--predict"), std::string("--data"), other_stations(ranks), std::string("--who"), list,
        std::string("--set"), std::string("reveal.predictions=0")}) {
    words.push_back(more);
  }
  const net::Ended ended = run(words);
  EXPECT_EQ(ended.exit_code, 0) << ended;
  EXPECT_THAT(ended.out, HasSubstr("predictions of rank 0: " + ranks.path("run") + "/rank0/predictions.npz"));
  EXPECT_EQ(gnn::Npz(ranks.path("run") + "/rank0/predictions.npz").read("predictions").shape.at(0), 1);
}

TEST(Export, WritesTheModelAndTheLinesThatLoadIt) {
  const Ranks ranks;
  expect_success(ranks.run_all("train", sets({"training.epochs=3", "reveal.model=0", "reveal.scaling=as-trained"})));
  const net::Ended shown = run({"export", ranks.path("out")});
  EXPECT_EQ(shown.exit_code, 0) << shown;
  EXPECT_THAT(shown.out, AllOf(HasSubstr("convs.0.lin.weight       (16, 8)"), HasSubstr("convs.1.bias             (1)"),
                               HasSubstr("nn.GCN(in_channels=8, hidden_channels=16, num_layers=2, out_channels=1)"),
                               HasSubstr("numpy.load(\"" + (ranks.output(0) / "model.npz").string() + "\")")));
  const std::string file = ranks.path("model.npz");
  ASSERT_EQ(run({"export", ranks.output(0), "--out", file}).exit_code, 0);
  EXPECT_THAT(shown.out, HasSubstr("load_numpy.read(\"" + (ranks.output(0) / "model.npz").string() + "\")"));
  EXPECT_EQ(gnn::values_as<double>(gnn::Npz(file).read("convs.1.lin.weight")),
            gnn::values_as<double>(gnn::Npz(ranks.output(0) / "model.npz").read("convs.1.lin.weight")));
  EXPECT_THAT(run({"export", ranks.output(0), "--out", file}).err, HasSubstr("is there already"));
  const net::Ended by_job = run({"export", ranks.path("job.toml"), "--set", "output=" + ranks.path("out"), "--json"});
  const Json answer = Json::parse(by_job.out);
  EXPECT_EQ(answer["arrays"]["convs.0.bias"], Json({16}));
  EXPECT_EQ(answer["model"]["layers"][0]["normalisation"], "symmetric");
  EXPECT_EQ(answer["model"]["output"], "targets");

  const net::Ended other = run({"export", ranks.output(1)});
  EXPECT_EQ(other.exit_code, 2) << other;
  EXPECT_THAT(other.err, AllOf(HasSubstr("was never revealed to the rank of"), HasSubstr("reveal.model")));
  EXPECT_THAT(run({"export", ranks.path("job.toml")}).err, HasSubstr("holds no run"));
}

}  // namespace
}  // namespace tacit::launcher
