// Epsilon and delta by the numeric privacy loss are upper bounds, close ones, and finite for any delta.
#include "gnn/privacy/privacy_loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gnn/privacy/renyi.h"
#include "gnn/privacy/training_privacy.h"
#include "tests/gnn/privacy/discrete_gaussian.h"

namespace tacit::gnn {
namespace {

double beyond(double z) { return 0.5 * std::erfc(z / std::sqrt(2.)); }

// Of N(mu, 1) against N(0, 1), exactly (Balle, Wang 2018).
double gaussian_delta(double mu, double epsilon) {
  return beyond(epsilon / mu - mu / 2) - std::exp(epsilon) * beyond(epsilon / mu + mu / 2);
}

const std::vector<Mechanism> kTraining = {{.9, 256 / 980000., 38280}};

TEST(PrivacyLoss, OfPlainGaussiansIsThatOfOneGaussian) {
  const std::vector<std::vector<Mechanism>> kinds = {
      {{1, 1, 1}}, {{5, 1, 30}}, {{50, 1, 100000}}, {{.5, 1, 1}, {3, 1, 40}, {20, 1, 7}}, {{.06, 1, 2}}};
  for (const std::vector<Mechanism>& mechanisms : kinds) {
    double square = 0;
    for (const Mechanism& one : mechanisms) square += static_cast<double>(one.steps) / (one.noise * one.noise);
    const double mu = std::sqrt(square);
    for (const double delta : {1e-2, 1e-6, 1e-14}) {
      const double epsilon = epsilon_by_loss(mechanisms, delta);
      // The exact delta at epsilon is below delta, but not much.
      EXPECT_LE(gaussian_delta(mu, epsilon), delta * (1 + 1e-6)) << mu << " " << delta;
      EXPECT_GE(gaussian_delta(mu, epsilon), delta * .995) << mu << " " << delta;
      EXPECT_GE(delta_by_loss(mechanisms, epsilon), gaussian_delta(mu, epsilon) * (1 - 1e-6));
    }
  }
}

TEST(PrivacyLoss, IsNeverAboveTheBoundByRenyiDivergences) {
  for (const double noise : {.3, .8, 5.}) {
    for (const double rate : {1e-3, .4, 1.}) {
      for (const std::int64_t steps : {1, 100, 10000}) {
        for (const double delta : {1e-5, 1e-16}) {
          const std::vector<Mechanism> mechanisms = {{noise, rate, steps}};
          const double by_loss = epsilon_by_loss(mechanisms, delta), by_renyi = epsilon_by_renyi(mechanisms, delta);
          EXPECT_LE(by_loss, 1.0001 * by_renyi + 1e-6) << noise << " " << rate << " " << steps << " " << delta;
        }
      }
    }
  }
}

// An observer that sees the samples: k steps take the record, and the view is that of k Gaussian steps. The sum over all k,
// of the binomial distribution, is exact.
double seen_delta(const Mechanism& one, double epsilon) {
  const auto steps = static_cast<double>(one.steps);
  double sum = 0;
  for (std::int64_t k = 1; k <= one.steps; ++k) {
    const auto taken = static_cast<double>(k);
    const double log_chance = std::lgamma(steps + 1) - std::lgamma(taken + 1) - std::lgamma(steps - taken + 1) +
                              taken * std::log(one.rate) + (steps - taken) * std::log1p(-one.rate);
    if (log_chance > -90) sum += std::exp(log_chance) * gaussian_delta(std::sqrt(taken) / one.noise, epsilon);
  }
  return sum;
}

Mechanism seen(double noise, double rate, std::int64_t steps) {
  Mechanism one{noise, rate, steps};
  one.sample_seen = true;
  return one;
}

TEST(PrivacyLoss, OfASeenSampleIsThatOfTheStepsThatTakeTheRecord) {
  for (const Mechanism& one :
       {seen(.9, 256 / 980000., 38280), seen(3, 256 / 980000., 38280), seen(1, 1e-3, 100), seen(4, .01, 1000),
        seen(2, .01, 2000), seen(5, .1, 500), seen(6, .9, 40), seen(.5, .2, 1)}) {
    for (const double delta : {1e-3, 1e-8}) {
      for (const LossBound bound : {LossBound::kRough, LossBound::kFine}) {
        const double epsilon = epsilon_by_loss(std::vector{one}, delta, bound);
        const double closer = (bound == LossBound::kRough ? .97 : .9995) * epsilon - 1e-9;
        EXPECT_LE(seen_delta(one, epsilon), delta * (1 + 1e-6)) << one.noise << " " << one.rate << " " << delta;
        if (epsilon == 0) continue;
        EXPECT_GT(seen_delta(one, closer), delta) << one.noise << " " << one.rate << " " << delta;
      }
      const double epsilon = epsilon_by_loss(std::vector{one}, delta), exact = seen_delta(one, epsilon);
      const double told = delta_by_loss(std::vector{one}, epsilon);
      EXPECT_GE(told, exact * (1 - 1e-6)) << one.noise << " " << one.rate << " " << delta;
      EXPECT_LE(told, 1.01 * std::max(exact, 1e-14)) << one.noise << " " << one.rate << " " << delta;
      EXPECT_GE(epsilon_by_renyi(std::vector{one}, delta), epsilon * (1 - 1e-4) - 1e-6);
    }
  }
}

// The observer sees whether the step takes the record, and the noisy sum. The test integrates over both, in both directions. A
// step with a hidden sample, whose densities are mixed, tells far less.
TEST(PrivacyLoss, OfAStepWithASeenSampleIsTheIntegralInBothDirections) {
  const auto density = [](double z) { return std::exp(-z * z / 2) / std::sqrt(2 * M_PI); };
  for (const double noise : {.6, 2.}) {
    for (const double rate : {.01, .3}) {
      for (const double epsilon : {.1, 1., 2.5}) {
        constexpr double kWidth = 1e-4;
        double with = 0, without = 0, hidden_with = 0, hidden_without = 0;
        for (double z = -12; z < 14; z += kWidth) {
          const double p = density(z - 1 / noise), q = density(z), mixed = (1 - rate) * q + rate * p;
          with += rate * kWidth * std::max(0.0, p - std::exp(epsilon) * q);  // a step without the record tells nothing
          without += rate * kWidth * std::max(0.0, q - std::exp(epsilon) * p);
          hidden_with += kWidth * std::max(0.0, mixed - std::exp(epsilon) * q);
          hidden_without += kWidth * std::max(0.0, q - std::exp(epsilon) * mixed);
        }
        EXPECT_NEAR(with, without, 1e-9);
        EXPECT_NEAR(delta_by_loss(std::vector{seen(noise, rate, 1)}, epsilon), std::max(with, without), 5e-3 * with);
        EXPECT_LT(hidden_with, with) << "an observer that sees the sample has no amplification";
        EXPECT_LT(hidden_without, without);
        EXPECT_NEAR(renyi_divergence(seen(noise, rate, 1), 3),
                    std::log(1 - rate + rate * std::exp(3 / (noise * noise))) / 2, 1e-12);
      }
    }
  }
}

// A hidden sample is a function of a seen one. With the rate 1 both are the plain Gaussian.
TEST(PrivacyLoss, OfASeenSampleIsMoreThanOfAHiddenOne) {
  for (const Mechanism& one : {seen(.5, .2, 3), seen(.7, .01, 120), seen(1, .0064, 782), seen(1, 1, 5)}) {
    Mechanism hidden = one;
    hidden.sample_seen = false;
    const double epsilon = epsilon_by_loss(std::vector{one}, 1e-5), less = epsilon_by_loss(std::vector{hidden}, 1e-5);
    if (one.rate == 1) {
      EXPECT_EQ(epsilon, less);
    } else {
      EXPECT_GT(epsilon, 1.2 * less);
      EXPECT_GT(epsilon_by_renyi(std::vector{one}, 1e-5), epsilon_by_renyi(std::vector{hidden}, 1e-5));
      EXPECT_GT(epsilon_by_loss(std::vector{one, hidden}, 1e-5), epsilon) << "the two are not merged";
    }
  }
}

// The part of delta that a grid of whole numbers adds for a coordinate of a step (mechanism.h).
double of_grid(double noise, double epsilon) { return (1 + std::exp(epsilon)) * .0202 / (noise * noise); }

TEST(PrivacyLoss, OfOneStepBoundsTheDiscreteGaussian) {
  for (const double noise : {8., 30.}) {
    for (const int shift : {8, 60}) {
      for (const double rate : {.05, 1.}) {
        const DiscreteGaussian exact{noise, shift, static_cast<int>(30 * noise), rate};
        for (const double epsilon : {0., .7, 2.}) {
          const double delta =
              std::max(exact.delta(Direction::kWith, epsilon), exact.delta(Direction::kWithout, epsilon));
          const double bound = delta_by_loss(std::vector<Mechanism>{{noise / shift, rate, 1}}, epsilon);
          EXPECT_LE(delta, bound + of_grid(noise, epsilon)) << noise << " " << shift << " " << rate << " " << epsilon;
          EXPECT_LE(bound, delta + 3 * of_grid(noise, epsilon))
              << noise << " " << shift << " " << rate << " " << epsilon;
        }
      }
    }
  }
}

// All triples of three steps' values, summed.
TEST(PrivacyLoss, OfThreeStepsBoundsTheDiscreteGaussian) {
  const DiscreteGaussian step{3, 3, 30, .3};
  const std::vector<double> with = step.masses(true), without = step.masses(false);
  for (const double epsilon : {.2, 1., 2.5}) {
    double first = 0, second = 0;
    for (std::size_t i = 0; i < with.size(); ++i) {
      for (std::size_t j = 0; j < with.size(); ++j) {
        for (std::size_t k = 0; k < with.size(); ++k) {
          const double p = with[i] * with[j] * with[k], q = without[i] * without[j] * without[k];
          first += std::max(0.0, p - std::exp(epsilon) * q);
          second += std::max(0.0, q - std::exp(epsilon) * p);
        }
      }
    }
    const double delta = std::max(first, second), bound = delta_by_loss(std::vector<Mechanism>{{1, .3, 3}}, epsilon);
    EXPECT_LE(delta, bound + 3 * of_grid(3, epsilon)) << epsilon;
    EXPECT_LE(bound, delta + 3 * of_grid(3, epsilon)) << epsilon;
  }
}

// The grid counts: without it, the bound is too small. The noise is cut at 12 deviations, as mpc/random/discrete_gaussian.h does.
TEST(PrivacyLoss, CountsTheGridOfTheNoise) {
  const auto bound = [](double noise, double rate, double grid, double epsilon) {
    return delta_by_loss(std::vector<Mechanism>{{noise, rate, 1, 0, grid}}, epsilon);
  };
  int exceeded = 0;
  for (const double noise : {8., 30.}) {
    for (const int shift : {8, 20}) {
      for (const double rate : {.05, 1.}) {
        const DiscreteGaussian exact{noise, shift, static_cast<int>(12 * noise), rate};
        for (const double epsilon : {.7, 2.}) {
          const double multiple = noise / shift, delta = std::max(exact.delta(Direction::kWith, epsilon),
                                                                  exact.delta(Direction::kWithout, epsilon));
          if (delta < 1e-12) continue;  // the rounding of the exact sums
          exceeded += delta > bound(multiple, rate, 0, epsilon) ? 1 : 0;
          EXPECT_LE(delta, bound(multiple, rate, grid_of(1, shift), epsilon))
              << noise << " " << shift << " " << rate << " " << epsilon;
        }
      }
    }
  }
  EXPECT_GT(exceeded, 0);
  const Mechanism fine{.9, 256 / 980000., 38280}, told{.9, 256 / 980000., 38280, 0, kMostGridOfRecords};
  EXPECT_GT(epsilon_by_loss(std::vector{told}, 1e-6), epsilon_by_loss(std::vector{fine}, 1e-6));
  EXPECT_NEAR(epsilon_by_loss(std::vector{told}, 1e-6), epsilon_by_loss(std::vector{fine}, 1e-6), 1e-6);
}

// The account of a job has the largest grid of its unit, for any noise.
TEST(PrivacyLoss, OfAJobHasTheGridOfItsUnit) {
  PrivacyPlan plan;
  plan.noise = 2;
  const Adversary outsiders{Observer::kOutsiders, 0, 2, 1};
  EXPECT_EQ(mechanism_of(plan, outsiders, 5).grid, kMostGridOfRecords);
  plan.unit = "edge";
  EXPECT_EQ(mechanism_of(plan, outsiders, 1).grid, kMostGridOfEdges);
  EXPECT_LE(grid_of_sums(7, 13), kMostGridOfEdges);
  EXPECT_NEAR(epsilon_of(std::vector{mechanism_of(plan, outsiders, 1)}, 1e-5).by_loss,
              epsilon_by_loss(std::vector<Mechanism>{{2, 1, 1}}, 1e-5), 1e-4);
}

TEST(PrivacyLoss, GrowsWithStepsAndRateAndFallsWithNoiseAndDelta) {
  const auto epsilon = [](double noise, double rate, std::int64_t steps, double delta) {
    return epsilon_by_loss(std::vector<Mechanism>{{noise, rate, steps}}, delta);
  };
  const double here = epsilon(1, .01, 1000, 1e-6);
  EXPECT_GT(epsilon(1, .01, 1020, 1e-6), here);
  EXPECT_GT(epsilon(1, .0102, 1000, 1e-6), here);
  EXPECT_LT(epsilon(1.02, .01, 1000, 1e-6), here);
  EXPECT_LT(epsilon(1, .01, 1000, 1.1e-6), here);
}

TEST(PrivacyLoss, OfSeveralMechanismsIsMoreThanOfEachAndLessThanTheSum) {
  const std::vector<Mechanism> one = {{.8, .01, 500}}, other = {{2, .1, 100}}, both = {one[0], other[0]};
  const double a = epsilon_by_loss(one, 1e-6), b = epsilon_by_loss(other, 1e-6), all = epsilon_by_loss(both, 1e-6);
  EXPECT_GT(all, std::max(a, b));
  EXPECT_LT(all, a + b);
  const std::vector<Mechanism> halves = {{.8, .01, 200}, {.8, .01, 300}};
  EXPECT_EQ(epsilon_by_loss(halves, 1e-6), a) << "equal steps are the same however they are listed";
}

TEST(PrivacyLoss, RoughlyIsAnUpperBoundToo) {
  for (const std::vector<Mechanism>& mechanisms : {kTraining, {{.5, .01, 300}}, {{3, 1, 100}}}) {
    const double fine = epsilon_by_loss(mechanisms, 1e-6);
    const double rough = epsilon_by_loss(mechanisms, 1e-6, LossBound::kRough);
    EXPECT_GE(rough, fine * (1 - 1e-9));
    EXPECT_LE(rough, fine * 1.02);
  }
}

// A delta far below the rounding errors of a transform without a tilt.
TEST(PrivacyLoss, HasAnEpsilonForTinyDeltas) {
  double last = 0;
  for (const double delta : {1e-6, 1e-9, 1e-12, 1e-15, 1e-20, 1e-25}) {
    const double epsilon = epsilon_by_loss(kTraining, delta);
    EXPECT_GT(epsilon, last);
    EXPECT_LT(epsilon, epsilon_by_renyi(kTraining, delta));
    last = epsilon;
  }
}

TEST(PrivacyLoss, IsFiniteAtTheLimitsOfTheAccountant) {
  for (const double noise : {kLeastNoise, kMostNoise}) {
    for (const double rate : {kLeastRate, 1.}) {
      for (const std::int64_t steps : {std::int64_t{1}, std::int64_t{1'000'000}}) {
        const double epsilon = epsilon_by_loss(std::vector<Mechanism>{{noise, rate, steps}}, 1e-6);
        EXPECT_TRUE(std::isfinite(epsilon)) << noise << " " << rate << " " << steps;
      }
    }
  }
  EXPECT_GT(epsilon_by_loss(std::vector<Mechanism>{{2, 1e-5, kMostSteps}}, 1e-6), 1);
  for (const double noise : {kLeastNoise, kMostNoise}) {
    for (const double rate : {kLeastRate, .5}) {
      const double epsilon = epsilon_by_loss(std::vector{seen(noise, rate, 1'000'000)}, 1e-12);
      EXPECT_TRUE(std::isfinite(epsilon)) << noise << " " << rate << " seen";
    }
  }
}

TEST(PrivacyLoss, WithoutStepsIsNoneAndWithoutNoiseIsInfinite) {
  EXPECT_EQ(epsilon_by_loss({}, 1e-6), 0);
  EXPECT_EQ(epsilon_by_loss(std::vector<Mechanism>{{0, .1, 0}}, 1e-6), 0);
  EXPECT_EQ(epsilon_by_loss(std::vector<Mechanism>{{0, .1, 1}, {1, 1, 1}}, 1e-6), INFINITY);
  EXPECT_EQ(epsilon_by_renyi(std::vector<Mechanism>{{0, .1, 1}, {1, 1, 1}}, 1e-6), INFINITY);
  EXPECT_EQ(delta_by_loss(std::vector<Mechanism>{{0, .1, 1}}, 3), 1);
}

TEST(PrivacyLoss, CountsFailuresAsDelta) {
  const std::vector<Mechanism> safe = {{1, .01, 1000}}, failing = {{1, .01, 1000, 1e-10}};
  EXPECT_NEAR(epsilon_by_loss(failing, 1e-6), epsilon_by_loss(safe, 1e-6 - 1e-7), 1e-5);
  EXPECT_NEAR(epsilon_by_renyi(failing, 1e-6), epsilon_by_renyi(safe, 1e-6 - 1e-7), 1e-6);
  EXPECT_EQ(epsilon_by_loss(failing, 1e-7), INFINITY);
  EXPECT_EQ(epsilon_by_renyi(failing, 1e-7), INFINITY);
}

// Exactly the divergence of the discrete Gaussian, however rough its grid is: never above the formula.
TEST(Renyi, DivergenceBoundsTheSubsampledDiscreteGaussian) {
  for (const auto& [noise, shift] : {std::pair{1.0, 1}, std::pair{1.7, 2}, std::pair{4.0, 4}}) {
    for (const double rate : {.01, .3, 1.}) {
      const DiscreteGaussian exact{noise, shift, 38, rate};
      for (const int order : {2, 3, 8, 20}) {
        for (const Direction direction : {Direction::kWith, Direction::kWithout}) {
          EXPECT_LE(exact.renyi(direction, order), renyi_divergence({noise / shift, rate}, order) + 1e-12);
        }
      }
    }
  }
}

// Between whole orders the formula is for continuous noise, and the divergence on the grid exceeds it.
TEST(Renyi, DivergenceBetweenWholeOrdersCountsTheGrid) {
  int exceeded = 0;
  for (const auto& [noise, shift] : {std::pair{.7, 1}, std::pair{1.0, 1}, std::pair{1.7, 2}, std::pair{4.0, 4}}) {
    for (const double rate : {.01, .3, 1.}) {
      const DiscreteGaussian exact{noise, shift, 38, rate};
      for (const double order : {1.1, 1.5, 2.5, 7.3}) {
        for (const Direction direction : {Direction::kWith, Direction::kWithout}) {
          const double divergence = exact.renyi(direction, order);
          exceeded += divergence > renyi_divergence({noise / shift, rate}, order) + 1e-9 ? 1 : 0;
          EXPECT_LE(divergence, renyi_divergence({noise / shift, rate, 1, 0, grid_of(1, shift)}, order) + 1e-12)
              << noise << " " << rate << " " << order;
        }
      }
    }
  }
  EXPECT_GT(exceeded, 0);
}

}  // namespace
}  // namespace tacit::gnn
