#include "net/rendezvous/agreement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/net/loopback.h"

namespace tacit::net {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Agreement agreement(const std::map<std::string, std::string>& pairs) {
  Agreement a;
  for (const auto& [name, value] : pairs) a.set(name, value);
  return a;
}

TEST(Agreement, EqualPairsHaveNoDifference) {
  EXPECT_EQ(difference(agreement({}), 0, agreement({}), 1), std::nullopt);
  EXPECT_EQ(difference(agreement({{"a", "1"}, {"b", ""}}), 0, agreement({{"b", ""}, {"a", "1"}}), 1), std::nullopt);
}

TEST(Agreement, DifferenceNamesTheKeyTheValuesAndTheRanks) {
  const auto sentence =
      difference(agreement({{"job", "x"}, {"ring", "64"}}), 0, agreement({{"job", "x"}, {"ring", "56"}}), 3);
  ASSERT_TRUE(sentence);
  EXPECT_THAT(*sentence, AllOf(HasSubstr("\"ring\""), HasSubstr("rank 0 has \"64\""), HasSubstr("rank 3 has \"56\"")));
}

TEST(Agreement, AWordOfJsonHasItsQuotesOnce) {
  const auto sentence =
      difference(agreement({{"adjacency", "\"dense\""}}), 0, agreement({{"adjacency", "\"sparse\""}}), 1);
  EXPECT_THAT(sentence.value(), HasSubstr("on \"adjacency\": rank 0 has \"dense\", rank 1 has \"sparse\""));
  const std::string many(100, 'a');
  EXPECT_THAT(difference(agreement({{"a", '"' + many + "b\""}}), 0, agreement({{"a", '"' + many + "c\""}}), 1).value(),
              AllOf(HasSubstr("aab\", rank"), HasSubstr("aac\"")));
  EXPECT_THAT(difference(agreement({{"a", "\""}}), 0, agreement({{"a", "\"\""}}), 1).value(),
              HasSubstr("rank 0 has \"\"\", rank 1 has \"\""));
}

TEST(Agreement, AMissingNameIsADifferenceWhicheverSideLacksIt) {
  EXPECT_THAT(difference(agreement({{"a", "1"}}), 0, agreement({}), 2).value(), HasSubstr("rank 2 has none"));
  EXPECT_THAT(difference(agreement({}), 0, agreement({{"a", ""}}), 2).value(),
              AllOf(HasSubstr("rank 0 has none"), HasSubstr("rank 2 has \"\"")));
}

TEST(Agreement, FurtherDifferencesAreCounted) {
  EXPECT_THAT(difference(agreement({{"a", "1"}, {"b", "1"}, {"c", "1"}}), 0, agreement({}), 1).value(),
              AllOf(HasSubstr("\"a\""), HasSubstr("2 more")));
}

TEST(Agreement, LongValuesAreShownWhereTheyDiffer) {
  const std::string same(1000, 's');
  const std::string sentence =
      difference(agreement({{"job", same + "LEFT" + same}}), 0, agreement({{"job", same + "RIGHT" + same}}), 1).value();
  EXPECT_THAT(sentence, AllOf(HasSubstr("LEFT"), HasSubstr("RIGHT")));
  EXPECT_LT(sentence.size(), 400u);
}

TEST(Agreement, UntrustedValuesAreShownSafely) {
  const std::string sentence =
      difference(agreement({{"job", "a\n\x1b[2J\xff"}}), 0, agreement({{"job", "b"}}), 1).value();
  EXPECT_THAT(sentence, AllOf(HasSubstr("a\\x0a\\x1b[2J\\xff"), Not(HasSubstr("\n"))));
}

TEST(Agreement, LimitsAreStated) {
  Agreement a;
  const auto refusal = [&](const std::string& name, const std::string& value) {
    const Outcome outcome = outcome_of([&] { a.set(name, value); });
    EXPECT_EQ(outcome.exit, Exit::kConfig);
    return outcome.what;
  };
  EXPECT_THAT(refusal("", "1"), HasSubstr("1 ... 128"));
  EXPECT_THAT(refusal(std::string(129, 'n'), "1"), HasSubstr("129 bytes"));
  EXPECT_THAT(refusal("n", std::string(4097, 'v')), HasSubstr("4097 bytes, expected at most 4096"));
  for (int i = 0; i < 15; ++i) a.set("large" + std::to_string(i), std::string(4096, 'v'));
  EXPECT_THAT(refusal("large", std::string(4096, 'v')), HasSubstr("all values together"));
  a.set("large0", "small");  // a replaced value makes room
  a.set("large", std::string(4096, 'v'));
  for (std::size_t i = a.pairs().size(); i < 512; ++i) a.set("name" + std::to_string(i), "");
  EXPECT_THAT(refusal("one more", ""), HasSubstr("512 names"));
}

}  // namespace
}  // namespace tacit::net
