// Gradients as words: rounding, range, and sums without carries between neighbours.
#include "net/synchronise/gradient_code.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "net/error.h"
#include "tests/net/sample_gradients.h"

namespace tacit::net {
namespace {

using CodeWords = std::vector<std::uint32_t>;

Bytes bytes_of(CodeWords& words) { return std::as_writable_bytes(std::span(words)); }

Gradient mean_of(const GradientCode& code, CodeWords& sums) {
  Gradient mean(sums.size());
  code.mean(bytes_of(sums), mean);
  return mean;
}

TEST(GradientCode, OfAnySizeHasTheMeanOfAnIndependentSum) {
  for (const int contributions : {1, 2, 3, 5, 1000}) {
    for (const int fraction_bits : {0, 1, 13, 20}) {
      const GradientCode code(contributions, fraction_bits);
      for (const std::int64_t size : {0, 1, 2, 3, 7, 17, 1009}) {
        CodeWords sums(static_cast<std::size_t>(size), 0xdeadbeef);  // encode() replaces
        for (int rank = 0; rank < contributions; ++rank) {
          const Gradient gradient = sample_gradients(rank, 3, 2, size);
          const auto refused = rank == 0 ? code.encode(gradient, bytes_of(sums)) : code.add(gradient, bytes_of(sums));
          ASSERT_EQ(refused, std::nullopt);
        }
        EXPECT_EQ(mean_of(code, sums), mean_of_samples(contributions, 3, 2, size, fraction_bits))
            << contributions << " contributions, " << fraction_bits << " fraction bits, size " << size;
      }
    }
  }
}

TEST(GradientCode, OfWholeUnitsIsThatOfTheirFloats) {
  for (const int contributions : {1, 2, 3, 1000}) {
    for (const int fraction_bits : {0, 13, 30}) {
      const GradientCode code(contributions, fraction_bits);
      std::vector<std::int32_t> units{
          0, 1, -1, 7, -1009, 65536, code.largest_units() & ~0x7f, -(code.largest_units() & ~0x7f)};
      Gradient floats;
      for (const std::int32_t unit : units) floats.push_back(static_cast<float>(std::ldexp(unit, -fraction_bits)));
      CodeWords of_units(units.size()), of_floats(units.size());
      ASSERT_EQ(code.encode(std::span<const std::int32_t>(units), bytes_of(of_units)), std::nullopt);
      ASSERT_EQ(code.encode(floats, bytes_of(of_floats)), std::nullopt);
      EXPECT_EQ(of_units, of_floats);
      if (contributions == 1) continue;
      ASSERT_EQ(code.add(std::span<const std::int32_t>(units), bytes_of(of_units)), std::nullopt);
      ASSERT_EQ(code.add(floats, bytes_of(of_floats)), std::nullopt);
      EXPECT_EQ(of_units, of_floats);
    }
  }
}

TEST(GradientCode, RefusesUnitsBeyondItsRangeAtTheirPlace) {
  for (const int contributions : {1, 2, 1000}) {
    const GradientCode code(contributions, 20);
    const std::int32_t most = code.largest_units();
    CodeWords words(3);
    for (const std::int32_t unit : {most, -most}) {
      EXPECT_EQ(code.encode(std::vector<std::int32_t>{0, unit, 0}, bytes_of(words)), std::nullopt);
    }
    if (contributions > 1) {
      EXPECT_EQ(code.encode(std::vector<std::int32_t>{0, 0, most + 1}, bytes_of(words)), 2U);
      EXPECT_EQ(code.add(std::vector<std::int32_t>{0, -most - 1, 0}, bytes_of(words)), 1U);
    }
    EXPECT_EQ(code.encode(std::vector<std::int32_t>{std::numeric_limits<std::int32_t>::min(), 0, 0}, bytes_of(words)),
              0U);
  }
}

TEST(GradientCode, RoundsHalvesToEven) {
  const GradientCode code(1, 0);
  CodeWords words(6);
  ASSERT_EQ(code.encode(Gradient{0.5F, 1.5F, -0.5F, -1.5F, 2.4999998F, 8388609.0F}, bytes_of(words)), std::nullopt);
  EXPECT_EQ(mean_of(code, words), (Gradient{0, 2, 0, -2, 2, 8388609}));
}

// The largest sums are those at which a word would carry into its neighbour.
TEST(GradientCode, AddsTheLargestGradientsOfAllContributionsWithoutACarry) {
  for (const int contributions : {1, 2, 3, 5, 7, 1000, 65537}) {
    for (const int fraction_bits : {0, 13, 30}) {
      const GradientCode code(contributions, fraction_bits);
      const float largest = code.largest();
      const Gradient extreme{largest, -largest, largest, 0, -largest};
      CodeWords words(extreme.size());
      ASSERT_EQ(code.encode(extreme, bytes_of(words)), std::nullopt);
      // As the collectives add: two words in one of 64 bits.
      std::uint64_t one = words[0] | std::uint64_t{words[1]} << 32, pair = 0;
      for (int i = 0; i < contributions; ++i) pair += one;
      for (int i = 1; i < contributions; ++i) ASSERT_EQ(code.add(extreme, bytes_of(words)), std::nullopt);
      EXPECT_EQ(pair, words[0] | std::uint64_t{words[1]} << 32);
      const Gradient mean = mean_of(code, words);
      for (std::size_t i = 0; i < extreme.size(); ++i) {
        EXPECT_NEAR(mean[i], extreme[i], std::ldexp(0.5, -fraction_bits) + std::abs(extreme[i]) * 1e-7)
            << contributions << " contributions, " << fraction_bits << " fraction bits";
      }
    }
  }
}

TEST(GradientCode, RefusesEveryValueBeyondTheRangeAndNamesTheFirst) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const int contributions : {1, 3, 4}) {
    for (const int fraction_bits : {0, 22, 30}) {
      const GradientCode code(contributions, fraction_bits);
      const float beyond = std::nextafter(code.largest(), kInfinity);
      // The next float has no room, or is no whole number of units less than a unit away.
      EXPECT_GT(static_cast<double>(beyond) * std::ldexp(1.0, fraction_bits),
                std::floor(std::ldexp(1.0, 31) / contributions) - 1);
      for (const float bad : {beyond, -beyond, kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN(),
                              std::numeric_limits<float>::max()}) {
        for (const std::size_t place : {0U, 5U, 30U}) {
          Gradient gradient(31, code.largest());
          gradient[place] = gradient[30] = bad;
          CodeWords words(31);
          EXPECT_EQ(code.encode(gradient, bytes_of(words)), place) << bad;
          EXPECT_EQ(code.add(gradient, bytes_of(words)), place) << bad;
        }
      }
    }
  }
}

TEST(GradientCode, RefusesFormatsWithoutRoom) {
  EXPECT_THROW(GradientCode(1, -1), ConfigError);
  EXPECT_THROW(GradientCode(1, 31), ConfigError);
  EXPECT_THROW(GradientCode(0, 10), ConfigError);
  EXPECT_THROW(GradientCode((std::int64_t{1} << 30) + 1, 10), ConfigError);
  EXPECT_EQ(GradientCode(std::int64_t{1} << 30, 0).largest(), 1);
}

}  // namespace
}  // namespace tacit::net
