// The factor of clipping is min(1, C/|g|) within its error, in every ring, and costs as much as its card states.
#include "mpc/functions/clip_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "mpc/correlations/dealt_message.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/reveal.h"
#include "net/error.h"
#include "tests/mpc/functions/clip_records.h"
#include "tests/mpc/functions/evaluate.h"
#include "tests/mpc/functions/plain_layers.h"

namespace tacit::mpc {
namespace {

// s·max(1, |g|/C) of each record.
Matrix relative(const Matrix& factor, const Layers& layers, const Clip& clip) {
  const Matrix length = squared_gradients(layers).cwiseSqrt() * std::ldexp(1.0, -clip.log_clip);
  return factor.cwiseProduct(length.cwiseMax(1));
}

struct Case {
  Ring ring;
  Clip clip;
};
constexpr Case kCases[] = {{{64, 13}, {2, 7, 19}}, {{64, 13}, {-1, 7, 19}}, {{64, 16}, {0, 6, 19}},
                           {{64, 12}, {3, 3, 12}}, {{56, 13}, {-3, 5, 16}}, {{48, 12}, {-4, 3, 11}}};

// |g|² <= C²·4^octaves for layers of two columns on either side.
Layers layers_within(const Clip& clip, std::int64_t rows, unsigned seed) {
  const double most = std::exp2(clip.log_clip + clip.octaves - 2) / 2;
  return {{rows_of_all_lengths({rows, 2}, 1, seed), rows_of_all_lengths({rows, 2}, most, seed + 1), true},
          {rows_of_all_lengths({rows, 2}, 1, seed + 2), rows_of_all_lengths({rows, 2}, most, seed + 3), false}};
}

Function factor_of(const Layers& layers, const Case& tested) {
  return [&, tested](Session& session) {
    return clip_factor(session, masked_layers(session, layers, {tested.ring.k, tested.ring.f}), tested.clip,
                       tested.ring.k);
  };
}

TEST(ClipFactor, IsTheRootOfTheLengthInEveryRing) {
  for (const Case& tested : kCases) {
    const Layers layers = layers_within(tested.clip, 300, 1);
    const double unit = std::ldexp(1.0, -tested.clip.factor_bits);
    const Matrix clear = relative(revealed_in_the_clear(factor_of(layers, tested)), layers, tested.clip);
    for (const int parties : {0, 1, 2, 3, 5, 8}) {
      const Matrix seen =
          parties == 0 ? clear : relative(revealed_by_parties(parties, factor_of(layers, tested)), layers, tested.clip);
      EXPECT_LE(seen.maxCoeff(), 1);
      // The median, since the lengths of some records are rounded up to far more than they are.
      std::vector<double> sorted(seen.data(), seen.data() + seen.size());
      std::sort(sorted.begin(), sorted.end());
      EXPECT_GE(sorted[150], 0.99 - (parties + 2) * unit * std::exp2(tested.clip.octaves - 1)) << tested.ring.k;
      EXPECT_LE((seen - clear).cwiseAbs().mean(), 0.02 + (parties + 2) * unit * std::exp2(tested.clip.octaves - 1));
    }
  }
}

TEST(ClipFactor, HasNoRingForLengthsWithoutABound) {
  EXPECT_EQ(ring_of_squares(2, 26), ring_of_squares(5.9, 26));
  EXPECT_GT(ring_of_squares(std::numeric_limits<double>::infinity(), 26), kWordBits);
  EXPECT_GT(ring_of_squares(std::numeric_limits<double>::quiet_NaN(), 26), kWordBits);
}

TEST(ClipFactor, TakesAnyShapeAndNumberOfLayers) {
  const Case usual{{64, 13}, {2, 7, 19}};
  const std::vector<Layers> batches{{{Matrix(0, 3), Matrix(0, 2)}},
                                    {{rows_of_all_lengths({1, 1}, 1, 1), rows_of_all_lengths({1, 1}, 5, 2)}},
                                    {{rows_of_all_lengths({7, 50}, 1, 1), rows_of_all_lengths({7, 1}, 5, 2), false}},
                                    {{rows_of_all_lengths({65, 1}, 1, 1), rows_of_all_lengths({65, 129}, 5, 2)}},
                                    {{rows_of_all_lengths({9, 3}, 1, 1), rows_of_all_lengths({9, 4}, 5, 2)},
                                     {rows_of_all_lengths({9, 4}, 3, 3), rows_of_all_lengths({9, 5}, 5, 4)},
                                     {rows_of_all_lengths({9, 5}, 1, 5), rows_of_all_lengths({9, 1}, 1, 6)}}};
  for (const Layers& layers : batches) {
    for (const int parties : {1, 2, 3, 5, 8}) {
      const Matrix seen = revealed_by_parties(parties, factor_of(layers, usual));
      ASSERT_EQ(seen.rows(), layers[0].inputs.rows());
      if (seen.rows() == 0) continue;
      const Matrix length = relative(seen, layers, usual.clip);
      EXPECT_LE(length.maxCoeff(), 1);
      EXPECT_GE(length.minCoeff(), 0.99);
    }
  }
}

// Bytes and rounds of the card, for the network 9-50-1 and a batch of 256: no packing rounds up.
TEST(ClipFactor, CostsWhatItsCardStates) {
  constexpr std::int64_t kBatch = 256, kK = 31, kW = 38, kP = 53, kF = 19;
  // |x|² <= 9, |d|² <= 1423, |a|² <= 80000, |d|² <= 1.8, with 16 fraction bits.
  constexpr std::int64_t kShown[2][2] = {{22, 29}, {35, 20}};
  const std::vector<int> groups = comparison_groups(kK - 2);
  const std::int64_t m = std::ssize(groups), j = kClip.octaves;
  std::mt19937_64 random(1);
  const Records records = clip_records(RecordKind::kRandom, kBatch, random);
  for (const int parties : {2, 3, 5}) {
    run_parties(parties, [&](Session& session, int rank) {
      const std::vector<LayerRecords> layers = masked_records(session, records);
      const Cost before = session.stated();
      clip_factor(session, layers, kClip, kWordBits);
      if (rank >= parties) return;
      const Cost cost = session.stated() - before;
      EXPECT_EQ(cost.rounds, 6);
      std::int64_t sent = kK + 2 * m * j + 14 + kW + kF + 3;
      for (const auto& [a, d] : kShown) sent += a + d;
      EXPECT_EQ(cost.bytes, (parties - 1) * kBatch * sent / 8);
      std::int64_t dealt = 1 + j * ((1 << m) + (1 << (m - 1)) - 2);
      for (const auto& [a, d] : kShown) {
        dealt += 2 * 64 + kP + 3 * (kP - a) + 3 * (kP - d) + std::max<std::int64_t>(0, kP - a - d);
      }
      for (const int size : groups) dealt += (1 << size) - 1;
      dealt += j * (kW + kK) + 2 * 32 * kW + 2 * (64 - kF - 3);
      EXPECT_EQ(cost.dealt_bytes, kBatch * dealt / 8 + kDealtTagBytes * cost.dealt_messages);
    });
  }
}

// Every third row is empty.
Matrix counted_rows(std::int64_t rows) {
  Matrix counted = Matrix::Ones(rows, 1);
  for (std::int64_t row = 0; row < rows; row += 3) counted(row, 0) = 0;
  return counted;
}

// The other rows have the same factor as without empty rows, up to the drops of both.
TEST(ClipFactor, IsExactlyZeroForAnEmptyRow) {
  const Case usual{{64, 13}, {2, 7, 19}};
  const Layers layers = layers_within(usual.clip, 100, 1);
  const Matrix rows = counted_rows(100);
  const Function with_empty_rows = [&](Session& session) {
    const Share counted = input(session, session.parties() - 1, {100, 1}, {64, 0}, &rows, "counted");
    return clip_factor(session, masked_layers(session, layers, {64, 13}), usual.clip, 64, &counted);
  };
  const Matrix all = revealed_in_the_clear(factor_of(layers, usual));
  for (const int parties : {0, 1, 2, 3, 5, 8}) {
    const Matrix seen =
        parties == 0 ? revealed_in_the_clear(with_empty_rows) : revealed_by_parties(parties, with_empty_rows);
    for (std::int64_t row = 0; row < 100; ++row) {
      if (rows(row, 0) == 0) {
        EXPECT_EQ(seen(row, 0), 0) << row;
      } else {
        EXPECT_NEAR(seen(row, 0), all(row, 0), 0.02 * all(row, 0) + std::ldexp(2 * parties + 4, -19)) << row;
      }
    }
  }
}

TEST(ClipFactor, CostsWhatItsCardStatesWithEmptyRows) {
  constexpr std::int64_t kBatch = 256;
  std::mt19937_64 random(1);
  const Records records = clip_records(RecordKind::kRandom, kBatch, random);
  const Matrix rows = counted_rows(kBatch);
  const std::vector<int> groups = comparison_groups(2);
  const std::int64_t m = std::ssize(groups);
  run_parties(2, [&](Session& session, int rank) {
    const std::vector<LayerRecords> layers = masked_records(session, records);
    const Share counted = input(session, 0, {kBatch, 1}, {64, 0}, &rows, "counted");
    const Cost before = session.stated();
    clip_factor(session, layers, kClip, kWordBits);
    const Cost middle = session.stated();
    clip_factor(session, layers, kClip, kWordBits, &counted);
    if (rank >= 2) return;
    const Cost more = (session.stated() - middle) - (middle - before);
    EXPECT_EQ(more.rounds, 0);
    EXPECT_EQ(more.bytes, kBatch * (4 + 2 * m) / 8);
    std::int64_t dealt = 1 + (1 << m) + (1 << (m - 1)) - 2 + 2 * 64 + 2 * (64 - 19 - 3);
    for (const int size : groups) dealt += (1 << size) - 1;
    EXPECT_EQ(more.dealt_bytes - kDealtTagBytes * more.dealt_messages, kBatch * dealt / 8);
  });
}

TEST(ClipFactor, RefusesARingThatIsTooNarrow) {
  const Layers layers = layers_within(kClip, 3, 1);
  ClearSession session;
  std::vector<LayerRecords> records = masked_layers(session, layers, {48, 13});
  records[0].squared = {80000, 1 << 18};
  EXPECT_NO_THROW(clip_factor(session, records, kClip, 48));
  for (LayerRecords& layer : records) layer.squared.gradients = 1 << 20;
  try {
    clip_factor(session, records, kClip, 48);
    FAIL() << "a ring of 48 bits holds no such length";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("need a ring of 49 bits with 26 fraction bits, and have 48"));
  }
}

TEST(ClipFactor, TellsTheClearSessionOfAGradientBeyondItsRange) {
  const Matrix a = Matrix::Constant(1, 1, 1), d = Matrix::Constant(1, 1, 600);
  ClearSession session;
  clip_factor(session, masked_layers(session, {{a, d}}, {64, 13}), {2, 7, 19}, 64);
  ASSERT_FALSE(session.range_violations().empty());
  EXPECT_EQ(session.range_violations().front().what, "a squared gradient");
}

TEST(ClipFactor, NeverExceedsTheSquareByMoreThanItsWidthsState) {
  const std::array lengths{ClipWidths::Length{{64, 26}, 9}, ClipWidths::Length{{64, 26}, 80000}};
  const ClipWidths widths = clip_widths(lengths, kClip);
  EXPECT_EQ(widths.length_bits, 16);
  const std::array largest{LargestSquares{9, 50 * 256.0 / 9}, LargestSquares{80000, 16.0 / 9}};
  EXPECT_GT(widths.excess(largest, 2), 0);
  EXPECT_LT(widths.excess(largest, 8), 16);
  EXPECT_LT(156446 + widths.excess(largest, 8), std::exp2(18));
}

}  // namespace
}  // namespace tacit::mpc
