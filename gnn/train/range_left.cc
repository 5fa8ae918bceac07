#include "gnn/train/range_left.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "gnn/arithmetic/default_ranges.h"
#include "gnn/arithmetic/normalised_rows.h"
#include "gnn/arithmetic/watched_names.h"

namespace tacit::gnn {

namespace {

// A range to try: four times as large, rounded up to a power of two, since a value that the watch
// finds may be three times too large.
double wider(double range) { return std::exp2(std::ceil(std::log2(range)) + 2); }

bool is_of_adam(Watched watched, const TrainingPlan& plan) {
  return watched == Watched::kWeightGradients && std::holds_alternative<AdamOptions>(plan.optimiser);
}

// Adam's root limits the gradients in the scale of shares. A wider range makes their scale smaller (adam.h). A range that is
// declared below Adam's limit may have no room for the limit, and is the one that they leave.
bool is_limit_of_adam(Watched watched, const TrainingPlan& plan) {
  return is_of_adam(watched, plan) && plan.ranges.weight_gradients >= AdamOptions::kLargestGradient;
}

std::string about(Watched watched, const TrainingPlan& plan) {
  const Ranges& ranges = plan.ranges;
  const ModelSpec& model = plan.model;
  const WatchedRange group = range_of(watched);
  if (is_limit_of_adam(watched, plan)) {
    return fmt::format("the {} left their range of {:g}, in which Adam computes on shares", group.group,
                       AdamOptions::kLargestGradient);
  }
  const std::string left = fmt::format("the {} left their range of {:g}", group.group, ranges.*group.range);
  const bool normalises = std::any_of(model.layers.begin(), model.layers.end(),
                                      [](const LayerSpec& layer) { return layer.kind == LayerSpec::Kind::kLayerNorm; });
  if (watched != Watched::kActivations || !normalises) return left;
  return fmt::format("{}, or an input of a layer norm lay {:.0f} and more from the mean of its row", left,
                     std::floor(kMostCentred / 2));
}

// The wider range makes the scale of gradients smaller, and epsilon counts in that scale.
std::string about_epsilon(const AdamOptions& adam, double declared) {
  const double times = std::round(wider(declared) / declared);
  const double same = adam.epsilon / times;
  const std::string remedy = same >= AdamOptions::kLeastEpsilon
                                 ? fmt::format("; training.optimiser.epsilon = {:g} keeps its steps", same)
                                 : "";
  return fmt::format(" (with this range, Adam's epsilon, {:g}, is up to {:g} times as large beside the gradients{})",
                     adam.epsilon, times, remedy);
}

// Suggests a setting. A lower rate helps weights, activations and gradients, but not features and
// targets.
std::string advice(Watched watched, const TrainingPlan& plan) {
  const WatchedRange group = range_of(watched);
  // Adam's limit is the default's: only a wider range than the default makes the scale smaller.
  const bool of_adam = is_limit_of_adam(watched, plan);
  const double declared =
      of_adam ? std::max(plan.ranges.weight_gradients, kDefaultRanges.weight_gradients) : plan.ranges.*group.range;
  // Up to the default, a wider range leaves Adam's scale.
  const double wide = is_of_adam(watched, plan) && !of_adam ? kDefaultRanges.weight_gradients : wider(declared);
  const std::string setting = fmt::format("ranges.{} = {:g}", group.key, wide);
  if (watched == Watched::kFeatures) {
    return fmt::format("set {} in the job, or cut standardised features with preprocessing.cut", setting);
  }
  if (watched == Watched::kTargets) return fmt::format("set {} in the job, or scale the data", setting);
  const std::string general =
      fmt::format("set {} in the job, or lower training.optimiser.rate (now {:g})", setting, plan.rate.initial);
  return of_adam ? general + about_epsilon(std::get<AdamOptions>(plan.optimiser), declared) : general;
}

}  // namespace

std::string sentence_of(const AuditHit& hit, const TrainingPlan& plan) {
  std::vector<std::string> left;
  for (const Watched group : hit.groups) left.push_back(about(group, plan));
  const std::string when = hit.epoch == 0 ? std::string("before the first epoch") : fmt::format("epoch {}", hit.epoch);
  const std::string since = hit.clean_until == 0
                                ? std::string("all computed values may be wrong")
                                : fmt::format("values computed after epoch {} may be wrong", hit.clean_until);
  const std::string kept =
      hit.checkpoint
          ? fmt::format(
                "the newest checkpoint from before is of epoch {}, and --resume goes on from it with wider ranges",
                *hit.checkpoint)
          : std::string("there is no checkpoint from before");
  return fmt::format("{}: {}, so {}: {}; {}", when, fmt::join(left, " and "), since, advice(hit.groups.front(), plan),
                     kept);
}

std::string sentence_of_prediction(const std::vector<Watched>& groups, const TrainingPlan& plan) {
  std::vector<std::string> left;
  for (const Watched group : groups) left.push_back(about(group, plan));
  if (groups == std::vector{Watched::kWeights}) {
    return fmt::format(
        "{}, so predictions may be wrong, and nothing is revealed: the model that was kept has larger weights than "
        "this job "
        "declares; predict with a wider range (ranges.weights = {:g})",
        left.front(), wider(plan.ranges.weights));
  }
  return fmt::format(
      "{}, so the predictions would be wrong, and nothing is revealed: the data are unlike the training's data; "
      "predict without the nodes that are far from all others, or train with a wider range (ranges.{} = {:g})",
      fmt::join(left, " and "), range_of(groups.front()).key, wider(plan.ranges.*range_of(groups.front()).range));
}

namespace {

std::vector<Watched> groups_by(mpc::Session& session, mpc::RangeAudit& audit, const mpc::Public& opened) {
  bool clean = true;
  session.output([&](const mpc::PublicReader& read) { clean = mpc::RangeAudit::is_clean(read(opened)); });
  std::vector<Watched> left;
  if (clean) return left;
  const mpc::Public groups = audit.open_groups(kAuditGroupReason);
  session.output([&](const mpc::PublicReader& read) {
    for (int group = 0; group < kWatchedGroups; ++group) {
      if (mpc::RangeAudit::left_range(read(groups), group)) left.push_back(static_cast<Watched>(group));
    }
  });
  return left;
}

mpc::RangeAudit::Masking masking_of(Arithmetic& arithmetic) {
  return [&](std::span<const mpc::Share> shares) { return arithmetic.mask_shares(shares); };
}

}  // namespace

std::vector<Watched> groups_that_left(Arithmetic& arithmetic, mpc::RangeAudit& audit) {
  return groups_by(arithmetic.session(), audit, audit.open(kAuditReason, masking_of(arithmetic)));
}

mpc::LateReveal ask_for_groups_that_left(Arithmetic& arithmetic, mpc::RangeAudit& audit) {
  return audit.open_late(kAuditReason, masking_of(arithmetic));
}

std::vector<Watched> groups_that_left(mpc::Session& session, mpc::RangeAudit& audit, mpc::LateReveal answer) {
  return groups_by(session, audit, mpc::revealed(session, std::move(answer)));
}

}  // namespace tacit::gnn
