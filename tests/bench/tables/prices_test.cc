#include "bench/tables/prices.h"

#include <gmock/gmock.h>

#include <fstream>

#include "net/error.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Layout, IsReadAsItIsWritten) {
  EXPECT_EQ(parse_layout("2x4"), (Layout{2, 4}));
  EXPECT_EQ(parse_layout("2x4").text(), "2x4");
  EXPECT_EQ(parse_layout("64x64").workers(), 4096);
  EXPECT_THAT(parse_layouts("1x1,4x1"), ElementsAre(Layout{1, 1}, Layout{4, 1}));
  EXPECT_EQ(text_of(parse_layouts("1x1,1x2,4x1")), "1x1,1x2,4x1");
}

TEST(Layout, OfAnythingElseIsRefusedInASentence) {
  for (const char* text : {"", "x", "2", "2x", "x2", "0x1", "1x0", "65x1", "1x65", "02x1", "2x1x1", "2X1", "-1x1",
                           " 1x1", "1x1,", ",1x1", "1x1,,2x1", "99999999999999999999x1", "\n"}) {
    EXPECT_THROW(parse_layouts(text), ConfigError) << text;
  }
  try {
    parse_layouts("1x1,two");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(
        error.what(),
        "\"two\" is no layout: expected the number of parties, 1 to 64, and of the threads of each, 1 to 64, as "
        "2x4");
  }
  EXPECT_THROW(parse_layouts("1x1,2x1,1x1"), ConfigError) << "twice";
}

class PricesFile : public testing::Test {
 protected:
  Prices prices(const std::string& text) const {
    std::ofstream(file()) << text;
    return Prices(file());
  }
  // The sentence that refuses this file, without the folder.
  std::string refused(const std::string& text, const Layout& layout = {}) const {
    try {
      prices(text).of_an_hour(layout);
      return "";
    } catch (const ConfigError& error) {
      const std::string what = error.what(), folder = folder_.path().string() + "/";
      return what.starts_with(folder) ? what.substr(folder.size()) : what;
    }
  }
  std::filesystem::path file() const { return folder_.path() / "prices.toml"; }

 private:
  TemporaryFolder folder_;
};

TEST_F(PricesFile, TellsTheHourByLayoutBeforeWorkers) {
  const Prices made = prices("currency = \"USD\"\n[hour]\n1 = 1.14\n4 = 4\n2x2 = 5.5\n3 = 0\n");
  EXPECT_EQ(made.of_an_hour({1, 1}), 1.14);
  EXPECT_EQ(made.of_an_hour({4, 1}), 4);
  EXPECT_EQ(made.of_an_hour({1, 4}), 4);
  EXPECT_EQ(made.of_an_hour({2, 2}), 5.5);
  EXPECT_EQ(made.of_an_hour({3, 1}), 0) << "an own machine may be free";
  EXPECT_EQ(made.currency(), "USD");
  EXPECT_THAT(made.origin(), HasSubstr("prices.toml"));
}

TEST_F(PricesFile, IsNotNeededForThePublishedPrices) {
  EXPECT_DOUBLE_EQ(Prices().of_an_hour({1, 1}), 1.14);
  EXPECT_DOUBLE_EQ(Prices().of_an_hour({2, 1}), 2.28);
  EXPECT_DOUBLE_EQ(Prices().of_an_hour({2, 2}), 4.56);
  EXPECT_EQ(Prices().currency(), "");
}

TEST_F(PricesFile, IsRefusedWithThePlaceOfTheMistake) {
  EXPECT_EQ(refused("[hours]\n1 = 1\n"),
            "prices.toml:1:2: hours: a file of prices has no such entry; did you mean hour?");
  EXPECT_THAT(refused("[hour]\n1 = \"much\"\n"), HasSubstr("prices.toml:2:5: hour.1: expected the price of an hour, a "
                                                           "number from 0 to 1e+09, not the text \"much\""));
  for (const char* price : {"-1", "inf", "nan", "1e10", "true", "[1]", "{}", "2026-01-01", "9223372036854775807"}) {
    EXPECT_THAT(refused(std::string("hour = { 1 = ") + price + " }"), HasSubstr("expected the price of an hour"))
        << price;
  }
  for (const char* key : {"0", "4097", "04", "two", "65x1", "1x1x1", "-1", "\"\"", "\"\\u001b[2J\""}) {
    EXPECT_THAT(refused(std::string("[hour]\n") + key + " = 1\n"),
                HasSubstr("expected a number of workers, 1 to 4096, or"))
        << key;
  }
  EXPECT_THAT(refused("currency = 1\n[hour]\n1 = 1\n"), HasSubstr("currency: expected a text of 1 to 12"));
  EXPECT_THAT(refused("currency = \"\"\n[hour]\n1 = 1\n"), HasSubstr("currency: expected a text of 1 to 12"));
  EXPECT_THAT(refused("currency = \"\\u001b[2J\"\n[hour]\n1 = 1\n"), HasSubstr("printable ASCII"));
  EXPECT_THAT(refused("hour = 1.14"), HasSubstr("expected a table with the price of an hour"));
  EXPECT_THAT(refused(""), HasSubstr("prices.toml has no table [hour]; add one"));
  EXPECT_THAT(refused("[hour\n"), HasSubstr("prices.toml:1:6")) << "no TOML";
}

TEST_F(PricesFile, NamesTheMissingEntry) {
  EXPECT_EQ(refused("[hour]\n1 = 1\n", {2, 2}),
            "prices.toml has no price for the layout 2x2: add \"4 = ...\" to the table [hour] for every layout with as "
            "many workers, or \"2x2 = ...\" for this layout, or leave the layout out of --layouts");
}

TEST_F(PricesFile, HasALimitedNumberOfPrices) {
  std::string text = "[hour]\n";
  for (std::size_t i = 1; i <= kMostPrices; ++i) text += std::to_string(i) + " = 1\n";
  EXPECT_EQ(refused(text), "");
  EXPECT_THAT(refused(text + "1001 = 1\n"), HasSubstr("the table has 1001 prices; expected 1000 at most"));
}

TEST_F(PricesFile, MayBeMissing) { EXPECT_THROW(Prices{file()}, ConfigError); }

}  // namespace
}  // namespace tacit::launcher
