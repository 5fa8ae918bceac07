// Every protocol equals its definition, for several numbers of parties, rings and unusual shapes.
// run_parties checks on every run that measured costs equal stated costs.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "mpc/protocols/add_public.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/decide.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/look_up.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/pair_differences.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/reveal.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"
#include "mpc/protocols/winner.h"
#include "mpc/session/local.h"
#include "tests/mpc/gathered_correlations.h"
#include "tests/mpc/run_program.h"
#include "tests/sanitized.h"

namespace tacit::mpc {
namespace {

constexpr Shape kShapes[] = {{0, 3}, {1, 1}, {1, 65}, {3, 0}, {7, 5}, {64, 1}, {129, 3}};

struct Ring {
  int k;
  int f;
};
constexpr Ring kRings[] = {{64, 16}, {64, 13}, {56, 13}, {48, 12}};

// Whole units, uniform between -largest and largest, including the edges and values around zero.
Matrix sample(Shape shape, double largest, unsigned seed) {
  Matrix values(shape.rows, shape.cols);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-largest, largest);
  const double special[] = {largest, -largest, 0, 1, -1};
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    values.data()[i] = i < 10 && i % 2 == 0 ? special[i / 2] : std::trunc(uniform(random));
  }
  return values;
}

Share shared(Session& session, const Matrix& values, Format format, int owner = 0) {
  return input(session, owner, shape_of(values), format, &values, "values");
}

// Each case runs with a dealer, and again with a source that makes correlations from the requests
// of all parties.
struct Setting {
  int parties;
  bool dealer;
};

class Protocol : public testing::TestWithParam<Setting> {
 protected:
  static int parties() { return GetParam().parties; }
  // One run for each source: a source serves one run.
  static RunOptions options() {
    RunOptions options;
    if (!GetParam().dealer) options.source = gathered_correlations(parties());
    return options;
  }
  static Matrix revealed(const Function& function) { return revealed_by_parties(parties(), function, options()); }
  static void run(const Program& program) { run_parties(parties(), program, options()); }
};

// A sanitizer sees the same accesses for three parties as for eight.
std::vector<Setting> settings() {
  std::vector<Setting> all{{1, true}, {2, true}, {3, true}, {3, false}};
  if (kSlowdown == 1) all.insert(all.end(), {{5, true}, {8, true}, {2, false}, {5, false}});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Parties, Protocol, testing::ValuesIn(settings()), [](const auto& tested) {
  return std::to_string(tested.param.parties) + (tested.param.dealer ? "" : "WithoutDealer");
});

TEST_P(Protocol, InputByAnyOwnerRevealsAsItWas) {
  for (const Shape shape : kShapes) {
    for (const Ring ring : kRings) {
      const Matrix values = sample(shape, 1000, 1) / 8;
      for (int owner = 0; owner < parties(); ++owner) {
        EXPECT_EQ(revealed([&](Session& s) { return shared(s, values, {ring.k, ring.f}, owner); }), values);
      }
    }
  }
}

TEST_P(Protocol, RevealToOneShowsItToThatRankOnly) {
  const Matrix values = sample({5, 3}, 1000, 1);
  for (int to = 0; to < parties(); ++to) {
    run([&](Session& session, int rank) {
      const Public seen = reveal(session, shared(session, values, {51, 13}), To::rank(to), "for one");
      EXPECT_EQ(seen.shape(), (Shape{5, 3}));
      if (rank == to) {
        EXPECT_EQ(value_of(seen), values);
      } else {
        EXPECT_THROW(value_of(seen), BrokenInvariant);
      }
      ASSERT_EQ(session.reveals().size(), 1U);
      EXPECT_EQ(session.reveals()[0].reason, "for one");
      EXPECT_EQ(session.reveals()[0].elements, 15);
    });
  }
}

TEST_P(Protocol, ProductsAreExactBeforeTheyAreDropped) {
  for (const Shape shape : kShapes) {
    for (const Ring ring : kRings) {
      const Matrix x = sample(shape, 1 << 10, 1), y = sample(shape, 1 << 8, 2);
      const auto program = [&](Session& s) {
        const std::vector<Share> both{shared(s, x, {ring.k, 2}), shared(s, y, {ring.k - 3, 4}, s.parties() - 1)};
        const std::vector<Masked> masked = mask(s, both);
        return product(s, masked[0], masked[1]);
      };
      EXPECT_EQ(revealed(program), x.cwiseProduct(y));
    }
  }
}

TEST_P(Protocol, MatrixProductsAreExactWithEitherOperandTransposed) {
  struct Sizes {
    std::int64_t m, k, n;
  };
  for (const Sizes size : {Sizes{0, 3, 2}, {1, 1, 1}, {3, 0, 2}, {17, 5, 1}, {1, 130, 9}, {33, 64, 7}}) {
    for (const bool turn_x : {false, true}) {
      for (const bool turn_y : {false, true}) {
        const Matrix x = sample({size.m, size.k}, 1 << 10, 1), y = sample({size.k, size.n}, 1 << 10, 2);
        const Matrix stored_x = turn_x ? Matrix(x.transpose()) : x, stored_y = turn_y ? Matrix(y.transpose()) : y;
        const auto program = [&](Session& s) {
          const Masked mx = mask(s, shared(s, stored_x, {64, 0})), my = mask(s, shared(s, stored_y, {48, 0}));
          return matmul(s, turn_x ? mx.transposed() : mx, turn_y ? my.transposed() : my);
        };
        EXPECT_EQ(revealed(program), x * y);
      }
    }
  }
}

TEST_P(Protocol, ElementwiseProductsTakeTransposedOperands) {
  const Matrix x = sample({5, 7}, 100, 1), y = sample({7, 5}, 100, 2);
  const auto program = [&](Session& s) {
    const Masked mx = mask(s, shared(s, x, {64, 0})), my = mask(s, shared(s, y, {64, 0}));
    return product(s, mx, my.transposed());
  };
  EXPECT_EQ(revealed(program), x.cwiseProduct(y.transpose()));
}

TEST_P(Protocol, DropIsWithinOneUnitForTwoPartiesAndHalfNBeyond) {
  const double bound = std::max(1.0, parties() / 2.0);
  for (const Ring ring : kRings) {
    for (const int bits : {0, 1, 2, ring.f}) {
      const Matrix units = sample({100, 50}, std::ldexp(1.0, std::min(ring.k - 2, 52)) - 1, 3);
      const Matrix values = units * std::ldexp(1.0, -ring.f);
      const auto program = [&](Session& s) { return drop(s, shared(s, values, {ring.k, ring.f}), bits); };
      const Matrix error = (revealed(program) - values) * std::ldexp(1.0, ring.f - bits);
      EXPECT_LE(error.cwiseAbs().maxCoeff(), bound) << "k " << ring.k << ", " << bits << " bits";
      const Matrix in_the_clear = (revealed_in_the_clear(program) - values) * std::ldexp(1.0, ring.f - bits);
      EXPECT_LT(in_the_clear.cwiseAbs().maxCoeff(), 1);
    }
  }
}

TEST_P(Protocol, LiftIsExactOnTheWholeRange) {
  for (const int k : {3, 20, 38, 51, 63, 64}) {
    for (const int wide : {k, std::min(k + 1, 64), 64}) {
      const Matrix units = sample({40, 9}, std::min(std::ldexp(1.0, k - 2) - 1, std::ldexp(1.0, 52)), 4);
      const auto program = [&](Session& s) { return lift(s, show(s, shared(s, units, {k, 0})), wide); };
      EXPECT_EQ(revealed(program), units) << "from " << k << " to " << wide;
    }
  }
}

TEST_P(Protocol, WhatWasShownIsAMaskedForm) {
  const Matrix x = sample({9, 4}, 1000, 1), y = sample({4, 6}, 1000, 2);
  const auto program = [&](Session& s) {
    const std::vector<Share> both{shared(s, x, {51, 0}), shared(s, y, {38, 0})};
    const std::vector<Shown> shown = show(s, both);
    return matmul(s, masked(s, shown[0]), masked(s, shown[1]));
  };
  EXPECT_EQ(revealed(program), x * y);
}

TEST_P(Protocol, SignAndSelectionAreExactOnTheWholeRange) {
  for (const int k : {6, 35, 51, 63, 64}) {
    for (const int hi : {2, 3, k / 2, std::min(26, k - 1), k - 1}) {
      if (hi < 2 || hi > 50) continue;
      const Matrix units = sample({13, 11}, std::min(std::ldexp(1.0, hi - 1), std::ldexp(1.0, k - 2)) - 1, 5);
      for (const int wide : {k, 64}) {
        const auto program = [&](Session& s) {
          const Shown shown = show(s, shared(s, units, {k, 0}));
          return select(s, non_negative(s, shown, hi), shown, wide);
        };
        EXPECT_EQ(revealed(program), units.cwiseMax(0)) << "k " << k << " hi " << hi;
      }
    }
  }
}

TEST_P(Protocol, OneSignSelectsAgainInAnyRing) {
  const Matrix x = sample({9, 9}, 1000, 1), y = sample({9, 9}, 1000, 2), z = sample({9, 9}, 1000, 3);
  const Matrix mask = (x.array() >= 0).cast<double>();
  const auto program = [&](Session& s) {
    const std::vector<Share> all{shared(s, x, {51, 0}), shared(s, y, {38, 0}), shared(s, z, {40, 0})};
    const std::vector<Shown> shown = show(s, all);
    const Bits bits = non_negative(s, shown[0], 26);
    return select(s, bits, shown[0], 51) + select(s, bits, shown[1], 38) + select(s, bits, shown[2], 64);
  };
  EXPECT_EQ(revealed(program), (x + y + z).cwiseProduct(mask));
}

TEST_P(Protocol, ThresholdsOfOneShownValueShareWhatIsDealt) {
  const Matrix x = sample({13, 11}, 1000, 1);
  const std::vector<std::int64_t> thresholds{-1000, -3, 0, 1, 7, 999, 1000};
  Matrix expected = Matrix::Zero(13, 11);
  for (const std::int64_t at : thresholds) expected += (x.array() >= static_cast<double>(at)).cast<double>().matrix();
  const auto program = [&](Session& s) {
    const Shown shown = show(s, shared(s, x, {51, 0}));
    std::vector<Comparison> comparisons;
    for (const std::int64_t at : thresholds) comparisons.push_back({shown, 12, at});
    const std::int64_t before = s.stated().dealt_messages;
    const std::vector<Bits> bits = non_negative(s, comparisons);
    if (s.stated().rounds > 0) {
      EXPECT_EQ(s.stated().dealt_messages - before, 1 + std::ssize(thresholds));
    }
    Share count = indicator(s, bits[0], 20);
    for (std::size_t i = 1; i < bits.size(); ++i) count = count + indicator(s, bits[i], 20);
    return count;
  };
  EXPECT_EQ(revealed(program), expected);
  EXPECT_EQ(revealed_in_the_clear(program), expected);
}

TEST_P(Protocol, TheWinnerOfAllPairsIsTheFirstOfTheLargest) {
  for (const std::int64_t columns : {2, 3, 7}) {
    const Matrix x = sample({70, columns}, 3, 1), y = sample({70, columns}, 1000, 2);
    Matrix first = Matrix::Zero(70, columns);
    for (Eigen::Index row = 0; row < 70; ++row) {
      Eigen::Index largest = 0;
      x.row(row).maxCoeff(&largest);
      first(row, largest) = 1;
    }
    Matrix expected(70, 2 * columns);
    expected << first, first.cwiseProduct(y);
    for (const int ring : {20, 64}) {
      const auto program = [&](Session& s) {
        const Bits bits = non_negative(s, pair_differences(show(s, shared(s, x, {40, 0}))), 12);
        const Winner winner = mpc::winner(s, bits, mask(s, shared(s, y, {51, 0}, s.parties() - 1)), ring);
        return beside(winner.which, winner.times);
      };
      EXPECT_EQ(revealed(program), expected) << columns << " columns, ring " << ring;
      EXPECT_EQ(revealed_in_the_clear(program), expected);
    }
  }
}

TEST_P(Protocol, RowsOfAColumnAreComparedWithThoseFromTheFirstOn) {
  const Matrix x = sample({9, 1}, 3, 1);
  for (const auto& [begin, end] : {std::pair{0, 9}, std::pair{2, 5}, std::pair{8, 9}}) {
    Matrix expected(end - begin, 2 * (9 - begin));
    for (Eigen::Index a = begin; a < end; ++a) {
      for (Eigen::Index b = begin; b < 9; ++b) {
        expected(a - begin, b - begin) = x(a, 0) >= x(b, 0) ? 1 : 0;
        expected(a - begin, 9 - begin + b - begin) = x(a, 0) > x(b, 0) ? 1 : 0;
      }
    }
    const auto program = [&, first = begin, last = end](Session& s) {
      const Shown differences = differences_from(show(s, shared(s, x, {40, 0})), first, last);
      const std::vector<Bits> bits =
          non_negative(s, std::array{Comparison{differences, 12, 0}, Comparison{differences, 12, 1}});
      return beside(indicator(s, bits[0], 20), indicator(s, bits[1], 20));
    };
    EXPECT_EQ(revealed(program), expected) << begin << " to " << end;
    EXPECT_EQ(revealed_in_the_clear(program), expected);
  }
}

TEST_P(Protocol, ALookUpIsTheTableAndItsProductsWithFactors) {
  const CellTable squares = CellTable::of_values(6, [](std::int64_t v) { return static_cast<double>(v * v); });
  const Matrix x = sample({7, 5}, 15, 3), y = sample({7, 5}, 1000, 4), z = sample({5, 7}, 500, 5);
  const auto program = [&](Session& s) {
    const std::array shares{shared(s, x, {6, 0}), shared(s, y, {40, 0}, s.parties() - 1), shared(s, z, {30, 0})};
    const std::vector<Masked> masked = mask(s, shares);
    const std::array factors{masked[1], masked[2].transposed()};
    const std::vector<Share> found = look_up(s, masked[0], squares, 34, factors);
    return beside(std::vector{narrow(found[0], 30), narrow(found[1], 30), found[2]});
  };
  Matrix expected(7, 15);
  const Matrix f = x.unaryExpr([](double v) { return std::pow(v < 0 ? v + 64 : v, 2); });
  expected << f, f.cwiseProduct(y), f.cwiseProduct(z.transpose());
  EXPECT_EQ(revealed(program), expected);
}

TEST_P(Protocol, AnIndicatorAfterASelectionIsFree) {
  const Matrix x = sample({13, 11}, 1000, 1);
  const auto program = [&](Session& s) {
    const Shown shown = show(s, shared(s, x, {51, 0}));
    const Bits bits = non_negative(s, shown, 26);
    const Share selected = select(s, bits, shown, 51);
    const std::int64_t before = s.stated().dealt_bytes;
    const Share indicator = mpc::indicator(s, bits, 51);
    EXPECT_EQ(s.stated().dealt_bytes, before);
    return selected + indicator;
  };
  EXPECT_EQ(revealed(program), Matrix(x.cwiseMax(0) + (x.array() >= 0).cast<double>().matrix()));
}

TEST_P(Protocol, ManyComparisonsShareTheirRounds) {
  const Matrix x = sample({9, 9}, 1000, 1), y = sample({70, 3}, 1000, 2);
  run([&](Session& session, int rank) {
    const std::vector<Share> both{shared(session, x, {51, 0}), shared(session, y, {20, 0})};
    const std::vector<Shown> shown = show(session, both);
    const std::int64_t rounds = session.stated().rounds;
    const std::vector<Comparison> comparisons{{shown[0], 26}, {shown[1], 12}};
    const std::vector<Bits> bits = non_negative(session, comparisons);
    if (rank < parties()) {
      EXPECT_EQ(session.stated().rounds - rounds, parties() > 1 ? 2 : 0);
    }
    const Public h = reveal(session, select(session, bits[1], shown[1], 20), To::everyone(), "h");
    if (rank < parties()) {
      EXPECT_EQ(value_of(h), y.cwiseMax(0));
    }
  });
}

TEST_P(Protocol, ADecisionIsRankZerosAndReachesEveryRankAndTheDealer) {
  const Matrix x = sample({1, 1}, 1000, 1);
  for (const bool outcome : {false, true}) {
    run([&](Session& session, int) {
      const Public seen = reveal(session, shared(session, x, {51, 0}), To::rank(0), "loss");
      EXPECT_EQ(decide(
                    session, [&] { return (value_of(seen)(0, 0) == x(0, 0)) == outcome; }, "stop early"),
                outcome);
      EXPECT_EQ(session.decisions().at(0).count, 1);
    });
  }
}

TEST_P(Protocol, LocalAlgebraEqualsPlainAlgebra) {
  const Matrix x = sample({9, 4}, 1000, 1), y = sample({9, 4}, 1000, 2);
  const auto program = [&](Session& s) {
    const Share a = shared(s, x, {51, 2}), b = shared(s, y, {64, 2}, s.parties() - 1);
    const Share sum = add_public(s, scale(a + b - -b, 3, 0), 5);
    return transposed(beside(columns(sum, 1, 3), repeat_cols(row_sums(a), 2)) +
                      repeat_rows(column_sums(refine(narrow(b, 40), 2)), 9));
  };
  const Matrix sum = 3 * (x + 2 * y) + Matrix::Constant(9, 4, 5);
  Matrix expected(9, 4);
  expected << sum.middleCols(1, 2), x.rowwise().sum().replicate(1, 2);
  expected += y.colwise().sum().replicate(9, 1);
  EXPECT_EQ(revealed(program), Matrix(expected.transpose()));
  EXPECT_EQ(revealed_in_the_clear(program), Matrix(expected.transpose()));
}

TEST_P(Protocol, MaskedValuesBesideEachOtherMultiplyAsIfMaskedTogether) {
  const Matrix x = sample({9, 4}, 1000, 1), y = sample({9, 3}, 1000, 2);
  Matrix both(9, 7);
  both << x, y;
  const auto program = [&](Session& s) {
    const std::vector<Masked> masked =
        mask(s, std::vector{shared(s, x, {51, 0}), shared(s, y, {64, 0}, s.parties() - 1)});
    const Masked all = beside(masked);
    EXPECT_EQ(all.ring_bits(), 51);
    return matmul(s, all.transposed(), all);
  };
  EXPECT_EQ(revealed(program), Matrix(both.transpose() * both));
  EXPECT_EQ(revealed_in_the_clear(program), Matrix(both.transpose() * both));
}

TEST_P(Protocol, RowsOfAMaskedValueMultiplyAsIfMaskedAlone) {
  const Matrix x = sample({9, 4}, 1000, 1), y = sample({4, 4}, 1000, 2), m = sample({9, 4}, 50, 3);
  for (const auto& [begin, end] : {std::pair<std::int64_t, std::int64_t>{0, 3}, {3, 7}, {8, 9}, {4, 4}, {0, 9}}) {
    const Matrix some = x.middleRows(begin, end - begin), factors = m.topRows(end - begin);
    const auto masked_rows = [&, begin = begin, end = end](Session& s) {
      const Masked all = mask(s, shared(s, x, {51, 0}));
      const Cost before = s.stated();
      const Masked rows = all.rows(0, end).rows(begin, end);
      EXPECT_EQ(rows.shape(), (Shape{end - begin, 4}));
      EXPECT_EQ(s.stated(), before);
      return rows;
    };
    const auto by_columns = [&](Session& s) {
      const Masked rows = masked_rows(s), scaled = product(PublicMatrix(factors, 0, "m"), rows, s.workers());
      return beside(matmul(s, rows.transposed(), rows), matmul(s, scaled.transposed(), rows));
    };
    const auto by_rows = [&](Session& s) {
      const Masked rows = masked_rows(s), right = mask(s, shared(s, y, {64, 0}, s.parties() - 1));
      return beside(matmul(s, rows, right.transposed()), product(s, rows, rows));
    };
    Matrix columns(4, 8), rows(end - begin, 8);
    columns << some.transpose() * some, some.cwiseProduct(factors).transpose() * some;
    rows << some * y.transpose(), some.cwiseProduct(some);
    EXPECT_EQ(revealed(by_columns), columns);
    EXPECT_EQ(revealed_in_the_clear(by_columns), columns);
    EXPECT_EQ(revealed(by_rows), rows);
    EXPECT_EQ(revealed_in_the_clear(by_rows), rows);
  }
}

TEST_P(Protocol, PublicMatricesTimesSharesCostNothing) {
  const Matrix m = sample({9, 6}, 50, 1) / 4, x = sample({6, 5}, 1000, 2) / 8, y = sample({1, 9}, 1000, 3) / 8;
  const PublicMatrix dense(m, 2, "m");
  SparseMatrix sparse{.shape = {9, 6}, .row_begin = {0}, .cols = {}, .values = {}, .fraction_bits = 2};
  for (std::int64_t r = 0; r < 9; ++r) {
    for (std::int32_t c = 0; c < 6; c += 2) {
      sparse.cols.push_back(c);
      sparse.values.push_back(static_cast<std::uint64_t>(static_cast<std::int64_t>(4 * m(r, c))));
    }
    sparse.row_begin.push_back(sparse.entries());
  }
  Matrix every_other = m;
  for (int c = 1; c < 6; c += 2) every_other.col(c).setZero();
  const auto program = [&](Session& s) {
    const Share a = shared(s, x, {51, 3}), b = shared(s, y, {64, 3}, s.parties() - 1);
    const Cost before = s.stated();
    const Share left = matmul(dense, a, s.workers()), thinned = matmul(sparse, a, s.workers());
    const Share right = matmul(b, dense, s.workers());
    const Share scaled = product(dense, repeat_rows(right, 9), s.workers());
    EXPECT_EQ(s.stated(), before);
    return beside(refine(left + thinned, scaled.fraction_bits()), scaled);
  };
  Matrix expected(9, 11);
  expected << (m + every_other) * x, m.cwiseProduct((y * m).replicate(9, 1));
  EXPECT_EQ(revealed(program), expected);
  EXPECT_EQ(revealed_in_the_clear(program), expected);
}

TEST_P(Protocol, PublicMatricesTimesWhatIsMaskedOpenNothingAnew) {
  const Matrix m = sample({6, 5}, 50, 1) / 4, x = sample({6, 5}, 1000, 2) / 8, y = sample({6, 3}, 1000, 3) / 8;
  const PublicMatrix factors(m, 2, "m");
  const auto program = [&](Session& s) {
    const std::vector<Share> both{shared(s, x, {56, 3}), shared(s, y, {64, 3}, s.parties() - 1)};
    const std::vector<Masked> masked = mask(s, both);
    const Cost before = s.stated();
    const Masked scaled = product(factors, masked[0], s.workers());
    EXPECT_EQ(s.stated(), before);
    // With another mask, and with the mask that it is made from.
    return beside(matmul(s, scaled.transposed(), masked[1]), matmul(s, scaled.transposed(), masked[0]));
  };
  Matrix expected(5, 8);
  expected << m.cwiseProduct(x).transpose() * y, m.cwiseProduct(x).transpose() * x;
  EXPECT_EQ(revealed(program), expected);
  EXPECT_EQ(revealed_in_the_clear(program), expected);
}

TEST(Protocols, RunOverEveryMeshAndEveryWayToOpen) {
  const Matrix x = sample({20, 30}, 1000, 1), y = sample({30, 10}, 1000, 2);
  const auto program = [&](Session& s) {
    const std::vector<Share> both{shared(s, x, {64, 0}), shared(s, y, {64, 0}, 1)};
    const std::vector<Masked> masked = mask(s, both);
    const Shown product = show(s, matmul(s, masked[0], masked[1]));
    return select(s, non_negative(s, product, 40), product, 64);
  };
  for (const char* mesh : {"Memory", "Tcp", "Tls"}) {
    for (const net::AllReduce openings : net::kAllReduceAlgorithms) {
      EXPECT_EQ(revealed_by_parties(3, program, {.mesh = mesh, .openings = openings}), (x * y).cwiseMax(0));
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
