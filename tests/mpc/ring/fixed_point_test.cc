// Fixed point: values outside the range are refused with their place; values inside it decode
// unchanged.
#include "mpc/ring/fixed_point.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace tacit::mpc {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

constexpr Format kFormats[] = {{64, 16}, {64, 13}, {56, 13}, {51, 0}, {48, 12}, {13, 6}, {3, 0}, {64, 63}};

Matrix one(double value) { return Matrix::Constant(1, 1, value); }

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

std::string local_detail(const std::function<void()>& action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.local_detail();
  }
  return "";
}

// The error at other ranks names the limit and the matrix; only the owner learns the value and its
// place.
TEST(Encode, NamesTheLimitAndTheMatrixToAllAndTheValueToItsOwner) {
  Matrix values = Matrix::Zero(4, 7);
  values(2, 5) = 1e9;
  const auto encoding = [&] { encode(values, {48, 20}, "features of rank 1"); };
  EXPECT_THAT(refusal(encoding), AllOf(HasSubstr("features of rank 1"), HasSubstr("67108864"),
                                       HasSubstr("20 fraction bits"), HasSubstr("48 bits")));
  EXPECT_THAT(refusal(encoding), Not(AnyOf(HasSubstr("1000000000"), HasSubstr("row"), HasSubstr("column"))));
  EXPECT_THAT(local_detail(encoding), AllOf(HasSubstr("1000000000"), HasSubstr("row 2"), HasSubstr("column 5")));
}

TEST(Encode, RefusesWhatIsNoNumber) {
  for (const double value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::max()}) {
    for (const Format format : kFormats) {
      EXPECT_THAT(refusal([&] { encode(one(value), format, "x"); }), HasSubstr("does not fit")) << value;
    }
  }
}

TEST(Encode, TakesWhatCanBeShownAndNoMore) {
  for (const Format format : kFormats) {
    const double limit = largest(format), unit = std::ldexp(1.0, -format.fraction_bits);
    EXPECT_EQ(limit, std::ldexp(1.0, format.ring_bits - 2 - format.fraction_bits));
    EXPECT_NE(refusal([&] { encode(one(limit), format, "x"); }), "");
    EXPECT_NE(refusal([&] { encode(one(-limit), format, "x"); }), "");
    EXPECT_NE(refusal([&] { encode(one(limit - unit / 4), format, "x"); }), "") << "it would round to the limit";
    // The largest double below the limit. In rings up to 55 bits it is the largest unit.
    const double edge = format.ring_bits <= 55 ? limit - unit : std::nextafter(limit, 0.0);
    for (const double value : {edge, -edge}) {
      const RingTensor words = encode(one(value), format, "x");
      EXPECT_LE(words.data()[0], low_bits(format.ring_bits));
      const std::int64_t units = signed_value(words.data()[0], format.ring_bits);
      EXPECT_LT(std::abs(units), std::int64_t{1} << (format.ring_bits - 2));
      EXPECT_EQ(decode(words, format.fraction_bits)(0, 0), value);
    }
  }
}

TEST(Encode, RoundsToTheNearestUnit) {
  const Format format{48, 3};
  const std::pair<double, double> cases[] = {{0.0625 + 1e-9, 0.125},
                                             {0.0625 - 1e-9, 0},
                                             {-0.0625 - 1e-9, -0.125},
                                             {-0.0625 + 1e-9, 0},
                                             {1.3, 1.25},
                                             {-1.3, -1.25},
                                             {1e-12, 0},
                                             {-1e-12, 0},
                                             {5.9375 + 1e-9, 6}};
  for (const auto& [value, rounded] : cases) {
    EXPECT_EQ(decode(encode(one(value), format, "x"), 3)(0, 0), rounded) << value;
  }
}

TEST(Decode, IsExactForEveryElementOfASmallRing) {
  for (const Format format : {Format{12, 0}, Format{12, 5}, Format{12, 11}}) {
    RingTensor words({1 << 6, 1 << 6}, 12);
    for (std::int64_t i = 0; i < words.size(); ++i) words.data()[i] = static_cast<std::uint64_t>(i);
    const Matrix values = decode(words, format.fraction_bits);
    for (std::int64_t i = 0; i < words.size(); ++i) {
      const std::int64_t units = i < 2048 ? i : i - 4096;
      EXPECT_EQ(values.data()[i], std::ldexp(static_cast<double>(units), -format.fraction_bits));
    }
  }
}

// CrypTen decodes a negative value wrongly by one with probability |v| / 2^f.
TEST(Decode, IsExactForNegatives) {
  for (const Format format : kFormats) {
    const double unit = std::ldexp(1.0, -format.fraction_bits);
    for (double units = 1; units < std::ldexp(1.0, std::min(format.ring_bits - 2, 52)); units = 3 * units + 1) {
      const Matrix value = one(-units * unit);
      EXPECT_EQ(decode(encode(value, format, "x"), format.fraction_bits), value);
    }
  }
}

TEST(EncodeConstant, RefusesWhatWouldBeLostAndSaysHowManyBitsItTakes) {
  const std::string said = refusal([] { encode_constant(1e-5, {64, 13}, "the learning rate"); });
  EXPECT_THAT(said, AllOf(HasSubstr("the learning rate"), HasSubstr("1e-05"), HasSubstr("13 fraction bits"),
                          HasSubstr("at least 23")));
  EXPECT_NE(refusal([] { encode_constant(-1e-5, {64, 13}, "c"); }), "");
  EXPECT_NE(refusal([] { encode_constant(1.5e-4, {64, 13}, "c"); }), "") << "one unit, a fifth too little";
  EXPECT_NE(refusal([] { encode_constant(0.3, {64, 0}, "c"); }), "");
}

TEST(EncodeConstant, IsRightWithinAHundredthWhereItIsTaken) {
  int taken = 0;
  for (int f = 0; f < 40; ++f) {
    for (double value = 1e-9; value < 100; value *= 1.37) {
      for (const double constant : {value, -value}) {
        std::uint64_t word = 0;
        const std::string said = refusal([&] { word = encode_constant(constant, {64, f}, "c"); });
        if (!said.empty()) continue;
        ++taken;
        EXPECT_NEAR(std::ldexp(static_cast<double>(signed_value(word, 64)), -f), constant, std::abs(constant) / 100);
      }
    }
  }
  EXPECT_GT(taken, 1000);
}

TEST(EncodeConstant, TakesThemAtTheBitsThatItAsksFor) {
  for (double value = 1e-9; value < 100; value *= 1.37) {
    const int enough = std::max(0, 6 - std::ilogb(value));
    EXPECT_EQ(refusal([&] { encode_constant(value, {64, enough}, "c"); }), "") << value << " at " << enough;
  }
}

TEST(EncodeConstant, TakesZeroAndExactOnesAndRefusesWhatDoesNotFit) {
  EXPECT_EQ(encode_constant(0, {64, 13}, "c"), 0U);
  EXPECT_EQ(encode_constant(0.5, {48, 1}, "c"), 1U);
  EXPECT_EQ(encode_constant(-0.5, {48, 1}, "c"), low_bits(48));
  EXPECT_THAT(refusal([] {
                encode_constant(1e9, {48, 20}, "c");
              }),
              AllOf(HasSubstr("1000000000"), HasSubstr("67108864")));
  for (const double value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_NE(refusal([&] { encode_constant(value, {64, 13}, "c"); }), "");
    EXPECT_NE(refusal([&] { encode_constant(-value, {64, 13}, "c"); }), "");
  }
}

}  // namespace
}  // namespace tacit::mpc
