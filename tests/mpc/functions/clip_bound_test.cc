// No record counts more than C, for records that are made to break the bound: over 24,000 records, with 2, 3, 5 and 8
// parties. The comparison is between whole numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/mpc/functions/clip_records.h"

namespace tacit::mpc {
namespace {

constexpr std::int64_t kCount = 1024, kKept = 64;
constexpr RecordKind kKinds[] = {RecordKind::kRandom, RecordKind::kEdge,  RecordKind::kExtreme,
                                 RecordKind::kClimb,  RecordKind::kClimb, RecordKind::kClimb};

// S is the sum of the contributions of single records, in its ring, bit by bit: products of the scaled side and the other one.
void expect_sums_of_single_records(const Clipped& clipped, const Records& records, const Clip& clip) {
  for (std::size_t l = 0; l < records.size(); ++l) {
    const bool inputs = clip_bounds()[l].scales_inputs();
    const Units& a = inputs ? clipped.scaled[l] : records[l].inputs;
    const Units& d = inputs ? records[l].gradients : clipped.scaled[l];
    const SumWidths& widths = clipped.widths[l];
    std::vector<std::uint64_t> weights(static_cast<std::size_t>(a.shape.cols * d.shape.cols));
    std::vector<std::uint64_t> bias(static_cast<std::size_t>(d.shape.cols));
    for (std::int64_t row = 0; row < a.shape.rows; ++row) {
      const auto factor = static_cast<std::uint64_t>(clipped.factor[static_cast<std::size_t>(row)]);
      for (std::int64_t j = 0; j < d.shape.cols; ++j) {
        const auto gradient = static_cast<std::uint64_t>(d.at(row, j));
        bias[static_cast<std::size_t>(j)] +=
            inputs ? (factor * gradient) << (widths.scaled_bits - clip.factor_bits) : gradient << kClipFraction;
        for (std::int64_t i = 0; i < a.shape.cols; ++i) {
          weights[static_cast<std::size_t>(i * d.shape.cols + j)] +=
              gradient * static_cast<std::uint64_t>(a.at(row, i));
        }
      }
    }
    const auto equal = [&](const std::vector<std::uint64_t>& x, const std::vector<std::int64_t>& y) {
      return std::equal(x.begin(), x.end(), y.begin(), y.end(), [&](std::uint64_t p, std::int64_t q) {
        return signed_value(p & low_bits(widths.ring), widths.ring) == q;
      });
    };
    EXPECT_TRUE(equal(weights, clipped.weights[l].values)) << "layer " << l;
    EXPECT_TRUE(equal(bias, clipped.bias[l].values)) << "bias of layer " << l;
  }
}

std::vector<std::int64_t> longest(const std::vector<double>& lengths) {
  std::vector<std::int64_t> rows(lengths.size());
  std::iota(rows.begin(), rows.end(), 0);
  std::sort(rows.begin(), rows.end(), [&](std::int64_t a, std::int64_t b) {
    return lengths[static_cast<std::size_t>(a)] > lengths[static_cast<std::size_t>(b)];
  });
  rows.resize(static_cast<std::size_t>(kKept));
  return rows;
}

// The shortest gradient among the records with a gradient longer than C and with hidden values that can occur.
double shortest_clipped(const std::vector<double>& lengths, const Records& records) {
  const std::vector<DoubleWord> squared = squared_gradients(records);
  const DoubleWord c2 = DoubleWord{1} << (4 * kClipFraction + 2 * kClip.log_clip);
  double least = 2;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    std::int64_t largest = 0;
    const Units& hidden = records[1].inputs;
    for (std::int64_t j = 0; j < hidden.shape.cols; ++j) {
      largest = std::max(largest, std::abs(hidden.at(static_cast<std::int64_t>(i), j)));
    }
    if (squared[i] > c2 && largest < 8 << kClipFraction) least = std::min(least, lengths[i]);
  }
  return least;
}

int in_millionths(double ratio) { return static_cast<int>(1e6 * ratio); }

TEST(Clip, NoRecordCountsMoreThanC) {
  std::int64_t tried = 0;
  for (const int parties : {2, 3, 5, 8}) {
    std::mt19937_64 random(static_cast<unsigned>(parties));
    double worst = 0, least = 2;
    Records kept;
    for (const RecordKind kind : kKinds) {
      const Records records = clip_records(kind, kCount, random, kept);
      const Clipped clipped = clipped_by(parties, records, kClip, ClipMargins::of(parties));
      for (const std::int64_t factor : clipped.factor) {
        ASSERT_GE(factor, 0);
        ASSERT_LE(factor, std::int64_t{1} << kClip.factor_bits);
      }
      const std::vector<double> lengths = lengths_after(clipped, records, kClip);
      ASSERT_LE(*std::max_element(lengths.begin(), lengths.end()), 1) << "a record counts more than C";
      expect_sums_of_single_records(clipped, records, kClip);
      worst = std::max(worst, *std::max_element(lengths.begin(), lengths.end()));
      least = std::min(least, shortest_clipped(lengths, records));
      kept = picked(records, longest(lengths));
      tried += std::ssize(lengths);
    }
    EXPECT_GE(worst, 0.998) << "the records were too easy";
    EXPECT_GE(least, 0.99) << "a record is clipped further than needed";
    RecordProperty("worst_in_millionths_of_" + std::to_string(parties), in_millionths(worst));
    RecordProperty("least_in_millionths_of_" + std::to_string(parties), in_millionths(least));
  }
  EXPECT_GE(tried, 18000);
}

// Entries of the table that the parties make have larger errors.
TEST(Clip, NoRecordCountsMoreThanCWithoutADealer) {
  for (const int parties : {2, 5}) {
    std::mt19937_64 random(static_cast<unsigned>(parties) + 20);
    double worst = 0;
    Records kept;
    for (const RecordKind kind : {RecordKind::kEdge, RecordKind::kExtreme, RecordKind::kClimb}) {
      const Records records = clip_records(kind, 2 * kKept, random, kept);
      Adding adding;
      adding.pairwise = true;
      const Clipped clipped = clipped_by(parties, records, kClip, ClipMargins::of(parties), adding);
      const std::vector<double> lengths = lengths_after(clipped, records, kClip);
      worst = std::max(worst, *std::max_element(lengths.begin(), lengths.end()));
      EXPECT_GE(shortest_clipped(lengths, records), 0.99) << "a record is clipped further than needed";
      kept = picked(records, longest(lengths));
    }
    EXPECT_LE(worst, 1) << "a record counts more than C";
    EXPECT_GE(worst, 0.997) << "the records were too easy";
  }
}

constexpr Clip kNarrowClip{kClip.log_clip, kClip.octaves, 16};

// In rings so narrow that the scaled side is rounded: a record and an empty row in its place differ by at most C.
TEST(Clip, NoRecordCountsMoreThanCInNarrowRings) {
  for (const int parties : {2, 3, 5, 8}) {
    std::mt19937_64 random(static_cast<unsigned>(parties) + 10);
    double worst = 0, of_empty = 0;
    Records kept;
    for (const RecordKind kind : kKinds) {
      const Records records = clip_records(kind, kCount, random, kept);
      Adding adding = narrow_adding(kNarrowClip, kCount, parties);
      adding.counted = std::vector<bool>(static_cast<std::size_t>(kCount), true);
      for (std::size_t row = 0; row < static_cast<std::size_t>(kCount); row += 8) (*adding.counted)[row] = false;
      const Clipped clipped = clipped_by(parties, records, kNarrowClip, ClipMargins::of(parties), adding);
      const double rounding = with_rounding(kNarrowClip, clipped.widths).rounding / 2;
      ASSERT_GT(rounding, 0);
      ASSERT_LE(rounding, 1.0 / 1024);
      std::vector<double> lengths = lengths_added(clipped, records, kNarrowClip);
      for (std::size_t row = 0; row < lengths.size(); ++row) {
        if ((*adding.counted)[row]) continue;
        ASSERT_EQ(clipped.factor[row], 0);
        of_empty = std::max(of_empty, lengths[row]);
        ASSERT_LE(lengths[row], rounding) << "an empty row adds more than its roundings";
        lengths[row] = 0;
      }
      ASSERT_LE(*std::max_element(lengths.begin(), lengths.end()), 1 - rounding) << "a record counts more than C";
      expect_sums_of_single_records(clipped, records, kNarrowClip);
      worst = std::max(worst, *std::max_element(lengths.begin(), lengths.end()));
      kept = picked(records, longest(lengths));
    }
    EXPECT_GE(worst, 0.996) << "the records were too easy";
    if (parties > 2) {  // two shares of 0 drop to 0
      EXPECT_GT(of_empty, 0);
    }
    RecordProperty("worst_in_millionths_of_" + std::to_string(parties), in_millionths(worst));
  }
}

// The same in far narrower rings, with and without the part of C that is left for the roundings.
TEST(Clip, RecordsCountMoreThanCIfNothingIsLeftForRoundings) {
  for (const int parties : {2, 5}) {
    std::mt19937_64 random(static_cast<unsigned>(parties));
    const Records records = clip_records(RecordKind::kEdge, kCount, random);
    std::vector<SumWidths> coarse;
    for (const LayerBounds& layer : clip_bounds()) {
      const double side = layer.scales_inputs() ? 9 * layer.squared.gradients : layer.squared.inputs + 1;
      constexpr int kBits = 11;
      const auto units = static_cast<double>(ClipMargins::of(parties).drop);
      coarse.push_back({kBits, 40, std::ldexp(units, -kBits) * std::sqrt(side)});
    }
    const auto worst = [&](const Clip& clip) {
      Adding of = {};
      of.widths = coarse;
      // The bias is exact in a ring that has room for it.
      Clip coarse_clip = clip;
      coarse_clip.factor_bits = 11;
      const Clipped clipped = clipped_by(parties, records, coarse_clip, ClipMargins::of(parties), of);
      const std::vector<double> lengths = lengths_added(clipped, records, coarse_clip);
      return *std::max_element(lengths.begin(), lengths.end());
    };
    EXPECT_LE(worst(with_rounding(kNarrowClip, coarse)), 1);
    EXPECT_GT(worst(kNarrowClip), 1) << parties << " parties";
  }
}

// The same records without the bounds of the roundings.
TEST(Clip, RecordsCountMoreThanCWithoutTheMargins) {
  for (const int parties : {2, 3, 5, 8}) {
    std::mt19937_64 random(static_cast<unsigned>(parties));
    const Records records = clip_records(RecordKind::kEdge, kCount, random);
    const std::vector<double> lengths = lengths_after(clipped_by(parties, records, kClip, {}), records, kClip);
    const double worst = *std::max_element(lengths.begin(), lengths.end());
    EXPECT_GT(worst, 1) << parties << " parties";
    RecordProperty("worst_in_millionths_of_" + std::to_string(parties), in_millionths(worst));
  }
}

// Each margin is needed on its own.
TEST(Clip, RecordsCountMoreThanCWithoutEitherMargin) {
  constexpr int kParties = 5;
  const ClipMargins all = ClipMargins::of(kParties);
  for (const ClipMargins margins : {ClipMargins{0, all.table}, ClipMargins{all.drop, 0}}) {
    double worst = 0;
    for (unsigned seed = 0; seed < 4; ++seed) {
      std::mt19937_64 random(seed);
      const Records records = clip_records(RecordKind::kEdge, kCount, random);
      const std::vector<double> lengths = lengths_after(clipped_by(kParties, records, kClip, margins), records, kClip);
      worst = std::max(worst, *std::max_element(lengths.begin(), lengths.end()));
    }
    EXPECT_GT(worst, 1) << "drop " << margins.drop << ", table " << margins.table;
  }
}

// Every argument and every position of the mask within a cell: the table has a relative error below 2^-11.
TEST(Clip, TheTableOfTheRootIsWithinItsMarginForEveryArgumentAndMask) {
  const CellTable table = root_table(0);
  constexpr int kBits = 14, kPositions = 1 << 11, kOne = 1 << kBits;  // kPositions: units of a cell
  std::vector<std::uint64_t> weights(4), entries(4);
  double worst = 0;
  for (std::uint64_t lambda = 0; lambda < kPositions; lambda += 3) {
    for (std::int64_t u = kOne / 4; u <= kOne + kOne / 64; ++u) {
      const auto x = static_cast<std::uint64_t>(u - static_cast<std::int64_t>(kRootCentre * kOne));
      const std::uint64_t delta = (x + lambda) & low_bits(kBits);
      table.weights(delta, weights);
      table.entries_at(lambda, table.cell_of(delta), entries);
      const std::uint64_t found = std::inner_product(weights.begin(), weights.end(), entries.begin(), std::uint64_t{0});
      const double real = static_cast<double>(found) / (1 << 28) * std::sqrt(static_cast<double>(u) / kOne);
      worst = std::max(worst, std::abs(real - 1));
    }
  }
  EXPECT_LT(worst, 1.0 / (1 << 11));
  EXPECT_LT(worst, ClipMargins::of(2).table / 2);
}

}  // namespace
}  // namespace tacit::mpc
