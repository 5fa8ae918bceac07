// Polynomials of shown values are exact in every ring, and cost as much as their card states.
#include "mpc/protocols/lifted_polynomial.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mpc/correlations/dealt_message.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/lifted_product.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"
#include "net/collectives/pack.h"
#include "tests/mpc/gathered_correlations.h"
#include "tests/mpc/run_program.h"

namespace tacit::mpc {
namespace {

struct Sample {
  std::vector<int> rings;  // the rings of the shown values
  std::vector<Polynomial> polynomials;
};

std::vector<Sample> samples() {
  return {
      {{22, 29}, {{{{1, {0, 1}}}, {53, 0}}}},
      {{13}, {{{{5 << 18, {0}}, {-3 << 10, {0, 0}}, {1, {0, 0, 0}}}, {33, 0}}}},
      {{13, 23, 17},
       {{{{-1, {1, 0}}, {512, {1}}}, {33, 0}},
        {{{1536, {2}}, {-1, {0, 2}}}, {27, 0}},
        {{{7, {0}}, {1, {}}, {-12345, {0, 1, 2}}}, {60, 0}},
        {{{3, {1}}}, {23, 0}}}},
      {{9, 6}, {{{{1, {0, 0, 1}}, {-9, {1, 1, 1}}, {1 << 20, {}}}, {64, 0}}}},
      {{64, 30}, {{{{1, {0, 1}}, {1, {0}}}, {64, 0}}, {{{3, {0}}, {-5, {1, 1}}}, {11, 0}}}},
      {{4}, {{{{1, {0, 0, 0}}}, {3, 0}}, {{{1 << 4, {0}}}, {5, 0}}}},  // the wraps have no place in these rings
  };
}

Matrix whole_numbers(Shape shape, int k, unsigned seed) {
  const double most = std::ldexp(1.0, std::min(k - 2, 50)) - 1;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-most, most);
  Matrix values = Matrix::Zero(shape.rows, shape.cols).unaryExpr([&](double) { return std::round(uniform(random)); });
  if (values.size() > 2) values(0, 0) = most, values(1, 0) = -most;
  return values;
}

// Every polynomial's value, modulo its ring; as a double it has 53 bits, so only the low 40 are compared.
constexpr int kCompared = 40;

Matrix expected(const Polynomial& polynomial, const std::vector<Matrix>& values) {
  const int ring = std::min(polynomial.format.ring_bits, kCompared);
  Matrix result = values.front();
  for (Eigen::Index i = 0; i < result.size(); ++i) {
    std::uint64_t sum = 0;
    for (const Monomial& term : polynomial.terms) {
      auto word = static_cast<std::uint64_t>(term.coefficient);
      for (const int f : term.factors) {
        word *= static_cast<std::uint64_t>(std::llround(values[static_cast<std::size_t>(f)].data()[i]));
      }
      sum += word;
    }
    result.data()[i] = static_cast<double>(signed_value(sum & low_bits(ring), ring));
  }
  return result;
}

TEST(LiftedPolynomials, AreExactInEveryRing) {
  for (const Sample& sample : samples()) {
    for (const Shape shape : {Shape{0, 1}, Shape{1, 1}, Shape{65, 3}, Shape{1100, 1}}) {
      std::vector<Matrix> values;
      for (const int k : sample.rings) values.push_back(whole_numbers(shape, k, static_cast<unsigned>(k)));
      for (std::size_t p = 0; p < sample.polynomials.size(); ++p) {
        SCOPED_TRACE(testing::Message() << sample.rings.front() << " bits, polynomial " << p << ", " << shape.rows
                                        << " rows");
        const Function program = [&](Session& s) {
          std::vector<Share> shares;
          for (std::size_t v = 0; v < values.size(); ++v) {
            shares.push_back(input(s, v % 2 == 0 ? 0 : s.parties() - 1, shape, {sample.rings[v], 0}, &values[v], "x"));
          }
          const std::vector<Shown> shown = show(s, shares);
          const Cost before = s.stated();
          const std::vector<Share> results = lifted_polynomials(s, shown, sample.polynomials);
          EXPECT_EQ((s.stated() - before).rounds, 0);
          EXPECT_EQ((s.stated() - before).bytes, 0);
          EXPECT_EQ(results[p].format(), sample.polynomials[p].format);
          return narrow(results[p], std::min(results[p].ring_bits(), kCompared));
        };
        const Matrix wanted = expected(sample.polynomials[p], values);
        EXPECT_EQ(revealed_in_the_clear(program), wanted);
        for (const int parties : {1, 2, 3, 5}) EXPECT_EQ(revealed_by_parties(parties, program), wanted);
        for (const int parties : {2, 3}) {
          RunOptions options;
          options.source = gathered_correlations(parties);
          EXPECT_EQ(revealed_by_parties(parties, program, options), wanted);
        }
      }
    }
  }
}

// The dealt bits of an element.
std::int64_t dealt_bits(const std::vector<int>& rings, const std::vector<Polynomial>& polynomials) {
  constexpr std::int64_t kElements = 64 * 8;
  std::int64_t dealt = 0;
  run_parties(2, [&](Session& s, int) {
    std::vector<Share> shares;
    const Matrix zeros = Matrix::Zero(kElements, 1);
    for (const int k : rings) shares.push_back(input(s, 0, {kElements, 1}, {k, 0}, &zeros, "x"));
    const std::vector<Shown> shown = show(s, shares);
    const Cost before = s.stated();
    lifted_polynomials(s, shown, polynomials);
    const Cost cost = s.stated() - before;
    if (s.parties() == 2 && cost.dealt_messages > 0) {
      dealt = (cost.dealt_bytes / cost.dealt_messages - kDealtTagBytes) * 8 / kElements;
    }
  });
  return dealt;
}

TEST(LiftedPolynomials, DealEachProductOfMasksOnceInTheNarrowestRing) {
  const auto product = [](int k, int l, int wide) { return wide + 3 * (wide - k) + 3 * (wide - l); };
  EXPECT_EQ(dealt_bits({22, 29}, {{{{1, {0, 1}}}, {53, 0}}}), product(22, 29, 53) + 53 - 22 - 29);
  // A multiple of 2^5 needs 5 bits less of each product.
  EXPECT_EQ(dealt_bits({22, 29}, {{{{1 << 5, {0, 1}}}, {53, 0}}}), product(22, 29, 48));
  // A second polynomial of the same product in a narrower ring needs nothing else; a lift of one factor neither.
  EXPECT_EQ(dealt_bits({22, 29}, {{{{1, {0, 1}}}, {48, 0}}, {{{3, {0, 1}}}, {40, 0}}, {{{1, {0}}}, {48, 0}}}),
            product(22, 29, 48));
  // A square: over, sigma and their product with rho once; twice C·rho saves a bit of `over` and of sigma.
  EXPECT_EQ(dealt_bits({13}, {{{{1, {0, 0}}}, {31, 0}}}), (31 - 13 - 1) + (31 - 13 - 1) + 31 + (31 - 13 - 1));
  EXPECT_EQ(dealt_bits({13}, {{{{1, {}}}, {31, 0}}}), 0);
  EXPECT_EQ(dealt_bits({13}, {{{{1, {0}}}, {13, 0}}}), 0);
}

}  // namespace
}  // namespace tacit::mpc
