#include "mpc/made/look_up_steps.h"

#include <Eigen/LU>
#include <cmath>
#include <numbers>

namespace tacit::mpc {

namespace {

constexpr int kMostStepBits = 5;
constexpr int kDegree = 3;

// The polynomial through e^(-rate·z) at Chebyshev's points of 0 … 1.
std::vector<double> exponential_fit(double rate, int degree) {
  const int points = degree + 1;
  Eigen::MatrixXd powers(points, points);
  Eigen::VectorXd values(points);
  for (int i = 0; i < points; ++i) {
    const double at = 0.5 + 0.5 * std::cos(std::numbers::pi * (i + 0.5) / points);
    values(i) = std::exp(-rate * at);
    for (int k = 0; k < points; ++k) powers(i, k) = std::pow(at, k);
  }
  const Eigen::VectorXd fit = powers.fullPivLu().solve(values);
  return {fit.begin(), fit.end()};
}

}  // namespace

ExponentialSteps::ExponentialSteps(const CellTable& table)
    : step_bits(std::min(kMostStepBits, table.position_bits())),
      fine_bits(table.position_bits() - step_bits),
      degree(fine_bits == 0 ? 0 : kDegree) {
  const double rate = std::ldexp(static_cast<double>(table.rate()), -step_bits);
  fit = degree == 0 ? std::vector{1.0} : exponential_fit(rate, degree);
  for (int u = 0; u < 1 << step_bits; ++u) step.push_back(std::exp(-rate * u));
}

double multiple_of_power(const CellTable& table, std::int64_t cell, std::int64_t k, std::int64_t i) {
  double multiple = table.coefficient(cell, k);
  for (std::int64_t j = 0; j < i; ++j) multiple *= static_cast<double>(k - j) / static_cast<double>(j + 1);
  return (k - i) % 2 == 0 ? multiple : -multiple;
}

}  // namespace tacit::mpc
