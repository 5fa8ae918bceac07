// Adam on shares moves parameters as its twin does: while it looks its roots up, when it begins to follow them, and after a resume.
#include "gnn/optimiser/adam.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <random>

#include "gnn/arithmetic/sharing.h"
#include "mpc/levels/range_audit.h"
#include "mpc/protocols/reveal.h"
#include "mpc/session/local.h"
#include "net/error.h"
#include "tests/mpc/run_program.h"

namespace tacit::gnn {
namespace {

constexpr mpc::Format kTop{64, 13};
constexpr double kScale = 4;  // the scale of gradients on shares
const std::vector<Shape> kShapes{{6, 4}, {1, 5}};

enum class Kind { kSteady, kNoisy, kVanishing, kSparse, kStopping };

struct Course {
  AdamOptions options;
  Kind kind = Kind::kNoisy;
  std::int64_t steps = 40;
  std::int64_t resumed_after = 0;  // 0: never
  double rate = 0.02;
  double weights = 16;  // their range
};

double rate_of(const Course& course, std::int64_t step) {
  return step % 8 == 7 ? 0 : course.rate / (1 + 0.01 * static_cast<double>(step));
}

// The gradient of the parameter, in the scale of shares, and a whole number of units of a value.
Matrix gradient_of(const Course& course, std::size_t parameter, std::int64_t step) {
  std::mt19937_64 random(100 * static_cast<std::uint64_t>(step) + parameter);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  Matrix g(kShapes[parameter].rows, kShapes[parameter].cols);
  for (Eigen::Index i = 0; i < g.size(); ++i) {
    const double size = std::ldexp(1.0, static_cast<int>(i % 8) - 3), t = static_cast<double>(step);
    double value = size * normal(random);
    if (course.kind == Kind::kSteady) value = size * (1 + 0.3 * std::sin(0.2 * t + static_cast<double>(i)));
    if (course.kind == Kind::kVanishing) value *= std::exp(-0.15 * t);
    if (course.kind == Kind::kStopping) value = step < 10 ? 100 : 0;
    if (course.kind == Kind::kSparse && uniform(random) > 0.2) value = 0;
    g.data()[i] = std::ldexp(std::nearbyint(std::ldexp(value, kTop.fraction_bits)), -kTop.fraction_bits);
  }
  return g;
}

std::vector<Matrix> begin() {
  std::vector<Matrix> values;
  for (std::size_t p = 0; p < kShapes.size(); ++p) {
    values.push_back(gradient_of({}, p, 1000) * std::ldexp(1.0, -3));
    values.back() = values.back().unaryExpr(
        [](double v) { return std::ldexp(std::nearbyint(std::ldexp(v, kTop.fraction_bits)), -kTop.fraction_bits); });
  }
  return values;
}

struct Path {
  std::vector<Matrix> ends;
  std::vector<Matrix> lengths;  // the sum of all steps' lengths
};

Path twins_path(const Course& course) {
  const std::unique_ptr<PlainOptimiser> twin = course.options.make_plain();
  std::vector<NamedMatrix> values;
  Path path;
  for (const Matrix& value : begin()) {
    values.push_back({"w", value});
    path.lengths.push_back(0 * value);
  }
  for (std::int64_t step = 0; step < course.steps; ++step) {
    std::vector<Matrix> gradients, before;
    for (std::size_t p = 0; p < values.size(); ++p) {
      gradients.push_back(gradient_of(course, p, step) / kScale);
      before.push_back(values[p].values);
    }
    twin->step(values, gradients, rate_of(course, step), kScale);
    for (std::size_t p = 0; p < values.size(); ++p) path.lengths[p] += (values[p].values - before[p]).cwiseAbs();
  }
  for (const NamedMatrix& value : values) path.ends.push_back(value.values);
  return path;
}

// All parameters in a row.
mpc::Share moved_by(mpc::Session& session, const Course& course, std::vector<mpc::Cost>* costs = nullptr,
                    std::optional<double> clamp = {}) {
  Arithmetic arithmetic(session, kTop, {.weights = clamp.value_or(course.weights), .weight_gradients = 256});
  std::vector<Parameter> all;
  std::vector<Parameter*> parameters;
  std::vector<Matrix> values = begin();
  for (std::size_t p = 0; p < kShapes.size(); ++p) {
    if (clamp) values[p].setZero();
    all.push_back(
        {share_input(arithmetic, 0, kShapes[p], &values[p], Precision::kValue, clamp.value_or(course.weights), "w"),
         {}});
  }
  for (Parameter& parameter : all) parameters.push_back(&parameter);
  std::unique_ptr<Optimiser> adam = course.options.make();
  adam->begin(arithmetic, parameters);
  for (std::int64_t step = 0; step < course.steps; ++step) {
    if (step > 0 && step == course.resumed_after) {
      OptimiserState state = adam->state();
      EXPECT_EQ(state.steps, step);
      adam = course.options.make();
      adam->restore(std::move(state), parameters);
      adam->begin(arithmetic, parameters);
    }
    for (std::size_t p = 0; p < kShapes.size(); ++p) {
      const Matrix g = gradient_of(course, p, step);
      all[p].gradient = share_input(arithmetic, 0, kShapes[p], &g, Precision::kValue, 256, "g");
    }
    const mpc::Cost before = session.stated();
    adam->step(arithmetic, parameters, {rate_of(course, step), kScale, clamp.has_value()});
    if (costs != nullptr) costs->push_back(session.stated() - before);
  }
  std::vector<mpc::Share> row;
  for (const Parameter& parameter : all) {
    row.push_back(mpc::reshaped(parameter.value.share(), {1, parameter.value.shape().size()}));
  }
  return mpc::beside(row);
}

void expect_like_the_twin(const Course& course, double tolerance,
                          const std::vector<int>& of_parties = {0, 1, 2, 3, 5}) {
  const Path path = twins_path(course);
  for (const int parties : of_parties) {
    SCOPED_TRACE(testing::Message() << parties << " parties");
    const mpc::Function program = [&](mpc::Session& session) { return moved_by(session, course); };
    const Matrix found =
        parties == 0 ? mpc::revealed_in_the_clear(program) : mpc::revealed_by_parties(parties, program);
    Eigen::Index at = 0;
    for (std::size_t p = 0; p < path.ends.size(); ++p) {
      for (Eigen::Index i = 0; i < path.ends[p].size(); ++i, ++at) {
        const double allowed = tolerance * path.lengths[p].data()[i] + std::ldexp(2, -kTop.fraction_bits);
        EXPECT_NEAR(found(0, at), path.ends[p].data()[i], allowed) << "parameter " << p << ", element " << i;
      }
    }
  }
}

TEST(Adam, MovesAsItsTwin) {
  for (const AdamOptions& options :
       {AdamOptions{}, AdamOptions{.weight_decay = 0.01}, AdamOptions{.beta1 = 0.8, .beta2 = 0.99},
        AdamOptions{.beta1 = 0, .beta2 = 0.9999, .epsilon = 0.7}}) {
    SCOPED_TRACE(testing::Message() << "beta2 " << options.beta2 << ", decay " << options.weight_decay);
    ASSERT_GT(options.starting_steps(), 0);
    expect_like_the_twin({options, Kind::kSteady}, 0.01);
    expect_like_the_twin({options, Kind::kNoisy}, 0.02);
    expect_like_the_twin({options, Kind::kVanishing}, 0.02);
  }
}

TEST(Adam, LooksAllRootsUpIfTheyMoveTooFastToBeFollowed) {
  const AdamOptions options{.beta1 = 0.5, .beta2 = 0.9};
  EXPECT_EQ(options.starting_steps(), 0);
  expect_like_the_twin({options, Kind::kSparse}, 0.01);
}

// With beta1² above beta2, the mean outlives the root: the steps after the last gradient are up to 200 times the rate.
TEST(Adam, HasRoomForStepsOfAMeanThatOutlivesItsRoot) {
  const AdamOptions options{.beta1 = 0.95, .beta2 = 0.5};
  EXPECT_EQ(options.largest_quotient(), AdamOptions::kLargestGradient / options.epsilon);
  expect_like_the_twin({.options = options, .kind = Kind::kStopping, .rate = 1, .weights = 1 << 14}, 0.05);
}

TEST(Adam, HasOneFormatOfStepsForUsualSettings) {
  for (const AdamOptions& options :
       {AdamOptions{}, AdamOptions{.beta1 = 0, .beta2 = 0.9999}, AdamOptions{.beta1 = 0.9, .beta2 = 0.95},
        AdamOptions{.beta1 = 0.5, .beta2 = 0.9}}) {
    EXPECT_EQ(options.largest_quotient(), 16);
  }
  // The bound of Cauchy and Schwarz, for gradients that grow by beta2 / beta1 a step.
  EXPECT_NEAR((AdamOptions{.beta1 = 0.9, .beta2 = 0.8101}.largest_quotient()),
              0.1 / std::sqrt(0.1899 * (1 - 0.81 / 0.8101)), 1e-9);
}

// A rare gradient is cut at Y roots in the means, so the path is another one.
TEST(Adam, StaysNearItsTwinWhenGradientsAreRare) { expect_like_the_twin({{}, Kind::kSparse, 60}, 0.4); }

// A small beta1 / (1 - beta1) gains many fraction bits, for which a sum of gradients must be lifted before it is divided.
TEST(Adam, FollowsItsRootsWithAnyBeta1) {
  for (const double beta1 : {0.3, 0.05, 0.005, 1e-5, 1e-12}) {
    for (const double beta2 : {0.96, 0.999, 0.9999}) {
      SCOPED_TRACE(testing::Message() << beta1 << ", " << beta2);
      expect_like_the_twin({{.beta1 = beta1, .beta2 = beta2}, Kind::kNoisy, 24}, 0.02, {0, 2});
    }
  }
}

TEST(Adam, GoesOnAfterAResume) {
  for (const std::int64_t after : {3, 15, 16, 17, 25}) {
    SCOPED_TRACE(testing::Message() << "after " << after << " steps");
    expect_like_the_twin({{}, Kind::kNoisy, 32, after}, 0.02);
  }
}

// As in a private training, where weights are cut at their range after a step.
TEST(Adam, StaysWithinTheRangeOfWeights) {
  constexpr double kMost = 0.25;
  const Course course{.options = {}, .kind = Kind::kSteady};
  for (const int parties : {0, 2, 3}) {
    const mpc::Function program = [&](mpc::Session& session) { return moved_by(session, course, nullptr, kMost); };
    const Matrix found =
        parties == 0 ? mpc::revealed_in_the_clear(program) : mpc::revealed_by_parties(parties, program);
    EXPECT_LE(found.cwiseAbs().maxCoeff(), kMost + std::ldexp(2, -kTop.fraction_bits));
    EXPECT_GT(found.cwiseAbs().maxCoeff(), 0.99 * kMost);
  }
}

struct WatchedSteps {
  mpc::Public answer, weights;  // the range watch's answer
};

// From weights of zero, a step for each gradient.
WatchedSteps watched_steps(mpc::Session& session, const AdamOptions& options, double rate,
                           const std::vector<Matrix>& gradients) {
  Arithmetic arithmetic(session, kTop, {.weights = 16});
  mpc::RangeAudit audit(session, 1);
  arithmetic.watch_with(&audit);
  arithmetic.begin_group(static_cast<Watched>(0));
  const Matrix zeros = 0 * gradients.front();
  const Shape shape{zeros.rows(), zeros.cols()};
  Parameter parameter{share_input(arithmetic, 0, shape, &zeros, Precision::kValue, 16, "w"), {}};
  const std::vector<Parameter*> parameters{&parameter};
  const std::unique_ptr<Optimiser> adam = options.make();
  adam->begin(arithmetic, parameters);
  for (const Matrix& g : gradients) {
    parameter.gradient = share_input(arithmetic, 0, shape, &g, Precision::kValue, 16384, "g");
    adam->step(arithmetic, parameters, {rate, kScale});
  }
  mpc::Public answer = audit.open("test");
  return {std::move(answer), mpc::reveal(session, parameter.value.share(), mpc::To::everyone(), "weights")};
}

// The range watch sees a gradient of three times 256 in a step that follows its roots, and none that is within 256.
TEST(Adam, IsWatched) {
  for (const double gradient : {255.0, -255.0, 800.0, -800.0, 3000.0}) {
    std::vector<Matrix> gradients(20, Matrix::Ones(3, 1));
    gradients[18](1, 0) = gradient;
    mpc::run_parties(2, [&](mpc::Session& session, int) {
      const WatchedSteps steps = watched_steps(session, {}, 0.01, gradients);
      session.output([&](const mpc::PublicReader& read) {
        if (read.seen(steps.answer)) {
          EXPECT_EQ(mpc::RangeAudit::is_clean(read(steps.answer)), std::abs(gradient) < 256) << gradient;
        }
      });
    });
  }
}

// Between 256 and 768 the watch sees a gradient by chance. Without such a finding, the weights must be right.
void expect_right_where_the_watch_sees_nothing(const AdamOptions& options, int steps) {
  constexpr double kRate = 0.05;
  int passed = 0;
  for (const double gradient : {260.0, -300.0, 340.0, -400.0, 500.0, -700.0}) {
    const std::unique_ptr<PlainOptimiser> twin = options.make_plain();
    std::vector<NamedMatrix> values = {{"w", Matrix::Zero(1, 2)}};
    Matrix g = Matrix::Ones(1, 2);
    g(0, 1) = gradient;
    for (int step = 0; step < steps; ++step) twin->step(values, std::array{Matrix(g / kScale)}, kRate, kScale);
    const std::vector<Matrix> gradients(static_cast<std::size_t>(steps), g);
    for (int attempt = 0; attempt < 4; ++attempt) {
      mpc::run_parties(2, [&](mpc::Session& session, int rank) {
        const WatchedSteps made = watched_steps(session, options, kRate, gradients);
        session.output([&](const mpc::PublicReader& read) {
          if (rank != 0 || !mpc::RangeAudit::is_clean(read(made.answer))) return;
          ++passed;
          EXPECT_NEAR(read(made.weights)(0, 1), values[0].values(0, 1), 0.01 * kRate * steps) << gradient;
        });
      });
    }
  }
  EXPECT_GT(passed, 0);
}

TEST(Adam, IsRightInFirstStepsInWhichTheWatchSeesNothing) {
  expect_right_where_the_watch_sees_nothing({}, 1);
  expect_right_where_the_watch_sees_nothing({}, 3);
  expect_right_where_the_watch_sees_nothing({.beta1 = 0, .beta2 = 0},
                                            1);  // the moments are the gradient and its square
  expect_right_where_the_watch_sees_nothing({.beta1 = 0, .beta2 = 0.5}, 3);
  expect_right_where_the_watch_sees_nothing({.beta1 = 0.5, .beta2 = 0.9}, 2);
}

TEST(Adam, RefusesTheStateOfAnotherPhase) {
  mpc::ClearSession session;
  Arithmetic arithmetic(session, kTop, {.weights = 16});
  const Matrix values = begin()[0];
  Parameter parameter{share_input(arithmetic, 0, kShapes[0], &values, Precision::kValue, 16, "w"), {}};
  const std::vector<Parameter*> parameters{&parameter};
  const AdamOptions options;
  const auto restore = [&](std::size_t lists, std::int64_t steps) {
    OptimiserState state{Tensors(lists, parameter.value), steps};
    options.make()->restore(std::move(state), parameters);
  };
  EXPECT_NO_THROW(restore(3, options.starting_steps() - 1));
  EXPECT_NO_THROW(restore(4, options.starting_steps()));
  EXPECT_THROW(restore(3, options.starting_steps()), ConfigError);  // of a build that looked every root up
  EXPECT_THROW(restore(4, options.starting_steps() - 1), ConfigError);
}

TEST(Adam, CostsAnEighthOnceItFollowsItsRoots) {
  Course course{.options = {}, .steps = 30};
  mpc::run_parties(2, [&](mpc::Session& session, int rank) {
    std::vector<mpc::Cost> costs;
    moved_by(session, course, &costs);
    if (rank != 0) return;
    const auto starting = static_cast<std::size_t>(course.options.starting_steps());
    for (std::size_t step = starting + 1; step < costs.size(); ++step) {
      const bool moves = rate_of(course, static_cast<std::int64_t>(step)) != 0;
      EXPECT_TRUE(!moves || costs[step] == costs[starting]) << "step " << step;
      EXPECT_EQ(costs[step].rounds, 7);
    }
    EXPECT_LE(costs[starting].rounds, costs[1].rounds);
    EXPECT_LT(costs[starting].dealt_bytes, costs[1].dealt_bytes / 4);
    EXPECT_LT(costs[starting].bytes, costs[1].bytes / 2);
  });
}

// The first steps' means would be below their last bit: with beta1 = 0.9999999, a training learned nothing of its gradients.
TEST(Adam, RefusesAMeanThatKeepsTooMuch) {
  EXPECT_NO_THROW(Adam({.beta1 = 0.9999, .beta2 = 0.9999}));
  EXPECT_THROW(Adam({.beta1 = 0.99999}), ConfigError);
  EXPECT_THROW(Adam({.beta2 = 0.99999}), ConfigError);
}

}  // namespace
}  // namespace tacit::gnn
