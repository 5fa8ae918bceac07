#include "launcher/settings/link.h"

#include <gmock/gmock.h>

#include <cmath>

#include "net/error.h"

namespace tacit::launcher {
namespace {

TEST(Link, IsReadFromARoundTripAndARate) {
  const Link link = parse_link("7.9ms,100Mbit");
  EXPECT_DOUBLE_EQ(link.round_trip, 7.9e-3);
  EXPECT_DOUBLE_EQ(link.bytes_per_second, 12.5e6);
  EXPECT_EQ(link.text(), "7.9 ms, 100 Mbit/s");
  EXPECT_DOUBLE_EQ(parse_link("2s,1Gbit").round_trip, 2);
  EXPECT_DOUBLE_EQ(parse_link("50us,8kbit").bytes_per_second, 1000);
}

TEST(Link, WithoutARateCarriesAnyNumberOfBytesAtOnce) {
  const Link link = parse_link("10ms");
  EXPECT_TRUE(std::isinf(link.bytes_per_second));
  EXPECT_EQ(link.text(), "10 ms");
  EXPECT_DOUBLE_EQ(seconds(link, 4, 1 << 30), 20e-3);
}

TEST(Link, IsEmulatedAsItSays) {
  const net::Link link = emulated(parse_link("7.9ms,100Mbit"));
  EXPECT_EQ(link.round_trip, std::chrono::microseconds(7900));
  EXPECT_DOUBLE_EQ(link.bits_per_second, 100e6);
}

TEST(Link, RefusesOtherTexts) {
  for (const char* text : {"", "7.9", "ms", "7.9ms,", "7.9ms,100", "-1ms", "nanms", "infms", "1ms,0Mbit", "61s",
                           "1ms,1bit", "1ms,100Mbit,2", "1 ms", "1e99s", "\x1b[31m1ms"}) {
    EXPECT_THROW(parse_link(text), ConfigError) << text;
  }
  try {
    parse_link("fast");
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("7.9ms,100Mbit")) << "shows one that would do";
  }
}

}  // namespace
}  // namespace tacit::launcher
