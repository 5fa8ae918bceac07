#include "gnn/train/target_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gnn/data/preparation.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/reveal.h"
#include "mpc/session/local.h"
#include "net/error.h"

namespace tacit::gnn {

Measure::Unit TargetUnit::common(Arithmetic& arithmetic) const {
  const int largest = *std::max_element(exponents.begin(), exponents.end());
  if (exponents.size() == 1) return {unit, largest};
  constexpr int kPowerBits = 12;  // a unit that is smaller by more than this many powers of two counts as zero
  Matrix powers(1, std::ssize(exponents));
  for (std::size_t c = 0; c < exponents.size(); ++c) {
    powers(0, static_cast<Eigen::Index>(c)) = std::ldexp(1.0, std::max(exponents[c] - largest, -kPowerBits - 1));
  }
  mpc::Session& session = arithmetic.session();
  const mpc::PublicMatrix factors(powers, kPowerBits, "powers of two of the targets' units");
  const mpc::Share scaled = mpc::drop(session, mpc::product(factors, unit.share(), session.workers()), kPowerBits);
  return {Tensor(scaled, unit.bound(), "common unit"), largest};
}

bool tells_in_own_unit(const TrainingPlan& plan) {
  return plan.predictions_to || std::any_of(plan.metrics.begin(), plan.metrics.end(),
                                            [](const Revealed& what) { return what.metric != Metric::kAccuracy; });
}

Matrix exponents_of(const Matrix& deviations) {
  return deviations.unaryExpr([](double deviation) { return static_cast<double>(std::ilogb(deviation) + 1); });
}

Matrix times_powers(const Matrix& columns, const std::vector<int>& exponents) {
  Matrix scaled = columns;
  for (Eigen::Index c = 0; c < scaled.cols(); ++c) {
    const int exponent = exponents[static_cast<std::size_t>(c)];
    for (double& value : scaled.col(c)) value = std::ldexp(value, exponent);
  }
  return scaled;
}

std::vector<int> revealed_whole_numbers(mpc::Session& session, const mpc::Share& row, const std::string& reason) {
  std::vector<int> numbers(static_cast<std::size_t>(row.shape().cols), 0);
  const mpc::Public seen = mpc::reveal(session, row, mpc::To::everyone(), reason);
  session.output([&](const mpc::PublicReader& read) {
    if (!read.seen(seen)) return;
    for (std::size_t c = 0; c < numbers.size(); ++c) {
      numbers[c] = static_cast<int>(std::lround(read(seen)(0, static_cast<Eigen::Index>(c))));
    }
  });
  return numbers;
}

void check_unit(const Matrix& targets) {
  if (targets.rows() == 0) return;
  constexpr double kMost = TargetUnit::kLargestZero / 2;
  const Matrix unit = deviations(targets);
  for (Eigen::Index c = 0; c < targets.cols(); ++c) {
    const double mean = targets.col(c).mean();
    if (std::abs(mean) <= kMost * unit(0, c)) continue;
    throw ConfigError(
        fmt::format("y, column {}: the targets' mean is more than {} deviations away from zero; subtract a constant "
                    "from them, and add it to the predictions",
                    c, kMost),
        fmt::format("they deviate by {:.6g} from {:.6g}", unit(0, c), mean),
        "the mean of its targets is too many deviations away from zero: subtract a constant from them");
  }
}

}  // namespace tacit::gnn
