#include "bench/tables/rates.h"

#include <gmock/gmock.h>

#include "net/error.h"

namespace tacit::launcher {
namespace {

TEST(Rates, AreReadAndWrittenInTheirOrder) {
  EXPECT_THAT(parse_rates("0.3,1e-5,16"), testing::ElementsAre(0.3, 1e-5, 16));
  EXPECT_EQ(text_of(parse_rates("0.30,1e-5,16")), "0.3,1e-05,16");
  EXPECT_EQ(parse_rates(text_of(std::vector<double>{0.123456789, 1e-300})), (std::vector<double>{0.123456789, 1e-300}));
}

TEST(Rates, OutsideTheRangeOfAJobAreRefused) {
  for (const char* text :
       {"", "0", "-1", "-0", "16.5", "x", "0.1x", "nan", "inf", "1e400", "1e-400", "0.1,", ",", " 1"}) {
    EXPECT_THROW(parse_rates(text), ConfigError) << text;
  }
}

TEST(Rates, AreListedOnceHoweverTheyAreWritten) {
  try {
    parse_rates("0.1,1,1e-1");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "the rate 0.1 is listed twice; name each rate once");
  }
}

}  // namespace
}  // namespace tacit::launcher
