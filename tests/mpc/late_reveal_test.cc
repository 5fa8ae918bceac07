// A late reveal gives the same values as a reveal, at the same bytes and without a round of its own.
#include "mpc/protocols/late_reveal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>

#include "mpc/correlations/no_correlations.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/reveal.h"
#include "mpc/session/inside.h"
#include "net/error.h"
#include "tests/mpc/run_program.h"
#include "tests/sanitized.h"

namespace tacit::mpc {
namespace {

constexpr Format kLateFormat{51, 13};
constexpr const char* kLateReason = "a test";

Matrix late_numbers(Shape shape) {
  Matrix values(shape.rows, shape.cols);
  for (Eigen::Index i = 0; i < values.size(); ++i) values.data()[i] = 0.125 * static_cast<double>(i) - 7;
  return values;
}

Share late_input(Session& s, const Matrix& values) {
  return input(s, s.parties() - 1, shape_of(values), kLateFormat, &values, "values");
}

struct LateCase {
  int parties;
  const char* mesh;
  net::AllReduce openings = net::AllReduce::kDirect;
};

std::vector<LateCase> late_cases() {
  std::vector<LateCase> all{{1, "Memory"}, {2, "Memory"}, {3, "Memory"}, {2, "Tls"}};
  if (kSlowdown > 1) return all;
  all.insert(all.end(), {{5, "Memory"}, {1, "Tls"}, {3, "Tls"}, {5, "Tls"}});
  for (const net::AllReduce openings : net::kAllReduceAlgorithms) all.push_back({3, "Memory", openings});
  return all;
}

void run_late(const LateCase& tested, const Program& program) {
  RunOptions options;
  options.mesh = tested.mesh;
  options.openings = tested.openings;
  run_parties(tested.parties, program, options);
}

void expect_seen(const Public& seen, const Matrix& values, To to, int rank, int parties) {
  EXPECT_EQ(seen.shape(), shape_of(values));
  if (rank < 0 || (rank < parties && (to == To::everyone() || to.party == rank))) {
    EXPECT_EQ(value_of(seen), values);
  } else if (rank <= parties) {
    EXPECT_THROW(value_of(seen), BrokenInvariant);
  }
}

TEST(LateReveal, TellsTheValueToItsRecipientsAlone) {
  for (const LateCase& tested : late_cases()) {
    for (const Shape shape : {Shape{0, 3}, Shape{1, 1}, Shape{65, 3}, Shape{1, 129}}) {
      const Matrix values = late_numbers(shape);
      for (int party = -1; party < tested.parties; ++party) {
        const To to{party};
        const auto program = [&](Session& s, int rank) {
          const Share x = late_input(s, values);
          const LateReveal late = late_reveal(s, x, to, kLateReason);
          mask(s, late_input(s, late_numbers({1, 1})));  // a mask of no elements takes no round
          const Public seen = revealed(s, late);
          if (s.computes()) expect_seen(seen, values, to, rank, tested.parties);
          EXPECT_EQ(s.reveals().size(), 1U);
          EXPECT_EQ(s.reveals().front().elements, shape.size());
        };
        run_late(tested, program);
        ClearSession clear(tested.parties);
        program(clear, -1);
      }
    }
  }
}

TEST(LateReveal, SendsTheBytesOfARevealAndTakesNoRound) {
  for (const int parties : {1, 2, 3, 5}) {
    for (int party = -1; party < parties; ++party) {
      const To to{party};
      run_late({parties, "Memory"}, [&](Session& s, int rank) {
        const Matrix values = late_numbers({33, 2});
        const Share x = late_input(s, values);
        const Cost before = s.stated();
        reveal(s, x, to, kLateReason);
        const Cost at_once = s.stated() - before;
        mask(s, x);
        const Cost between = s.stated() - before - at_once;
        const LateReveal late = late_reveal(s, x, to, kLateReason);
        mask(s, x);
        revealed(s, late);
        Cost all = s.stated() - before - at_once - between - between;
        EXPECT_EQ(all.rounds, 0);
        if (rank < parties && parties > 1) {
          EXPECT_EQ(at_once.rounds, 1);
        }
        all.rounds = at_once.rounds;
        EXPECT_EQ(all, at_once);
      });
    }
  }
}

// Transcripts stay equal if reveals and other late reveals lie between the two calls.
TEST(LateReveal, MayOverlapWithOtherReveals) {
  for (const int parties : {2, 3}) {
    run_late({parties, "Memory"}, [&](Session& s, int rank) {
      const Matrix values = late_numbers({5, 3}), more = 2 * values;
      const Share x = late_input(s, values), y = late_input(s, more);
      const LateReveal first = late_reveal(s, x, To::rank(1), kLateReason);
      const LateReveal second = late_reveal(s, y, To::everyone(), kLateReason);
      reveal(s, y, To::rank(0), kLateReason);
      reveal(s, x, To::everyone(), kLateReason);
      const Public of_second = revealed(s, second);
      reveal(s, x, To::everyone(), kLateReason);
      const Public of_first = revealed(s, first);
      reveal(s, x, To::everyone(), kLateReason);
      if (!s.computes()) return;
      expect_seen(of_first, values, To::rank(1), rank, parties);
      expect_seen(of_second, more, To::everyone(), rank, parties);
    });
  }
}

TEST(LateReveal, NeedsARoundBetweenItsCalls) {
  const Matrix values = late_numbers({1, 1});
  const std::vector<std::exception_ptr> errors =
      net::errors_of_ranks(net::mesh_kind("Memory").make(2, 0), [&](net::Mesh& mesh) {
        PartySession session(mesh, net::AllReducePlan({{0, net::AllReduce::kDirect}}), {}, no_correlations);
        const Share x = constant(session, values, kLateFormat, "x");
        revealed(session, late_reveal(session, x, To::everyone(), kLateReason));
      });
  for (const std::exception_ptr& error : errors) {
    EXPECT_THAT(net::message_of(error), testing::HasSubstr("a bug in Tacit"));
  }
}

// The order of a program's calls is the same at every rank, in the clear session, and in a plan.
TEST(NextRound, IsThatOfTheSameCallAtEveryRank) {
  for (const int parties : {1, 2, 3}) {
    std::mutex mutex;
    std::vector<std::string> orders;
    const auto program = [&](Session& s, int) {
      const Matrix values = late_numbers({3, 3});
      std::string order;
      const Share x = late_input(s, values);
      s.after_next_round([&] {
        order += "first ";
        const LateReveal late = late_reveal(s, x, To::everyone(), kLateReason);
        s.after_next_round([&, late] {
          order += "second ";
          revealed(s, late);
        });
      });
      EXPECT_TRUE(s.waits_for_round());
      late_input(s, values);
      order += "input ";
      mask(s, x);
      order += "mask ";
      constant(s, values, kLateFormat, "a constant");
      order += "constant ";
      mask(s, x);
      order += "mask ";
      EXPECT_FALSE(s.waits_for_round());
      mask(s, x);
      const std::lock_guard lock(mutex);
      orders.push_back(order);
    };
    run_late({parties, "Memory"}, program);
    ClearSession clear(parties);
    program(clear, -1);
    EXPECT_EQ(std::ssize(orders), 2 * parties + 2);  // parties with a plan each, the dealer, and the clear session
    for (const std::string& order : orders) EXPECT_EQ(order, "input first mask constant second mask ");
  }
}

}  // namespace
}  // namespace tacit::mpc
