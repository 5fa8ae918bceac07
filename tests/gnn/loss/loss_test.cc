// Losses: the twin's gradients (plaintext reference) against finite differences; value and gradient
// on secrets against the twin's.
#include <gtest/gtest.h>

#include <random>

#include "gnn/arithmetic/sharing.h"
#include "gnn/data/preparation.h"
#include "gnn/loss/cross_entropy.h"
#include "gnn/loss/mean_squared_error.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/reveal.h"
#include "tests/mpc/run_program.h"

namespace tacit::gnn {
namespace {

constexpr std::int64_t kNodes = 40;
using Classes = std::vector<std::int64_t>;

Matrix some(std::int64_t cols, double largest, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> draw(-largest, largest);
  return Matrix::NullaryExpr(kNodes, cols, [&] { return draw(random); });
}

Rows every(std::int64_t step) {
  Rows rows;
  for (std::int64_t row = 1; row < kNodes; row += step) rows.push_back(row);
  return rows;
}

Classes classes_of(std::int64_t count) {
  Classes classes;
  for (std::int64_t node = 0; node < kNodes; ++node) classes.push_back(node * 7 % count);
  return classes;
}

void expect_finite_differences(const Matrix& z, const std::function<PlainLoss(const Matrix&)>& loss) {
  constexpr double kStep = 1e-6;
  const Matrix gradient = loss(z).gradient;
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    const auto at = [&](double moved) {
      Matrix near = z;
      near.data()[i] += moved;
      return loss(near).value;
    };
    EXPECT_NEAR((at(kStep) - at(-kStep)) / (2 * kStep), gradient.data()[i], 1e-8) << "element " << i;
  }
}

TEST(PlainLosses, HaveTheGradientsOfFiniteDifferences) {
  const Matrix y = some(3, 2, 1);
  expect_finite_differences(some(3, 2, 2), [&](const Matrix& z) { return plain_mean_squared_error(z, y, every(3)); });
  expect_finite_differences(
      some(5, 4, 3), [&](const Matrix& z) { return plain_cross_entropy(z, one_hot(classes_of(5), 5), every(4)); });
}

PlainLossOptions weighing(std::int64_t classes, double smoothing) {
  PlainLossOptions options{Matrix(1, classes), smoothing};
  for (std::int64_t c = 0; c < classes; ++c) options.class_weights(0, c) = 0.25 + 2 * static_cast<double>(c);
  return options;
}

TEST(PlainLosses, WithWeightsAndSmoothingHaveTheGradientsOfFiniteDifferences) {
  for (const double smoothing : {0.0, 0.2}) {
    const PlainLossOptions options = weighing(5, smoothing);
    expect_finite_differences(some(5, 4, 3), [&](const Matrix& z) {
      return plain_cross_entropy(z, one_hot(classes_of(5), 5), every(4), options);
    });
  }
}

struct Seen {
  double value = 0;
  Matrix gradient;
};

using LossOf = std::function<std::unique_ptr<Loss>(Arithmetic&)>;

// Computes the loss of predictions in a ring as narrow as layers may leave it.
void run(mpc::Session& session, mpc::Format top, const Matrix& z, const LossOf& loss_of, Seen& seen) {
  Arithmetic arithmetic(session, top);
  const std::unique_ptr<Loss> loss = loss_of(arithmetic);
  const mpc::Format narrow{top.fraction_bits + 10, top.fraction_bits};
  const Tensor predictions(mpc::input(session, 0, mpc::shape_of(z), narrow, &z, "z"), 31, "z");
  const Loss::Result result = loss->of(arithmetic, predictions, Loss::Value::kWanted);
  const mpc::Public total = mpc::reveal(session, result.total().share(), mpc::To::everyone(), "loss");
  const mpc::Public gradient = mpc::reveal(session, result.gradient.share(), mpc::To::everyone(), "gradient");
  session.output([&](const mpc::PublicReader& read) {
    seen = {read(total)(0, 0) * loss->loss_per_total(), read(gradient) / loss->scale()};
  });
}

void expect_like_twin(const Matrix& z, const LossOf& loss_of, const PlainLoss& twin, double value_error,
                      double gradient_error) {
  const auto expect_near = [&](const Seen& seen, int parties) {
    EXPECT_NEAR(seen.value, twin.value, value_error) << parties;
    EXPECT_LE((seen.gradient - twin.gradient).cwiseAbs().maxCoeff(), gradient_error) << parties;
  };
  Seen clear;
  mpc::ClearSession session;
  run(session, {64, 16}, z, loss_of, clear);
  expect_near(clear, 1);
  EXPECT_TRUE(session.range_violations().empty());
  for (const int parties : {2, 3, 5}) {
    mpc::run_parties(parties, [&](mpc::Session& s, int rank) {
      Seen seen;
      run(s, {64, 13}, z, loss_of, seen);
      if (rank == 0) expect_near(seen, parties);
    });
  }
}

Tensor secret(Arithmetic& arithmetic, const Matrix& y, double bound) {
  mpc::Session& session = arithmetic.session();
  return Tensor(mpc::input(session, session.parties() - 1, mpc::shape_of(y), arithmetic.top(), &y, "y"), bound, "y");
}

// Every third node, known to all parties or only to the first.
using SelectionOf = Selection (*)(Arithmetic&);

Selection public_selection(Arithmetic&) { return Selection::of(every(3), kNodes); }

Selection secret_selection(Arithmetic& arithmetic) {
  mpc::Session& session = arithmetic.session();
  const Rows rows = every(3);
  Matrix chosen = Matrix::Zero(std::ssize(rows), kNodes);
  for (std::size_t i = 0; i < rows.size(); ++i) chosen(static_cast<Eigen::Index>(i), rows[i]) = 1;
  const mpc::Format whole_numbers{arithmetic.top().ring_bits, 0};
  return Selection::secret(
      Tensor(mpc::input(session, 0, mpc::shape_of(chosen), whole_numbers, &chosen, "nodes"), 1, "nodes"));
}

class Losses : public testing::TestWithParam<SelectionOf> {
 protected:
  static Selection selected(Arithmetic& arithmetic) { return GetParam()(arithmetic); }
};

INSTANTIATE_TEST_SUITE_P(Over, Losses, testing::Values(public_selection, secret_selection), [](const auto& tested) {
  return tested.param == public_selection ? "PublicNodes" : "SecretNodes";
});

TEST_P(Losses, OfSquaresAreTheTwins) {
  for (const std::int64_t cols : {1, 3}) {
    const Matrix z = some(cols, 5, 4), y = some(cols, 5, 5);
    expect_like_twin(
        z, [&](Arithmetic& a) { return std::make_unique<MeanSquaredError>(a, secret(a, y, 16), selected(a)); },
        plain_mean_squared_error(z, y, every(3)), 1e-3, 1e-4);
  }
}

// Errors in their range have a right sum, also in the ring that one product with the parameters leaves.
TEST(MeanSquaredError, HoldsTheSumOfLargeErrors) {
  const Matrix z = some(1, 300, 4), y = some(1, 300, 5);
  const Rows all = every(1);
  const PlainLoss twin = plain_mean_squared_error(z, y, all);
  for (const int parties : {2, 3}) {
    mpc::run_parties(parties, [&](mpc::Session& session, int rank) {
      Arithmetic arithmetic(session, {64, 13}, {.gradients = 1023});
      MeanSquaredError loss(arithmetic, secret(arithmetic, y, 512), Selection::of(all, kNodes));
      const int ring = arithmetic.format_of(Precision::kParameter).ring_bits - 13;
      const Tensor predictions(mpc::input(session, 0, mpc::shape_of(z), {ring, 13}, &z, "z"), 511, "z");
      const Loss::Result result = loss.of(arithmetic, predictions, Loss::Value::kWanted);
      const mpc::Public total = mpc::reveal(session, result.total().share(), mpc::To::everyone(), "loss");
      session.output([&](const mpc::PublicReader& read) {
        if (rank != 0) return;
        EXPECT_NEAR(read(total)(0, 0) * loss.loss_per_total(), twin.value, 1e-2 * twin.value);
      });
    });
  }
}

TEST_P(Losses, OfClassesAreTheTwins) {
  for (const std::int64_t classes : {2, 7, 9}) {
    const Matrix z = some(classes, 12, 6);
    expect_like_twin(
        z,
        [&](Arithmetic& a) {
          return std::make_unique<CrossEntropy>(a, secret(a, one_hot(classes_of(classes), classes), 1), selected(a));
        },
        plain_cross_entropy(z, one_hot(classes_of(classes), classes), every(3)), 1e-3, 1e-3);
  }
}

TEST_P(Losses, OfWeighedAndSmoothedClassesAreTheTwins) {
  for (const std::int64_t classes : {2, 9}) {
    for (const double smoothing : {0.0, 0.2}) {
      for (const bool weighed : {false, true}) {
        const Matrix z = some(classes, 8, 6);
        PlainLossOptions plain = weighing(classes, smoothing);
        if (!weighed) plain.class_weights = Matrix();
        const double largest = weighed ? plain.class_weights.maxCoeff() : 1;
        const auto make = [&](Arithmetic& a) {
          LossOptions options{{}, largest, smoothing};
          if (weighed) options.class_weights = share_known(a, plain.class_weights, largest, "weights");
          return std::make_unique<CrossEntropy>(a, secret(a, one_hot(classes_of(classes), classes), 1), selected(a),
                                                options);
        };
        const PlainLoss twin = plain_cross_entropy(z, one_hot(classes_of(classes), classes), every(3), plain);
        expect_like_twin(z, make, twin, 2e-3 * largest, 1e-3 * largest);
      }
    }
  }
}

// 0.1 / 40 is 20.48 units of 13 fraction bits.
TEST_P(Losses, SmoothManyClasses) {
  constexpr std::int64_t kMany = 40;
  const Matrix z = some(kMany, 8, 6), y = one_hot(classes_of(kMany), kMany);
  const auto smoothed = [&](Arithmetic& a, double smoothing) {
    return std::make_unique<CrossEntropy>(a, secret(a, y, 1), selected(a), LossOptions{{}, 1, smoothing});
  };
  const PlainLoss twin = plain_cross_entropy(z, y, every(3), {Matrix(), 0.1});
  expect_like_twin(
      z, [&](Arithmetic& a) { return smoothed(a, 0.1); }, twin, 1e-2, 1e-3);
  mpc::ClearSession session;
  Arithmetic arithmetic(session, {64, 13});
  EXPECT_THROW(smoothed(arithmetic, 0.001), ConfigError);  // a fifth of a unit
}

// A private training multiplies a loss' gradients by a factor with which the bound on a record is proved, so they must be
// right to the factor's last bits, however narrow the ring of the outputs is.
TEST(LossFactor, MultipliesGradientsToItsLastBits) {
  constexpr double kFactor = 2731.0 / 4096;
  LossOptions options;
  options.factor = kFactor;
  const auto all = [] { return Selection::of(all_rows(kNodes), kNodes); };
  const Matrix z = some(3, 25, 4), y = some(3, 5, 5), classes = one_hot(classes_of(3), 3);
  PlainLoss squares = plain_mean_squared_error(z, y, all_rows(kNodes));
  squares.gradient *= kFactor;
  const double of_one = 1.0 / (3.0 * kNodes / 2);  // a gradient, before it is multiplied by the scale
  expect_like_twin(
      z, [&](Arithmetic& a) { return std::make_unique<MeanSquaredError>(a, secret(a, y, 16), all(), options); },
      squares, 1e-2, 4 * 0x1p-13 * of_one);
  PlainLoss entropy = plain_cross_entropy(z, classes, all_rows(kNodes));
  entropy.gradient *= kFactor;
  expect_like_twin(
      z, [&](Arithmetic& a) { return std::make_unique<CrossEntropy>(a, secret(a, classes, 1), all(), options); },
      entropy, 1e-2, 1e-3 / kNodes);
}

}  // namespace
}  // namespace tacit::gnn
