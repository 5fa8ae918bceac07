// A rendezvous that cannot succeed ends at every rank, in time, with the remedy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
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

TEST(RendezvousFailure, DeadlineNamesWhoIsMissingAtEveryRankThatCame) {
  RendezvousRun run(3, 1);
  for (int rank = 0; rank < 4; ++rank) {
    run.options(rank).deadline = 600ms;
    run.options(rank).handshake = 600ms;
  }
  for (const Outcome& outcome : run.join_some({0, 1})) {
    EXPECT_EQ(outcome.exit, Exit::kNet);
    EXPECT_THAT(outcome.what, AllOf(HasSubstr("2 (party) and 3 (dealer)"), HasSubstr(run.options(0).master.text()),
                                    HasSubstr("MASTER_ADDR and MASTER_PORT")));
  }
}

TEST(RendezvousFailure, DeadlineOfOneRankEndsTheOthersToo) {
  RendezvousRun run(3);
  run.options(0).handshake = 500ms;
  run.options(1).deadline = 300ms;
  for (const Outcome& outcome : run.join_some({0, 1})) {
    EXPECT_EQ(outcome.exit, Exit::kNet);
    EXPECT_EQ(outcome.culprit, 2);
    EXPECT_THAT(outcome.what, AllOf(HasSubstr("rank 1 has waited 0.3 s"), HasSubstr("rank 2 (party)")));
  }
}

TEST(RendezvousFailure, ObjectionOfOneRankEndsTheOthersWithItsWords) {
  for (const int objector : {0, 1, 2}) {
    RendezvousRun run(3, 1);
    std::atomic<bool> objects = false;
    run.options(objector).objection = [&] {
      return objects ? std::make_exception_ptr(ConfigError("no data here")) : std::exception_ptr();
    };
    std::thread later([&] {
      EXPECT_TRUE(run.wait_until_logged(0, "rank 2"));
      objects = true;
    });
    for (const Outcome& outcome : run.join_some({0, 1, 2})) {
      EXPECT_EQ(outcome.exit, Exit::kConfig) << outcome;
      EXPECT_THAT(outcome.what, HasSubstr("no data here"));
    }
    later.join();
  }
}

TEST(RendezvousFailure, ObjectionOfARankThatReachesNobodyEndsItSoon) {
  RendezvousRun run(2);
  run.options(1).objection = [] { return std::make_exception_ptr(ConfigError("no data here")); };
  const auto begun = Clock::now();
  const Outcome outcome = run.join_some({1}).front();
  EXPECT_THAT(outcome.what, HasSubstr("no data here"));
  EXPECT_LT(Clock::now() - begun, 12s);  // the deadline is 20 s
}

TEST(RendezvousFailure, MasterThatNeverComesIsNamedWithItsAddress) {
  RendezvousRun run(2);
  run.options(1).deadline = 300ms;
  const Outcome outcome = run.join_some({1}).front();
  EXPECT_EQ(outcome.exit, Exit::kNet);
  EXPECT_EQ(outcome.culprit, 0);
  EXPECT_THAT(outcome.what, AllOf(HasSubstr("rank 1 has not reached rank 0 (party) at " + run.options(0).master.text()),
                                  HasSubstr("Connection refused"), HasSubstr("check MASTER_ADDR")));
}

TEST(RendezvousFailure, UnresolvableMasterIsAConfigErrorWithItsNameSoon) {
  RendezvousRun run(2, 0, "no-such-host.invalid");
  for (int rank = 0; rank < 2; ++rank) run.options(rank).handshake = 300ms;
  const auto begun = Clock::now();
  for (const Outcome& outcome : run.join_all()) {
    EXPECT_EQ(outcome.exit, Exit::kConfig);
    EXPECT_THAT(outcome.what, AllOf(HasSubstr("no-such-host.invalid"), HasSubstr("MASTER_ADDR")));
  }
  EXPECT_LT(Clock::now() - begun, 12s);  // the deadline is 20 s
}

TEST(RendezvousFailure, UnresolvableMasterIsAConfigErrorAtTheDeadlineToo) {
  RendezvousRun run(2, 0, "no-such-host.invalid");
  run.options(1).deadline = 300ms;
  EXPECT_EQ(run.join_some({1}).front().exit, Exit::kConfig);
}

TEST(RendezvousFailure, MasterPortInUseIsAConfigErrorWithTheRemedy) {
  RendezvousRun run(2);
  const Descriptor other = listen_to(run.port.number());
  const Outcome outcome = run.join_some({0}).front();
  EXPECT_EQ(outcome.exit, Exit::kConfig);
  EXPECT_THAT(outcome.what, AllOf(HasSubstr("port " + std::to_string(run.port.number()) + " is in use"),
                                  HasSubstr("set MASTER_PORT")));
}

TEST(RendezvousFailure, ListeningPortInUseIsAConfigErrorWithTheRemedy) {
  RendezvousRun run(2);
  const ReservedPort port;
  const Descriptor other = listen_to(port.number());
  run.options(1).listen = {"", port.number()};
  const Outcome outcome = run.join_some({1}).front();
  EXPECT_EQ(outcome.exit, Exit::kConfig);
  EXPECT_THAT(outcome.what, AllOf(HasSubstr("port " + std::to_string(port.number()) + " is in use"),
                                  HasSubstr("set the port at which rank 1 listens")));
}

TEST(RendezvousFailure, ListeningAddressOfAnotherMachineIsAConfigError) {
  RendezvousRun run(2);
  run.options(1).listen = {"203.0.113.1", 0};
  const Outcome outcome = run.join_some({1}).front();
  EXPECT_EQ(outcome.exit, Exit::kConfig);
  EXPECT_THAT(outcome.what, AllOf(HasSubstr("203.0.113.1"), HasSubstr("does not have that address")));
}

TEST(RendezvousFailure, MasterAddressOfARouterIsListenedForAtEveryInterface) {
  RendezvousRun run(2);
  run.options(0).master.host = "203.0.113.1";  // the address for the other ranks; here they call the machine itself
  for (const Outcome& outcome : run.join_all()) EXPECT_EQ(outcome.exit, Exit::kOk) << outcome;
  EXPECT_THAT(run.log_of(0), HasSubstr("rank 0 listens at every interface"));
}

TEST(RendezvousFailure, RankThatLeavesEndsTheOthersAndWhoComesLate) {
  RendezvousRun run(3);
  auto master = std::async(std::launch::async, [&] { return run.join_some({0}).front(); });
  {
    Puppet killed =
        Puppet::call(run.port.number(), &run.ensemble.identities[1], run.ensemble.identities[0].fingerprint());
    killed.say(encode(hello_of(1, 3, 4711)));
    EXPECT_EQ(killed.hear().header.kind, MessageKind::kMissing);
  }
  const Outcome late = run.join_some({2}).front();
  for (const Outcome& outcome : {master.get(), late}) {
    EXPECT_EQ(outcome.exit, Exit::kNet);
    EXPECT_EQ(outcome.culprit, 1) << outcome;
    EXPECT_THAT(outcome.what, AllOf(HasSubstr("rank 1 (party, 127.0.0.1:4711) is gone"), HasSubstr("start all ranks")));
  }
}

TEST(RendezvousFailure, MasterThatLeavesIsNamed) {
  RendezvousRun run(2);
  const Descriptor listener = listen_to(run.port.number());
  auto guest = std::async(std::launch::async, [&] { return run.join_some({1}).front(); });
  {
    Puppet master = Puppet::answer(listener, run.ensemble.identities[0], run.ensemble.roster);
    EXPECT_EQ(master.hear().header.kind, MessageKind::kHello);
    master.say(encode(Missing{{1}}));
  }
  const Outcome outcome = guest.get();
  EXPECT_EQ(outcome.exit, Exit::kNet);
  EXPECT_EQ(outcome.culprit, 0);
  EXPECT_THAT(outcome.what, AllOf(HasSubstr("rank 0 (party, " + run.options(0).master.text()), HasSubstr("is gone")));
}

TEST(RendezvousFailure, RankThatCannotReachAnotherTellsAllWhichAndWhatToDo) {
  RendezvousRun run(3);
  const ReservedPort closed;
  run.options(1).listen = {"", ReservedPort().number()};
  auto entries = entries_for(run.ensemble.identities, 3);
  entries[1].address = closed.at("127.0.0.1");  // an address at which rank 1 does not listen
  run.ensemble.roster = Roster(entries);
  for (int rank = 0; rank < 3; ++rank) run.options(rank).handshake = 600ms;
  for (const Outcome& outcome : run.join_all()) {
    EXPECT_EQ(outcome.exit, Exit::kNet);
    EXPECT_EQ(outcome.culprit, 1) << outcome;
    EXPECT_THAT(outcome.what,
                AllOf(HasSubstr("rank 2 has not reached rank 1 (party) at " + closed.at("127.0.0.1").text()),
                      HasSubstr("Connection refused"), HasSubstr("its port is open")));
  }
}

TEST(RendezvousFailure, AnnouncedNameThatOthersCannotResolveIsNamed) {
  RendezvousRun run(3);
  run.options(1).announce = "no-such-host.invalid";
  for (int rank = 0; rank < 3; ++rank) run.options(rank).handshake = 600ms;
  for (const Outcome& outcome : run.join_all()) {
    EXPECT_EQ(outcome.exit, Exit::kConfig) << outcome;
    EXPECT_THAT(outcome.what, AllOf(HasSubstr("rank 2 has not reached rank 1 (party) at no-such-host.invalid"),
                                    HasSubstr("rank 1 announces an address")));
  }
}

TEST(RendezvousFailure, RankThatHangsWhileLinksAreMadeIsNamedByAll) {
  RendezvousRun run(3);
  for (int rank = 0; rank < 3; ++rank) run.options(rank).handshake = 500ms;
  std::vector<Outcome> outcomes;
  std::jthread first_two([&] { outcomes = run.join_some({0, 1}); });
  Puppet hangs = Puppet::call(run.port.number(), &run.ensemble.identities[2], run.ensemble.identities[0].fingerprint());
  hangs.say(encode(hello_of(2, 3, 4711)));
  hangs.hear_welcome(3);
  EXPECT_EQ(hangs.hear_failure().culprit, 2);
  first_two.join();
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.exit, Exit::kNet);
    EXPECT_EQ(outcome.culprit, 2) << outcome;
    EXPECT_THAT(outcome.what, HasSubstr("rank 2 (party) did not connect"));
  }
}

TEST(RendezvousFailure, BadOptionsAreNamedBeforeAnybodyIsCalled) {
  const auto refusal = [](const std::function<void(RendezvousOptions&)>& change) {
    RendezvousRun run(2);
    change(run.options(1));
    const Outcome outcome = run.join_some({1}).front();
    EXPECT_EQ(outcome.exit, Exit::kConfig);
    return outcome.what;
  };
  EXPECT_THAT(refusal([](auto& o) { o.announce = "no de"; }), HasSubstr("announced address \"no de\""));
  EXPECT_THAT(refusal([](auto& o) { o.listen.host = "a:b"; }), HasSubstr("listening address \"a:b\""));
  EXPECT_THAT(refusal([](auto& o) { o.master = {}; }), HasSubstr("set MASTER_ADDR and MASTER_PORT"));
}

}  // namespace
}  // namespace tacit::net
