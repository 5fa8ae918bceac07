// The options of a plan: batches, schedules, clipping, early stopping, dropout of the data. On
// secrets, every option follows the twin (plaintext reference).
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <map>

#include "bench/data/sensors.h"
#include "gnn/plan/plans.h"
#include "gnn/train/batches.h"
#include "net/error.h"
#include "tests/gnn/train/sample_run.h"

namespace tacit::gnn {
namespace {

using Kind = LayerSpec::Kind;

struct Case {
  const char* name;
  Sample (*sample)();
  double difference = 1e-2;  // at most, in every epoch
};

Sample short_sensors(GraphKind graph) {
  Sample sample = sensors_sample(graph);
  sample.plan.epochs = 30;
  return sample;
}

Sample short_communities() {
  Sample sample = communities_sample();
  sample.plan.epochs = 50;
  sample.plan.rate.initial = 0.5;
  return sample;
}

Sample batches_on_a_public_graph() {
  Sample sample = short_communities();
  sample.plan.batch = 30;
  sample.plan.rate.initial = 0.2;
  return sample;
}

Sample batches_on_a_private_graph() {
  Sample sample = short_sensors(GraphKind::kPrivateDense);
  sample.plan.batch = 64;
  return sample;
}

Sample uneven_batches_with_momentum() {
  Sample sample = short_sensors(GraphKind::kPublic);
  sample.train.resize(5);
  sample.plan.batch = 3;
  std::get<SgdOptions>(sample.plan.optimiser).momentum = 0.9;
  sample.plan.epochs = 8;
  sample.plan.rate.initial = 0.005;
  return sample;
}

Sample sensors_by_adam(double rate) {
  Sample sample = short_sensors(GraphKind::kPrivateDense);
  sample.plan.optimiser = AdamOptions{};
  sample.plan.rate.initial = rate;
  return sample;
}
Sample sensors_by_adam() { return sensors_by_adam(0.01); }
Sample sensors_by_slow_adam() { return sensors_by_adam(0.001); }

Sample many_labelled_nodes() {
  SensorsOptions options;
  options.stations = 4000;
  TrainingPlan plan;
  plan.model = ModelSpec::gcn(16, 1);
  plan.epochs = 10;
  return sample_of(make_sensors(options), plan, GraphKind::kPublic);
}

Sample dropped_data_beside_a_residual() {
  Sample sample = short_sensors(GraphKind::kPrivateDense);
  sample.plan.model.layers = {{.kind = Kind::kDropout, .rate = 0.3},
                              {.kind = Kind::kGraphConvolution, .outputs = sample.x.cols(), .residual = true},
                              {.kind = Kind::kRelu},
                              {.kind = Kind::kGraphConvolution, .outputs = 1}};
  sample.plan.rate.initial = 0.05;
  return sample;
}

Sample one_node_to_a_batch() {
  Sample sample = short_sensors(GraphKind::kPublic);
  sample.train.resize(3);
  sample.plan.batch = 1;
  sample.plan.epochs = 5;
  sample.plan.rate.initial = 0.02;
  return sample;
}

Sample steps_of_the_rate() {
  Sample sample = short_sensors(GraphKind::kPublic);
  sample.plan.rate = {.kind = RateSchedule::Kind::kStep, .initial = 0.2, .factor = 0.3, .every = 7, .warm_up = 4};
  return sample;
}

Sample cosine_of_the_rate() {
  Sample sample = short_communities();
  sample.plan.rate = {.kind = RateSchedule::Kind::kCosine, .initial = 0.4, .least = 0.01};
  sample.plan.epochs = 90;
  return sample;
}

Sample clipped_gradients() {
  Sample sample = short_sensors(GraphKind::kPublic);
  sample.plan.clip = 0.05;
  return sample;
}

Sample clipped_gradients_of_classes() {
  Sample sample = short_communities();
  sample.plan.clip = 0.004;
  sample.plan.batch = 40;
  sample.plan.rate.initial = 0.2;
  return sample;
}

Sample dropped_data() {
  Sample sample = short_communities();
  std::vector<LayerSpec>& layers = sample.plan.model.layers;
  layers.insert(layers.begin() + 2, {.kind = Kind::kDropout, .rate = 0.5});
  layers.insert(layers.begin(), {.kind = Kind::kDropout, .rate = 0.5});
  sample.plan.rate.initial = 0.2;
  return sample;
}

Sample dropped_data_in_batches_by_adam() {
  Sample sample = dropped_data();
  sample.plan.batch = 25;
  sample.plan.optimiser = AdamOptions{};
  sample.plan.rate.initial = 0.02;
  sample.plan.epochs = 20;  // differences grow with every step that draws a new dropout
  return sample;
}

class PlanOptions : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(
    Plans, PlanOptions,
    testing::Values(Case{"UnevenBatchesWithMomentum", uneven_batches_with_momentum, 2e-2},
                    Case{"SensorsByAdam", sensors_by_adam}, Case{"SensorsBySlowAdam", sensors_by_slow_adam},
                    Case{"BatchesOnAPublicGraph", batches_on_a_public_graph},
                    Case{"BatchesOnAPrivateGraph", batches_on_a_private_graph},
                    Case{"OneNodeToABatch", one_node_to_a_batch}, Case{"StepsOfTheRate", steps_of_the_rate},
                    Case{"CosineOfTheRate", cosine_of_the_rate}, Case{"ClippedGradients", clipped_gradients},
                    Case{"ClippedGradientsOfClasses", clipped_gradients_of_classes}, Case{"DroppedData", dropped_data},
                    Case{"DroppedDataInBatchesByAdam", dropped_data_in_batches_by_adam, 4e-2}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(PlanOptions, FollowTheTwin) {
  const Sample sample = GetParam().sample();
  const Events twin = plain_run(sample);
  EXPECT_LT(*twin.back().loss, *twin.front().loss);
  mpc::ClearSession clear;
  EXPECT_LE(largest_difference(secret_run(clear, sample), twin), GetParam().difference);
  EXPECT_TRUE(clear.range_violations().empty());
  for (const int parties : {2, 3}) {
    mpc::run_parties(parties, [&](mpc::Session& session, int rank) {
      const Events events = secret_run(session, sample);
      if (rank == 0) {
        EXPECT_LE(largest_difference(events, twin), GetParam().difference) << parties;
      }
    });
  }
}

// Ensures that the cases above would fail if an option had no effect.
TEST_P(PlanOptions, MakeADifference) {
  const Sample sample = GetParam().sample();
  Sample plain = sample;
  plain.plan.batch = 0;
  plain.plan.clip.reset();
  if (std::holds_alternative<AdamOptions>(plain.plan.optimiser)) plain.plan.optimiser = SgdOptions{};
  plain.plan.rate = {.initial = sample.plan.rate.initial};
  std::erase_if(plain.plan.model.layers, [](const LayerSpec& layer) { return layer.kind == Kind::kDropout; });
  EXPECT_GT(largest_difference(plain_run(plain), plain_run(sample)), GetParam().difference);
}

TEST(LargeData, FollowTheTwinWithinTheDeclaredRanges) {
  const Sample sample = many_labelled_nodes();
  mpc::ClearSession clear;
  EXPECT_LE(largest_difference(secret_run(clear, sample), plain_run(sample)), 1e-2);
  EXPECT_TRUE(clear.range_violations().empty());
}

TEST(DroppedData, GoAroundALayer) {
  const Sample sample = dropped_data_beside_a_residual();
  mpc::ClearSession clear;
  EXPECT_LE(largest_difference(secret_run(clear, sample), plain_run(sample)), 1e-2);
}

TEST(Rates, MayFallToNothing) {
  Sample sample = short_sensors(GraphKind::kPublic);
  for (const bool adam : {false, true}) {
    if (adam) sample.plan.optimiser = AdamOptions{};
    for (const RateSchedule& rate :
         {RateSchedule{.kind = RateSchedule::Kind::kCosine, .initial = 0.02},
          RateSchedule{.kind = RateSchedule::Kind::kStep, .initial = 0.02, .factor = 0.1, .every = 4},
          RateSchedule{.kind = RateSchedule::Kind::kStep, .initial = 0.02, .factor = 1e-13, .every = 4},
          RateSchedule{.kind = RateSchedule::Kind::kStep, .initial = 0.02, .factor = 1e-310, .every = 18}}) {
      sample.plan.rate = rate;
      mpc::ClearSession clear;
      EXPECT_LE(largest_difference(secret_run(clear, sample), plain_run(sample)), 1e-2);
    }
  }
}

TEST(DroppedData, AreOpenedOnceAndNotInEveryEpoch) {
  const Sample sample = dropped_data();
  mpc::run_parties(2, [&](mpc::Session& session, int rank) {
    const Events events = secret_run(session, sample);
    if (rank != 0) return;
    const std::int64_t data = 8 * sample.x.size();  // bytes; a view of most nodes is opened
    EXPECT_GT(events[0].cost.bytes, events[1].cost.bytes + data / 2);
    EXPECT_LT(events[1].cost.bytes, data * 3 / 4);
    EXPECT_NEAR(static_cast<double>(events[2].cost.bytes), static_cast<double>(events[1].cost.bytes), 1);
  });
}

Sample stopping_by(std::optional<Metric> metric) {
  Sample sample = short_sensors(GraphKind::kPublic);
  sample.plan.epochs = 100;
  sample.plan.evaluate_every = 2;
  sample.plan.metrics = {{Metric::kRootMeanSquaredError, Part::kTest}};
  sample.plan.stopping =
      EarlyStopping{.judged = {.metric = metric, .part = Part::kTest, .patience = 3, .least_improvement = 0.01}};
  return sample;
}

TEST(EarlyStoppingTest, EndsWhereTheTwinEndsAtEveryRank) {
  for (const std::optional<Metric> metric : {std::optional<Metric>{}, std::optional(Metric::kRootMeanSquaredError)}) {
    const Sample sample = stopping_by(metric);
    const Events twin = plain_run(sample);
    EXPECT_LT(std::ssize(twin), sample.plan.epochs);
    EXPECT_TRUE(twin.back().last);
    for (const int parties : {2, 3}) {
      std::vector<std::int64_t> ends(static_cast<std::size_t>(parties) + 1);  // includes the dealer
      mpc::run_parties(parties, [&](mpc::Session& session, int rank) {
        const std::int64_t end = std::ssize(secret_run(session, sample));
        ends[static_cast<std::size_t>(rank)] = end;
        const auto stopping = std::find_if(session.decisions().begin(), session.decisions().end(),
                                           [](const auto& line) { return line.reason.starts_with("early stopping"); });
        ASSERT_NE(stopping, session.decisions().end());
        EXPECT_EQ(stopping->count, metric ? end / 2 : end);
      });
      EXPECT_NEAR(static_cast<double>(ends[0]), static_cast<double>(std::ssize(twin)),
                  4);  // just better, or not
      EXPECT_THAT(ends, testing::Each(ends[0]));
    }
  }
}

// Epochs and readings of the evaluations.
std::map<std::int64_t, double> evaluations(const Events& events) {
  std::map<std::int64_t, double> all;
  for (const EpochEvent& event : events) {
    if (!event.readings.empty()) all[event.epoch] = event.readings.front().value;
  }
  return all;
}

TEST(EarlyStoppingTest, EndsWithTheBestModel) {
  for (const std::optional<Metric> metric : {std::optional<Metric>{}, std::optional(Metric::kRootMeanSquaredError)}) {
    const Sample sample = stopping_by(metric);
    const Events twin = plain_run(sample);
    ASSERT_TRUE(twin.back().of_epoch);
    EXPECT_EQ(*twin.back().of_epoch, metric ? twin.back().epoch - 6 : twin.back().epoch - 4);
    for (const int parties : {2, 3}) {
      mpc::run_parties(parties, [&](mpc::Session& session, int) {
        const Events events = secret_run(session, sample);
        const EpochEvent& last = events.back();
        ASSERT_TRUE(last.of_epoch);
        // The numbers that are not better: three evaluations of two epochs, or three losses. The first loss judged the
        // model after the epoch of the best one.
        EXPECT_EQ(*last.of_epoch, metric ? last.epoch - 6 : last.epoch - 4);
        if (!session.computes() || last.of_best.empty()) return;
        // The best number has one reveal: the second report repeats its value.
        if (metric) {
          EXPECT_EQ(last.of_best.front().value, evaluations(events).at(*last.of_epoch));
        }
      });
    }
  }
}

TEST(EarlyStoppingTest, MayKeepTheLastModel) {
  Sample sample = stopping_by(Metric::kRootMeanSquaredError);
  sample.plan.stopping->keep_best = false;
  EXPECT_FALSE(plain_run(sample).back().of_epoch);
  mpc::run_parties(2, [&](mpc::Session& session, int) { EXPECT_FALSE(secret_run(session, sample).back().of_epoch); });
}

TEST(PlateauTest, LowersTheRateAsTheTwinAtEveryRank) {
  Sample sample = stopping_by({});
  sample.plan.epochs = 40;
  sample.plan.stopping.reset();
  // Every loss is worse than the best one less 10, except the first.
  sample.plan.plateau = Plateau{.judged = {.metric = {}, .patience = 4, .least_improvement = 10}, .factor = 0.5};
  const double initial = sample.plan.rate.initial;
  sample.plan.plateau->least = initial / 10;
  const auto expected = [&](std::int64_t epoch) {
    return std::max(initial / 10, initial * std::pow(0.5, static_cast<double>((epoch - 2) / 4)));
  };
  const auto as_expected = [&](const Events& events) {
    ASSERT_EQ(std::ssize(events), sample.plan.epochs);
    for (const EpochEvent& event : events) {
      EXPECT_DOUBLE_EQ(event.rate, event.epoch < 2 ? initial : expected(event.epoch)) << event.epoch;
    }
  };
  as_expected(plain_run(sample));
  mpc::run_parties(3, [&](mpc::Session& session, int) { as_expected(secret_run(session, sample)); });
}

std::string refusal(const TrainingPlan& plan) {
  try {
    const Ownership ownership{
        parse_ownership("public", GraphPart::kFeatures), parse_ownership("public", GraphPart::kEdges),
        parse_ownership("public", GraphPart::kLabels), parse_ownership("public", GraphPart::kMasks)};
    check(Plans{{ownership}, plan}, 3);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(PlanCheck, SaysWhatContradictsItself) {
  TrainingPlan plan;
  plan.model = ModelSpec::gcn(4, 1);
  EXPECT_EQ(refusal(plan), "accepted");
  const auto with = [&](const auto& change) {
    TrainingPlan changed = plan;
    change(changed);
    return refusal(changed);
  };
  using Plan = TrainingPlan;
  using testing::StartsWith;
  EXPECT_THAT(with([](Plan& p) { p.epochs = 0; }), StartsWith("training.epochs: expected a whole number, 1 ... "));
  EXPECT_THAT(with([](Plan& p) { p.rate.initial = -1; }),
              StartsWith("training.optimiser.rate: expected a number above 0"));
  EXPECT_THAT(with([](Plan& p) { p.rate.kind = RateSchedule::Kind::kStep, p.rate.factor = 2; }),
              StartsWith("training.schedule.factor: "));
  EXPECT_THAT(with([](Plan& p) { p.clip = 0; }), StartsWith("training.clip: "));
  EXPECT_THAT(with([](Plan& p) { p.ranges.activations = NAN; }), StartsWith("ranges.activations: "));
  EXPECT_EQ(with([](Plan& p) { p.top = {80, 13}; }), "ring.bits: expected 64, 56 or 48, not the number 80");
  EXPECT_THAT(with([](Plan& p) { p.top = {64, 40}; }), StartsWith("ring.fraction_bits: "));
  EXPECT_THAT(with([](Plan& p) { p.top = {48, 20}; }), testing::HasSubstr("has room for 16"));
  EXPECT_THAT(with([](Plan& p) { std::get<SgdOptions>(p.optimiser).momentum = 1e300; }),
              StartsWith("training.optimiser.momentum: "));
  EXPECT_THAT(with([](Plan& p) { p.optimiser = AdamOptions{}, p.top = {48, 12}; }), testing::HasSubstr("adam needs"));
  EXPECT_THAT(with([](Plan& p) {
                p.metrics = {{Metric::kAccuracy, Part::kTest}};
              }),
              testing::HasSubstr("accuracy is for classes"));
  EXPECT_THAT(with([](Plan& p) { p.model = ModelSpec::gcn(std::int64_t{1} << 40, 1); }),
              StartsWith("model.layers[0].outputs: "));
  EXPECT_THAT(with([](Plan& p) { p.batch = -1; }), StartsWith("training.batch: "));
  EXPECT_THAT(with([](Plan& p) { p.model_to = mpc::To::rank(3); }), testing::HasSubstr("no party of rank 3"));
  EXPECT_THAT(with([](Plan& p) { p.plateau = Plateau{.judged = {}, .least = 2 * p.rate.initial}; }),
              testing::HasSubstr("training.plateau.least: it is above the learning rate"));
  EXPECT_THAT(with([](Plan& p) { p.loss_to = mpc::To::rank(1), p.stopping.emplace(); }),
              testing::HasSubstr("not revealed to it"));
  EXPECT_THAT(with([](Plan& p) { p.stopping = EarlyStopping{.judged = {.metric = Metric::kMeanAbsoluteError}}; }),
              testing::HasSubstr("validation mae"));
}

TEST(PlanCheck, RefusesPeriodsOfMetricsThatFallDueInManyCombinations) {
  TrainingPlan plan;
  plan.model = ModelSpec::gcn(4, 1);
  plan.epochs = 1'000'000;
  const auto with = [&](const std::vector<std::int64_t>& periods) {
    plan.metrics.clear();
    for (std::size_t i = 0; i < periods.size(); ++i) {
      constexpr std::array kOfTargets = {Metric::kRootMeanSquaredError, Metric::kMeanAbsoluteError, Metric::kLoss,
                                         Metric::kR2, Metric::kExplainedVariance};
      plan.metrics.push_back({kOfTargets[i % 5], i < 5 ? Part::kTest : Part::kTrain, mpc::To::everyone(), periods[i]});
    }
    return refusal(plan);
  };
  EXPECT_EQ(with({2, 3, 5, 7, 11, 13}), "accepted") << "64 combinations";
  EXPECT_THAT(
      with({2, 3, 5, 7, 11, 13, 17}),
      testing::StartsWith("reveal.metric[6].every: metrics with the periods up to this one, 17, fall due in more "
                          "than 64 combinations"));
  EXPECT_EQ(with({1, 5, 10, 50, 100, 500, 1000, 5000, 10'000, 50'000}), "accepted");
  plan.epochs = 100;
  EXPECT_EQ(with({2, 3, 5, 7, 11, 13, 17}), "accepted") << "most combinations come after the last epoch";
}

TEST(PlanCheck, TellsMetricsOfANameApartByTheirClassAverageAndBins) {
  TrainingPlan plan;
  plan.model = ModelSpec::gcn(4, 3);
  plan.evaluate_every = 1;
  plan.objective = Objective::kCrossEntropy;
  plan.stopping = EarlyStopping{.judged = {.metric = Metric::kF1}};
  const Revealed of_class{Metric::kF1, Part::kValidation, mpc::To::everyone(), 0, 2};
  const Revealed macro{Metric::kF1, Part::kValidation, mpc::To::everyone(), 0, {}, Average::kMacro};
  const auto refused = [&plan] {
    try {
      check(plan);  // alone: the data of refusal() have no classes
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  plan.metrics = {of_class, macro};
  EXPECT_EQ(refused(),
            "training.stopping.metric: rank 0 judges the validation f1, and the job reveals several to it; say "
            "which in training.stopping: class = 2, or average = \"macro\"");
  EpochEvent event;
  event.readings = {{of_class, 0.25}, {macro, 0.75}};
  Judged& judged = plan.stopping->judged;
  judged.of_class = 2;
  EXPECT_EQ(refused(), "accepted");
  EXPECT_EQ(judged_by(plan, judged, event), 0.25);
  judged.average = Average::kMacro;
  EXPECT_EQ(refused(), "training.stopping.average: the metric of one class has no average; take either out");
  judged.of_class.reset();
  EXPECT_EQ(refused(), "accepted");
  EXPECT_EQ(judged_by(plan, judged, event), 0.75);
  judged.average = Average::kMicro;
  EXPECT_EQ(refused(),
            "training.stopping.metric: rank 0 judges the validation f1_micro, which is not revealed to it, and "
            "validation f1_class_2 and validation f1_macro are; change class, average or bins in training.stopping, or "
            "add a [[reveal.metric]]");
  judged.average.reset();
  plan.metrics[0].to = mpc::To::rank(1);
  EXPECT_EQ(refused(), "accepted");
  EXPECT_EQ(judged_by(plan, judged, event), 0.75) << "the only one that rank 0 sees";
  const Revealed plain{Metric::kF1, Part::kValidation};
  plan.metrics = {of_class, plain};
  event.readings.push_back({plain, 0.5});
  EXPECT_EQ(refused(), "accepted");
  EXPECT_EQ(judged_by(plan, judged, event), 0.5) << "the job states no class, and one metric has none";
  plan.metrics = {macro, macro};
  plan.metrics[1].to = mpc::To::rank(0);
  EXPECT_EQ(refused(), "accepted") << "the same number";

  plan.stopping.reset();
  plan.plateau = Plateau{.judged = {.metric = Metric::kRocAuc, .of_class = 1}};
  const Revealed coarse{Metric::kRocAuc, Part::kValidation, mpc::To::everyone(), 0, 1, {}, 16};
  Revealed fine = coarse;
  fine.bins = 64;
  plan.metrics = {coarse, fine};
  EXPECT_EQ(refused(),
            "training.plateau.metric: rank 0 judges the validation roc_auc_class_1, and the job reveals several "
            "to it; say which in training.plateau: class = 1, bins = 16, or class = 1, bins = 64");
  plan.plateau->judged.bins = 64;
  EXPECT_EQ(refused(), "accepted");
  EXPECT_EQ(judged_metric(plan, plan.plateau->judged), 1u);
}

TEST(Batches, AreAPartitionThatIsAsEvenAsPossible) {
  for (const std::int64_t count : {1, 7, 140}) {
    for (const std::int64_t size : {1, 3, 7, 64, 1000}) {
      std::vector<std::int64_t> all;
      for (const Rows& batch : batches_of(count, size, 5)) {
        EXPECT_TRUE(std::is_sorted(batch.begin(), batch.end()));
        EXPECT_LE(std::ssize(batch), size);
        EXPECT_GE(std::ssize(batch), std::min(count, size) / 2);
        all.insert(all.end(), batch.begin(), batch.end());
      }
      std::sort(all.begin(), all.end());
      EXPECT_EQ(all, all_rows(count));
    }
  }
  EXPECT_EQ(batches_of(9, 0, 5), std::vector<Rows>(1, all_rows(9)));
  EXPECT_NE(batches_of(140, 20, 5), batches_of(140, 20, 6));
}

TEST(Batches, ComeInAnotherOrderInEveryEpoch) {
  const auto first = order_of_batches(12, 3, 1), second = order_of_batches(12, 3, 2);
  EXPECT_NE(first, second);
  EXPECT_THAT(first, testing::UnorderedElementsAreArray(second));
}

TEST(RateSchedules, AreWhatTheirNamesSay) {
  using Schedule = RateSchedule;
  const Schedule step{.kind = Schedule::Kind::kStep, .initial = 1, .factor = 0.5, .every = 2, .warm_up = 1};
  std::vector<double> rates;
  for (int epoch = 1; epoch <= 6; ++epoch) rates.push_back(step.at(epoch, 6));
  EXPECT_THAT(rates, testing::ElementsAre(0.5, 1, 1, 0.5, 0.5, 0.25));
  const Schedule cosine{.kind = Schedule::Kind::kCosine, .initial = 1, .least = 0.2};
  EXPECT_DOUBLE_EQ(cosine.at(1, 11), 1);
  EXPECT_NEAR(cosine.at(6, 11), 0.6, 1e-12);
  EXPECT_NEAR(cosine.at(11, 11), 0.2, 1e-12);
}

}  // namespace
}  // namespace tacit::gnn
