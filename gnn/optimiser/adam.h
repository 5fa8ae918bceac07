// Adam — each element's past gradients set the size of its step, as Kingma and Ba define it:
//   g = gradient + decay·w;  m += (1 - beta1)(g - m);  v += (1 - beta2)(g² - v)
//   w -= rate · m' / sqrt(v' + epsilon²),  m' = m / (1 - beta1^t),  v' = v / (1 - beta2^t)
//
// All gradients are times the loss' scale: steps are the same, and epsilon counts in that scale, too. Epsilon is inside
// the root, and at least 2^-4, since the inverse root is good for 2^-8 … 2^20 (mpc/functions/reciprocal.h).
//
// The scale keeps gradients by outputs below 64. Features and sums over neighbours can make gradients by weights larger:
// there is room for four times as much. The range watch ends the training at twelve times as much, and by chance between; until then
// all steps are right.
//
// The first steps (16 with beta2 = 0.999) look the root of v up. All later ones follow the root from step to step, and keep m and v
// in units of the root (mpc/functions/scaled_moments.h): an eighth of the dealt bytes.
//
// Rare spikes are cut then: a gradient that is longer than Y = sqrt((1 - beta2^t) / (1 - beta2)) times the root of the step before
// counts as that much in m and in v. Y is 4 in the first such step and 31 for large t, with beta2 = 0.999. Adam divides by the
// root, so such a gradient moves a weight about as far as without the cut, but it enlarges v less, and later steps are longer. The
// default beta2 stays within 2 % of textbook Adam's loss for zeros and then a spike; with beta1 = 0.5 and beta2 = 0.951, rare
// spikes made a loss of 0.33 where textbook's was 0.14. A root that falls by a third at once is too small for two or three steps
// more. With beta2 <= 0.95, or with beta1² near beta2 or above it, every step looks its roots up, and nothing is cut.
//
// Requires    g² + epsilon² < 256², times the scale; a top ring of 64 bits with at most 14 fraction bits
// Rounds      a first step 9: g is lifted and masked, m and v lifted, 4 for the root, 1 for the product, w is lifted. A later one
//             7: g and the roots are shown, g over roots is shown and compared (2), shown again, the change of the roots, the step
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "gnn/arithmetic/default_ranges.h"
#include "gnn/arithmetic/followed_moments.h"
#include "gnn/loss/loss.h"
#include "gnn/optimiser/optimiser.h"
#include "gnn/settings/setting_visitor.h"

namespace tacit::gnn {

struct AdamOptions {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 0.0625;  // times the loss' scale
  double weight_decay = 0;

  static constexpr std::string_view kWord = "adam";
  static constexpr double kRate = 0.01;  // by default
  // With a larger beta, the first steps' m and v would be below the last bit of a mean and of a square.
  static constexpr double kLargestBeta = 0.9999;
  static constexpr double kLeastEpsilon = 0.0625, kLargestEpsilon = 64;
  static constexpr double kScaledGradient = 64;    // the scale keeps gradients by outputs below
  static constexpr double kLargestGradient = 256;  // gradients by weights may be as large

  void describe(SettingVisitor& visitor) {
    constexpr Interval kBeta{.least = 0, .most = kLargestBeta};
    constexpr Interval kBelowOne = {.least = 0, .most = 1, .without_most = true};
    visitor.real({"weight_decay", "the gradient gains this factor times the weight"}, weight_decay, kBelowOne);
    visitor.real({"beta1", "the part of the mean gradient m that a step keeps"}, beta1, kBeta);
    visitor.real({"beta2", "the part of the mean squared gradient v that a step keeps"}, beta2, kBeta);
    visitor.real({"epsilon", "a step divides by the root of v + epsilon^2, in the scale of the gradients on shares"},
                 epsilon, {.least = kLeastEpsilon, .most = kLargestEpsilon, .without_most = true});
  }

  std::unique_ptr<Optimiser> make() const;
  std::unique_ptr<PlainOptimiser> make_plain() const;
  std::string misfit(mpc::Format top) const;
  // If the declared range of gradients by weights is wider than the default, the scale shrinks by the same factor.
  double largest_scale(const Ranges& ranges, const LossKind& loss) const {
    return kScaledGradient / loss.largest_gradient *
           std::min(1.0, kDefaultRanges.weight_gradients / ranges.weight_gradients);
  }
  double largest_gradient(const Ranges& ranges, double scale) const {
    return 0.99 * kScaledGradient - weight_decay * scale * ranges.weights;
  }
  mpc::MomentRules moment_rules() const { return {beta1, beta2, epsilon, kLargestGradient}; }
  // The most of |m'| / sqrt(v' + epsilon²) in steps that look their roots up, and at least 16. By Cauchy and Schwarz for the
  // gradients so far, if beta1² < beta2. Otherwise m may keep a large gradient that v has forgotten, up to the largest gradient
  // over epsilon.
  double largest_quotient() const;
  // The steps that look their roots up; later ones follow them. 0: all cost the same.
  std::int64_t starting_steps() const {
    const mpc::MomentRules rules = moment_rules();
    return rules.possible() ? rules.first_step() - 1 : 0;
  }
};

class Adam final : public Optimiser {
 public:
  // Throws ConfigError that names the option and its allowed values.
  explicit Adam(const AdamOptions& options);

  void begin(Arithmetic& arithmetic, Parameters parameters) override { masters_.begin(arithmetic, parameters); }
  void step(Arithmetic& arithmetic, Parameters parameters, const Step& step) override;
  OptimiserState state() const override;
  void restore(OptimiserState state, Parameters parameters) override;

  static constexpr double kLargestGradient = AdamOptions::kLargestGradient;

 private:
  Tensors gradients(Arithmetic& arithmetic, Parameters parameters, double scale) const;
  void move_moments(Arithmetic& arithmetic, const Tensors& gradients);
  void starting_step(Arithmetic& arithmetic, Parameters parameters, const Step& step);
  bool follows() const { return starting_steps_ > 0 && steps_ > starting_steps_; }

  AdamOptions options_;
  std::int64_t starting_steps_;
  double largest_quotient_ = 0;
  std::int64_t steps_ = 0;
  MasterCopies masters_;
  Tensors first_, second_;    // m and v, in the top ring; empty before the first step, and after the last starting step
  FollowedMoments followed_;  // from then on
};

}  // namespace tacit::gnn
