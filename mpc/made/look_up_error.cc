#include <algorithm>
#include <cmath>
#include <numeric>

#include "mpc/made/look_up.h"
#include "mpc/made/look_up_steps.h"
#include "mpc/made/powers.h"

namespace tacit::mpc {

namespace {

// An entry's error: the powers' errors, weighted; half a unit for each multiple; and the last drop.
std::vector<double> polynomial_errors(const CellTable& table, int parties) {
  const int keep = power_bits(table);
  const std::vector<double> off =
      power_errors(parties, table.position_bits(), static_cast<int>(table.terms()) - 1, keep);
  std::vector<double> all;
  for (std::int64_t i = 0; i < table.terms(); ++i) {
    double worst = 0;
    for (std::int64_t cell = 0; cell < table.cells(); ++cell) {
      double weighted = 0;
      for (std::int64_t k = i; k < table.terms(); ++k) {
        weighted += std::abs(multiple_of_power(table, cell, k, i)) * off[static_cast<std::size_t>(k - i)];
      }
      worst = std::max(worst, weighted);
    }
    const auto multiples = static_cast<double>(table.terms() - i);
    all.push_back(std::ldexp(worst, -keep) + std::ldexp(multiples, -kGuardBits - 1) + parties / 2.0);
  }
  return all;
}

// Up to the last drop in units of 2^-kExponentialBits: the fit, the powers, their multiples, a drop; the steps, a drop; the cells.
double exponential_error(const CellTable& table, int parties) {
  constexpr int kSamples = 1000;
  const ExponentialSteps steps(table);
  const double rate = std::ldexp(static_cast<double>(table.rate()), -steps.step_bits), drop = parties / 2.0;
  double of_fit = 0, largest = 0;
  for (int sample = 0; sample <= kSamples && steps.degree > 0; ++sample) {
    const double z = static_cast<double>(sample) / kSamples;
    double value = 0;
    for (auto c = steps.fit.rbegin(); c != steps.fit.rend(); ++c) value = value * z + *c;
    of_fit = std::max(of_fit, std::abs(value - std::exp(-rate * z)));
  }
  const std::vector<double> off = power_errors(parties, steps.fine_bits, steps.degree, kExponentialBits);
  double fine = std::ldexp(of_fit, kExponentialBits) + (steps.degree + 1) / 2.0 + drop;
  for (std::size_t m = 0; m < off.size(); ++m) fine += std::abs(steps.fit[m]) * off[m];
  for (std::int64_t cell = 0; cell < table.cells(); ++cell) largest = std::max(largest, table.coefficient(cell, 0));
  return std::ldexp(largest * (fine + 0.5 + drop), -kExponentialBits) +
         std::ldexp(0.5, table.entry_bits() - kExponentialBits) + drop;
}

std::vector<double> entry_errors(const CellTable& table, int parties) {
  if (is_table_of_values(table)) return {0};
  if (table.kind() == CellTable::Kind::kExponential) return {exponential_error(table, parties)};
  return polynomial_errors(table, parties);
}

}  // namespace

double largest_entry_error(const CellTable& table, int parties) {
  const std::vector<double> errors = entry_errors(table, parties);
  return *std::max_element(errors.begin(), errors.end());
}

double largest_value_error(const CellTable& table, int parties) {
  const std::vector<double> errors = entry_errors(table, parties);
  const double weight = table.kind() == CellTable::Kind::kExponential ? std::exp(static_cast<double>(table.rate())) : 1;
  return std::ldexp(weight * std::accumulate(errors.begin(), errors.end(), 0.0), -table.entry_bits());
}

}  // namespace tacit::mpc
