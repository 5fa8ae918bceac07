#include "launcher/job/job_fields.h"

#include <algorithm>
#include <array>

#include "gnn/tensor/default_ranges.h"
#include "net/world.h"

namespace tacit::launcher {

namespace {

using Need = JobVisitor::Need;
using LayerKind = gnn::LayerSpec::Kind;

constexpr std::int64_t kMost = std::int64_t{1} << 40;
constexpr std::int64_t kMostWidth = 1 << 20;  // columns of a layer
constexpr std::int64_t kMostEpochs = 1'000'000'000;
constexpr double kMostRate = 16;
constexpr double kMostRange = 1 << 20;
constexpr std::array<std::int64_t, 3> kRingBits = {64, 56, 48};

template <typename Enum, std::size_t n>
using WordTable = std::array<std::pair<Enum, std::string_view>, n>;

constexpr WordTable<Job::Correlations, 1> kCorrelations = {{{Job::Correlations::kDealer, "dealer"}}};
constexpr WordTable<gnn::Openings, 4> kOpenings = {{{gnn::Openings::kBySize, "by-size"},
                                                    {gnn::Openings::kDirect, "direct"},
                                                    {gnn::Openings::kTwoPhase, "two-phase"},
                                                    {gnn::Openings::kMeasured, "measured"}}};
constexpr WordTable<gnn::FeatureScaling, 3> kFeatures = {{{gnn::FeatureScaling::kStandardise, "standardise"},
                                                          {gnn::FeatureScaling::kRowSum, "row-sum"},
                                                          {gnn::FeatureScaling::kNone, "none"}}};
constexpr WordTable<JobData::Join, 2> kJoins = {
    {{JobData::Join::kNone, "none"}, {JobData::Join::kIntersection, "intersection"}}};
constexpr WordTable<JobPreparation::Targets, 2> kTargets = {
    {{JobPreparation::Targets::kStandardise, "standardise"}, {JobPreparation::Targets::kNone, "none"}}};
constexpr WordTable<LayerKind, 5> kLayers = {{{LayerKind::kGraphConvolution, "gcn"},
                                              {LayerKind::kMeanAggregation, "sage"},
                                              {LayerKind::kDense, "dense"},
                                              {LayerKind::kRelu, "relu"},
                                              {LayerKind::kDropout, "dropout"}}};
constexpr WordTable<gnn::Objective, 2> kLosses = {
    {{gnn::Objective::kSquaredError, "mse"}, {gnn::Objective::kCrossEntropy, "cross-entropy"}}};
constexpr WordTable<JobOptimiser::Kind, 2> kOptimisers = {
    {{JobOptimiser::Kind::kSgd, "sgd"}, {JobOptimiser::Kind::kAdam, "adam"}}};
constexpr WordTable<gnn::RateSchedule::Kind, 3> kSchedules = {{{gnn::RateSchedule::Kind::kConstant, "constant"},
                                                               {gnn::RateSchedule::Kind::kStep, "step"},
                                                               {gnn::RateSchedule::Kind::kCosine, "cosine"}}};
constexpr WordTable<gnn::Metric, 3> kMetrics = {{{gnn::Metric::kRootMeanSquaredError, "rmse"},
                                                 {gnn::Metric::kMeanAbsoluteError, "mae"},
                                                 {gnn::Metric::kAccuracy, "accuracy"}}};
constexpr WordTable<std::optional<gnn::Metric>, 4> kJudges = {{{std::nullopt, "loss"},
                                                               {gnn::Metric::kRootMeanSquaredError, "rmse"},
                                                               {gnn::Metric::kMeanAbsoluteError, "mae"},
                                                               {gnn::Metric::kAccuracy, "accuracy"}}};
constexpr WordTable<gnn::Part, 3> kParts = {
    {{gnn::Part::kTrain, "train"}, {gnn::Part::kValidation, "validation"}, {gnn::Part::kTest, "test"}}};

// Puts the settings of each section before a visitor.
class Visit {
 public:
  Visit(Job& job, JobVisitor& visitor) : job_(job), visitor_(visitor) {}

  void all() {
    general();
    within("data", &Visit::data);
    within("preprocessing", &Visit::preparation);
    within("model", &Visit::model);
    within("training", &Visit::training);
    within("ring", &Visit::ring);
    within("ranges", &Visit::ranges);
    within("reveal", &Visit::reveal);
    within("checkpoints", &Visit::checkpoints);
    within("audit", &Visit::audit);
    within("keys", &Visit::keys);
  }

 private:
  void within(std::string_view key, void (Visit::*section)(), std::string_view short_for = "") {
    visitor_.enter(key, short_for);
    (this->*section)();
    visitor_.leave();
  }

  void whole(std::string_view key, std::int64_t& value, std::int64_t least, std::int64_t most,
             Need need = Need::kOptional) {
    WholeField field(value, least, most);
    visitor_.field(key, field, need);
  }
  void real(std::string_view key, double& value, const Interval& within) {
    RealField field(value, within);
    visitor_.field(key, field);
  }
  template <typename Enum, std::size_t n>
  void word(std::string_view key, Enum& value, const WordTable<Enum, n>& words, Need need = Need::kOptional) {
    WordField<Enum> field(value, words);
    visitor_.field(key, field, need);
  }
  void local_text(std::string_view key, std::string& value, std::string_view what) {
    TextField field(value, what);
    if (visitor_.has(key, !value.empty())) visitor_.local(key, field);
  }
  void local_files(std::string_view key, RankFiles& files) {
    RankFilesField field(files);
    if (visitor_.has(key, !files.empty())) visitor_.local(key, field);
  }
  void audience(std::string_view key, Audience& value) {
    AudienceField field(value);
    visitor_.field(key, field);
  }

  void general() {
    constexpr std::int64_t kMostNameBytes = 100;
    TextField name(job_.name, "the job's name", kMostNameBytes);
    visitor_.field("name", name, Need::kRequired);
    if (visitor_.has("parties", job_.parties > 0)) whole("parties", job_.parties, 1, net::kMaxWorldSize - 1);
    word("correlations", job_.correlations, kCorrelations);
    word("openings", job_.openings, kOpenings);
    local_text("roster", job_.roster, "a file's path");
    local_text("master", job_.master, "HOST:PORT of rank 0");
    TextField output(job_.output, "a folder's path");
    visitor_.local("output", output);
  }

  void data() {
    const auto part = [&](gnn::GraphPart of, gnn::PartOwnership& owned) {
      OwnershipField field(owned, of);
      visitor_.field(gnn::name_of(of), field, Need::kRequired);
    };
    gnn::Ownership& ownership = job_.data.ownership;
    part(gnn::GraphPart::kFeatures, ownership.features);
    part(gnn::GraphPart::kEdges, ownership.edges);
    part(gnn::GraphPart::kLabels, ownership.labels);
    part(gnn::GraphPart::kMasks, ownership.masks);
    whole("classes", job_.data.classes, 0, kMostWidth);
    word("join", job_.data.join, kJoins);
    local_files("files", job_.data.files);
  }

  void preparation() {
    word("features", job_.preparation.features, kFeatures);
    if (visitor_.has("cut", job_.preparation.cut.has_value())) {
      if (!job_.preparation.cut) job_.preparation.cut = 1;
      real("cut", *job_.preparation.cut, {.least = 0.5, .most = 1000});
    }
    if (!visitor_.has("targets", true) && job_.data.classes > 0) {
      job_.preparation.targets = JobPreparation::Targets::kNone;
    }
    word("targets", job_.preparation.targets, kTargets);
  }

  void model() {
    if (visitor_.has("gcn", false)) {
      within("gcn", &Visit::gcn);
      visitor_.exclude("layers", "model.gcn names the layers already; keep one of the two");
      visitor_.stands_for("gcn", "layers");
      return;
    }
    std::vector<gnn::LayerSpec>& layers = job_.model.layers;
    layers.resize(visitor_.items("layers", layers.size(), kMostLayers));
    for (std::size_t i = 0; i < layers.size(); ++i) {
      visitor_.enter_item("layers", i);
      layer(layers[i]);
      visitor_.leave();
    }
  }

  // Two graph convolutions with a ReLU between them, and where the job wants it a dropout after that.
  void gcn() {
    std::int64_t hidden = 0, outputs = job_.data.classes > 0 ? job_.data.classes : 1;
    double dropout = 0;
    whole("hidden", hidden, 1, kMostWidth, Need::kRequired);
    whole("outputs", outputs, 1, kMostWidth);
    real("dropout", dropout, {.least = 0, .most = 1, .without_most = true});
    job_.model = gnn::ModelSpec::gcn(hidden, outputs);
    if (dropout > 0) {
      job_.model.layers.insert(job_.model.layers.end() - 1, {.kind = LayerKind::kDropout, .rate = dropout});
    }
  }

  void layer(gnn::LayerSpec& layer) {
    word("kind", layer.kind, kLayers, Need::kRequired);
    if (layer.has_weights()) {
      whole("outputs", layer.outputs, 1, kMostWidth, Need::kRequired);
      FlagField bias(layer.bias), residual(layer.residual);
      visitor_.field("bias", bias);
      visitor_.field("residual", residual);
    } else {
      for (const std::string_view key : {"outputs", "bias", "residual"}) {
        visitor_.exclude(key, "this kind of layer has no weights; take it out");
      }
    }
    if (layer.kind == LayerKind::kDropout) {
      RealField rate(layer.rate, {.least = 0, .most = 1, .without_most = true});
      visitor_.field("rate", rate, Need::kRequired);
    } else {
      visitor_.exclude("rate", "it is for a layer of kind \"dropout\"; take it out");
    }
  }

  void training() {
    JobTraining& training = job_.training;
    whole("epochs", training.epochs, 1, kMostEpochs);
    whole("seed", training.seed, 0, kMost);
    if (!visitor_.has("loss", true) && job_.data.classes > 0) training.loss = gnn::Objective::kCrossEntropy;
    word("loss", training.loss, kLosses);
    whole("batch", training.batch, 0, kMost);
    whole("evaluate_every", training.evaluate_every, 0, kMostEpochs);
    if (visitor_.has("clip", training.clip.has_value())) {
      if (!training.clip) training.clip = 1;
      real("clip", *training.clip, {.least = 1e-6, .most = kMostRange});
    }
    within("optimiser", &Visit::optimiser, "kind");
    within("schedule", &Visit::schedule, "kind");
    if (visitor_.has("stopping", training.stopping.has_value())) {
      if (!training.stopping) training.stopping.emplace();
      within("stopping", &Visit::stopping);
    }
  }

  void optimiser() {
    JobOptimiser& optimiser = job_.training.optimiser;
    double& rate = job_.training.rate.initial;
    const bool was_given = visitor_.has("rate", true);
    word("kind", optimiser.kind, kOptimisers);
    const bool adam = optimiser.kind == JobOptimiser::Kind::kAdam;
    if (adam && !was_given) rate = 0.01;
    real("rate", rate, {.least = 0, .most = kMostRate, .without_least = true});
    constexpr Interval kBelowOne = {.least = 0, .most = 1, .without_most = true};
    real("weight_decay", adam ? optimiser.adam.weight_decay : optimiser.sgd.weight_decay, kBelowOne);
    if (!adam) {
      real("momentum", optimiser.sgd.momentum, {.least = 0, .most = 0.9999});
      for (const std::string_view key : {"beta1", "beta2", "epsilon"}) {
        visitor_.exclude(key, "it is for kind = \"adam\"; take it out, or change the kind");
      }
      return;
    }
    real("beta1", optimiser.adam.beta1, kBelowOne);
    real("beta2", optimiser.adam.beta2, kBelowOne);
    real("epsilon", optimiser.adam.epsilon,
         {.least = 0.0625, .most = gnn::Adam::kLargestGradient, .without_most = true});
    visitor_.exclude("momentum", "it is for kind = \"sgd\"; take it out, or change the kind");
  }

  void schedule() {
    gnn::RateSchedule& schedule = job_.training.rate;
    word("kind", schedule.kind, kSchedules);
    whole("warm_up", schedule.warm_up, 0, kMostEpochs);
    if (schedule.kind == gnn::RateSchedule::Kind::kStep) {
      real("factor", schedule.factor, {.least = 0, .most = 1, .without_least = true});
      whole("every", schedule.every, 1, kMostEpochs);
    } else {
      for (const std::string_view key : {"factor", "every"}) {
        visitor_.exclude(key, "it is for kind = \"step\"; take it out, or change the kind");
      }
    }
    if (schedule.kind == gnn::RateSchedule::Kind::kCosine) {
      real("least", schedule.least, {.least = 0, .most = kMostRate});
    } else {
      visitor_.exclude("least", "it is for kind = \"cosine\"; take it out, or change the kind");
    }
  }

  void stopping() {
    gnn::EarlyStopping& stopping = *job_.training.stopping;
    word("metric", stopping.metric, kJudges, Need::kRequired);
    if (stopping.metric) {
      word("part", stopping.part, kParts);
    } else {
      visitor_.exclude("part", "the training loss is that of the nodes trained on; take it out, or name a metric");
    }
    whole("patience", stopping.patience, 1, kMostEpochs);
    real("least_improvement", stopping.least_improvement, {.least = 0, .most = kMostRange});
  }

  void ring() {
    WholeOfField bits(job_.ring.bits, kRingBits);
    visitor_.field("bits", bits);
    whole("fraction_bits", job_.ring.fraction_bits, 8, 20);
  }

  void ranges() {
    constexpr Interval kRange = {.least = 1, .most = kMostRange};
    const auto range = [&](std::string_view key, double gnn::Ranges::*which) {
      if (!visitor_.has(key, true)) job_.ranges.*which = gnn::kDefaultRanges.*which;
      real(key, job_.ranges.*which, kRange);
    };
    range("features", &gnn::Ranges::features);
    range("weights", &gnn::Ranges::weights);
    range("activations", &gnn::Ranges::activations);
    range("gradients", &gnn::Ranges::gradients);
    range("weight_gradients", &gnn::Ranges::weight_gradients);
  }

  void reveal() {
    JobReveals& reveal = job_.reveal;
    audience("loss", reveal.loss);
    audience("model", reveal.model);
    audience("predictions", reveal.predictions);
    reveal.metrics.resize(visitor_.items("metric", reveal.metrics.size(), kMostMetrics));
    for (std::size_t i = 0; i < reveal.metrics.size(); ++i) {
      visitor_.enter_item("metric", i);
      metric(reveal.metrics[i]);
      visitor_.leave();
    }
  }

  void metric(gnn::Revealed& metric) {
    word("what", metric.metric, kMetrics, Need::kRequired);
    word("part", metric.part, kParts);
    Audience to = metric.to;
    audience("to", to);
    if (to) metric.to = *to;
    if (!to) visitor_.exclude("to", "a metric that nobody learns is not computed; take it out");
  }

  void checkpoints() {
    whole("every", job_.checkpoints.every, 0, kMostEpochs);
    whole("keep", job_.checkpoints.keep, 2, 1000);
  }

  void audit() {
    PeriodField every(job_.audit.every, kMostEpochs);
    visitor_.field("every", every);
  }

  void keys() {
    local_files("identity", job_.keys.identity);
    local_files("storage", job_.keys.storage);
  }

  Job& job_;
  JobVisitor& visitor_;
};

}  // namespace

std::string_view word_of(gnn::Openings openings) {
  const auto found =
      std::find_if(kOpenings.begin(), kOpenings.end(), [&](const auto& one) { return one.first == openings; });
  TACIT_CHECK(found != kOpenings.end());
  return found->second;
}

void visit(Job& job, JobVisitor& visitor) { Visit(job, visitor).all(); }

}  // namespace tacit::launcher
