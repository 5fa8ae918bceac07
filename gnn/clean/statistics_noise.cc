#include "gnn/clean/statistics_noise.h"

#include <fmt/format.h>

#include <cmath>

#include "gnn/clean/count_tree.h"
#include "gnn/clean/statistics.h"
#include "gnn/privacy/accountant.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr int kFineness = 24;          // the deviation of the noise is at least 2^24 units
constexpr double kMostOfDelta = 0.01;  // that the grid may take

struct Counted {
  std::int64_t by_bins = 0, by_sums = 0;  // counts that a row moves by 1, and sums
};

Counted columns_of(const CleaningRules& rules) {
  Counted counted;
  for (const CleaningColumn& column : rules.columns) {
    if (!column.uses_statistic()) continue;
    const bool mean_of_numbers = column.repair == CleaningColumn::Repair::kMean && column.is_number();
    const std::size_t bins = bins_of(column);
    counted.by_sums += mean_of_numbers ? 1 : 0;
    counted.by_bins += mean_of_numbers ? 0 : has_count_tree(column, bins) ? std::ssize(levels_of_tree(bins)) : 1;
  }
  return counted;
}

}  // namespace

double influence_of_row(const CleaningRules& rules) {
  const Counted counted = columns_of(rules);
  return std::sqrt(1 + static_cast<double>(counted.by_bins) + static_cast<double>(counted.by_sums) / 4);
}

StatisticsNoise statistics_noise(const CleaningRules& rules, const Budget& budget, int parties, int colluding) {
  check_delta(budget.delta);
  const Counted counted = columns_of(rules);
  const double moved = static_cast<double>(1 + counted.by_bins + counted.by_sums);
  StatisticsNoise made;
  PrivacyPlan& plan = made.plan;
  plan.steps = 1;
  const double least_units = std::ldexp(1.0, kFineness);
  plan.failure = moved * (1 + std::exp(budget.epsilon)) * 0.0202 / (least_units * least_units);
  if (!(plan.failure < kMostOfDelta * budget.delta)) {
    throw ConfigError(
        fmt::format("epsilon {:g} with delta {:g} is outside what statistics with noise can count: take a smaller "
                    "epsilon, or a larger delta",
                    budget.epsilon, budget.delta));
  }
  plan.noise = noise_that_fits({1, 1, 1, plan.failure}, {budget.epsilon, budget.delta});
  if (!std::isfinite(plan.noise)) {
    throw ConfigError(fmt::format("no noise up to {:g} makes epsilon as small as {:g} (delta {:g})", kMostNoise,
                                  budget.epsilon, budget.delta));
  }
  plan.adversaries = adversaries_of(NoiseFrom::kParties, parties, colluding, plan.noise, 1, false);
  const double sigma = plan.noise * influence_of_row(rules);  // in rows
  made.bits = std::max(1, kFineness - static_cast<int>(std::floor(std::log2(sigma))));
  made.noise = {static_cast<std::int64_t>(std::ceil(std::ldexp(sigma, made.bits))), mpc::NoiseFrom::kParties,
                colluding};
  made.deviation = std::ldexp(noise_parts(made.noise, parties).left(parties, colluding).outsiders, -made.bits);
  return made;
}

}  // namespace tacit::gnn
