// Ranks with different jobs do not begin: all end with the same sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "net/error.h"
#include "tests/net/puppet.h"
#include "tests/net/rendezvous_run.h"

namespace tacit::net {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

void expect_all_end_alike(const std::vector<Outcome>& outcomes, Exit exit, const testing::Matcher<std::string>& what) {
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.exit, exit) << outcome;
    EXPECT_THAT(outcome.what, what);
    EXPECT_EQ(outcome.what, outcomes.front().what);
  }
}

TEST(Mismatch, OfTheAgreementEndsEveryRankWithNameValuesAndRanks) {
  RendezvousRun run(3, 1);
  for (int rank = 0; rank < 4; ++rank) {
    run.options(rank).agreement.set("job", "same");
    run.options(rank).agreement.set("ring", rank == 2 ? "56" : "64");
  }
  expect_all_end_alike(run.join_all(), Exit::kConfig,
                       AllOf(HasSubstr("\"ring\""), HasSubstr("rank 0 has \"64\""), HasSubstr("rank 2 has \"56\"")));
}

TEST(Mismatch, OfTheWorldSizeEndsEveryRank) {
  RendezvousRun run(3);
  const std::vector<RosterEntry> all = entries_for(run.ensemble.identities, 3);
  const Roster two_ranks({all[0], all[1]});
  const auto outcomes = run_ranks(3, [&](int rank) { run.join(rank, rank == 1 ? two_ranks : run.ensemble.roster); });
  expect_all_end_alike(outcomes, Exit::kConfig,
                       AllOf(HasSubstr("world size"), HasSubstr("rank 0 has 3"), HasSubstr("rank 1"),
                             HasSubstr("has 2"), HasSubstr("same roster")));
}

TEST(Mismatch, OfTheRolesEndsEveryRank) {
  RendezvousRun run(3);
  std::vector<RosterEntry> with_dealer = entries_for(run.ensemble.identities, 2);
  const Roster other(with_dealer);
  const auto outcomes = run_ranks(3, [&](int rank) { run.join(rank, rank == 1 ? other : run.ensemble.roster); });
  expect_all_end_alike(outcomes, Exit::kConfig, AllOf(HasSubstr("number of parties"), HasSubstr("same roster")));
}

TEST(Mismatch, OfPlaintextRanksEndsEveryRankToo) {
  RendezvousRun run(2);
  for (int rank = 0; rank < 2; ++rank) run.options(rank).plaintext = true;
  run.options(1).agreement.set("job", "x");
  expect_all_end_alike(run.join_all(), Exit::kConfig, AllOf(HasSubstr("rank 0 has none"), HasSubstr("\"x\"")));
}

TEST(Mismatch, IsToldToWhoComesLateToo) {
  RendezvousRun run(3);
  run.options(1).agreement.set("job", "x");
  std::vector<Outcome> early;
  std::jthread first_two([&] { early = run.join_some({0, 1}); });
  ASSERT_TRUE(run.wait_until_logged(0, "\"job\""));
  std::this_thread::sleep_for(200ms);
  const Outcome late = run.join_some({2}).front();
  first_two.join();
  expect_all_end_alike({early[0], early[1], late}, Exit::kConfig, HasSubstr("\"job\""));
}

std::vector<std::byte> with_version_9(std::vector<std::byte> message) {
  message[4] = std::byte{9};
  return message;
}

TEST(Mismatch, OfTheVersionIsToldInWordsThatEveryVersionReads) {
  RendezvousRun run(3);
  std::vector<Outcome> outcomes;
  std::jthread first_two([&] { outcomes = run.join_some({0, 1}); });
  ASSERT_TRUE(run.wait_until_logged(1, "waiting for rank 2"));
  const Failure heard = [&] {
    Puppet newer =
        Puppet::call(run.port.number(), &run.ensemble.identities[2], run.ensemble.identities[0].fingerprint());
    newer.say(with_version_9(encode(hello_of(2, 3, 4711))));
    return newer.hear_failure();
  }();
  EXPECT_EQ(heard.exit, Exit::kConfig);
  EXPECT_THAT(heard.text, AllOf(HasSubstr("rank 2 (party) speaks version 9"), HasSubstr("rank 0 speaks version 2")));
  first_two.join();
  expect_all_end_alike(outcomes, Exit::kConfig, testing::Eq(heard.text));
}

TEST(Mismatch, OfTheMastersVersionIsNamed) {
  RendezvousRun run(2);
  const Descriptor listener = listen_to(run.port.number());
  auto guest = std::async(std::launch::async, [&] { return run.join_some({1}).front(); });
  {
    Puppet master = Puppet::answer(listener, run.ensemble.identities[0], run.ensemble.roster);
    EXPECT_EQ(master.hear().header.kind, MessageKind::kHello);
    master.say(with_version_9(encode(Missing{{1}})));
    EXPECT_THAT(master.hear_failure().text, HasSubstr("speaks version 9"));
  }
  const Outcome outcome = guest.get();
  EXPECT_EQ(outcome.exit, Exit::kConfig);
  EXPECT_THAT(outcome.what, HasSubstr("speaks version 9"));
}

TEST(Malformed, HelloOfAProvenRankEndsEveryRank) {
  RendezvousRun run(3);
  run.options(0).handshake = 1s;
  std::vector<Outcome> outcomes;
  std::jthread first_two([&] { outcomes = run.join_some({0, 1}); });
  ASSERT_TRUE(run.wait_until_logged(1, "waiting for rank 2"));
  {
    Puppet odd = Puppet::call(run.port.number(), &run.ensemble.identities[2], run.ensemble.identities[0].fingerprint());
    odd.say(std::vector<std::byte>(64, std::byte{'x'}));
    EXPECT_EQ(odd.hear_failure().exit, Exit::kProtocol);
  }
  first_two.join();
  expect_all_end_alike(outcomes, Exit::kProtocol, AllOf(HasSubstr("rank 2 (party"), HasSubstr("not of a Tacit")));
  EXPECT_EQ(outcomes[1].culprit, 2);
}

TEST(Malformed, HelloOfNobodyInParticularIsOnlyRefused) {
  RendezvousRun run(2);
  for (int rank = 0; rank < 2; ++rank) run.options(rank).plaintext = true;
  auto master = std::async(std::launch::async, [&] { return run.join_some({0}).front(); });
  Puppet odd = Puppet::call(run.port.number(), nullptr, {});
  odd.say(std::vector<std::byte>(64, std::byte{'x'}));
  EXPECT_EQ(odd.hear_failure().exit, Exit::kProtocol);
  EXPECT_TRUE(odd.is_hung_up_on());
  EXPECT_EQ(run.join_some({1}).front().exit, Exit::kOk);
  EXPECT_EQ(master.get().exit, Exit::kOk);
}

TEST(Malformed, AnswerOfTheMasterIsNamed) {
  RendezvousRun run(2);
  const Descriptor listener = listen_to(run.port.number());
  auto guest = std::async(std::launch::async, [&] { return run.join_some({1}).front(); });
  {
    Puppet master = Puppet::answer(listener, run.ensemble.identities[0], run.ensemble.roster);
    EXPECT_EQ(master.hear().header.kind, MessageKind::kHello);
    master.say(encode(Welcome{{}, {{"127.0.0.1", 1}, {"127.0.0.1", 2}, {"127.0.0.1", 3}}}));  // one too many
    EXPECT_THAT(master.hear_failure().text, HasSubstr("address for every rank"));
  }
  const Outcome outcome = guest.get();
  EXPECT_EQ(outcome.exit, Exit::kProtocol);
  EXPECT_EQ(outcome.culprit, 0);
  EXPECT_THAT(outcome.what, AllOf(HasSubstr("rank 0 (party"), HasSubstr("address for every rank")));
}

}  // namespace
}  // namespace tacit::net
