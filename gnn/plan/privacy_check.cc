#include "gnn/plan/privacy_check.h"

#include "gnn/plan/wrong_setting.h"

namespace tacit::gnn {

namespace {

using Kind = PartOwnership::Kind;

void check_ownership(const DataPlan& data, const TrainingPlan& training) {
  const bool owners = training.privacy->sampling == Sampling::kOwners;
  for (const auto& [path, part] :
       {std::pair("data.features", &data.ownership.features), std::pair("data.labels", &data.ownership.labels),
        std::pair("data.masks", &data.ownership.masks)}) {
    if (owners && part->kind != Kind::kByRows) {
      wrong(path, "{}; expected \"rows\", by which every row is one party's{}",
            training.aggregates() ? "each party computes with whole records of its own"
                                  : "only a party with whole records can draw them",
            training.aggregates() ? "" : ", or take privacy.sampling = \"parties\"");
    }
  }
  if (!owners && data.private_masks()) {
    wrong("data.masks",
          "all parties draw the records of a step, so they must know which rows are trained on; take "
          "\"public\", or privacy.sampling = \"owners\"");
  }
}

void check_data(const DataPlan& data) {
  if (data.links || data.has_graph()) {
    wrong("data.edges",
          "a row's gradient would depend on its neighbours, so that no noise for one record covers it; take "
          "edges = \"none\"");
  }
  if (data.features == FeatureScaling::kWhole) {
    wrong("preprocessing.features",
          "the gradients of single records are computed with fraction bits in every feature; take \"none\", which "
          "reads whole numbers as they are");
  }
  if (data.features != FeatureScaling::kNone) {
    wrong("preprocessing.features",
          "one record would move the scale of all others, which no noise covers; take \"none\", and scale columns by "
          "constants that do not depend on the data");
  }
  if (data.classes == 0 && data.standardise_targets) {
    wrong("preprocessing.targets",
          "one record would move the scale of all others, which no noise covers; take \"none\", and scale targets by "
          "constants that do not depend on the data");
  }
}

void check_model(const TrainingPlan& training) {
  if (const std::string why = not_of_records(training.model); !why.empty()) {
    wrong("model.layers", "{}; a private training takes dense layers, ReLUs and a logit", why);
  }
  if (training.class_weights.any()) {
    wrong("training.class_weights", "weights by the labels depend on all records, which no noise covers; take it out");
  }
  if (training.label_smoothing > 0) {
    wrong("training.label_smoothing", "a private training has none yet; take it out");
  }
  if (training.clip) {
    wrong("training.clip", "it bounds no record's influence; privacy.clip does, so take this one out");
  }
}

void check_reveals(const TrainingPlan& training) {
  if (training.loss_to) {
    wrong("reveal.loss", "the training loss tells of single records, and no noise covers it; take \"nobody\"");
  }
  for (const auto& [table, judged] :
       {std::pair("training.stopping", training.stopping ? &training.stopping->judged : nullptr),
        std::pair("training.plateau", training.plateau ? &training.plateau->judged : nullptr)}) {
    if (judged == nullptr) continue;
    if (!judged->metric) {
      wrong(fmt::format("{}.metric", table),
            "the training loss tells of single records, and no noise covers it; name a metric of records that are not "
            "trained on, such as {{ metric = \"loss\", part = \"validation\" }}");
    }
    if (judged->part == Part::kTrain) {
      wrong(fmt::format("{}.part", table),
            "a metric of training records depends on single records, and no noise covers it; take \"validation\"");
    }
  }
  for (std::size_t i = 0; i < training.metrics.size(); ++i) {
    const Revealed& what = training.metrics[i];
    if (what.part == Part::kTrain) {
      wrong(fmt::format("reveal.metric[{}].part", i),
            "a metric of training records depends on single records, and no noise covers it; take \"test\"");
    }
  }
}

void check_aggregate(const TrainingPlan& training) {
  for (std::size_t i = 0; i < training.metrics.size(); ++i) {
    const Revealed& what = training.metrics[i];
    if (!is_sum_over_rows(what.metric)) {
      wrong(fmt::format("reveal.metric[{}].what", i),
            "parties in the mode \"aggregate\" reveal sums over their rows, and {} is no sum; expected accuracy, rmse, "
            "mae, "
            "log_loss or loss",
            name_of(what.metric));
    }
  }
  if (training.model_to != mpc::To::everyone()) {
    wrong("reveal.model", "in the mode \"aggregate\" every party has the model; say \"everyone\"");
  }
  if (training.predictions_to || training.probabilities_to) {
    wrong(training.predictions_to ? "reveal.predictions" : "reveal.probabilities",
          "in the mode \"aggregate\" every party has the model, and predicts its own rows with it; say \"nobody\"");
  }
}

// Once the sums over edges have noise, everything that follows is covered: losses, metrics, any number of epochs.
void check_edges(const DataPlan& data, const TrainingPlan& training) {
  if (training.aggregates()) wrong("training.mode", "edges are private on shares alone; take it out");
  if (!training.model.perturbed) {
    wrong("model",
          "each epoch of this model reads the edges; with privacy.unit = \"edge\", say perturbed = {{ hidden = 64 }}, "
          "which reads them once, in sums with noise");
  }
  if (data.classes == 0)
    wrong("data.classes", "a perturbed model adds up the probabilities of classes, and targets have none");
  if (!data.private_graph())
    wrong("data.edges", "the edges are public or absent, and nothing about them is to be hidden");
  if (data.sparse_graph()) {
    wrong("data.adjacency", "a perturbed model adds up over edges that are on shares; take \"dense\"");
  }
  if (data.links || data.edge_weights || data.ownership.graphs) {
    wrong("model.perturbed", "it is for classes of the nodes of one graph, without weights");
  }
  if (training.model_to) {
    wrong("reveal.model",
          "a perturbed model needs the noisy sums of its own graph; say \"nobody\", and reveal predictions");
  }
}

void check_on_shares(const TrainingPlan& training) {
  if (training.audit_every > 0) {
    wrong("audit.every",
          "an audit tells whether a number of some record left its range, which no noise covers; take it out: beside "
          "[privacy] the ranges are proved before the first step");
  }
  if (training.privacy->sampling == Sampling::kOwners && (training.predictions_to || training.probabilities_to)) {
    wrong(training.predictions_to ? "reveal.predictions" : "reveal.probabilities",
          "the rows that are trained on are put in for single steps, so a private training predicts none; say "
          "\"nobody\", and predict afterwards: tacit predict with a copy of this job without [privacy]");
  }
  constexpr int kLeastRing = 64;
  if (training.top.ring_bits < kLeastRing) {
    wrong("ring.bits", "the sums of clipped gradients take {} bits", kLeastRing);
  }
}

// Only a dealer knows noise that no party knows.
void check_noise(const TrainingPlan& training) {
  if (!training.is_pairwise() || training.privacy->noise_from == NoiseFrom::kParties) return;
  wrong("privacy.noise_from",
        "with correlations = \"pairwise\" there is no dealer, so every party must add enough noise of its own; take "
        "noise_from = \"parties\"");
}

}  // namespace

void check_privacy(const Plans& plans) {
  const TrainingPlan& training = plans.training;
  if (training.model.perturbed && !training.privacy) {
    wrong("model.perturbed",
          "it adds noise to sums over edges; add a table [privacy] with unit = \"edge\" and an epsilon");
  }
  if (!training.privacy && !training.aggregates()) return;
  if (!training.privacy) {
    wrong(
        "training.mode",
        "in the mode \"aggregate\" every step reveals a sum of gradients; add a table [privacy], which clips them and "
        "adds noise");
  }
  if (!training.privacy->epsilon && !training.privacy->noise) {
    wrong("privacy.epsilon", "say how much the training may tell of a record, such as epsilon = 1, or the noise");
  }
  check_noise(training);
  if (training.privacy->unit == PrivacyUnit::kEdge) return check_edges(plans.data, training);
  if (training.model.perturbed) {
    wrong("model.perturbed",
          "it adds noise to sums over edges, for privacy.unit = \"edge\"; say so, or take other layers");
  }
  check_data(plans.data);
  check_ownership(plans.data, training);
  check_model(training);
  check_reveals(training);
  training.aggregates() ? check_aggregate(training) : check_on_shares(training);
}

}  // namespace tacit::gnn
