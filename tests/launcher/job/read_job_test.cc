#include "launcher/job/read_job.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>

#include "launcher/job/setting_reference.h"
#include "tests/launcher/job/small_job.h"

namespace tacit::launcher {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

std::string reading(const std::string& text) {
  return refusal([&] { read(text); });
}

// Accuracy alone hides a rare class.
TEST(ReadJob, WithTwoClassesAndNoMetricRevealsRecallAndF1BesideAccuracy) {
  const auto metrics = [](std::string_view classes, std::string_view more) {
    const std::string text = small_job_with("[model]", fmt::format("classes = {}\n[model]", classes));
    std::vector<std::string> names;
    for (const gnn::Revealed& what : read(text + std::string(more)).job.training.metrics) {
      names.push_back(gnn::name_of(what));
    }
    return names;
  };
  EXPECT_THAT(metrics("2", ""), testing::ElementsAre("test accuracy", "test recall", "test f1"));
  EXPECT_THAT(metrics("2", "[reveal]\nmetric = []\n"), testing::IsEmpty());
  EXPECT_THAT(metrics("2", "[[reveal.metric]]\nwhat = \"accuracy\"\n"), testing::ElementsAre("test accuracy"));
  EXPECT_THAT(metrics("3", ""), testing::IsEmpty());
  EXPECT_THAT(metrics("0", ""), testing::IsEmpty());
}

TEST(ReadJob, FillsInWhatIsNotSaid) {
  const Job job = read(kSmallJob).job;
  EXPECT_EQ(job.name, "small");
  EXPECT_EQ(job.parties, 3);
  EXPECT_EQ(job.ranks(), 4);
  EXPECT_EQ(job.training.epochs, 20);
  EXPECT_EQ(job.training.rate.initial, 0.1);
  EXPECT_EQ(job.training.objective, gnn::Objective::kSquaredError);
  EXPECT_EQ(job.training.top.ring_bits, 64);
  EXPECT_EQ(job.output, "runs");
  EXPECT_EQ(job.training.loss_to, mpc::To::everyone());
  EXPECT_FALSE(job.training.model_to || job.training.predictions_to);
  ASSERT_EQ(job.training.model.layers.size(), 3u);
  EXPECT_EQ(job.training.model.layers[0].outputs, 16);
  EXPECT_EQ(job.training.model.layers[2].outputs, 1);
}

TEST(ReadJob, OfClassesMeansCrossEntropyAndAnOutputForEach) {
  const Job job = read(small_job_with("[model]", "classes = 7\n[model]")).job;
  EXPECT_EQ(job.training.objective, gnn::Objective::kCrossEntropy);
  EXPECT_FALSE(job.data.standardise_targets);
  EXPECT_EQ(job.training.model.layers.back().outputs, 7);
}

TEST(ReadJob, TakesEveryKindOfLayer) {
  const Job job = read(small_job_with("gcn = { hidden = 16 }", R"(
[[model.layers]]
kind = "sage"
outputs = 8
bias = false
[[model.layers]]
kind = "relu"
[[model.layers]]
kind = "dropout"
rate = 0.25
[[model.layers]]
kind = "dense"
outputs = 8
residual = true
[[model.layers]]
kind = "gcn"
outputs = 1
)"))
                      .job;
  using Kind = gnn::LayerSpec::Kind;
  ASSERT_EQ(job.training.model.layers.size(), 5u);
  EXPECT_EQ(job.training.model.layers[0].kind, Kind::kMeanAggregation);
  EXPECT_FALSE(job.training.model.layers[0].bias);
  EXPECT_EQ(job.training.model.layers[1].kind, Kind::kRelu);
  EXPECT_EQ(job.training.model.layers[2].rate, 0.25);
  EXPECT_TRUE(job.training.model.layers[3].residual);
  EXPECT_EQ(job.training.model.layers[4].kind, Kind::kGraphConvolution);
}

TEST(ReadJob, TakesWhatTrainingAndRevealsMaySay) {
  const Job job = read(small_job_and(R"(seed = 7
clip = 1
batch = 64
optimiser = { kind = "adam", beta1 = 0.8, epsilon = 0.5 }
schedule = { kind = "cosine", least = 0.001, warm_up = 5 }
stopping = { metric = "rmse", patience = 3, least_improvement = 0.01 }
[ring]
bits = 56
fraction_bits = 12
[reveal]
loss = "nobody"
model = 2
predictions = "everyone"
[[reveal.metric]]
what = "rmse"
[[reveal.metric]]
what = "mae"
part = "train"
to = 0
)"))
                      .job;
  ASSERT_TRUE(std::holds_alternative<gnn::AdamOptions>(job.training.optimiser));
  EXPECT_EQ(job.training.rate.initial, 0.01) << "adam's own default";
  EXPECT_EQ(std::get<gnn::AdamOptions>(job.training.optimiser).beta1, 0.8);
  EXPECT_EQ(job.training.clip, 1.0);
  EXPECT_EQ(job.training.rate.kind, gnn::RateSchedule::Kind::kCosine);
  EXPECT_EQ(job.training.rate.warm_up, 5);
  ASSERT_TRUE(job.training.stopping);
  EXPECT_EQ(job.training.stopping->judged.part, gnn::Part::kValidation);
  EXPECT_EQ(job.training.top.fraction_bits, 12);
  EXPECT_EQ(job.training.loss_to, std::nullopt);
  EXPECT_EQ(job.training.model_to, mpc::To::rank(2));
  ASSERT_EQ(job.training.metrics.size(), 2u);
  EXPECT_EQ(job.training.metrics[0].to, mpc::To::everyone());
  EXPECT_EQ(job.training.metrics[1].part, gnn::Part::kTrain);
  EXPECT_EQ(job.training.metrics[1].to, mpc::To::rank(0));
}

TEST(ReadJob, TakesTheKindAloneForAnOptimiserOrASchedule) {
  const Job job = read(small_job_and("optimiser = \"adam\"\nschedule = \"cosine\"")).job;
  ASSERT_TRUE(std::holds_alternative<gnn::AdamOptions>(job.training.optimiser));
  EXPECT_EQ(job.training.rate.initial, 0.01);
  EXPECT_EQ(job.training.rate.kind, gnn::RateSchedule::Kind::kCosine);
}

TEST(ReadJob, NamesThePlaceOfAnUnknownKeyAndTheNearestThatIsKnown) {
  EXPECT_EQ(reading(small_job_with("epochs = 20", "epohcs = 20")),
            "small.toml:11:1: training.epohcs: there is no such setting; did you mean training.epochs?");
  EXPECT_THAT(reading(small_job_with("[training]", "[trainings]")), HasSubstr("did you mean training?"));
  EXPECT_THAT(reading("epochs = 3\n" + std::string(kSmallJob)), HasSubstr("did you mean training.epochs?"));
  EXPECT_THAT(reading(small_job_and("optimiser = { lr = 0.1 }")),
              AllOf(StartsWith("small.toml:12:15: training.optimiser.lr:"), HasSubstr("here may stand"),
                    HasSubstr("rate, kind, weight_decay, momentum")));
  EXPECT_THAT(reading(small_job_and("\"\\u001b[2J\" = 1")), AllOf(HasSubstr("\\x1b"), testing::Not(HasSubstr("\x1b"))));
}

TEST(ReadJob, TellsOfAMisspeltKeyBeforeOfTheOneThatIsMissingForIt) {
  EXPECT_THAT(reading(small_job_with("name = ", "nmae = ")),
              HasSubstr("nmae: there is no such setting; did you mean name?"));
  EXPECT_THAT(reading("[training]\nname = \"a\"\n"),
              HasSubstr("training.name: there is no such setting; did you mean name above all tables?"));
  EXPECT_THAT(reading(small_job_with("gcn = { hidden = 16 }", "layers = [{ knid = \"dropout\", rate = 0.5 }]")),
              HasSubstr("model.layers[0].knid: there is no such setting"));
  EXPECT_THAT(reading(small_job_with("[data]", "[date]")),
              HasSubstr("small.toml:3:2: date: there is no such setting; did you mean data?"));
  EXPECT_THAT(reading(small_job_with("name = \"small\"\n", "")), HasSubstr("small.toml:1:1: name: it is missing"));
}

TEST(ReadJob, SaysOfAWrongValueWhereItStandsAndWhatIsAllowed) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"epochs = 0", "small.toml:11:10: training.epochs: expected a whole number, 1 ... 1000000000, not the number 0"},
      {"epochs = 2.5", "not the number 2.5"},
      {"epochs = 5.0", "expected a whole number, 1 ... 1000000000, not the number 5.0"},
      {"epochs = \"20\"", "not the text \"20\""},
      {"epochs = 2024-01-01", "not a date or time"},
      {"epochs = 20\nclip = 0", "expected a number at least 1e-06"},
      {"epochs = 20\nclip = nan", "expected a number at least 1e-06"},
      {"epochs = 20\nclip = inf", "expected a number at least 1e-06"},
      {"epochs = 20\nloss = \"mae\"",
       "small.toml:12:8: training.loss: expected \"mse\", \"cross-entropy\" or \"logistic\""},
      {"epochs = 20\noptimiser = \"sdg\"",
       "12:13: training.optimiser.kind: expected \"sgd\" or \"adam\", not the text"},
      {"epochs = 20\noptimiser = 3", "training.optimiser: expected a table, not the number 3"},
      {"epochs = 20\nstopping = \"rmse\"", "training.stopping: expected a table, not the text"},
      {"epochs = 20\noptimiser = { beta1 = 0.9 }", "it is for kind = \"adam\""},
      {"epochs = 20\noptimiser = { kind = \"adam\", epsilon = 1e-8 }", "at least 0.0625"},
      {"epochs = 20\nschedule = { kind = \"cosine\", factor = 0.5 }", "it is for kind = \"step\""},
      {"epochs = 20\nstopping = { patience = 3 }",
       "training.stopping.metric: it is missing; expected \"loss\", \"rmse\""},
      {"epochs = 20\nclass_weights = \"equal\"", "training.class_weights: expected \"balanced\", or a list"},
      {"epochs = 20\nclass_weights = []", "training.class_weights: expected \"balanced\", or a list"},
      {"epochs = 20\nclass_weights = [1, -2]", "a number from 1/1024 to 64 for each class, not the number -2"},
      {"epochs = 20\nclass_weights = [1, 0.0]", "not the number 0"},
      {"epochs = 20\nclass_weights = [1, nan]", "not the number nan"},
      {"epochs = 20\nclass_weights = [1, \"2\"]", "not the text \"2\""},
      {"epochs = 20\nlabel_smoothing = 1", "training.label_smoothing: expected a number at least 0 and below 1"},
      {"epochs = 20\nlabel_smoothing = -0.1", "training.label_smoothing: expected a number at least 0"},
      {"epochs = 20\n[[reveal.metric]]\nwhat = \"f2\"", "reveal.metric[0].what: expected \"rmse\", \"mae\""},
      {"epochs = 20\n[[reveal.metric]]\nwhat = \"accuracy\"\nclass = 1",
       "reveal.metric[0].class: precision, recall, f1, roc_auc and average_precision have a class; take it out"},
      {"epochs = 20\n[[reveal.metric]]\nwhat = \"roc_auc\"\naverage = \"macro\"",
       "reveal.metric[0].average: precision, recall and f1 have an average; take it out"},
      {"epochs = 20\n[[reveal.metric]]\nwhat = \"f1\"\naverage = \"weighted\"", "expected \"micro\" or \"macro\""},
      {"epochs = 20\n[[reveal.metric]]\nwhat = \"f1\"\nbins = 64",
       "reveal.metric[0].bins: roc_auc and average_precision alone compare nodes in bins; take it out"},
      {"epochs = 20\n[[reveal.metric]]\nwhat = \"roc_auc\"\nbins = 1", "expected a whole number, 2 ... 1024"},
      {"epochs = 20\n[[reveal.metric]]\nwhat = \"f1\"\nclass = -1", "expected the number of a class, from 0 on"},
      {"epochs = 20\n[[reveal.metric]]\nwhat = \"f1\"\nevery = -1", "reveal.metric[0].every: expected a whole number"},
      {"epochs = 20\n[ring]\nbits = 32", "expected 64, 56 or 48, not the number 32"},
      {"epochs = 20\n[reveal]\nloss = \"all\"", "expected \"everyone\", \"nobody\" or the number of a party's rank"},
      {"epochs = 20\n[reveal]\nloss = -1", "expected \"everyone\""},
      {"epochs = 20\n[[reveal.metric]]\nwhat = \"rmse\"\nto = \"nobody\"", "a metric that nobody learns"},
      {"epochs = 20\n[reveal]\nmetric = 3", "as [[reveal.metric]] makes it"},
      {"epochs = 20\n[reveal]\nmetric = [3]", "reveal.metric[0]: expected a table"},
      {"epochs = 20\n[keys]\nidentity = 3", "in which {rank} stands for a rank's number"},
      {"epochs = 20\n[keys]\nidentity = [\"a\", 3]", "not the number 3"},
  };
  for (const auto& [with, says] : wrong) {
    EXPECT_THAT(reading(small_job_with("epochs = 20", with)), AllOf(StartsWith("small.toml:"), HasSubstr(says)))
        << with;
  }
}

TEST(ReadJob, SaysWhichOwnershipIsAllowed) {
  EXPECT_THAT(reading(small_job_with("edges = \"rank 1\"", "edges = \"columns\"")),
              AllOf(StartsWith("small.toml:5:9: data.edges: 'columns'"), HasSubstr("allowed are none, public")));
  const std::string message = reading(small_job_with("\"rank 1\"", '"' + std::string(10'000, 'x') + '"'));
  EXPECT_LT(message.size(), 500u);
  EXPECT_THAT(reading(small_job_with("edges = \"rank 1\"\n", "")),
              AllOf(StartsWith("small.toml:3:"), HasSubstr("data.edges: it is missing")));
}

TEST(ReadJob, OfAModelNeedsLayersThatAreOneThing) {
  EXPECT_THAT(reading(small_job_with("hidden = 16", "hidden = 16, widht = 3")), HasSubstr("model.gcn.widht"));
  EXPECT_THAT(reading(small_job_with("hidden = 16", "outputs = 1")), HasSubstr("model.gcn.hidden: it is missing"));
  EXPECT_THAT(reading(small_job_and("[[model.layers]]\nkind = \"relu\"")),
              HasSubstr("model.gcn names the layers already"));
  const auto layer = [](const std::string& text) {
    return reading(small_job_with("gcn = { hidden = 16 }", "[[model.layers]]\n" + text));
  };
  EXPECT_THAT(layer("kind = \"relu\"\noutputs = 3"), HasSubstr("small.toml:11:1: model.layers[0].outputs: this kind"));
  EXPECT_THAT(layer("kind = \"gcn\"\noutputs = 3\nrate = 0.5"), HasSubstr("for a layer of kind \"dropout\""));
  EXPECT_THAT(layer("kind = \"dropout\"\nrate = 1"), HasSubstr("at least 0 and below 1"));
  EXPECT_THAT(layer("kind = \"gat\""),
              HasSubstr("expected \"gcn\", \"sage\", \"gin\", \"dense\", \"relu\", "
                        "\"dropout\", \"pool\", \"layer-norm\", \"dot\", \"logit\" or \"propagate\""));
  std::string many;
  for (int i = 0; i < 40; ++i) many += "[[model.layers]]\nkind = \"relu\"\n";
  EXPECT_THAT(reading(small_job_with("gcn = { hidden = 16 }", many)), HasSubstr("at most 32"));
}

TEST(ReadJob, KnowsWhereEachValueCameFrom) {
  const ReadJob job = read(kSmallJob);
  EXPECT_EQ(job.sources.of("training.epochs").place(), "small.toml:11:10");
  EXPECT_EQ(job.sources.of("training.seed").text(), "default");
  EXPECT_EQ(job.sources.of("model.layers[2].outputs").text(), "small.toml:9") << "the shorthand's line";
}

TEST(SettingNames, AreFoundByTheirLastPart) {
  EXPECT_THAT(settings_named("epochs"), testing::ElementsAre("training.epochs"));
  EXPECT_THAT(settings_named("name"), testing::ElementsAre("name above all tables"));
  EXPECT_THAT(settings_named("rate"), testing::UnorderedElementsAre("training.optimiser.rate", "model.layers[].rate"));
  EXPECT_THAT(settings_named("no such"), testing::IsEmpty());
}

}  // namespace
}  // namespace tacit::launcher
