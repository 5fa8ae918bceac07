#include "net/rendezvous/roster.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/net/loopback.h"

namespace tacit::net {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// 64 hexadecimal digits that are not the digest of a real key.
std::string print(int number) { return fmt::format("{:064x}", number); }

std::string refusal(const std::string& text) {
  const Outcome outcome = outcome_of([&] { Roster::parse(text, "roster.txt"); });
  EXPECT_EQ(outcome.exit, Exit::kConfig) << text;
  return outcome.what;
}

TEST(Roster, ReadsRanksRolesFingerprintsAndAddresses) {
  const Roster roster = Roster::parse(
      "# the three hospitals\n"
      "1 party " +
          print(2) +
          " node1:4711  # behind the firewall\n"
          "\n"
          "  0\tparty " +
          print(1) +
          "\r\n"
          "2 dealer " +
          Fingerprint::parse(print(3)).grouped() + " [::1]:99",
      "roster.txt");
  EXPECT_EQ(roster.size(), 3);
  EXPECT_EQ(roster.parties(), 2);
  EXPECT_EQ(roster.at(0).address, std::nullopt);
  EXPECT_EQ(roster.at(1).address, (Endpoint{"node1", 4711}));
  EXPECT_EQ(roster.at(2).role, Role::kDealer);
  EXPECT_EQ(roster.rank_of(Fingerprint::parse(print(3))), 2);
  EXPECT_EQ(roster.rank_of(Fingerprint::parse(print(4))), -1);
  EXPECT_EQ(Roster::parse(roster.text(), "again").text(), roster.text());
  EXPECT_EQ(Roster::parse("\xef\xbb\xbf# with a byte order mark\r\n" + roster.text(), "again").text(), roster.text());
}

TEST(Roster, RefusesABadLineWithItsPlaceAndReason) {
  const std::string good = "0 party " + print(1) + "\n";
  EXPECT_THAT(refusal(good + "1 party\n"), AllOf(HasSubstr("roster.txt:2:"), HasSubstr("rank role fingerprint")));
  EXPECT_THAT(refusal(good + "1 party " + print(2) + " a:1 b\n"), HasSubstr("roster.txt:2: 5 words"));
  EXPECT_THAT(refusal(good + "\n1 boss " + print(2)), AllOf(HasSubstr("roster.txt:3:"), HasSubstr("party or dealer")));
  EXPECT_THAT(refusal(good + "x party " + print(2)), HasSubstr("\"x\" is not a rank"));
  EXPECT_THAT(refusal(good + "1024 party " + print(2)), HasSubstr("0 ... 1023"));
  EXPECT_THAT(refusal(good + "1 party " + print(2).substr(1)), AllOf(HasSubstr("roster.txt:2:"), HasSubstr("short")));
  EXPECT_THAT(refusal(good + "1 party " + print(2) + " node1"), HasSubstr("names no port"));
  EXPECT_THAT(refusal(good + "\x1b[2J party " + print(2)), HasSubstr("\\x1b"));
}

TEST(Roster, RefusesRanksThatDoNotMakeAWorld) {
  EXPECT_THAT(refusal("0 party " + print(1) + "\n0 party " + print(2)), HasSubstr("rank 0 is on line 1 already"));
  EXPECT_THAT(refusal("0 party " + print(1) + "\n2 party " + print(2)), HasSubstr("rank 2 but no rank 1"));
  EXPECT_THAT(refusal("0 party " + print(1) + "\n1 party " + print(1)),
              AllOf(HasSubstr("ranks 0 and 1 have the same fingerprint"), HasSubstr(print(1))));
  EXPECT_THAT(refusal("0 party " + print(1) + "\n1 dealer " + print(2) + "\n2 party " + print(3)),
              HasSubstr("rank 2 is a party but rank 1 before it is a dealer"));
  EXPECT_THAT(refusal("0 dealer " + print(1)), HasSubstr("needs a party"));
  EXPECT_THAT(refusal("# nobody\n"), HasSubstr("at least one rank"));
}

TEST(Roster, LimitsItsSize) {
  std::string full;
  for (int rank = 0; rank < kMaxWorldSize; ++rank) full += fmt::format("{} party {}\n", rank, print(rank + 1));
  EXPECT_EQ(Roster::parse(full, "full").size(), kMaxWorldSize);
  EXPECT_THAT(refusal(full + std::string(static_cast<std::size_t>(kMaxRosterBytes), ' ')), HasSubstr("at most"));
}

TEST(Roster, IsLoadedFromARegularFileOnly) {
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("tacit-roster-{}", ::getpid())).string();
  std::ofstream(path) << "0 party " << print(1) << "\n";
  EXPECT_EQ(Roster::load(path).size(), 1);
  std::filesystem::remove(path);
  EXPECT_THAT(outcome_of([&] { Roster::load(path); }).what, AllOf(HasSubstr(path), HasSubstr("No such file")));
  EXPECT_THAT(outcome_of([&] { Roster::load("/"); }).what, HasSubstr("not a regular file"));
}

TEST(Roster, EntryIsAFingerprintWithOrWithoutAnAddress) {
  EXPECT_EQ(parse_roster_entry(Role::kParty, print(1)).address, std::nullopt);
  const RosterEntry entry = parse_roster_entry(Role::kDealer, print(2) + "@[::1]:99");
  EXPECT_EQ(entry.fingerprint, Fingerprint::parse(print(2)));
  EXPECT_EQ(entry.role, Role::kDealer);
  EXPECT_EQ(entry.address, (Endpoint{"::1", 99}));
  for (const std::string& text : {std::string("@node:1"), print(1) + "@", print(1) + "@node"}) {
    EXPECT_EQ(outcome_of([&] { parse_roster_entry(Role::kParty, text); }).exit, Exit::kConfig) << text;
  }
}

TEST(Roster, WorldSizeCountsHelpersToo) {
  const Roster roster = Ensemble(2, 1).roster;
  const World world = roster.world(2, 3);
  EXPECT_EQ(world.parties, 2);
  EXPECT_EQ(world.role(), Role::kDealer);
  const Outcome outcome = outcome_of([&] { roster.world(0, 2); });
  EXPECT_EQ(outcome.exit, Exit::kConfig);
  EXPECT_THAT(outcome.what, AllOf(HasSubstr("WORLD_SIZE is 2 but the roster has 3 ranks"), HasSubstr("to 3")));
  EXPECT_EQ(outcome_of([&] { roster.world(3, 3); }).exit, Exit::kConfig);
}

}  // namespace
}  // namespace tacit::net
