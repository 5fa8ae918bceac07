#include "gnn/train/metric.h"

#include <array>
#include <cmath>

#include "gnn/loss/cross_entropy.h"
#include "mpc/functions/maximum.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

constexpr std::array<std::pair<Metric, std::string_view>, 3> kNames = {
    {{Metric::kRootMeanSquaredError, "rmse"}, {Metric::kMeanAbsoluteError, "mae"}, {Metric::kAccuracy, "accuracy"}}};

Tensor sum_of_elements(Arithmetic& arithmetic, const Tensor& x, double bound, const std::string& name) {
  const Tensor sums = arithmetic.column_sums(x, bound, name);
  return Tensor(mpc::row_sums(sums.share()), bound, name);
}

}  // namespace

std::string_view name_of(Metric metric) {
  for (const auto& [kind, name] : kNames) {
    if (kind == metric) return name;
  }
  return "";
}

std::optional<Metric> metric_named(std::string_view name) {
  for (const auto& [kind, known] : kNames) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

Measure::Measure(Arithmetic& arithmetic, Metric metric, const Tensor& y, const Rows& rows)
    : metric_(metric), pick_(picking(rows, y.shape().rows)), y_(arithmetic.matmul(pick_, y, y.bound(), y.name())) {}

Tensor Measure::total(Arithmetic& arithmetic, const Tensor& z) const {
  const Tensor picked = arithmetic.matmul(pick_, z, z.bound(), z.name());
  if (metric_ == Metric::kAccuracy) return correct(arithmetic, picked);
  const double bound = arithmetic.ranges().gradients;
  const Tensor error = arithmetic.difference(picked, y_, bound, "error");
  const double most = static_cast<double>(error.shape().size()) * bound;
  if (metric_ == Metric::kRootMeanSquaredError) {
    return sum_of_products(arithmetic, error, error, most, "squared error");
  }
  // |e| = 2·max(e, 0) - e
  const Tensor positive = arithmetic.select(arithmetic.non_negative(error), error, bound, "positive error");
  const Tensor doubled(positive.share() + positive.share(), 2 * bound, "twice the positive error");
  return sum_of_elements(arithmetic, arithmetic.difference(doubled, error, bound, "absolute error"), most,
                         "absolute error");
}

Tensor Measure::correct(Arithmetic& arithmetic, const Tensor& z) const {
  constexpr int kWholeBits = 5;
  static_assert(CrossEntropy::kLargestLogit < 1 << kWholeBits);
  const int room = mpc::room_for(y_.format().fraction_bits, static_cast<double>(z.shape().size()));
  const mpc::Largest largest =
      mpc::maximum(arithmetic.session(), z.share(), kWholeBits,
                   std::max(room, mpc::maximum_ring_bits(z.format().fraction_bits, kWholeBits)));
  return sum_of_products(arithmetic, Tensor(largest.which, 1, "likeliest class"), y_,
                         static_cast<double>(z.shape().rows), "correct");
}

double Measure::reading(double total) const {
  const auto count = static_cast<double>(metric_ == Metric::kAccuracy ? y_.shape().rows : y_.shape().size());
  const double mean = total / count;
  return metric_ == Metric::kRootMeanSquaredError ? std::sqrt(std::max(mean, 0.0)) : mean;
}

}  // namespace tacit::gnn
