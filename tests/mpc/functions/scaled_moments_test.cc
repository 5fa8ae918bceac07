// Adam's moments in units of their root follow those in double precision: for steady, noisy, vanishing and jumping gradients; and
// every step costs the same.
#include "mpc/functions/scaled_moments.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mpc/protocols/input.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"
#include "tests/mpc/functions/evaluate.h"
#include "tests/mpc/gathered_correlations.h"

namespace tacit::mpc {
namespace {

constexpr Format kGradient{23, 13};
constexpr int kWide = 40;

// Columns of gradients, one for each step; the first `before` columns came before the state.
struct Gradients {
  MomentRules rules;
  Matrix all;  // a row for each weight, a column for each step

  std::int64_t before() const { return rules.first_step() - 1; }
  std::int64_t steps() const { return all.cols() - before(); }
};

// The expected n', a column for each step, with the sums of squares that clamping leaves alone.
struct Moments {
  Matrix quotients;
  Matrix relative;  // kappa·|y² + zeta² - 1|: how far the root moves
};

Moments true_moments(const Gradients& g) {
  const MomentRules& r = g.rules;
  Moments made{Matrix(g.all.rows(), g.all.cols()), Matrix(g.all.rows(), g.all.cols())};
  for (Eigen::Index i = 0; i < g.all.rows(); ++i) {
    double sum = 0, v = 0, s_before = 1;
    for (Eigen::Index t = 0; t < g.all.cols(); ++t) {
      const double x = g.all(i, t);
      sum = r.beta1 * sum + x;
      v = r.beta2 * v + (1 - r.beta2) * x * x;
      const double s = v / (1 - std::pow(r.beta2, static_cast<double>(t + 1))) + r.epsilon * r.epsilon;
      made.quotients(i, t) = sum / std::sqrt(s);
      made.relative(i, t) = std::abs(s / s_before - 1);
      s_before = s;
    }
  }
  return made;
}

// n' of every step after the first ones, from the true state before them.
Function quotients_of(const Gradients& g) {
  return [&g](Session& session) {
    const MomentRules& r = g.rules;
    const std::int64_t begin = g.before();
    const Shape shape{g.all.rows(), 1};
    Matrix inverse(shape.rows, 1), sum(shape.rows, 1);
    for (Eigen::Index i = 0; i < shape.rows; ++i) {
      double mean = 0, v = 0;
      for (Eigen::Index t = 0; t < begin; ++t) {
        mean = r.beta1 * mean + g.all(i, t);
        v = r.beta2 * v + (1 - r.beta2) * g.all(i, t) * g.all(i, t);
      }
      inverse(i, 0) = 1 / std::sqrt(v / (1 - std::pow(r.beta2, static_cast<double>(begin))) + r.epsilon * r.epsilon);
      sum(i, 0) = r.beta1 * mean * inverse(i, 0);
    }
    std::vector<ScaledMoments> moments{
        begin_moments(session, r, input(session, 0, shape, {47, 19}, &inverse, "1/sqrt s"),
                      input(session, session.parties() - 1, shape, {47, 28}, &sum, "n"))};
    std::vector<Share> found;
    Cost last;
    for (std::int64_t step = begin + 1; step <= g.all.cols(); ++step) {
      const Matrix now = g.all.col(step - 1);
      const Share gradient = input(session, 0, shape, kGradient, &now, "g");
      const Cost before = session.stated();
      std::vector<Share> to_show{gradient};
      for (Share& one : to_open(session, moments)) to_show.push_back(std::move(one));
      const std::vector<Shown> shown = show(session, to_show);
      const MovedMoments moved =
          move_moments(session, r, step, std::span(shown).first(1), std::span(shown).subspan(1), moments);
      const Cost cost = session.stated() - before;
      EXPECT_TRUE(step == begin + 1 || cost == last) << "step " << step;
      const bool opens = session.parties() > 1 && shape.rows > 0 && cost != Cost{};  // not in the clear
      EXPECT_EQ(cost.rounds, opens ? 7 : cost.rounds);
      last = cost;
      EXPECT_EQ(moments[0].root.format(), r.root());
      EXPECT_EQ(moments[0].mean.format(), r.mean());
      EXPECT_EQ(moments[0].rest.format(), r.rest());
      EXPECT_EQ(moved.quotients[0].format(), r.quotient());
      EXPECT_GE(moved.gradients[0].ring_bits(), kGradient.ring_bits + 20);  // bits that the range watch compares
      found.push_back(lift(session, moved.quotients[0], kWide));
    }
    return beside(found);
  };
}

Matrix quotients_by(int parties, const Gradients& g) {
  const Function program = quotients_of(g);
  if (parties == 0) return revealed_in_the_clear(program, 3);
  return revealed_by_parties(parties, program);
}

Gradients gaussian(const MomentRules& rules, std::int64_t weights, std::int64_t steps) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  Gradients g{rules, Matrix(weights, rules.first_step() - 1 + steps)};
  for (Eigen::Index i = 0; i < weights; ++i) {
    const double scale = std::ldexp(1.0, static_cast<int>(i % 9) - 5);  // from below epsilon on
    for (Eigen::Index t = 0; t < g.all.cols(); ++t) g.all(i, t) = scale * normal(random);
  }
  return g;
}

// n' has fraction bits of its own in every step: y, n and n' are rounded, and beta1 keeps the rounding errors.
double rounding_of(const MomentRules& rules, int parties) {
  const double variance = 3 * std::max(parties, 2) / 12.0 / (1 - rules.beta1 * rules.beta1);
  return 6 * std::sqrt(variance) * std::ldexp(1, -rules.mean().fraction_bits);
}

// 0 parties: in the clear.
void expect_close(const Matrix& found, const Gradients& g, int parties) {
  constexpr double kRelative = 0.02;
  const Moments wanted = true_moments(g);
  for (Eigen::Index i = 0; i < found.rows(); ++i) {
    double moved = 0;
    for (Eigen::Index t = 0; t < found.cols(); ++t) {
      const double n = wanted.quotients(i, g.before() + t), change = wanted.relative(i, g.before() + t);
      moved = std::max(0.9 * moved, change * change);
      const double allowed = (kRelative + moved) * std::abs(n) + rounding_of(g.rules, parties);
      EXPECT_NEAR(found(i, t), n, allowed) << "weight " << i << ", step " << t;
    }
  }
}

TEST(ScaledMoments, FollowTheTrueOnes) {
  for (const MomentRules& rules : {MomentRules{}, MomentRules{.beta1 = 0.8, .beta2 = 0.99, .epsilon = 0.3},
                                   MomentRules{.beta1 = 0, .beta2 = 0.9999, .epsilon = 2},
                                   MomentRules{.beta1 = 0.95, .beta2 = 0.96, .epsilon = 64}}) {
    SCOPED_TRACE(testing::Message() << "beta2 " << rules.beta2 << ", epsilon " << rules.epsilon);
    ASSERT_TRUE(rules.possible());
    const Gradients g = gaussian(rules, 90, 40);
    for (const int parties : {0, 1, 2, 3, 5, 8}) {
      SCOPED_TRACE(testing::Message() << parties << " parties");
      expect_close(quotients_by(parties, g), g, parties);
    }
  }
}

TEST(ScaledMoments, HaveAnyShape) {
  for (const std::int64_t weights : {0, 1, 5}) {
    const Gradients g = gaussian({}, weights, 3);
    for (const int parties : {0, 1, 2, 3}) {
      const Matrix found = quotients_by(parties, g);
      EXPECT_EQ(found.rows(), weights);
      expect_close(found, g, parties);
    }
  }
}

TEST(ScaledMoments, NeedNoDealer) {
  const Gradients g = gaussian({}, 20, 3);
  RunOptions options;
  options.source = gathered_correlations(3);
  expect_close(revealed_by_parties(3, quotients_of(g), options), g, 3);
}

// The root's rounding does not add up: hundreds of steps later the quotient is as close.
TEST(ScaledMoments, StayCloseOverManySteps) {
  const Gradients g = gaussian({}, 18, 500);
  expect_close(quotients_by(0, g), g, 0);
}

// Gradients that vanish, jump by up to 2^20 at once, or appear after long zeros.
Gradients jumps(const MomentRules& rules) {
  constexpr std::int64_t kSteps = 60, kAt = 20;
  const std::int64_t before = rules.first_step() - 1;
  const double pairs[][2] = {{0, 0},       {0, 0.01},   {0, 1},     {0, 255}, {0, -255},   {0.001, 100},
                             {255, 0.001}, {-255, 255}, {255, 255}, {1, 1},   {0.0625, 4}, {-3, 0}};
  Gradients g{rules, Matrix(std::ssize(pairs), before + kSteps)};
  for (Eigen::Index i = 0; i < g.all.rows(); ++i) {
    for (Eigen::Index t = 0; t < g.all.cols(); ++t) g.all(i, t) = pairs[i][t < before + kAt ? 0 : 1];
  }
  return g;
}

TEST(ScaledMoments, AreNeverLongerThanAdamCanBeAndRecoverFromJumps) {
  for (const MomentRules& rules : {MomentRules{}, MomentRules{.beta2 = 0.97}, MomentRules{.beta2 = 0.9999}}) {
    SCOPED_TRACE(testing::Message() << "beta2 " << rules.beta2);
    const Gradients g = jumps(rules);
    const Moments wanted = true_moments(g);
    for (const int parties : {0, 2, 3}) {
      const Matrix found = quotients_by(parties, g);
      EXPECT_LE(found.cwiseAbs().maxCoeff(), rules.largest_mean() / 1.5 * 1.02);
      for (Eigen::Index i = 0; i < found.rows(); ++i) {
        // Forty steps after a jump. The squares that were cut are missing from s.
        const Eigen::Index last = found.cols() - 1;
        const double n = wanted.quotients(i, g.before() + last);
        EXPECT_NEAR(found(i, last), n, 0.25 * std::abs(n) + 0.05) << "weight " << i;
        for (Eigen::Index t = 0; t < found.cols(); ++t) {  // and never against the gradients
          const double true_n = wanted.quotients(i, g.before() + t);
          EXPECT_GE(found(i, t) * (true_n > 0 ? 1 : -1), i == 7 ? -30 : -0.05) << "weight " << i << ", step " << t;
        }
      }
    }
  }
}

TEST(MomentRules, RefuseWhatCannotBeFollowed) {
  EXPECT_TRUE(MomentRules{}.possible());
  EXPECT_FALSE((MomentRules{.beta2 = 0.9}.possible()));
  EXPECT_FALSE((MomentRules{.beta2 = 0}.possible()));
  EXPECT_FALSE((MomentRules{.beta2 = 1 - 1e-9}.possible()));
  EXPECT_FALSE((MomentRules{.beta1 = 0.9999, .beta2 = 0.999}.possible()));  // a mean much longer than its root
  EXPECT_EQ(MomentRules{}.first_step(), 17);
  EXPECT_GT(MomentRules{}.part(16), MomentRules::kMostPart);
}

}  // namespace
}  // namespace tacit::mpc
