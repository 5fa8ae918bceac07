// The accountant reproduces published values: the table in section 3 of the design (privacy.md). The spec (privacy.py)
// reproduces the same values.
#include <gtest/gtest.h>

#include <cmath>

#include "gnn/privacy/accountant.h"
#include "gnn/privacy/privacy_loss.h"
#include "gnn/privacy/renyi.h"
#include "tests/gnn/privacy/discrete_gaussian.h"

namespace tacit::gnn {
namespace {

std::vector<Mechanism> steps(double rate, double noise, std::int64_t count) { return {{noise, rate, count}}; }

double by_loss(double rate, double noise, std::int64_t count, double delta) {
  return epsilon_by_loss(steps(rate, noise, count), delta);
}

double by_renyi(double rate, double noise, std::int64_t count, double delta) {
  return epsilon_by_renyi(steps(rate, noise, count), delta);
}

// By the conversion of Mironov 2017, with which older values were computed.
double by_older_conversion(double rate, double noise, std::int64_t count, double delta,
                           std::span<const double> orders) {
  double least = INFINITY;
  for (const double order : orders) {
    const double divergence = static_cast<double>(count) * renyi_divergence({noise, rate}, order);
    least = std::min(least, divergence - std::log(delta) / (order - 1));
  }
  return least;
}

double by_older_conversion(double rate, double noise, std::int64_t count, double delta) {
  return by_older_conversion(rate, noise, count, delta, renyi_orders());
}

// github.com/pytorch/opacus, tests/accountants_test.py. Opacus' PRV accountant reports an upper bound, 0.01 above its estimate.
TEST(Published, ByOpacus) {
  EXPECT_NEAR(by_renyi(.04, 1.5, 2250, 1e-5), 7.32911117143, 1e-8);
  EXPECT_NEAR(by_loss(.04, 1.5, 2249, 1e-5), 6.777395712150674 - .01, 5e-4);
  // The noise for epsilon 8, to within 0.01: 90 epochs, 2000 steps.
  EXPECT_NEAR(by_renyi(.04, 1.416, 2250, 1e-5), 8, .01);
  EXPECT_NEAR(by_loss(.04, 1.34765625, 2250, 1e-5) + .01, 8, .01);
  EXPECT_NEAR(by_renyi(.04, 1.3562, 2000, 1e-5), 8, .01);
  EXPECT_NEAR(by_loss(.04, 1.2915, 2000, 1e-5) + .01, 8, .01);
}

// github.com/tensorflow/privacy: compute_dp_sgd_privacy_test.py, compute_noise_from_budget_test.py.
TEST(Published, ByTensorflowPrivacy) {
  EXPECT_NEAR(by_renyi(150 / 60000., 1.3, 6000, 1e-5), 0.7242234026109595, 1e-8);
  EXPECT_NEAR(by_renyi(1e-3, 1.0, 30000, 1e-7), 1.4154988495444842, 1e-8);
  EXPECT_NEAR(by_older_conversion(150 / 60000., 1.3, 6000, 1e-5), 0.941870567, 1e-8);
  EXPECT_NEAR(by_older_conversion(1e-3, 1.0, 30000, 1e-7), 1.70928734, 1e-8);
  EXPECT_NEAR(by_renyi(1, .7, 2, 1e-5), 10.8602036, 1e-6);
  EXPECT_NEAR(by_renyi(1, .35, 2, 1e-5), 26.2880374, 1e-6);
  EXPECT_NEAR(by_loss(1, .7, 2, 1e-5), 10.1224946, 2e-7);
  EXPECT_NEAR(by_loss(1, .35, 2, 1e-5), 24.7160779, 2e-7);
  EXPECT_NEAR(by_loss(.01, .7, 120, 1e-5), 2.4612381, 1e-6);
  EXPECT_NEAR(by_loss(.01, .35, 120, 1e-5), 18.6977407, 1e-5);
  EXPECT_NEAR(by_loss(.0064, 1.0, 782, 1e-6), 1.199, 5e-4);
  EXPECT_NEAR(by_renyi(.0064, 1.0, 782, 1e-6), 1.616, 5e-4);
  // For fractional orders TensorFlow Privacy uses a bound, and this accountant the integral.
  EXPECT_NEAR(by_renyi(.01, .7, 120, 1e-5), 3.23919, 1e-5);
  EXPECT_LT(by_renyi(.01, .7, 120, 1e-5), 3.2392676);
  EXPECT_NEAR(by_renyi(.01, .35, 120, 1e-5), 22.597, 5e-4);
  EXPECT_LT(by_renyi(.01, .35, 120, 1e-5), 22.6248601);
}

// TensorFlow Privacy's tutorial on MNIST, with Mironov's conversion.
TEST(Published, ByTensorflowPrivacysTutorial) {
  EXPECT_NEAR(by_older_conversion(256 / 60000., 1.12, 14063, 1e-5), 2.92, 5e-3);
  EXPECT_NEAR(by_older_conversion(256 / 60000., 1.2, 2344, 1e-5), 1.20, 5e-3);
}

// github.com/google/differential-privacy, rdp_privacy_accountant_test.py. At the orders 1.5 and 2.5 an
// earlier version integrated; newer versions have looser bounds, 6.70579741e-4 and 1.08548710e-3.
TEST(Published, ByDpAccountingRenyi) {
  const std::vector<std::pair<double, double>> values = {
      {1.5, 6.5007e-4}, {2.5, 1.0854e-3}, {5, 2.18075656e-3}, {50, 2.38460375e-2}, {100, 167.416308}};
  for (const auto& [order, value] : values) {
    EXPECT_NEAR(50 * renyi_divergence({2.5, .01}, order), value, 1e-4 * value) << order;
  }
  std::vector<double> orders;
  for (int i = 1; i < 99000; i += 7) orders.push_back(1 + i / 1000.0);
  EXPECT_NEAR(epsilon_by_renyi(steps(1, 4.530877117, 1), 1e-6, orders), 1, 1e-6);
}

// The same, pld_privacy_accountant_test.py.
TEST(Published, ByDpAccountingPrivacyLoss) {
  EXPECT_NEAR(delta_by_loss(steps(1, std::sqrt(3.), 3), 1), 0.126936, 1e-6);
  EXPECT_NEAR(delta_by_loss(steps(.2, .5, 3), 1), 0.15594, 1e-5);
}

// The same, privacy_loss_mechanism_test.py: the discrete Gaussian, by which the tests of this folder judge the accountant.
TEST(Published, ByDpAccountingOfTheDiscreteGaussian) {
  EXPECT_NEAR((DiscreteGaussian{1, 1, 2, 1}.delta(Direction::kWith, 1)), .150574425, 1e-8);
  EXPECT_NEAR((DiscreteGaussian{10, 3, 5, 1}.delta(Direction::kWith, 1)), .263672394, 1e-8);
  EXPECT_NEAR((DiscreteGaussian{1, 1, 2, .8}.delta(Direction::kWithout, 1)), .024865564, 1e-8);
  EXPECT_NEAR((DiscreteGaussian{5, 3, 5, .4}.delta(Direction::kWithout, .1)), .085584980, 1e-8);
  EXPECT_NEAR((DiscreteGaussian{1, 1, 2, .8}.delta(Direction::kWith, 1)), .101734157, 1e-8);
  EXPECT_NEAR((DiscreteGaussian{5, 3, 5, .4}.delta(Direction::kWith, .1)), .104486937, 1e-8);
}

TEST(Published, InPapers) {
  std::vector<double> to_33;
  for (int i = 2; i < 34; ++i) to_33.push_back(i);
  EXPECT_NEAR(by_older_conversion(.01, 4, 10000, 1e-5, to_33), 1.26, 5e-3) << "Abadi et al. 2016";
  EXPECT_NEAR(by_older_conversion(256 / 60000., .7, 16406, 1e-5), 8.68, 5e-3) << "Bu et al. 2020, figure 4";
}

// The design's example: 980,000 rows, batches of 256, 10 epochs.
TEST(Published, InTheDesign) {
  const double rate = 256 / 980000.;
  const Epsilon epsilon = epsilon_of(steps(rate, .9, 38280), 1e-6);
  EXPECT_NEAR(epsilon.by_loss, 0.322, 5e-5);
  EXPECT_NEAR(epsilon.by_renyi, 0.956, 5e-4);
  EXPECT_EQ(epsilon.told(), epsilon.by_loss);
  EXPECT_NEAR(by_loss(rate, .9, 38280, 1e-5), 0.2737, 5e-5);
  EXPECT_NEAR(by_loss(rate, .9, 38280, 1e-7), 0.3659, 5e-5);
  EXPECT_NEAR(by_loss(rate, .9 * std::sqrt(1.5), 38280, 1e-6), 0.225, 5e-4);
  EXPECT_NEAR(by_renyi(rate, .9 * std::sqrt(1.5), 38280, 1e-6), 0.58, 5e-3);
  EXPECT_NEAR(by_loss(1, .9, 10, 1e-6), 22.24, 5e-3) << "if everybody knows the batches";
}

}  // namespace
}  // namespace tacit::gnn
