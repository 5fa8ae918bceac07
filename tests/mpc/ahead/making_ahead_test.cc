// Programs whose correlations are made ahead: with decisions, many batches, little room, and errors at either side.
#include "mpc/ahead/making_ahead.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>

#include "mpc/protocols/compare.h"
#include "mpc/protocols/decide.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/noise.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/reveal.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"
#include "tests/mpc/operators.h"
#include "tests/mpc/run_program.h"

namespace tacit::mpc {
namespace {

using testing::HasSubstr;

constexpr CorrelationsFrom kFrom = CorrelationsFrom::kAheadBySoftSpoken;

net::AllReducePlan direct() { return net::AllReducePlan({{0, net::AllReduce::kDirect}}); }

Matrix numbers(std::int64_t rows, std::int64_t cols) {
  Matrix values(rows, cols);
  for (Eigen::Index i = 0; i < values.size(); ++i) values.data()[i] = static_cast<double>(i % 23) - 11;
  return values;
}

// ReLU of x, `times` times, and then lifted: 3 rounds of requests each.
Function relus(const Matrix& x, int times) {
  return [&x, times](Session& s) {
    Share value = input(s, s.parties() - 1, shape_of(x), {25, 3}, &x, "x");
    for (int i = 0; i < times; ++i) {
      const Shown shown = show(s, value);
      const Bits positive = non_negative(s, shown, 22);
      value = select(s, positive, shown, 25);
    }
    return lift(s, show(s, value), 40);
  };
}

TEST(MakingAhead, ManyBatchesGiveTheValuesOfTheClearSession) {
  const Matrix x = numbers(301, 13);
  const Function program = relus(x, 4);
  const Matrix expected = revealed_in_the_clear(program);
  ASSERT_EQ(expected, x.cwiseMax(0));
  for (const CorrelationsFrom from : {CorrelationsFrom::kAheadByFerret, CorrelationsFrom::kAheadBySoftSpoken}) {
    for (const std::int64_t room : {std::int64_t{1}, std::int64_t{64} << 20}) {
      const RunOptions options{.session = {.ahead_bytes = room}, .from = from};
      EXPECT_EQ(revealed_by_parties(2, program, options), expected) << "room " << room;
    }
  }
}

TEST(MakingAhead, TakesRequestsWithoutElements) {
  const Matrix x = numbers(50, 40), none(0, 40);
  const Function program = [&](Session& s) {
    Share value;
    for (int i = 0; i < 3; ++i) {
      relus(none, 2)(s);
      value = relus(x, 1)(s);
    }
    return value;
  };
  for (const CorrelationsFrom from : {CorrelationsFrom::kAheadByFerret, CorrelationsFrom::kAheadBySoftSpoken}) {
    EXPECT_EQ(revealed_by_parties(3, program, {.from = from}), x.cwiseMax(0));
  }
}

TEST(MakingAhead, RunsOverSockets) {
  const Matrix x = numbers(40, 3);
  EXPECT_EQ(revealed_by_parties(2, relus(x, 2), {.mesh = "Tls", .from = kFrom}), x.cwiseMax(0));
}

// The maker waits at a decision for the outcome, since the program goes on in another way.
TEST(MakingAhead, FollowsDecisions) {
  const Matrix x = numbers(9, 4);
  for (const int stop_after : {1, 3, 5}) {
    const Function program = [&](Session& s) {
      Share value = input(s, 0, shape_of(x), {51, 8}, &x, "x");
      for (int i = 1; i <= 5; ++i) {
        const Public seen = reveal(s, value, To::rank(0), "the value so far");
        value = lift(s, show(s, value + value), 60);
        value = narrow(value, 51);
        const bool stop = decide(
            s, [&](const PublicReader& read) { return read(seen)(1, 1) != 0 && i == stop_after; }, "whether to stop");
        if (stop) break;
      }
      return value;
    };
    EXPECT_EQ(revealed_by_parties(3, program, {.from = kFrom}), x * std::ldexp(1.0, stop_after));
  }
}

// The errors of the parties, which run these two sides.
std::vector<std::string> errors(int parties, const Program& maker, const Program& party, const char* kind = "Memory") {
  const auto thrown = net::errors_of_ranks(net::mesh_kind(kind).make(parties, 0), [&](net::Mesh& mesh) {
    MakingAhead ahead(mesh, {}, kFrom);
    PartySession session(mesh, direct(), {}, ahead.source());
    ahead.run([&](Session& of_maker) { maker(of_maker, mesh.rank()); }, [&] { party(session, mesh.rank()); });
  });
  std::vector<std::string> messages;
  for (const auto& error : thrown) messages.push_back(net::message_of(error));
  return messages;
}

Share some(Session& session) {
  const Matrix values = Matrix::Ones(20, 20);
  return input(session, 0, {20, 20}, {51, 13}, &values, "some values");
}

void lifts(Session& session, int count) {
  const Share x = some(session);
  for (int i = 0; i < count; ++i) lift(session, show(session, x), 64);
}

TEST(MakingAhead, APartyThatFailsEndsAllRanksWithItsReason) {
  for (const char* mesh : {"Memory", "Tls"}) {
    const auto messages = errors(
        3, [](Session& session, int) { lifts(session, 200); },
        [](Session& session, int rank) {
          lifts(session, 2);
          if (rank == 1) throw ConfigError("its disk is full");
          lifts(session, 198);
        },
        mesh);
    EXPECT_EQ(messages[1], "its disk is full");
    for (const int rank : {0, 2}) EXPECT_THAT(messages[static_cast<std::size_t>(rank)], HasSubstr("its disk is full"));
  }
}

TEST(MakingAhead, AMakerThatFailsEndsAllRanksWithItsReason) {
  const auto messages = errors(
      3,
      [](Session& session, int rank) {
        lifts(session, 2);
        if (rank == 1) throw ConfigError("too little memory");
        lifts(session, 198);
      },
      [](Session& session, int) {
        lifts(session, 2);
        lifts(session, 198);
      });
  EXPECT_EQ(messages[1], "too little memory");
  for (const int rank : {0, 2}) EXPECT_THAT(messages[static_cast<std::size_t>(rank)], HasSubstr("too little memory"));
}

TEST(MakingAhead, AMakerOfAnotherProgramIsFound) {
  const auto messages = errors(
      2, [](Session& session, int) { lifts(session, 3); },
      [](Session& session, int) {
        const Share x = some(session);
        for (const int bits : {64, 64, 60}) lift(session, show(session, x), bits);
      });
  for (const std::string& message : messages) EXPECT_THAT(message, HasSubstr("bug"));
}

TEST(MakingAhead, AMakerOfAShorterProgramIsFound) {
  const auto messages = errors(
      2, [](Session& session, int) { lifts(session, 2); }, [](Session& session, int) { lifts(session, 3); });
  for (const std::string& message : messages) EXPECT_THAT(message, HasSubstr("bug"));
}

}  // namespace
}  // namespace tacit::mpc
