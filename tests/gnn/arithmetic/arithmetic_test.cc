// Arithmetic: every result is right to the precision that was asked for, by any number of parties.
#include "gnn/arithmetic/arithmetic.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>

#include "gnn/arithmetic/default_ranges.h"
#include "gnn/arithmetic/either.h"
#include "gnn/arithmetic/over_roots.h"
#include "gnn/arithmetic/rearranged.h"
#include "gnn/arithmetic/sharing.h"
#include "mpc/session/local.h"
#include "tests/mpc/run_program.h"

namespace tacit::gnn {
namespace {

constexpr mpc::Format kTop{64, 13};
const Matrix kX{{-3, -0.25, 0, 0.5}, {1, 2.75, 15, -16}};

using Program = std::function<Tensor(Arithmetic& arithmetic, const Tensor& x)>;

Tensor shared(Arithmetic& arithmetic) {
  return share_input(arithmetic, 0, mpc::shape_of(kX), &kX, Precision::kValue, 16, "x");
}

// In units of a value, and relative to each element. 0 parties: in the clear.
void expect_near(const Program& program, const Matrix& expected, double units, double relative) {
  const mpc::Function whole = [&](mpc::Session& session) {
    Arithmetic arithmetic(session, kTop);
    return program(arithmetic, shared(arithmetic)).share();
  };
  for (const int parties : {0, 2, 3, 5}) {
    SCOPED_TRACE(parties);
    const Matrix found = parties == 0 ? mpc::revealed_in_the_clear(whole) : mpc::revealed_by_parties(parties, whole);
    ASSERT_EQ(mpc::shape_of(found), mpc::shape_of(expected));
    const double unit = units * std::max(1.0, parties / 2.0) * std::ldexp(1, -kTop.fraction_bits);
    for (Eigen::Index i = 0; i < found.size(); ++i) {
      const double wanted = expected.data()[i];
      EXPECT_NEAR(found.data()[i], wanted, unit + relative * std::abs(wanted)) << "element " << i;
    }
  }
}

TEST(Arithmetic, ScalesByAnyFactorToAUnit) {
  for (const double factor : {-0.3, 1.0 / 3, 0.03125, 1000.0}) {
    SCOPED_TRACE(factor);
    expect_near([&](Arithmetic& a, const Tensor& x) { return a.scaled(x, factor); }, factor * kX, 1,
                std::ldexp(1, -Arithmetic::kFactorBits));
  }
}

TEST(Arithmetic, ScalesToThePrecisionThatIsNamed) {
  const Arithmetic::Scaling fine{.precision = Precision::kMaster};
  expect_near([&](Arithmetic& a, const Tensor& x) { return a.scaled(x, std::ldexp(1, -9), fine); }, kX / 512,
              std::ldexp(1, -7), 0);
}

TEST(Arithmetic, MultipliesWhatWasOpenedByAnyFactorInTheTopRing) {
  for (const double factor : {-0.3, 1.0 / 3, 1e-4 / 3, 2e-7, 1000.0}) {
    SCOPED_TRACE(factor);
    const auto program = [&](Arithmetic& a, const Tensor& x) {
      const Tensor opened = a.refreshed(x);
      const std::int64_t before = a.session().stated().rounds;
      const Tensor multiple = a.multiples(std::array{opened}, factor, {.precision = Precision::kMaster}).front();
      EXPECT_EQ(multiple.format(), a.format_of(Precision::kMaster));
      EXPECT_EQ(a.session().stated().rounds, before);
      return multiple;
    };
    expect_near(program, factor * kX, std::ldexp(1, -7), std::ldexp(1, -Arithmetic::kFactorBits));
  }
}

// Bits above a declared range stay, so that the range watch sees a sum outside it.
TEST(Arithmetic, LiftsAMultipleThatWouldLeaveTooFewBitsOfTheRing) {
  for (const auto& [factor, lifts] : {std::pair{0.25, 0}, {std::ldexp(1, -20), 1}}) {
    SCOPED_TRACE(factor);
    const auto program = [&, factor = factor, lifts = lifts](Arithmetic& a, const Tensor& x) {
      const Tensor narrow(mpc::narrow(x.share(), 48), x.bound(), "narrow");
      const std::int64_t before = a.session().stated().rounds;
      const Tensor multiple = a.scaled(narrow, factor, {.least_ring = 40});
      EXPECT_GE(multiple.format().ring_bits, 40);
      EXPECT_LE(a.session().stated().rounds, before + lifts);  // the dealer states none
      return multiple;
    };
    expect_near(program, factor * kX, 1, std::ldexp(1, -Arithmetic::kFactorBits));
  }
}

// If the ring that master copies leave has no room for a product with six bits to spare, parameters are in the top ring.
TEST(Arithmetic, HasParametersInTheRingOfMasterCopiesWhereProductsFitIt) {
  const Ranges wide{.weights = 1 << 20, .activations = 1};
  for (const auto& [top, ranges, ring] : {std::tuple{mpc::Format{64, 13}, kDefaultRanges, 57},
                                          {mpc::Format{64, 13}, wide, 57},
                                          {mpc::Format{64, 20}, kDefaultRanges, 64},
                                          {mpc::Format{56, 12}, Ranges(), 49},
                                          {mpc::Format{48, 16}, kDefaultRanges, 48}}) {
    mpc::ClearSession session;
    const Arithmetic arithmetic(session, top, ranges);
    EXPECT_EQ(arithmetic.format_of(Precision::kParameter), (mpc::Format{ring, top.fraction_bits}));
  }
}

TEST(Arithmetic, MasksWhatWaitsInTheRoundOfTheNextMask) {
  const auto program = [](Arithmetic& a, const Tensor& x) {
    const Tensor other = a.scaled(x, 0.5);
    const std::int64_t before = a.session().stated().rounds;
    a.mask_with_next(std::array{x});
    EXPECT_EQ(a.session().stated().rounds, before);
    a.mask(std::array{other});
    const Tensor squares = a.squares(std::array{x}, 256)[0];
    EXPECT_LE(a.session().stated().rounds, before + 1);
    return a.rounded(squares, Precision::kValue);
  };
  expect_near(program, kX.cwiseProduct(kX), 2, std::ldexp(1, -10));
}

TEST(Arithmetic, MasksATensorOnceForAllItsParts) {
  const auto program = [](Arithmetic& a, const Tensor& x) {
    const std::int64_t before = a.session().stated().bytes;
    const Tensor first = x.part(0, 1), second = x.part(1, 2);
    const Tensor product = a.matmul({first.transposed(), second, 1 << 10, "product"});
    EXPECT_LE(a.session().stated().bytes - before, 8 * kX.size() * (a.session().parties() - 1));
    const std::int64_t rounds = a.session().stated().rounds;
    const Tensor more = a.matmul({x.transposed(), x, 1 << 10, "product"});
    EXPECT_EQ(a.session().stated().rounds, rounds);
    return a.beside(std::array{product, more}, "products");
  };
  Matrix expected(4, 8);
  expected << kX.row(0).transpose() * kX.row(1), kX.transpose() * kX;
  expect_near(program, expected, 1, 0);
}

TEST(Arithmetic, LiftsATensorOnceForAllItsParts) {
  const auto program = [](Arithmetic& a, const Tensor& x) {
    const Tensor narrow(mpc::narrow(x.share(), 30), x.bound(), "narrow");
    const Tensor first = narrow.part(0, 1), second = narrow.part(1, 2);
    const std::int64_t before = a.session().stated().rounds;
    const Tensors lifted = a.lifted(std::array{first, second});
    EXPECT_LE(a.session().stated().rounds, before + 1);
    EXPECT_EQ(lifted[0].format(), kTop);
    EXPECT_EQ(a.lifted(narrow).format(), kTop);
    EXPECT_LE(a.session().stated().rounds, before + 1) << "the whole tensor was lifted with its parts";
    return stacked(lifted);
  };
  expect_near(program, kX, 0, 0);
}

TEST(Arithmetic, AddsAsFinelyAsTheLeftOperand) {
  const auto program = [](Arithmetic& a, const Tensor& x) {
    const Tensor sum = a.sum(x, a.scaled(x, 0.25, {.precision = Precision::kMaster}));
    EXPECT_EQ(sum.format().fraction_bits, kTop.fraction_bits);
    EXPECT_EQ(sum.bound(), 20);
    return sum;
  };
  expect_near(program, 1.25 * kX, 1, 0);
}

TEST(Arithmetic, MovesARunningMeanByAPartOfTheWay) {
  const auto program = [](Arithmetic& a, const Tensor& x) {
    const Tensor mean = a.moved(a.zeros_like(x, Precision::kMean), x, 0.25);
    EXPECT_EQ(mean.format().fraction_bits, a.format_of(Precision::kMean).fraction_bits);
    return a.refreshed(a.moved(mean, x, 0.5));
  };
  expect_near(program, 0.625 * kX, std::ldexp(2, -6), 0);
}

// Quotients up to 256 leave the ring of the root fewer fraction bits.
TEST(Arithmetic, DividesByRootsOfManyTensorsAtOnce) {
  for (const double factor : {2.0, 0.001, 16.0, 256.0}) {
    SCOPED_TRACE(factor);
    const Matrix expected = factor * (kX.array() / (kX.array().square() + 1).sqrt()).matrix();
    const auto program = [&](Arithmetic& a, const Tensor& x) {
      const Tensors both{x, x.transposed().within(16)};
      const Tensors squares = a.squares(both, 256);
      const Tensors quotients = over_roots(a, {both, factor, 16 * factor}, {squares, 1, 256}, 1, factor);
      EXPECT_EQ(quotients[1].shape(), x.shape().transposed());
      return quotients[0];
    };
    expect_near(program, expected, 1, std::ldexp(1, -8));
  }
}

TEST(Arithmetic, PutsTensorsBesideEachOtherAndOpensNoneTwice) {
  const auto program = [](Arithmetic& a, const Tensor& x) {
    const Tensor narrow(mpc::narrow(x.share(), 45), x.bound(), "narrow"), other = a.scaled(x, 0.5);
    a.mask(std::array{x, narrow, other});
    const mpc::Cost before = a.session().stated();
    const Tensor both = a.beside(std::array{x, narrow, other}, "all");
    EXPECT_EQ(both.format().ring_bits, narrow.format().ring_bits);
    const Tensor squares = a.squares(std::array{both}, 256)[0];
    EXPECT_EQ((a.session().stated() - before).rounds, 0);
    return squares;
  };
  Matrix all(2, 12);
  all << kX, kX, 0.5 * kX;
  expect_near([&](Arithmetic& a, const Tensor& x) { return a.rounded(program(a, x), Precision::kValue); },
              all.cwiseProduct(all), 2, std::ldexp(1, -10));
}

TEST(Arithmetic, MasksTheOthersIfOneOfThoseBesideEachOtherIsMasked) {
  const auto program = [](Arithmetic& a, const Tensor& x) {
    a.mask(std::array{x});
    const Tensor other = a.scaled(x, -2);
    const mpc::Cost before = a.session().stated();
    const Tensor both = a.beside(std::array{other, x}, "both");
    const Tensor product = a.matmul({both.transposed(), x, 1 << 10, "product"});
    EXPECT_LE((a.session().stated() - before).rounds, 1) << "only the other tensor is opened";
    EXPECT_LE((a.session().stated() - before).bytes, 8 * kX.size() * (a.session().parties() - 1));
    return product;
  };
  Matrix both(2, 8);
  both << -2 * kX, kX;
  expect_near(program, both.transpose() * kX, 1, 0);
}

TEST(Arithmetic, LiftsAMultipleThatHasNoRoomInItsRing) {
  expect_near(
      [](Arithmetic& a, const Tensor& x) {
        const std::int64_t before = a.session().stated().rounds;
        const Tensor small = a.scaled(a.narrowed(x), std::ldexp(1, -20));
        EXPECT_LE(a.session().stated().rounds, before + 1);
        return small;
      },
      Matrix::Zero(2, 4), 1, 0);
}

TEST(Arithmetic, RefusesAFactorThatNoRingHasRoomFor) {
  mpc::ClearSession session;
  Arithmetic arithmetic(session, kTop);
  EXPECT_THROW(arithmetic.scaled(shared(arithmetic), 1e-30), ConfigError);
  EXPECT_THROW(arithmetic.scaled(shared(arithmetic), 0), ConfigError);
}

TEST(Either, IsTheOrOfAnyNumberOfMatrices) {
  for (const int count : {1, 2, 3, 5, 8}) {
    SCOPED_TRACE(count);
    std::vector<Matrix> held;
    Matrix expected = Matrix::Zero(3, 4);
    for (int i = 0; i < count; ++i) {
      held.push_back(Matrix::NullaryExpr(3, 4, [&](Eigen::Index row, Eigen::Index col) {
        return row == 0 ? 1.0 : (5 * i + 3 * row + 7 * col) % 4 == 0 ? 1.0 : 0.0;
      }));
      expected = expected.cwiseMax(held.back());
    }
    std::atomic<std::int64_t> rounds = 0;
    const mpc::Function program = [&](mpc::Session& session) {
      Arithmetic arithmetic(session, kTop);
      Tensors matrices;
      for (int i = 0; i < count; ++i) {
        const int owner = i % session.parties();
        matrices.push_back(
            share_input(arithmetic, owner, {3, 4}, &held[static_cast<std::size_t>(i)], Precision::kWhole, 1, "edges"));
      }
      const mpc::Cost before = session.stated();
      const Tensor all = either(arithmetic, matrices, "edges");
      const std::int64_t own = (session.stated() - before).rounds;  // the dealer states none
      if (own > 0) rounds = own;
      return all.share();
    };
    for (const int parties : {2, 3, 5}) {
      rounds = 0;
      EXPECT_EQ(mpc::revealed_by_parties(parties, program), expected) << parties;
      EXPECT_EQ(rounds, static_cast<std::int64_t>(std::ceil(std::log2(count))));
    }
  }
}

TEST(Rearranged, ComesBackInItsShapes) {
  expect_near(
      [](Arithmetic&, const Tensor& x) {
        const Tensors parts{x, x.transposed().within(16)};
        return shaped_like(parts, in_one_row(parts))[0];
      },
      kX, 0, 0);
  expect_near([](Arithmetic&, const Tensor& x) { return stacked(Tensors{x, x, x}); }, kX.replicate(3, 1), 0, 0);
}

}  // namespace
}  // namespace tacit::gnn
