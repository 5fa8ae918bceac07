// A rank's key identifies it; its claims must fit the key.
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

// The roster of `run` with another key for one rank.
Roster with_another_key(const RendezvousRun& run, int rank, const Fingerprint& fingerprint) {
  auto entries = entries_for(run.ensemble.identities, run.ensemble.roster.parties());
  entries[static_cast<std::size_t>(rank)].fingerprint = fingerprint;
  return Roster(entries);
}

// A roster in which two ranks have swapped their keys.
Roster with_swapped_keys(const RendezvousRun& run, std::size_t a, std::size_t b) {
  auto entries = entries_for(run.ensemble.identities, run.ensemble.roster.parties());
  std::swap(entries[a].fingerprint, entries[b].fingerprint);
  return Roster(entries);
}

TEST(RendezvousIdentity, KeyOfAnotherRankIsNoticedBeforeAnybodyIsCalled) {
  RendezvousRun run(2);
  const Outcome outcome =
      outcome_of([&] { rendezvous(run.options(1), run.ensemble.identities[0], run.ensemble.roster); });
  EXPECT_EQ(outcome.exit, Exit::kConfig);
  EXPECT_THAT(outcome.what, AllOf(HasSubstr("this process is rank 1"), HasSubstr("belongs to rank 0")));
}

TEST(RendezvousIdentity, KeyOutsideTheRosterIsNoticedBeforeAnybodyIsCalled) {
  RendezvousRun run(2);
  const Identity unknown = Identity::generate();
  const Outcome outcome = outcome_of([&] { rendezvous(run.options(1), unknown, run.ensemble.roster); });
  EXPECT_EQ(outcome.exit, Exit::kConfig);
  EXPECT_THAT(outcome.what, AllOf(HasSubstr(unknown.fingerprint().text()), HasSubstr("is not in the roster"),
                                  HasSubstr(run.ensemble.identities[1].fingerprint().text())));
}

TEST(RendezvousIdentity, RankOutOfRangeIsNoticedBeforeAnybodyIsCalled) {
  RendezvousRun run(2);
  for (const int rank : {-1, 2, 5000}) {
    run.options(1).rank = rank;
    const Outcome outcome = run.join_some({1}).front();
    EXPECT_EQ(outcome.exit, Exit::kConfig);
    EXPECT_THAT(outcome.what, HasSubstr("RANK is " + std::to_string(rank)));
  }
}

TEST(RendezvousIdentity, KeyThatOnlyItsOwnerTrustsIsRefusedAndItsOwnerHearsIt) {
  RendezvousRun run(2);
  run.options(0).deadline = 700ms;
  run.options(0).handshake = 500ms;
  auto master = std::async(std::launch::async, [&] { return run.join_some({0}).front(); });
  const Identity unknown = Identity::generate();
  const Roster own = with_another_key(run, 1, unknown.fingerprint());
  const Outcome outcome = outcome_of([&] { rendezvous(run.options(1), unknown, own); });
  EXPECT_EQ(outcome.exit, Exit::kNet);
  EXPECT_THAT(outcome.what, AllOf(HasSubstr("refused our key"), HasSubstr(run.options(0).master.text())));
  EXPECT_THAT(master.get().what, HasSubstr(unknown.fingerprint().text() + " is not in the roster"));
}

TEST(RendezvousIdentity, MasterWithAnotherKeyIsNotJoined) {
  RendezvousRun run(2);
  run.options(0).deadline = 700ms;
  run.options(0).handshake = 500ms;
  auto master = std::async(std::launch::async, [&] { return run.join_some({0}).front(); });
  const Fingerprint pinned = Identity::generate().fingerprint();
  const Outcome outcome = outcome_of([&] { run.join(1, with_another_key(run, 0, pinned)); });
  EXPECT_EQ(outcome.exit, Exit::kNet);
  EXPECT_EQ(outcome.culprit, 0);
  EXPECT_THAT(outcome.what,
              AllOf(HasSubstr("rank 0"), HasSubstr(run.options(0).master.text()),
                    HasSubstr(run.ensemble.identities[0].fingerprint().text()), HasSubstr(pinned.text())));
  EXPECT_EQ(master.get().exit, Exit::kNet);
}

TEST(RendezvousIdentity, PeerWithAnotherKeyEndsAllRanksWithBothFingerprints) {
  RendezvousRun run(3);
  const Fingerprint pinned = Identity::generate().fingerprint();
  const Roster of_rank_2 = with_another_key(run, 1, pinned);
  const auto outcomes = run_ranks(3, [&](int rank) { run.join(rank, rank == 2 ? of_rank_2 : run.ensemble.roster); });
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.exit, Exit::kNet);
    EXPECT_EQ(outcome.culprit, 1) << outcome;
    EXPECT_THAT(outcome.what,
                AllOf(HasSubstr("rank 2 called rank 1 (party) at 127.0.0.1:"),
                      HasSubstr(run.ensemble.identities[1].fingerprint().text()), HasSubstr(pinned.text())));
  }
}

TEST(RendezvousIdentity, FalseClaimIsRefusedAndTheOthersGoOnWaiting) {
  RendezvousRun run(3);
  std::vector<Outcome> early;
  std::jthread first_two([&] { early = run.join_some({0, 1}); });
  ASSERT_TRUE(run.wait_until_logged(1, "waiting for rank 2"));
  const Outcome liar = outcome_of([&] {
    RendezvousOptions options = run.options(2);
    options.rank = 1;
    rendezvous(options, run.ensemble.identities[2], with_swapped_keys(run, 1, 2));
  });
  EXPECT_EQ(liar.exit, Exit::kConfig);
  EXPECT_THAT(liar.what, AllOf(HasSubstr("calls itself rank 1 but has the key of rank 2"), HasSubstr("RANK=2")));
  EXPECT_EQ(run.join_some({2}).front().exit, Exit::kOk);
  first_two.join();
  for (const Outcome& outcome : early) EXPECT_EQ(outcome.exit, Exit::kOk) << outcome;
  EXPECT_THAT(run.log_of(0), HasSubstr("calls itself rank 1 but has the key of rank 2"));
}

TEST(RendezvousIdentity, SecondProcessOfARankIsRefusedAndTheFirstStays) {
  RendezvousRun run(3);
  std::vector<Outcome> early;
  std::jthread first_two([&] { early = run.join_some({0, 1}); });
  ASSERT_TRUE(run.wait_until_logged(1, "waiting for rank 2"));
  const Outcome second = outcome_of([&] { run.join(1); });
  EXPECT_EQ(second.exit, Exit::kConfig);
  EXPECT_THAT(second.what, AllOf(HasSubstr("rank 1 is here already"), HasSubstr("a RANK of its own")));
  EXPECT_EQ(run.join_some({2}).front().exit, Exit::kOk);
  first_two.join();
  for (const Outcome& outcome : early) EXPECT_EQ(outcome.exit, Exit::kOk) << outcome;
  expect_links_work(run.formations);
}

TEST(RendezvousIdentity, SecondProcessOfRankZeroIsRefusedWhereverItKnocks) {
  RendezvousRun run(2);
  auto master = std::async(std::launch::async, [&] { return run.join_some({0}).front(); });
  ASSERT_TRUE(run.wait_until_logged(0, "listens at"));
  Puppet twin = Puppet::call(run.port.number(), &run.ensemble.identities[0], run.ensemble.identities[0].fingerprint());
  twin.say(encode(hello_of(0, 2, 4711)));
  EXPECT_THAT(twin.hear_failure().text, HasSubstr("rank 0 is here already"));
  EXPECT_EQ(run.join_some({1}).front().exit, Exit::kOk);
  EXPECT_EQ(master.get().exit, Exit::kOk);
}

TEST(RendezvousIdentity, LinksAreOnlyForThoseWhoMayCall) {
  RendezvousRun run(3);
  const ReservedPort port;
  run.options(1).listen = port.at("127.0.0.1");
  std::vector<Outcome> outcomes;
  std::jthread first_two([&] { outcomes = run.join_some({0, 1}); });
  const Identity& key = run.ensemble.identities[2];
  const auto call = [&](int rank, std::uint16_t at) {
    return Puppet::call(at, &key, run.ensemble.identities[static_cast<std::size_t>(rank)].fingerprint());
  };
  Puppet control = call(0, run.port.number());
  control.say(encode(hello_of(2, 3, 4711)));
  const Welcome welcome = control.hear_welcome(3);
  const auto refusal = [&](const LinkHello& link) {
    Puppet caller = call(1, port.number());
    caller.say(encode(link));
    return caller.hear_failure().text;
  };
  SessionId another_run = welcome.session;
  another_run[0] ^= std::byte{1};
  EXPECT_THAT(refusal({2, another_run}), HasSubstr("in the name of another run"));
  EXPECT_THAT(refusal({0, welcome.session}), HasSubstr("calls itself rank 0"));
  Puppet link = call(1, port.number());
  link.say(encode(LinkHello{2, welcome.session}));
  EXPECT_EQ(link.hear().header.kind, MessageKind::kLinked);
  EXPECT_THAT(refusal({2, welcome.session}), HasSubstr("has a link to rank 1 already"));
  control.say(encode(MessageKind::kReady));
  EXPECT_EQ(control.hear().header.kind, MessageKind::kGo);
  first_two.join();
  for (const Outcome& outcome : outcomes) EXPECT_EQ(outcome.exit, Exit::kOk) << outcome;
}

}  // namespace
}  // namespace tacit::net
