// Properties of whole sessions: failures, the dealer's lead over the parties, and range violations
// in the clear session.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "mpc/protocols/compare.h"
#include "mpc/protocols/decide.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/reveal.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"
#include "mpc/session/plan_session.h"
#include "tests/mpc/operators.h"
#include "tests/mpc/run_program.h"

namespace tacit::mpc {
namespace {

using testing::AllOf;
using testing::HasSubstr;

static_assert(Opaque<Share> && Opaque<Masked> && Opaque<Shown> && Opaque<Bits> && Opaque<Public>);

net::AllReducePlan direct() { return net::AllReducePlan({{0, net::AllReduce::kDirect}}); }

// The errors of all ranks, n parties and a dealer.
std::vector<std::string> errors(int parties, const std::string& mesh, const Program& program) {
  const auto thrown = net::errors_of_ranks(net::mesh_kind(mesh).make(parties, 1), [&](net::Mesh& end) {
    if (end.world().is_party()) {
      PartySession session(end, direct());
      program(session, end.rank());
    } else {
      DealerSession session(end);
      program(session, end.rank());
      session.flush();
    }
  });
  std::vector<std::string> messages;
  for (const auto& error : thrown) messages.push_back(net::message_of(error));
  return messages;
}

Share some(Session& session, Shape shape) {
  const Matrix values = Matrix::Ones(shape.rows, shape.cols);
  return input(session, 0, shape, {51, 13}, &values, "some values");
}

TEST(Session, APartyThatFailsEndsAllRanksWithItsReason) {
  for (const char* mesh : {"Memory", "Tls"}) {
    const auto messages = errors(3, mesh, [](Session& session, int rank) {
      session.set_step("epoch 3, layer 1 forward");
      const Share x = some(session, {100, 100});
      if (rank == 1) throw ConfigError("its disk is full");
      for (int i = 0; i < 1000; ++i) lift(session, show(session, x), 64);
    });
    for (const int rank : {0, 2, 3}) {
      EXPECT_THAT(messages[static_cast<std::size_t>(rank)], AllOf(HasSubstr("rank 1"), HasSubstr("its disk is full")));
    }
  }
}

TEST(Session, AValueThatDoesNotFitStaysWithItsOwner) {
  const auto messages = errors(2, "Tls", [](Session& session, int rank) {
    Matrix salaries = Matrix::Zero(3, 3);
    salaries(1, 2) = 123456.75;
    show(session, input(session, 1, {3, 3}, {20, 12}, rank == 1 ? &salaries : nullptr, "salaries"));
    decide(
        session, [] { return true; }, "never");
  });
  for (const std::string& message : messages) {
    EXPECT_THAT(message, AllOf(HasSubstr("salaries: a value does not fit"), testing::Not(HasSubstr("123456"))));
    EXPECT_THAT(message, testing::Not(HasSubstr("column")));
  }
}

TEST(Session, WhatWasRevealedIsReadInDecideAndOutput) {
  const Matrix values = Matrix::Constant(2, 2, 0.5);
  run_parties(3, [&](Session& session, int rank) {
    const Public loss = reveal(session, input(session, 0, {2, 2}, {51, 13}, &values, "loss"), To::rank(0), "loss");
    EXPECT_TRUE(decide(
        session, [&](const PublicReader& read) { return read(loss)(1, 1) == 0.5; }, "stop early"));
    int used = 0;
    session.output([&](const PublicReader& read) {
      ++used;
      EXPECT_EQ(read.seen(loss), rank == 0);
    });
    EXPECT_EQ(used, rank < 3 ? 1 : 0);
  });
}

TEST(Session, StatesWhatEachProtocolCost) {
  run_parties(3, [](Session& session, int rank) {
    const Share x = some(session, {4, 2});
    const Masked masked = mask(session, x);
    const Cost before = session.stated();
    mask(session, drop(session, matmul(session, masked, mask(session, x).transposed()), 13));
    if (rank == 3) return;  // the dealer states no costs
    std::vector<std::string> names;
    for (const ProtocolCost& line : session.stated_by_protocol()) names.emplace_back(line.protocol);
    ASSERT_THAT(names, testing::ElementsAre("input", "mask", "matmul", "drop"));
    const ProtocolCost mask = session.stated_by_protocol()[1];
    EXPECT_EQ(mask.calls, 3);
    EXPECT_EQ(mask.cost.rounds, 3);
    EXPECT_EQ(session.stated_by_protocol()[2].cost.bytes, 0) << "a product is local";
    EXPECT_EQ((session.stated() - before).rounds, 2);
  });
}

std::vector<std::string> parts_of(const Profile& profile) {
  std::vector<std::string> names;
  for (const Profile::Part& part : profile.parts) names.push_back(part.name);
  return names;
}

// Three parts, the middle one twice, and one call after them.
void program_in_parts(
    Session& session, const std::function<void()>& after_the_first = [] {}) {
  session.begin_part("sharing");
  const Share x = some(session, {40, 20});
  session.end_part();
  after_the_first();
  for (int i = 0; i < 2; ++i) {
    session.begin_part("forward");
    const Masked masked = mask(session, x);
    const Share z = drop(session, matmul(session, masked.transposed(), masked), 13);
    session.begin_part("backward");
    non_negative(session, show(session, z), 20);
  }
  session.end_part();
  show(session, x);
}

TEST(Profile, HasEveryCallInThePartThatHadBegun) {
  run_parties(3, [](Session& session, int) {
    program_in_parts(session);
    const bool states = session.stated() != Cost();  // all ranks except the dealer
    const Profile& profile = session.profile();
    ASSERT_THAT(parts_of(profile), testing::ElementsAre("sharing", "forward", "backward", ""));
    const Profile::Part& forward = profile.parts[1];
    EXPECT_EQ(forward.times, 2);
    ASSERT_EQ(forward.protocols.size(), 3u);
    EXPECT_EQ(forward.protocols[1].stated.protocol, "matmul");
    EXPECT_EQ(forward.protocols[1].stated.calls, 2);
    EXPECT_EQ(forward.cost().rounds, states ? 2 : 0);
    EXPECT_EQ(profile.parts[2].cost().rounds, states ? 6 : 0);
    EXPECT_EQ(profile.parts[3].times, 0) << "it goes on";
    EXPECT_EQ(profile.parts[3].cost().rounds, states ? 1 : 0);
    EXPECT_EQ(profile.cost(), session.stated());
  });
}

TEST(Profile, OfThoseWhoComputeHasTimesOfCallsWithinTheirPartsAndWaitsWithinCalls) {
  run_parties(2, [](Session& session, int) {
    const auto begun = RunningProfile::Clock::now();
    program_in_parts(session);
    session.end_part();
    std::chrono::nanoseconds of_parts{0};
    for (const Profile::Part& part : session.profile().parts) {
      std::chrono::nanoseconds of_calls{0};
      for (const Profile::Protocol& one : part.protocols) {
        EXPECT_GE(one.time, one.waited.for_parties + one.waited.for_dealer) << one.stated.protocol;
        of_calls += one.time;
      }
      EXPECT_GE(part.time, of_calls) << part.name;
      of_parts += part.time;
    }
    if (dynamic_cast<const PlanSession*>(&session) != nullptr) {
      EXPECT_EQ(of_parts.count(), 0) << "it has computed nothing";
    } else {
      EXPECT_GT(of_parts.count(), 0);
    }
    EXPECT_EQ(session.profile().time(), of_parts);
    EXPECT_LE(of_parts, RunningProfile::Clock::now() - begun);
  });
}

TEST(Profile, SaysWhoWasWaitedFor) {
  using namespace std::chrono_literals;
  run_parties(2, [](Session& session, int rank) {
    session.begin_part("held up by a party");
    const Share x = some(session, {4, 4});
    if (rank == 1) std::this_thread::sleep_for(20ms);
    const Masked masked = mask(session, x);
    session.begin_part("held up by the dealer");
    if (rank == 2) std::this_thread::sleep_for(20ms);
    for (int i = 0; i < 4; ++i) mask(session, matmul(session, masked, masked));
    session.end_part();
    if (dynamic_cast<const PartySession*>(&session) == nullptr) return;
    const Profile& profile = session.profile();
    EXPECT_EQ(profile.parts[0].waited().for_dealer, 0ms);
    if (rank == 0) {
      EXPECT_GT(profile.parts[0].waited().for_parties, 0ms);
    }
    EXPECT_GT(profile.parts[1].waited().for_dealer, 0ms);
  });
}

TEST(Profile, LessAnEarlierStateIsWhatCameAfterIt) {
  run_parties(3, [](Session& session, int) {
    Profile before;
    program_in_parts(session, [&] { before = session.profile(); });
    session.end_part();
    const Profile after = session.profile() - before;
    EXPECT_THAT(parts_of(after), testing::ElementsAre("forward", "backward", ""));
    EXPECT_EQ(before.cost() + after.cost(), session.stated());
    EXPECT_EQ(before.time() + after.time(), session.profile().time());
    const Profile nothing = session.profile() - session.profile();
    EXPECT_TRUE(nothing.parts.empty());
  });
}

TEST(Profile, OfAClearSessionHasCallsAndNoCost) {
  ClearSession session(3);
  program_in_parts(session);
  EXPECT_EQ(session.profile().parts.size(), 4u);
  EXPECT_EQ(session.profile().parts[1].protocols.size(), 3u);
  EXPECT_EQ(session.profile().cost(), Cost());
  EXPECT_TRUE(session.stated_by_protocol().empty());
}

TEST(Profile, NamesThePartAndItsTurnInErrors) {
  const auto messages = errors(2, "Memory", [](Session& session, int rank) {
    session.set_turn("epoch 3");
    session.begin_part("layer 1 forward");
    const Share x = some(session, {4, 4});
    show(session, x);  // rank 0 has begun the part before rank 1 fails
    if (rank == 1) throw ConfigError("its disk is full");
    for (int i = 0; i < 1000; ++i) lift(session, show(session, x), 64);
  });
  EXPECT_THAT(messages[0], HasSubstr("\"epoch 3, layer 1 forward\""));
}

TEST(Session, ADealerThatRunsAnotherProgramIsNamed) {
  const auto messages = errors(2, "Memory", [](Session& session, int rank) {
    const Share x = some(session, {4, 4});
    if (rank == 2) mask(session, x);  // one additional call
    const Masked masked = mask(session, x);
    for (int i = 0; i < 4; ++i) matmul(session, masked, masked);
  });
  EXPECT_THAT(messages[0], AllOf(HasSubstr("rank 2"), HasSubstr("does not run the same program")));
}

TEST(Session, PartiesWithDifferentShapesEndWithAnErrorNotAHang) {
  const auto messages = errors(3, "Memory", [](Session& session, int rank) {
    show(session, some(session, {4, rank == 1 ? 5 : 4}));
    decide(
        session, [] { return true; }, "never");
  });
  EXPECT_THAT(messages[0], HasSubstr("rank 1"));
}

TEST(Session, NeedsADealer) {
  const auto thrown = net::errors_of_ranks(net::mesh_kind("Memory").make(1, 0),
                                           [](net::Mesh& mesh) { PartySession session(mesh, direct()); });
  EXPECT_THAT(net::message_of(thrown[0]), HasSubstr("no dealer"));
}

// The parties receive nothing until the dealer has finished its whole program or is blocked.
TEST(Session, TheDealerRunsAheadButKeepsNoMoreThanItMay) {
  constexpr std::int64_t kAhead = 1 << 20;
  std::atomic<int> dealt = 0;
  constexpr int kProducts = 40;
  net::run_ranks(net::mesh_kind("Memory").make(2, 1), [&](net::Mesh& mesh) {
    const auto program = [&](Session& session, const std::function<void()>& after_each) {
      const Masked masked = mask(session, some(session, {256, 256}));
      for (int i = 0; i < kProducts; ++i) {
        product(session, masked, masked);  // 417 kB dealt
        after_each();
      }
    };
    if (!mesh.world().is_party()) {
      DealerSession session(mesh, {.ahead_bytes = kAhead});
      program(session, [&] { ++dealt; });
      session.flush();
      return;
    }
    PartySession session(mesh, direct());
    const auto until = net::Clock::now() + std::chrono::seconds(30);
    while (dealt < 2 && net::Clock::now() < until) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_GE(dealt, 2) << "it runs ahead";
    EXPECT_LE(dealt, 3) << "of a megabyte it may keep, each product takes 417 kB";
    net::Group group(mesh);
    net::all_reduce(group, {}, net::AllReduce::kDirect);
    program(session, [] {});
  });
  EXPECT_EQ(dealt, kProducts);
}

TEST(ClearSession, NamesStepAndLimitWhereAValueDoesNotFit) {
  ClearSession session;
  const Matrix values = Matrix::Constant(2, 2, 100.5);
  const Share x = input(session, 0, {2, 2}, {32, 10}, &values, "x");
  session.set_step("epoch 0, fits");
  non_negative(session, show(session, x), 18);
  EXPECT_TRUE(session.range_violations().empty());
  session.set_step("epoch 1, layer 2");
  non_negative(session, show(session, x), 17);
  show(session, narrow(x, 18));
  ASSERT_EQ(session.range_violations().size(), 2U);
  const RangeViolation& comparison = session.range_violations()[0];
  EXPECT_EQ(comparison.step, "epoch 1, layer 2");
  EXPECT_EQ(comparison.what, "comparison");
  EXPECT_EQ(comparison.largest, 100.5);
  EXPECT_EQ(comparison.limit, 64);
  EXPECT_EQ(comparison.count, 1);
}

}  // namespace
}  // namespace tacit::mpc
