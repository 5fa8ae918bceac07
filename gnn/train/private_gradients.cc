#include "gnn/train/private_gradients.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gnn/arithmetic/arithmetic.h"
#include "gnn/arithmetic/default_ranges.h"
#include "gnn/plan/wrong_setting.h"
#include "mpc/protocols/noise.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

constexpr int kLeastLog = -8, kMostLog = 7, kMostOctaves = 12;  // as Clip takes them

// The largest error of a rounding, in real terms, with one more unit.
double rounding_of(const TrainingPlan& plan, std::int64_t parties) {
  return std::ldexp(std::max(1.0, std::ceil(static_cast<double>(parties) / 2)) + 1, -plan.top.fraction_bits);
}

// The declared range, if it is not the default, must hold `needed`.
void prove(std::string_view key, double& declared, double usual, double needed) {
  const double rounded = std::ceil(needed);
  if (declared == usual) {
    declared = std::max(rounded, 1.0);
  } else if (declared < needed) {
    wrong(fmt::format("ranges.{}", key),
          "beside [privacy] a range must hold for every record; {:g} follows from ranges.features and ranges.weights, "
          "and {:g} is declared: leave it out, or declare smaller features or weights",
          rounded, declared);
  }
}

}  // namespace

PrivateGradients::PrivateGradients(const TrainingPlan& plan, const TrainingPrivacy& privacy, const Columns& columns)
    : ranges_(plan.ranges) {
  const LossKind& loss = kind_of(plan.objective);
  const double clip = plan.privacy->clip * loss.scale(1, columns.labels);
  clip_.log_clip = static_cast<int>(std::floor(std::log2(clip)));
  if (clip_.log_clip < kLeastLog || clip_.log_clip > kMostLog) {
    wrong("privacy.clip", "{:g} is too {} for clipping on shares", plan.privacy->clip,
          clip_.log_clip < kLeastLog ? "small" : "large");
  }
  factor_ = std::ldexp(1.0, clip_.log_clip) / clip;
  const double rounding = rounding_of(plan, privacy.parties);
  for (const NamedMatrix& initial : initial_parameters(plan.model, columns.features, plan.seed)) {
    const double largest = initial.values.size() == 0 ? 0 : initial.values.cwiseAbs().maxCoeff();
    if (largest > ranges_.weights) {
      wrong("ranges.weights", "{} begins with {:g}; declare at least as much", initial.name, largest);
    }
  }
  const RecordBounds bounds =
      record_bounds(plan.model, columns.features, plan.objective,
                    {ranges_.features, ranges_.features, ranges_.weights, factor_ * (1 + 0x1p-11), rounding});
  prove_ranges(plan, bounds);
  prove_length(plan, bounds, privacy.parties);
  noise_ = {privacy.noise, privacy.noise_from, static_cast<int>(privacy.colluding)};
  const double one = std::ldexp(1.0, clip_.log_clip);
  constexpr int kNoiseBits = 20;  // of the unit in which the largest noise is computed
  const auto sigma = static_cast<std::int64_t>(std::ceil(std::ldexp(privacy.noise, kNoiseBits)));
  const double most_noise = std::ldexp(
      mpc::largest_noise({sigma, noise_.from, noise_.colluding}, static_cast<int>(privacy.parties)), -kNoiseBits);
  const double sum = (static_cast<double>(privacy.most()) + most_noise) * one;
  const double per_record = factor_ * loss.scale(1, columns.labels) * privacy.expected();
  for (;; ++halvings_) {
    scale_ = std::ldexp(per_record, -halvings_);
    bound_ = std::ldexp(sum, -halvings_) + rounding;
    if (bound_ <= largest_gradient(plan.optimiser, ranges_, scale_)) break;
    // A unit of the sum must stay small beside the noise.
    const double unit = std::ldexp(1.0, halvings_ + 1 - plan.top.fraction_bits);
    if (unit > privacy.noise * one / 4) {
      wrong("training.optimiser",
            "the sum over the {} records of a step leaves the optimiser too few bits; take a smaller batch, or less "
            "momentum or weight decay",
            privacy.most());
    }
  }
}

void PrivateGradients::prove_ranges(const TrainingPlan& plan, const RecordBounds& bounds) {
  constexpr double kMost = 1 << 20;
  for (const double needed : {bounds.activation, bounds.gradient}) {
    if (needed <= kMost) continue;
    wrong("ranges.weights",
          "an output or a gradient of a layer could become {:.3g}, and at most {:g} is possible: declare smaller "
          "features ({:g}) or weights ({:g}), or take fewer or narrower layers",
          needed, kMost, plan.ranges.features, plan.ranges.weights);
  }
  prove("activations", ranges_.activations, kDefaultRanges.activations, bounds.activation);
  prove("gradients", ranges_.gradients, kDefaultRanges.gradients, bounds.gradient);
}

void PrivateGradients::prove_length(const TrainingPlan& plan, const RecordBounds& bounds, std::int64_t parties) {
  const int squared_bits = 2 * plan.top.fraction_bits;
  const std::vector<mpc::Format> formats(2, {plan.top.ring_bits, squared_bits});
  std::vector<mpc::ClipWidths::Largest> largest;
  for (const RecordBounds::Layer& layer : bounds.layers) {
    largest.push_back({layer.squared_inputs(), layer.squared_gradients()});
  }
  const double squared_clip = std::ldexp(1.0, 2 * clip_.log_clip);
  for (clip_.octaves = 1; clip_.octaves <= kMostOctaves; ++clip_.octaves) {
    const mpc::ClipWidths widths = mpc::clip_widths(formats, clip_);
    const double needed = bounds.squared_length() + widths.excess(largest, static_cast<int>(parties));
    if (needed <= squared_clip * std::ldexp(1.0, 2 * clip_.octaves)) return;
  }
  wrong(
      "privacy.clip",
      "the gradient of a record can be {:.3g} times as long as {:g}, and clipping reaches {:g} times: declare smaller "
      "features ({:g}) or weights ({:g}), or take a larger clip",
      std::sqrt(bounds.squared_length() / squared_clip), plan.privacy->clip, std::ldexp(1.0, kMostOctaves),
      plan.ranges.features, plan.ranges.weights);
}

Tensors PrivateGradients::of(Arithmetic& arithmetic, const std::vector<RecordGradients>& layers,
                             const mpc::Share& counted) const {
  std::vector<mpc::LayerRecords> records;
  for (const RecordGradients& layer : layers) {
    TACIT_CHECK(layer.inputs.format() == arithmetic.top() && layer.gradients.format() == arithmetic.top());
    records.push_back({arithmetic.masked(layer.inputs), arithmetic.masked(layer.gradients), layer.bias});
  }
  const int kept = arithmetic.top().fraction_bits - halvings_;
  const auto halved = [&](const mpc::Share& sum, const char* name) {
    return Tensor(mpc::scale(sum, 1, halvings_), bound_, name);
  };
  Tensors gradients;
  for (const mpc::ClippedSum& sum : mpc::private_sums(arithmetic.session(), records, clip_, noise_, kept, &counted)) {
    gradients.push_back(halved(sum.weights, "weight gradient"));
    if (sum.bias) gradients.push_back(halved(*sum.bias, "bias gradient"));
  }
  return gradients;
}

}  // namespace tacit::gnn
