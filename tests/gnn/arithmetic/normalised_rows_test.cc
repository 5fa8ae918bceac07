// Normalised rows and their gradient are right to the stated error, for any number of parties, width and ring.
#include "gnn/arithmetic/normalised_rows.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "gnn/arithmetic/sharing.h"
#include "mpc/session/local.h"
#include "mpc/session/plan_session.h"
#include "net/error.h"
#include "tests/mpc/run_program.h"

namespace tacit::gnn {
namespace {

constexpr double kEpsilon = 1.0 / 256, kLargest = 60, kGradients = 255;
constexpr std::int64_t kRows = 9;

struct Sample {
  Matrix x, gradient;
};

// Rows of deviations from 1/30 to 12, the first around a mean of 20; and a row of equal numbers.
Sample sample(std::int64_t columns) {
  std::mt19937_64 random(static_cast<std::uint64_t>(columns));
  std::uniform_real_distribution<double> draw(-1.7, 1.7);
  const auto drawn = [&] { return std::ldexp(std::nearbyint(std::ldexp(draw(random), 10)), -10); };
  Sample sample{Matrix::NullaryExpr(kRows, columns, drawn), Matrix::NullaryExpr(kRows, columns, drawn)};
  sample.x.row(0).array() += 20;
  sample.x.row(1) *= 8;
  sample.x.row(2) /= 32;
  sample.x.row(3).setConstant(-3.5);
  sample.gradient.row(4) *= 64;
  return sample;
}

struct Expected {
  Matrix y, gradient;
};

Expected expected(const Sample& sample) {
  Expected made{sample.x, sample.gradient};
  for (Eigen::Index r = 0; r < sample.x.rows(); ++r) {
    const Eigen::RowVectorXd c = sample.x.row(r).array() - sample.x.row(r).mean();
    const double root = 1 / std::sqrt(c.squaredNorm() / static_cast<double>(c.size()) + kEpsilon);
    made.y.row(r) = c * root;
    const Eigen::RowVectorXd g = sample.gradient.row(r);
    const double along = g.dot(made.y.row(r)) / static_cast<double>(c.size());
    made.gradient.row(r) = root * ((g.array() - g.mean()).matrix() - along * made.y.row(r));
  }
  return made;
}

Arithmetic arithmetic_in(mpc::Session& session, mpc::Format top) {
  return {session, top, {.activations = kLargest, .gradients = kGradients}};
}

NormalisedRows forward(Arithmetic& arithmetic, const Sample& sample) {
  const Tensor x = share_input(arithmetic, 0, mpc::shape_of(sample.x), &sample.x, Precision::kValue, kLargest, "x");
  return normalised_rows(arithmetic, x, kEpsilon, "norm");
}

Tensor backward(Arithmetic& arithmetic, const Sample& sample) {
  const NormalisedRows rows = forward(arithmetic, sample);
  const Tensor gradient = share_input(arithmetic, arithmetic.session().parties() - 1, mpc::shape_of(sample.gradient),
                                      &sample.gradient, Precision::kValue, kGradients, "gradient");
  return normalised_rows_gradient(arithmetic, rows, gradient, "norm gradient");
}

// Relative to the largest element of a row, and in units.
void expect_near(const Matrix& found, const Matrix& wanted, double relative, double units, int fraction_bits) {
  for (Eigen::Index r = 0; r < wanted.rows(); ++r) {
    const double allowed = relative * wanted.row(r).cwiseAbs().maxCoeff() + std::ldexp(units, -fraction_bits);
    EXPECT_LE((found.row(r) - wanted.row(r)).cwiseAbs().maxCoeff(), allowed) << "row " << r;
  }
}

struct Width {
  std::int64_t columns;
  mpc::Format top;
};
class NormalisedRowsOf : public testing::TestWithParam<Width> {};

INSTANTIATE_TEST_SUITE_P(Widths, NormalisedRowsOf,
                         testing::Values(Width{2, {64, 13}}, Width{2, {64, 8}}, Width{3, {64, 13}}, Width{7, {64, 13}},
                                         Width{16, {64, 13}}, Width{24, {64, 13}}, Width{64, {64, 13}},
                                         Width{100, {64, 13}}, Width{256, {64, 13}}, Width{16, {64, 16}},
                                         Width{16, {56, 13}}, Width{8, {48, 12}}),
                         [](const auto& tested) {
                           return fmt::format("{}ColumnsIn{}And{}Bits", tested.param.columns,
                                              tested.param.top.ring_bits, tested.param.top.fraction_bits);
                         });

TEST_P(NormalisedRowsOf, AreRightToTheRoot) {
  const auto [columns, top] = GetParam();
  const Sample data = sample(columns);
  const Expected wanted = expected(data);
  const mpc::Function y = [&, format = top](mpc::Session& session) {
    Arithmetic arithmetic = arithmetic_in(session, format);
    return forward(arithmetic, data).y.share();
  };
  const mpc::Function gradient = [&, format = top](mpc::Session& session) {
    Arithmetic arithmetic = arithmetic_in(session, format);
    return backward(arithmetic, data).share();
  };
  for (const int parties : {0, 2, 3, 5}) {
    SCOPED_TRACE(parties);
    const double units = 40 * std::max(1.0, parties / 2.0);  // 16 units at the least variance, in x and in y
    const auto revealed = [&](const mpc::Function& function) {
      return parties == 0 ? mpc::revealed_in_the_clear(function) : mpc::revealed_by_parties(parties, function);
    };
    expect_near(revealed(y), wanted.y, std::ldexp(1, -8), units, top.fraction_bits);
    expect_near(revealed(gradient), wanted.gradient, std::ldexp(1, -7), 16 * units, top.fraction_bits);
  }
}

TEST(NormalisedRowsCost, IsAsStated) {
  constexpr std::int64_t kMany = 1000, kColumns = 16;
  mpc::PlanSession session(2, 2, 0, net::AllReducePlan::unmeasured(2));
  Arithmetic arithmetic = arithmetic_in(session, {64, 13});
  const auto fallen = [&](int ring, double bound) {
    const Tensor x = share_input(arithmetic, 0, {kMany, kColumns}, nullptr, Precision::kValue, bound, "x");
    return Tensor(mpc::narrow(x.share(), ring), bound, "x");
  };
  const Tensor x = fallen(51, kLargest);  // the ring of a layer's product
  const mpc::Cost before = session.stated();
  const NormalisedRows rows = normalised_rows(arithmetic, x, kEpsilon, "norm");
  const mpc::Cost forward = session.stated() - before;
  const Tensor gradient = fallen(42, kGradients);  // the ring of a ReLU's gradient
  const mpc::Cost between = session.stated();
  normalised_rows_gradient(arithmetic, rows, gradient, "norm");
  const mpc::Cost backward = session.stated() - between;
  EXPECT_EQ(forward.rounds, 6);
  EXPECT_EQ(backward.rounds, 5);
  EXPECT_EQ(forward.bytes, 123'824);
  EXPECT_EQ(backward.bytes, 451'000);
  EXPECT_EQ(forward.dealt_bytes, 937'941);
  EXPECT_EQ(backward.dealt_bytes, 554'096);
}

TEST(NormalisedRowsRoom, IsRefusedWithASentenceWhereTheRingHasNone) {
  mpc::ClearSession session;
  Arithmetic arithmetic = arithmetic_in(session, {48, 12});
  const Sample data = sample(24);
  try {
    forward(arithmetic, data);
    FAIL() << "24 columns fit a ring of 48 bits";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("norm: to normalise rows of 24 columns with 12 fraction bits needs"));
  }
}

}  // namespace
}  // namespace tacit::gnn
