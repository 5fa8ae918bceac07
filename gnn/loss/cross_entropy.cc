#include "gnn/loss/cross_entropy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gnn/arithmetic/softmax.h"
#include "gnn/arithmetic/sum_of_squares.h"
#include "gnn/arithmetic/sums_of_products.h"
#include "mpc/protocols/add_public.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/session/local.h"
#include "net/error.h"

namespace tacit::gnn {

const LossKind CrossEntropy::kKind = {
    .of_classes = true,
    .largest_gradient = 0.5,
    .scale = [](std::int64_t rows, std::int64_t) { return static_cast<double>(rows); },
    .largest_slope = [](double, double) { return 1 + 1.0 / 32; },  // softmax is exact to 2^-6 for 256 parties
    .make = [](Arithmetic& arithmetic, const Tensor& y, const Selection& labelled, const LossOptions& options)
        -> std::unique_ptr<Loss> { return std::make_unique<CrossEntropy>(arithmetic, y, labelled, options); },
    .plain = plain_cross_entropy,
};

namespace {

// The part of each class in a smoothed label, in units of the last fraction bit. The label's own class has the rest, so the
// parts add up to 1, and a node's gradients to 0.
std::int64_t units_of_others(double smoothing, std::int64_t classes, int bits) {
  const std::int64_t units = std::llround(std::ldexp(smoothing / static_cast<double>(classes), bits));
  if (units == 0) {
    throw ConfigError(
        fmt::format("training.label_smoothing: {:g}, divided among {} classes, is less than half a unit of {} fraction "
                    "bits: smooth "
                    "more, or set ring.fraction_bits to more",
                    smoothing, classes, bits));
  }
  const std::int64_t one = std::int64_t{1} << bits;
  return std::min(units, (one - 1) / classes);
}

}  // namespace

CrossEntropy::CrossEntropy(Arithmetic& arithmetic, const Tensor& y, Selection labelled, const LossOptions& options)
    : labelled_(std::move(labelled)), y_(labelled_.pick(arithmetic, y, y.bound(), y.name())), factor_(options.factor) {
  mpc::Session& session = arithmetic.session();
  const Tensor own = y_;
  if (options.label_smoothing > 0) {
    const int bits = own.format().fraction_bits;
    const std::int64_t units = units_of_others(options.label_smoothing, own.shape().cols, bits);
    const Tensor kept = arithmetic.scaled(own, 1 - std::ldexp(static_cast<double>(units * own.shape().cols), -bits));
    y_ = Tensor(mpc::add_public_units(session, kept.share(), units), 1, "smoothed classes");
  }
  if (!options.class_weights) return;
  const double largest = options.largest_weight;
  const Tensor of_rows = arithmetic.lifted(
      arithmetic.matmul({own, options.class_weights->transposed(), largest, "weights of nodes"}).certain());
  weights_ = {of_rows, mpc::mask(session, of_rows.share()), {}, largest};
  weights_->y = arithmetic.lifted(weighted(arithmetic, y_, largest));
}

// Each row times its weight.
Tensor CrossEntropy::weighted(Arithmetic& arithmetic, const Tensor& rows, double bound) const {
  mpc::Session& session = arithmetic.session();
  const mpc::Masked masked = mpc::mask(session, rows.share());
  const mpc::Share exact = mpc::product(session, mpc::repeat_cols(weights_->masked, rows.shape().cols), masked);
  const int gained = exact.fraction_bits() - arithmetic.top().fraction_bits;
  return Tensor(mpc::drop(session, exact, gained), bound, "weighted " + rows.name()).certain();
}

CrossEntropy::Result CrossEntropy::of(Arithmetic& arithmetic, const Tensor& z, Value value) {
  constexpr double kMost = 1.5;
  const bool wanted = value == Value::kWanted;
  const Tensor logits = labelled_.pick(arithmetic, z, z.bound(), "logits");
  const Softmax soft = softmax(arithmetic, logits, wanted, factor_ == 1 ? 0 : Arithmetic::kFactorBits);
  Tensor gradient = arithmetic.difference(soft.probability, y_, kMost, "softmax less y").certain();
  if (factor_ != 1) gradient = arithmetic.scaled(gradient, factor_, {.least_bits = Arithmetic::kFactorBits}).certain();
  const auto scattered_gradient = [&] {
    if (!weights_) return scattered(arithmetic, gradient);
    const Tensor rows = weighted(arithmetic, arithmetic.lifted(gradient), kMost * weights_->largest);
    return labelled_.put_back(arithmetic, rows, rows.bound(), rows.name());
  };
  if (!wanted) {
    if (arithmetic.watches()) arithmetic.lifted(std::array{gradient, logits});  // logits: to be watched
    return {scattered_gradient(), {}};
  }
  const Summed summed = to_sum(arithmetic, soft.log_sums, logits);
  arithmetic.lifted(std::array{gradient, summed.logits, summed.log_sums});
  const Tensor gradient_of_all = scattered_gradient();
  arithmetic.mask_with_next(std::array{summed.logits});
  if (weights_) arithmetic.mask_with_next(std::array{summed.log_sums});
  return {gradient_of_all, [this, &arithmetic, summed] { return total_of(arithmetic, summed); }};
}

Tensor CrossEntropy::total(Arithmetic& arithmetic, Outputs& labelled) const {
  const Softmax& soft = labelled.softmax(arithmetic);
  const Summed summed = to_sum(arithmetic, soft.log_sums, labelled.z());
  arithmetic.lifted(std::array{summed.logits, summed.log_sums});
  return total_of(arithmetic, summed);
}

// Rounded before they are lifted, if many rows at the limit of their range have sums that exceed the top ring.
CrossEntropy::Summed CrossEntropy::to_sum(Arithmetic& arithmetic, const Tensor& log_sums, const Tensor& logits) const {
  const double more = log_sums.bound() - logits.bound();
  const double weight = weights_ ? weights_->largest : 1;
  const double most = rows() * weight * (most_unseen(logits.bound()) + more);
  const int f = arithmetic.top().fraction_bits, ring = arithmetic.top().ring_bits;
  const int bits = std::min(f, ring - f - mpc::room_for(0, 2 * most + 1));
  if (bits < 1) {
    throw ConfigError(fmt::format(
        "the cross-entropy over {} rows, with logits up to {:g} and weights up to {:g}, does not fit a ring "
        "of {} bits; declare a smaller range in [ranges] activations, take fewer ring.fraction_bits, or a "
        "wider ring",
        y_.shape().rows, logits.bound(), weight, ring));
  }
  if (bits == f) return {log_sums, logits, most};
  const Tensor rounded = arithmetic.rounded(logits, bits).as_watched_as(logits);
  return {weights_ ? arithmetic.rounded(log_sums, bits).as_watched_as(log_sums) : log_sums, rounded, most};
}

Tensor CrossEntropy::total_of(Arithmetic& arithmetic, const Summed& summed) const {
  const double most = summed.most;
  const Tensor of_class =
      sum_of_products(arithmetic, weights_ ? *weights_->y : y_, summed.logits, most, "logit of the class");
  const Tensor sum = weights_ ? sum_of_products(arithmetic, weights_->of_rows, summed.log_sums, most, "log sum")
                              : arithmetic.column_sums(summed.log_sums, most, "log sum");
  return arithmetic.difference(sum, of_class, {}, "cross entropy");
}

// Lifts these few rows, not all rows.
Tensor CrossEntropy::scattered(Arithmetic& arithmetic, const Tensor& gradient) const {
  return labelled_.put_back(arithmetic, arithmetic.lifted(gradient), gradient.bound(), gradient.name());
}

PlainLoss plain_cross_entropy(const Matrix& z, const Matrix& y, const Rows& labelled, const PlainLossOptions& options) {
  PlainLoss loss{0, Matrix::Zero(z.rows(), z.cols())};
  const auto count = static_cast<double>(std::ssize(labelled));
  const double smoothing = options.label_smoothing, others = smoothing / static_cast<double>(z.cols());
  for (const std::int64_t row : labelled) {
    Eigen::Index label = 0;
    y.row(row).maxCoeff(&label);
    const double weight = options.class_weights.size() > 0 ? options.class_weights(0, label) : 1;
    const double largest = z.row(row).maxCoeff();
    const auto exponentials = (z.row(row).array() - largest).exp().matrix().eval();
    const double sum = exponentials.sum();
    const double told = (1 - smoothing) * z(row, label) + others * z.row(row).sum();
    loss.value += weight * (std::log(sum) + largest - told) / count;
    loss.gradient.row(row) = weight * (exponentials / sum / count).array() - weight * others / count;
    loss.gradient(row, label) -= weight * (1 - smoothing) / count;
  }
  return loss;
}

}  // namespace tacit::gnn
