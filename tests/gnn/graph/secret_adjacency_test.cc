#include "gnn/graph/secret_adjacency.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "gnn/arithmetic/sharing.h"
#include "tests/mpc/run_program.h"

namespace tacit::gnn {
namespace {

using mpc::Format;

// A node with an edge to every other one, a path, two nodes with only each other as neighbours, and
// an isolated node.
Edges ugly_edges(std::int64_t nodes) {
  Edges edges;
  const auto join = [&](std::int64_t a, std::int64_t b) {
    edges.from.insert(edges.from.end(), {a, b});
    edges.to.insert(edges.to.end(), {b, a});
  };
  for (std::int64_t i = 1; i < nodes - 3; ++i) join(0, i);
  for (std::int64_t i = 1; i < nodes - 4; ++i) join(i, i + 1);
  join(nodes - 3, nodes - 2);
  return edges;
}

// The two ways of an edge have weights of their own.
Edges with_weights(Edges edges) {
  for (std::size_t e = 0; e < edges.from.size(); ++e) {
    const double low = std::ldexp(1.0 + static_cast<double>((edges.from[e] + 2 * edges.to[e]) % 5), -3);
    edges.weights.push_back(e % 23 == 3 ? 1000 : e % 7 == 5 ? kLeastWeight : low);
  }
  return edges;
}

Matrix in_the_open(const Edges& edges, std::int64_t nodes, Normalisation normalisation) {
  return normalised(edges, nodes, normalisation).times(Matrix::Identity(nodes, nodes));
}

mpc::Share on_shares(mpc::Session& session, const Edges& edges, std::int64_t nodes, Normalisation normalisation,
                     std::int64_t pairs_at_once = kPairsAtOnce) {
  constexpr Format kTop{64, 13};
  Arithmetic arithmetic(session, kTop);
  const Matrix dense = dense_adjacency(edges, nodes);
  SecretEdges secret{share_input(arithmetic, 0, {nodes, nodes}, &dense, Precision::kWhole, 1, "edges"), {}};
  if (edges.weighted()) {
    const Matrix weights = dense_weights(edges, nodes);
    secret.weights = share_input(arithmetic, session.parties() - 1, {nodes, nodes}, &weights, Precision::kUnit,
                                 kMostWeight, "weights");
  }
  return normalised(arithmetic, secret, normalisation, pairs_at_once).share();
}

Matrix revealed(const Edges& edges, std::int64_t nodes, Normalisation normalisation, int parties,
                std::int64_t pairs_at_once) {
  const mpc::Function program = [&](mpc::Session& session) {
    return on_shares(session, edges, nodes, normalisation, pairs_at_once);
  };
  return parties == 0 ? revealed_in_the_clear(program) : revealed_by_parties(parties, program);
}

class SecretAdjacencies : public testing::TestWithParam<std::tuple<Normalisation, int, bool>> {
 protected:
  static void expect_right(std::int64_t nodes, std::int64_t pairs_at_once);
};

void SecretAdjacencies::expect_right(std::int64_t nodes, std::int64_t pairs_at_once) {
  const auto [normalisation, parties, weighted] = GetParam();
  const Edges edges = weighted ? with_weights(ugly_edges(nodes)) : ugly_edges(nodes);
  const Matrix expected = in_the_open(edges, nodes, normalisation);
  const Matrix found = revealed(edges, nodes, normalisation, parties, pairs_at_once);
  ASSERT_EQ(found.rows(), nodes);
  const double units = std::max(1.0, parties / 2.0) * std::ldexp(1.0, -13);
  for (std::int64_t i = 0; i < nodes; ++i) {
    for (std::int64_t j = 0; j < nodes; ++j) {
      if (expected(i, j) == 0) {
        EXPECT_EQ(found(i, j), 0) << i << ", " << j;
      } else {
        EXPECT_NEAR(found(i, j), expected(i, j), std::ldexp(expected(i, j), -8) + units) << i << ", " << j;
      }
    }
  }
}

TEST_P(SecretAdjacencies, IsThatOfTheEdgesAndZeroElsewhere) {
  for (const std::int64_t nodes : {5, 40}) expect_right(nodes, kPairsAtOnce);
}

// A large graph's rows are computed in blocks.
TEST_P(SecretAdjacencies, IsThatOfTheEdgesInBlocksOfRows) {
  expect_right(17, 17 * 7);  // blocks of 7, 7 and 3 rows
  expect_right(9, 1);        // less than a row at once: blocks of one
}

// A node with more edges than 2^12, and one with two.
TEST(SecretAdjacency, KnowsANodeWithThousandsOfNeighbours) {
  constexpr std::int64_t kNodes = 5000;
  Edges star;
  for (std::int64_t i = 1; i < kNodes - 1; ++i) {
    star.from.insert(star.from.end(), {0, i});
    star.to.insert(star.to.end(), {i, 0});
  }
  star.from.insert(star.from.end(), {1, 2});
  star.to.insert(star.to.end(), {2, 1});
  for (const Normalisation normalisation : {Normalisation::kSymmetric, Normalisation::kMean}) {
    const Adjacency expected = normalised(star, kNodes, normalisation);
    const Matrix found = mpc::revealed_in_the_clear(
        [&](mpc::Session& session) { return on_shares(session, star, kNodes, normalisation); });
    std::int64_t wrong = 0;
    for (std::int64_t row = 0; row < kNodes; ++row) {
      const auto begin = static_cast<std::size_t>(expected.row_begin[static_cast<std::size_t>(row)]);
      const auto end = static_cast<std::size_t>(expected.row_begin[static_cast<std::size_t>(row) + 1]);
      for (std::size_t e = begin; e < end; ++e) {
        const double value = expected.values[e];
        if (std::abs(found(row, expected.cols[e]) - value) > std::ldexp(value, -8) + std::ldexp(1.0, -12)) ++wrong;
      }
    }
    EXPECT_EQ(wrong, 0) << "of " << expected.entries();
    EXPECT_EQ((found.array() != 0).count(), expected.entries());
  }
}

TEST(SecretAdjacency, InvertsWholeNumbersUpToAMillion) {
  Matrix degrees(9, 1);
  degrees << 1, 2, 3, 5, 100, 4095, 4097, 100000, 1 << 20;
  for (const int parties : {0, 2, 3, 5}) {
    for (const bool root : {false, true}) {
      const mpc::Function program = [&](mpc::Session& session) {
        Arithmetic arithmetic(session, {48, 8});
        const Tensor x = share_input(arithmetic, 0, {9, 1}, &degrees, Precision::kWhole, 1 << 20, "degrees");
        return (root ? inverse_root_of_whole(arithmetic, x) : reciprocal_of_whole(arithmetic, x)).share();
      };
      const Matrix found =
          parties == 0 ? mpc::revealed_in_the_clear(program) : mpc::revealed_by_parties(parties, program);
      const double unit = std::ldexp(std::max(1.0, parties / 2.0), root ? -16 : -33);
      for (Eigen::Index i = 0; i < degrees.rows(); ++i) {
        const double expected = root ? 1 / std::sqrt(degrees(i, 0)) : 1 / degrees(i, 0);
        EXPECT_NEAR(found(i, 0), expected, std::ldexp(expected, -9) + unit)
            << degrees(i, 0) << (root ? ", root, " : ", ") << parties << " parties";
      }
    }
  }
}

TEST(SecretAdjacency, TakesAsManyRoundsAsStated) {
  for (const Normalisation normalisation : {Normalisation::kSymmetric, Normalisation::kMean}) {
    for (const bool weighted : {false, true}) {
      for (const int blocks : {1, 3}) {
        const std::int64_t at_once = 12 * (12 / blocks);
        const int once = !weighted ? 7 : normalisation == Normalisation::kMean ? 8 : 9;
        const int block = !weighted ? 2 : 3;
        mpc::run_parties(3, [&](mpc::Session& session, int rank) {
          on_shares(session, weighted ? with_weights(ugly_edges(12)) : ugly_edges(12), 12, normalisation, at_once);
          if (rank >= 0 && rank < 3) {
            EXPECT_EQ(session.stated().rounds, once + (blocks - 1) * block) << rank << ", " << blocks << " blocks";
          }
        });
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Parties, SecretAdjacencies,
                         testing::Combine(testing::Values(Normalisation::kSymmetric, Normalisation::kMean,
                                                          Normalisation::kSum),
                                          testing::Values(0, 1, 2, 3, 5), testing::Bool()));

}  // namespace
}  // namespace tacit::gnn
