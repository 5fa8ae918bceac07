#include "net/rendezvous/refusals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacit::net {
namespace {

using testing::HasSubstr;

TEST(Refusals, AreCountedByReasonMostFrequentFirst) {
  Refusals refusals({});
  EXPECT_EQ(refusals.summary(), "");
  refusals.add("10.0.0.1:1", "it presented no key");
  EXPECT_EQ(refusals.summary(), "1 connection was refused: 1 x it presented no key");
  for (int i = 0; i < 5; ++i) refusals.add("10.0.0.1:2", "it said nothing in time");
  EXPECT_EQ(refusals.summary(), "6 connections were refused: 5 x it said nothing in time, 1 x it presented no key");
}

TEST(Refusals, AreLoggedALineEachWhileTheyAreFew) {
  std::vector<std::string> lines;
  Refusals refusals([&](const std::string& line) { lines.push_back(line); });
  refusals.add("10.0.0.1:1", "it presented no key");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0], "refused a connection from 10.0.0.1:1: it presented no key");
  for (int i = 0; i < 10'000; ++i) refusals.add("10.0.0.1:1", "it said nothing in time");
  EXPECT_LT(lines.size(), 30u);
  EXPECT_THAT(refusals.summary(), HasSubstr("10001 connections"));
}

TEST(Refusals, ManyReasonsNeitherFillMemoryNorTheMessage) {
  Refusals refusals({});
  for (int i = 0; i < 10'000; ++i) refusals.add("10.0.0.1:1", "its key is " + std::to_string(i));
  EXPECT_THAT(refusals.summary(), HasSubstr("another reason"));
  EXPECT_LT(refusals.summary().size(), 300u);
}

}  // namespace
}  // namespace tacit::net
