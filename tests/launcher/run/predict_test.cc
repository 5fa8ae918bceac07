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

TEST(Predict, GivesTheNamedRankWhatTheTwinPredictsAndNobodyTheModel) {
  const Ranks ranks;
  const Words settings{"training.epochs=30"};
  expect_success(ranks.run_all("train", sets(settings)));
  EXPECT_FALSE(fs::exists(ranks.output(1) / "predictions.npz"));
  const Json trained = ranks.summary(0);
  const std::vector<net::Ended> ends =
      ranks.run_all("predict", sets({"training.epochs=30", "reveal.predictions=1", "reveal.model=0"}));
  expect_success(ends);
  EXPECT_THAT(ends[1].out, AllOf(HasSubstr("rank 1 has predicted, by the model of 30 epochs in "),
                                 HasSubstr("predictions.npz, checkpoints, events.jsonl, prediction.json")));
  EXPECT_EQ(ranks.summary(0), trained) << "the account of the training is left as it was";
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

TEST(Predict, WithoutAModelOrAnAudienceSaysWhatToDo) {
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

TEST(Export, WritesTheModelAndTheLinesThatLoadIt) {
  const Ranks ranks;
  expect_success(ranks.run_all("train", sets({"training.epochs=3", "reveal.model=0"})));
  const net::Ended shown = run({"export", ranks.path("out")});
  EXPECT_EQ(shown.exit_code, 0) << shown;
  EXPECT_THAT(shown.out, AllOf(HasSubstr("convs.0.lin.weight       (16, 8)"), HasSubstr("convs.1.bias             (1)"),
                               HasSubstr("nn.GCN(in_channels=8, hidden_channels=16, num_layers=2, out_channels=1)"),
                               HasSubstr("numpy.load(\"" + (ranks.output(0) / "model.npz").string() + "\")")));
  const std::string file = ranks.path("model.npz");
  ASSERT_EQ(run({"export", ranks.output(0), "--out", file}).exit_code, 0);
  EXPECT_EQ(gnn::values_as<double>(gnn::Npz(file).read("convs.1.lin.weight")),
            gnn::values_as<double>(gnn::Npz(ranks.output(0) / "model.npz").read("convs.1.lin.weight")));
  EXPECT_THAT(run({"export", ranks.output(0), "--out", file}).err, HasSubstr("is there already"));
  const net::Ended by_job = run({"export", ranks.path("job.toml"), "--set", "output=" + ranks.path("out"), "--json"});
  EXPECT_EQ(Json::parse(by_job.out)["arrays"]["convs.0.bias"], Json({16}));

  const net::Ended other = run({"export", ranks.output(1)});
  EXPECT_EQ(other.exit_code, 2) << other;
  EXPECT_THAT(other.err, AllOf(HasSubstr("was never revealed to the rank of"), HasSubstr("reveal.model")));
  EXPECT_THAT(run({"export", ranks.path("job.toml")}).err, HasSubstr("holds no run"));
}

}  // namespace
}  // namespace tacit::launcher
