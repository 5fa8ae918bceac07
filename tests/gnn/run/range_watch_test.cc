// A value that leaves its declared range ends the training at every rank with an error that names
// the value.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "gnn/data/split.h"
#include "gnn/run/training_run.h"
#include "gnn/train/range_left.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/sample_jobs.h"
#include "tests/gnn/run/whole_run.h"
#include "tests/net/meshes.h"

namespace tacit::gnn {
namespace {

struct WatchedCase {
  const char* name;
  Job (*job)();
  const char* sentence;  // part of the message, for the first named group
};

class RangeWatch : public testing::TestWithParam<WatchedCase> {};

Job of_columns() { return sensors_job(ownership_of("columns", "public", "rank 0", "public")); }
Job of_rows() { return sensors_job(ownership_of("rows", "public", "rows", "public")); }

// A job in which no product uses the weights after the last step.
Job of_model_alone() {
  Job job = of_columns();
  job.training.ranges.weights = 1;
  job.training.ranges.activations = job.training.ranges.gradients = 1 << 14;
  job.training.rate.initial = 16;
  job.training.metrics.clear();
  job.training.predictions_to.reset();
  return job;
}

// One layer: all outputs are logits.
Job of_logits() {
  Job job = communities_job(ownership_of("columns", "public", "rank 0", "public"));
  job.training.model.layers = {{.kind = LayerSpec::Kind::kGraphConvolution, .outputs = 3}};
  job.training.ranges.activations = 1;
  job.training.rate.initial = 16;
  return job;
}

INSTANTIATE_TEST_SUITE_P(
    Groups, RangeWatch,
    testing::Values(WatchedCase{"FeaturesOfOwnersOfColumns",
                                [] {
                                  Job job = of_columns();
                                  job.data.features = FeatureScaling::kNone;
                                  job.whole.x->setConstant(60);  // a mean over neighbours is as large
                                  job.training.ranges.features = 8;
                                  return job;
                                },
                                "the features left their range of 8"},
                    WatchedCase{"FeaturesOfOwnersOfRows",
                                [] {
                                  Job job = of_rows();
                                  (*job.whole.x)(3, 0) += 1e4;
                                  job.training.ranges.features = 1;  // one node of 90: 9 deviations
                                  return job;
                                },
                                "the features left their range of 1"},
                    WatchedCase{"TargetsOfOneOwner",
                                [] {
                                  Job job = of_columns();
                                  (*job.whole.targets)(3, 0) += 1e3;
                                  job.training.ranges.features = 2;
                                  return job;
                                },
                                "targets left their range of 2"},
                    WatchedCase{"TargetsOfOwnersOfRows",
                                [] {
                                  Job job = of_rows();
                                  (*job.whole.targets)(3, 0) += 1e3;
                                  job.training.ranges.features = 1;  // one node of 90: 9 deviations
                                  return job;
                                },
                                "targets left their range of 1"},
                    WatchedCase{"FeaturesInTheLastAudit",
                                [] {
                                  Job job = of_columns();
                                  job.data.features = FeatureScaling::kNone;
                                  job.whole.x->setConstant(60);
                                  job.training.ranges.features = 8;
                                  job.training.epochs = 3;
                                  job.training.audit_every = 4;
                                  return job;
                                },
                                "epoch 3: the features left their range of 8"},
                    WatchedCase{"Weights",
                                [] {
                                  Job job = of_columns();
                                  job.training.ranges.weights = 1;
                                  job.training.ranges.activations = job.training.ranges.gradients = 1 << 14;
                                  job.training.rate.initial = 2;
                                  return job;
                                },
                                "the weights left their range of 1"},
                    WatchedCase{"WeightsAfterTheLastStep",
                                [] {
                                  Job job = of_model_alone();
                                  job.training.epochs = 1;
                                  return job;
                                },
                                "epoch 1: the weights left their range of 1"},
                    WatchedCase{"Activations",
                                [] {
                                  Job job = of_columns();
                                  job.training.ranges.activations = 1;
                                  job.training.rate.initial = 0.5;
                                  return job;
                                },
                                "the activations left their range of 1"},
                    WatchedCase{"InputsOfALayerNorm",
                                [] {
                                  Job job = of_columns();
                                  auto& layers = job.training.model.layers;
                                  layers.insert(layers.begin() + 1, {.kind = LayerSpec::Kind::kLayerNorm});
                                  job.data.features = FeatureScaling::kNone;
                                  *job.whole.x *= 400;
                                  job.training.ranges.features = job.training.ranges.activations = 4095;
                                  return job;
                                },
                                "an input of a layer norm lay 31 and more from the mean of its row"},
                    WatchedCase{"Logits", of_logits, "the logits left their range of 1"},
                    WatchedCase{"Gradients",
                                [] {
                                  Job job = of_columns();
                                  (*job.whole.targets)(rows_where(job.whole.train_mask).front(), 0) += 1e3;
                                  job.training.ranges.gradients = 1;
                                  return job;
                                },
                                "the gradients left their range of 1"},
                    WatchedCase{"GradientsByWeights",
                                [] {
                                  Job job = of_columns();
                                  job.training.ranges.weight_gradients = 1;
                                  std::get<SgdOptions>(job.training.optimiser).momentum = 0.99;
                                  job.training.rate.initial = 1e-3;
                                  return job;
                                },
                                "the gradients by weights left their range of 1"}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(RangeWatch, EndsTheTrainingAtEveryRankAndNamesTheGroup) {
  const Job job = GetParam().job();
  for (const int parties : {2, 3, 5}) {
    SCOPED_TRACE(parties);
    const auto errors = net::errors_of_ranks(net::mesh_kind("Memory").make(parties, 1), [&](net::Mesh& mesh) {
      std::optional<GraphData> own;
      if (mesh.world().is_party()) own = part_of(job.whole, job.data.ownership, mesh.rank(), parties);
      run_training(mesh, job.data, job.training, own ? &*own : nullptr);
    });
    ASSERT_EQ(std::ssize(errors), parties + 1);
    for (const std::exception_ptr& error : errors) {
      EXPECT_THAT(net::message_of(error), testing::HasSubstr(GetParam().sentence));
    }
  }
}

struct BehindARelu {
  const char* name;
  double range = 1023;  // of gradients by weights
  double dropout = 0, weight_decay = 0;
  std::uint64_t seed = 1;
};

class RangeWatchBehindARelu : public testing::TestWithParam<BehindARelu> {
 protected:
  // The largest gradient by a weight behind the ReLU is outside its range, by less than three times: 2473, or 6573 with the
  // dropout. With the dropout, the gradients by the other weights are in range.
  static Job job() {
    Job job = snapshots_job(ownership_of("rank 0", "any", "rank 1", "rank 0"));
    auto& layers = job.training.model.layers;
    layers = {{.kind = LayerSpec::Kind::kSumAggregation, .outputs = 4}, {.kind = LayerSpec::Kind::kRelu}};
    layers.front().epsilon = 0.5;
    if (GetParam().dropout > 0) layers.push_back({.kind = LayerSpec::Kind::kDropout, .rate = GetParam().dropout});
    layers.push_back({.kind = LayerSpec::Kind::kDense, .outputs = 1});
    job.training.ranges.weight_gradients = GetParam().range;
    job.training.seed = GetParam().seed;
    std::get<SgdOptions>(job.training.optimiser).weight_decay = GetParam().weight_decay;
    job.training.rate.initial = 0.01;
    job.training.epochs = 1;
    return job;
  }
};

INSTANTIATE_TEST_SUITE_P(Cases, RangeWatchBehindARelu,
                         testing::Values(BehindARelu{"Plain"}, BehindARelu{"Dropout", 4095, 0.65, 0, 2},
                                         BehindARelu{"WeightDecay", 1023, 0, 1e-4}),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(RangeWatchBehindARelu, FindsAGradientOutsideItsRangeOrHasItRight) {
  const std::vector<NamedMatrix> expected = twin_of(job()).model;
  for (const int parties : {2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 5}) {
    SCOPED_TRACE(parties);
    try {
      const std::vector<NamedMatrix> model = outcome_of(job(), parties).ranks[0].model;
      ASSERT_EQ(model.size(), expected.size());
      for (std::size_t i = 0; i < model.size(); ++i) {
        EXPECT_LE((model[i].values - expected[i].values).cwiseAbs().maxCoeff(), 0.02) << model[i].name;
      }
    } catch (const RangeLeft& left) {
      EXPECT_THAT(left.what(), testing::HasSubstr("gradients by weights left their range"));
    }
  }
}

struct BeforeARelu {
  const char* name;
  double dropout = 0;
  bool propagates = false;
};

// A public factor (a graph or a dropout) multiplies the product of features and weights, and the ReLU reads the result.
class RangeWatchBeforeARelu : public testing::TestWithParam<BeforeARelu> {
 protected:
  // Some of the input's numbers are outside the range, by up to 30 times.
  static Job job() {
    Job job = snapshots_job(ownership_of("rank 0", "any", "rank 1", "rank 0"));
    auto& layers = job.training.model.layers;
    layers.clear();
    layers.push_back(
        {.kind = GetParam().propagates ? LayerSpec::Kind::kGraphConvolution : LayerSpec::Kind::kDense, .outputs = 4});
    if (GetParam().dropout > 0) layers.push_back({.kind = LayerSpec::Kind::kDropout, .rate = GetParam().dropout});
    layers.push_back({.kind = LayerSpec::Kind::kRelu});
    layers.push_back({.kind = LayerSpec::Kind::kDense, .outputs = 1});
    job.data.features = FeatureScaling::kNone;
    *job.whole.x *= 8;
    job.training.ranges.features = 64;
    job.training.ranges.activations = 1;
    job.training.ranges.gradients = job.training.ranges.weight_gradients = 1 << 12;
    job.training.rate.initial = 1e-4;
    job.training.epochs = 1;
    return job;
  }
};

INSTANTIATE_TEST_SUITE_P(Cases, RangeWatchBeforeARelu,
                         testing::Values(BeforeARelu{"Dense"}, BeforeARelu{"Dropout", 0.65},
                                         BeforeARelu{"Graph", 0, true}, BeforeARelu{"GraphAndDropout", 0.65, true}),
                         [](const auto& tested) { return tested.param.name; });

// In a ring with six spare bits the audit misses a value with probability 2^(2v-12) if its distance is divisible by 2^v: a
// run in 1,700 here. Then the audit names the next groups. Three such runs of seven are one test in a hundred million.
TEST_P(RangeWatchBeforeARelu, FindsAnInputOutsideItsRange) {
  int missed = 0;
  for (const int parties : {2, 2, 2, 2, 3, 3, 5}) {
    SCOPED_TRACE(parties);
    try {
      outcome_of(job(), parties);
      ADD_FAILURE() << "the training ended with wrong values";
    } catch (const RangeLeft& left) {
      missed +=
          std::string_view(left.what()).find("activations left their range of 1") == std::string_view::npos ? 1 : 0;
    }
  }
  EXPECT_LE(missed, 2);
}

struct BiasCase {
  const char* name;
  int ring_bits;
  std::vector<LayerSpec> layers;
};

class RangeWatchOfABias : public testing::TestWithParam<BiasCase> {
 protected:
  // The gradient by the last bias is 2.5 times its range. The sum over the rows is halved six times: before a product lifts them,
  // they are in a ring that has room for the range of their sum, and no bit more. All other gradients are 0.
  static Job job() {
    constexpr std::int64_t kRows = 11000;
    const bool gathers = GetParam().layers.front().gathers();
    Job job = gathers ? sensors_job(ownership_of("rank 0", "public", "rank 1", "public"))
                      : rows_job(ownership_of("rank 0", "none", "rank 1", "public"));
    job.training.model.layers = GetParam().layers;
    job.training.batch = 0;
    job.training.epochs = 1;
    job.training.rate.initial = 0.01;
    job.training.top = {GetParam().ring_bits, 13};
    Ranges& ranges = job.training.ranges;
    ranges.activations = ranges.gradients = ranges.weights = 3.9;
    ranges.weight_gradients = 255;
    job.data.standardise_targets = false;
    job.whole.nodes = kRows;
    job.whole.x->setZero(kRows, job.whole.x->cols());
    job.whole.targets->setConstant(kRows, 1, 3.7);
    job.whole.train_mask->assign(kRows, true);
    job.whole.test_mask.reset();
    job.whole.val_mask.reset();
    job.training.metrics = {{Metric::kRootMeanSquaredError, Part::kTrain}};
    job.training.predictions_to.reset();
    return job;
  }
};

using Kind = LayerSpec::Kind;
INSTANTIATE_TEST_SUITE_P(
    Cases, RangeWatchOfABias,
    testing::Values(
        BiasCase{"OneOutput",
                 64,
                 {{.kind = Kind::kDense, .outputs = 4}, {.kind = Kind::kRelu}, {.kind = Kind::kDense, .outputs = 1}}},
        BiasCase{"In56Bits",
                 56,
                 {{.kind = Kind::kDense, .outputs = 4}, {.kind = Kind::kRelu}, {.kind = Kind::kDense, .outputs = 1}}},
        BiasCase{"In48Bits",
                 48,
                 {{.kind = Kind::kDense, .outputs = 4}, {.kind = Kind::kRelu}, {.kind = Kind::kDense, .outputs = 1}}},
        BiasCase{"Convolution",
                 64,
                 {{.kind = Kind::kGraphConvolution, .outputs = 4},
                  {.kind = Kind::kRelu},
                  {.kind = Kind::kGraphConvolution, .outputs = 1}}},
        BiasCase{"Sum",
                 64,
                 {{.kind = Kind::kSumAggregation, .outputs = 4},
                  {.kind = Kind::kRelu},
                  {.kind = Kind::kSumAggregation, .outputs = 1}}},
        BiasCase{"Mean",
                 64,
                 {{.kind = Kind::kMeanAggregation, .outputs = 4},
                  {.kind = Kind::kRelu},
                  {.kind = Kind::kMeanAggregation, .outputs = 1}}}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(RangeWatchOfABias, FindsAGradientOutsideItsRangeOrHasItRight) {
  constexpr double kStep = 0.01 * 2 * 3.7;  // from an output of 0 to targets of 3.7
  int found = 0;
  for (const int parties : {2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 5}) {
    SCOPED_TRACE(parties);
    try {
      const std::vector<NamedMatrix> model = outcome_of(job(), parties).ranks[0].model;
      const auto bias =
          std::find_if(model.begin(), model.end(), [](const auto& one) { return one.name == "layer 2 bias"; });
      ASSERT_NE(bias, model.end());
      EXPECT_NEAR(bias->values(0, 0), kStep, 0.01 * kStep);
    } catch (const RangeLeft& left) {
      ++found;
      EXPECT_THAT(left.what(), testing::HasSubstr("the gradients by weights left their range of 255"));
    }
  }
  EXPECT_GE(found, 1);  // each with probability 0.7
}

TEST(RangeWatchSentence, NamesTheEpochTheRangeTheSettingAndTheCheckpoint) {
  TrainingPlan plan;
  plan.rate.initial = 0.5;
  EXPECT_EQ(sentence_of({{Watched::kWeights, Watched::kActivations}, 12, 11, 10}, plan),
            "epoch 12: the weights left their range of 16 and the activations left their range of 128, so values "
            "computed after epoch 11 may be wrong: set ranges.weights = 64 in the job, or lower "
            "training.optimiser.rate (now 0.5); the newest checkpoint from before is of epoch 10, and "
            "--resume goes on from it with wider ranges");
  TrainingPlan adam = plan;
  adam.optimiser = AdamOptions{};
  EXPECT_THAT(
      sentence_of({{Watched::kWeightGradients}, 3, 2, std::nullopt}, adam),
      testing::AllOf(testing::HasSubstr("left their range of 256, in which Adam computes on shares"),
                     testing::HasSubstr("set ranges.weight_gradients = "),
                     testing::HasSubstr("Adam's epsilon, 0.0625, is up to 4 times as large beside the gradients)")));
  std::get<AdamOptions>(adam.optimiser).epsilon = 1;
  EXPECT_THAT(
      sentence_of({{Watched::kWeightGradients}, 3, 2, std::nullopt}, adam),
      testing::HasSubstr("times as large beside the gradients; training.optimiser.epsilon = 0.25 keeps its steps)"));
  adam.ranges.weight_gradients = 300;  // four times as much would change nothing
  EXPECT_THAT(sentence_of({{Watched::kWeightGradients}, 3, 2, std::nullopt}, adam),
              testing::AllOf(testing::HasSubstr("left their range of 256, in which Adam"),
                             testing::HasSubstr("set ranges.weight_gradients = 65536")));
  adam.ranges.weight_gradients = 35;
  EXPECT_THAT(sentence_of({{Watched::kWeightGradients}, 3, 2, std::nullopt}, adam),
              testing::AllOf(testing::HasSubstr("the gradients by weights left their range of 35, so"),
                             testing::HasSubstr("set ranges.weight_gradients = 16383 in the job, or lower"),
                             testing::Not(testing::HasSubstr("epsilon"))));
  EXPECT_EQ(sentence_of({{Watched::kFeatures}, 1, 0, std::nullopt}, plan),
            "epoch 1: the features left their range of 16, so all computed values may be wrong: set ranges.features "
            "= 64 in the job, or cut standardised features with preprocessing.cut; there is no checkpoint from before");
}

// The advice in the error helps: with four times the range, gradients of four times the size are in the range of Adam.
TEST(RangeWatch, AWiderRangeOfGradientsMakesRoomForThemInAdam) {
  const LossKind& loss = kind_of(Objective::kCrossEntropy);
  Ranges ranges = kDefaultRanges;
  const double usual = AdamOptions{}.largest_scale(ranges, loss);
  EXPECT_EQ(usual, AdamOptions::kScaledGradient / loss.largest_gradient);
  ranges.weight_gradients *= 4;
  EXPECT_EQ(AdamOptions{}.largest_scale(ranges, loss), usual / 4);
  ranges.weight_gradients = 1;  // narrower ranges leave the scale
  EXPECT_EQ(AdamOptions{}.largest_scale(ranges, loss), usual);
}

}  // namespace
}  // namespace tacit::gnn
