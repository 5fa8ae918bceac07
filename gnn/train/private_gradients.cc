#include "gnn/train/private_gradients.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gnn/arithmetic/arithmetic.h"
#include "gnn/arithmetic/default_ranges.h"
#include "gnn/plan/wrong_setting.h"
#include "mpc/levels/level_planner.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

constexpr int kLeastLog = -8, kMostLog = 7, kMostOctaves = 12;  // as Clip takes them
constexpr int kFactorBits = 16;    // of the factor of clipping: each costs a bit of the rings of all factors of records
constexpr int kRoundingBits = 10;  // roundings take at most 2^-10 of the clip from a record, and s allows for two

// The least deviation of the noise, in units of its grid, for each square root of the number of weights: the grids of a step
// then add at most 6.05·2^-52 to its loss (mechanism.h).
constexpr double kLeastUnits = 0x1p26;

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
  clip_.factor_bits = kFactorBits;
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
  const double most_noise = mpc::largest_noise(noise_, static_cast<int>(privacy.parties));
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
  const auto parties = static_cast<int>(privacy.parties);
  const double besides = mpc::noise_and_rounding(noise_, clip_, plan.top.fraction_bits - halvings_, parties);
  choose_rings(plan, bounds, {clip_, privacy.most(), besides, parties});
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
  std::vector<mpc::ClipWidths::Length> lengths;
  std::vector<mpc::LargestSquares> largest;
  for (const RecordBounds::Layer& layer : bounds.layers) {
    largest.push_back({layer.squared_inputs(), layer.squared_gradients()});
    for (const double squared : {layer.squared_inputs(), layer.squared_gradients()}) {
      lengths.push_back({{plan.top.ring_bits, squared_bits}, squared});
      if (mpc::ring_of_squares(squared, squared_bits) <= plan.top.ring_bits) continue;
      wrong("ranges.weights",
            "the squares of a layer's inputs or gradients could add up to {:.3g}, more than a ring of {} bits holds: "
            "declare "
            "smaller features ({:g}) or weights ({:g}), or take fewer or narrower layers",
            squared, plan.top.ring_bits, plan.ranges.features, plan.ranges.weights);
    }
  }
  const double squared_clip = std::ldexp(1.0, 2 * clip_.log_clip);
  for (clip_.octaves = 1; clip_.octaves <= kMostOctaves; ++clip_.octaves) {
    const mpc::ClipWidths widths = mpc::clip_widths(lengths, clip_);
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

void PrivateGradients::choose_rings(const TrainingPlan& plan, const RecordBounds& bounds, const mpc::SumBounds& sum) {
  const int f = plan.top.fraction_bits;
  double weights = 0;
  for (const RecordBounds::Layer& layer : bounds.layers) {
    weights += static_cast<double>((layer.inputs + (layer.bias ? 1 : 0)) * layer.outputs);
  }
  const double least_units = kLeastUnits * std::sqrt(weights);
  double loss = 0;   // of privacy, that the grids of a step add
  double below = 0;  // the gradient by the outputs of the layer below
  for (const RecordBounds::Layer& layer : bounds.layers) {
    const mpc::LargestSquares squared{layer.squared_inputs(), layer.squared_gradients()};
    const mpc::LayerBounds of{layer.inputs, layer.outputs, layer.bias, f, squared};
    double rounding =
        std::ldexp(1 / std::sqrt(static_cast<double>(bounds.layers.size())), clip_.log_clip - kRoundingBits);
    mpc::RecordRings rings;
    double units = 0;  // in the noise's deviation
    for (;; rounding /= 2) {
      rings = mpc::record_rings(of, sum, rounding);
      const mpc::SumWidths widths = mpc::sum_widths(of, rings, sum);
      units = std::ldexp(noise_.multiplier, clip_.log_clip + widths.scaled_bits + f);
      if (units >= least_units || widths.rounding == 0) break;
    }
    loss += grid_of(static_cast<double>((layer.inputs + (layer.bias ? 1 : 0)) * layer.outputs), units);
    rings.inputs = std::max(rings.inputs, mpc::room_for(2 * f, layer.output));
    if (below > 0) rings.gradients = std::max(rings.gradients, mpc::room_for(2 * f, below));
    for (const int ring : {rings.inputs, rings.gradients}) {
      if (ring <= plan.top.ring_bits) continue;
      wrong(
          "ring.bits",
          "the sum of the clipped gradients of {} records and its noise takes a ring of {} bits; take a smaller batch, "
          "less noise, fewer fraction bits, or smaller features or weights",
          sum.records, ring);
    }
    layers_.push_back({rings, layer.output, below, squared});
    below = layer.gradient;
  }
  const Mechanism told{noise_.multiplier, 1, 1, 0, kMostGridOfRecords};
  if (loss > told.loss_of_grid()) {
    wrong("privacy.noise", "{:g} is too few units of the numbers on shares; take more noise, or a larger clip",
          noise_.multiplier);
  }
}

Tensors PrivateGradients::of(Arithmetic& arithmetic, const std::vector<RecordGradients>& layers,
                             const mpc::Share& counted) const {
  std::vector<mpc::LayerRecords> records;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const RecordGradients& layer = layers[l];
    TACIT_CHECK(layer.inputs.format().fraction_bits == arithmetic.top().fraction_bits);
    TACIT_CHECK(layer.gradients.format().fraction_bits == arithmetic.top().fraction_bits);
    records.push_back(
        {arithmetic.masked(layer.inputs), arithmetic.masked(layer.gradients), layer.bias, layers_.at(l).squared});
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
