// A word of an opening that is corrupted in transit ends the session at every rank before the next
// reveal, or at the end of the run, whichever comes first. The tests corrupt every message of the
// opening, for every algorithm, and check that nothing is decoded afterwards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <mutex>

#include "mpc/protocols/compare.h"
#include "mpc/protocols/compare_transcripts.h"
#include "mpc/protocols/decide.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/late_reveal.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/own_matrix_sum.h"
#include "mpc/protocols/reveal.h"
#include "mpc/protocols/show.h"
#include "mpc/session/inside.h"
#include "net/error.h"
#include "tests/mpc/corrupting_mesh.h"
#include "tests/mpc/run_program.h"
#include "tests/sanitized.h"

namespace tacit::mpc {
namespace {

constexpr const char* kOpening = "opening";

using Opens = void (*)(Session& session, const Share& x);

struct Kind {
  const char* name;
  Opens opens;
};

// Some entries of a square matrix.
SparseMatrix own_entries(std::int64_t rows) {
  SparseMatrix m{{rows, rows}, {0}, {}, {}, 0};
  for (std::int64_t row = 0; row < rows; ++row) {
    if (row % 500 == 3) m.cols.push_back(static_cast<std::int32_t>(row / 2));
    m.row_begin.push_back(m.entries());
  }
  m.values.assign(m.cols.size(), 3);
  return m;
}

const Kind kKinds[] = {
    {"Mask", [](Session& session, const Share& x) { mask(session, x); }},
    {"Show", [](Session& session, const Share& x) { show(session, x); }},
    {"Comparison", [](Session& session, const Share& x) { non_negative(session, show(session, x), 40); }},
    {"Reveal", [](Session& session, const Share& x) { reveal(session, x, To::everyone(), "an earlier value"); }},
    {"RevealToOne", [](Session& session, const Share& x) { reveal(session, x, To::rank(0), "an earlier value"); }},
    {"LateReveal",
     [](Session& session, const Share& x) {
       const LateReveal late = late_reveal(session, x, To::everyone(), "an earlier value");
       mask(session, x);
       revealed(session, late);
     }},
    {"LateRevealToOne",
     [](Session& session, const Share& x) {
       const LateReveal late = late_reveal(session, x, To::rank(0), "an earlier value");
       mask(session, x);
       revealed(session, late);
     }},
    {"OwnMatrix",
     [](Session& session, const Share& x) {
       const SparseMatrix m = own_entries(x.shape().rows);
       matmul(session, own_matrix(session, 0, m.shape, m.entries(), 0, &m), x);
     }},
    {"OwnMatrixSum",
     [](Session& session, const Share& x) {
       const SparseMatrix m = own_entries(x.shape().rows);
       std::vector<OwnMatrix> owned;
       for (int owner = 0; owner < 2; ++owner) {
         owned.push_back(own_matrix(session, owner, m.shape, m.entries(), 0, &m));
       }
       sum_of_products(session, owned, x);
     }},
    {"Decision",
     [](Session& session, const Share&) {
       decide(
           session, [] { return true; }, "go on");
     }},
};

struct CorruptedCase {
  int parties;
  net::AllReduce openings;
};

class CorruptedOpening : public testing::TestWithParam<CorruptedCase> {};

std::vector<CorruptedCase> cases() {
  std::vector<CorruptedCase> all;
  const std::vector<int> numbers = kSlowdown == 1 ? std::vector{2, 3, 5} : std::vector{2, 3};
  for (const int parties : numbers) {
    for (const net::AllReduce openings : net::kAllReduceAlgorithms) all.push_back({parties, openings});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Algorithms, CorruptedOpening, testing::ValuesIn(cases()), [](const auto& tested) {
  std::string name = std::to_string(tested.param.parties) + "_" + std::string(net::name(tested.param.openings));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

enum class Then { kRevealToAll, kRevealToOne, kRevealLate, kRevealLateToOne, kEnd };
constexpr std::array kThens{Then::kRevealToAll, Then::kRevealToOne, Then::kRevealLate, Then::kRevealLateToOne,
                            Then::kEnd};

struct Ended {
  std::vector<std::exception_ptr> errors;
  std::vector<double> seen;  // the value that is revealed after the opening
};

Public revealed_beside_an_opening(Session& session, const Share& x, To to) {
  const LateReveal late = late_reveal(session, x, to, "a later value");
  mask(session, x);
  return revealed(session, late);
}

// Opens within a step of its own, then reveals or ends.
Ended run(const CorruptedCase& tested, Opens opens, Then then, const Matrix& values, net::Corruption& corruption) {
  Ended ended;
  std::mutex mutex;
  const auto program = [&](Session& session) {
    session.set_step("before");
    const Share x = input(session, 0, shape_of(values), {51, 13}, &values, "values");
    session.set_step(kOpening);
    opens(session, x);
    session.set_step("after");
    if (then == Then::kEnd) return compare_transcripts(session);
    const bool late = then == Then::kRevealLate || then == Then::kRevealLateToOne;
    const To to = then == Then::kRevealToAll || then == Then::kRevealLate ? To::everyone() : To::rank(1);
    const Public seen = late ? revealed_beside_an_opening(session, x, to) : reveal(session, x, to, "a later value");
    session.output([&](const PublicReader& read) {
      const std::lock_guard lock(mutex);
      if (read.seen(seen)) ended.seen.push_back(read(seen)(0, 0));
    });
    compare_transcripts(session);
  };
  ended.errors = net::errors_of_ranks(net::corrupting(net::mesh_kind("Memory").make(tested.parties, 1), corruption),
                                      [&](net::Mesh& mesh) {
                                        if (!mesh.world().is_party()) {
                                          DealerSession session(mesh);
                                          program(session);
                                          session.flush();
                                          return;
                                        }
                                        PartySession session(mesh, net::AllReducePlan({{0, tested.openings}}));
                                        program(session);
                                      });
  return ended;
}

void expect_ended_by_the_comparison(const Ended& ended) {
  EXPECT_THAT(ended.seen, testing::IsEmpty());
  for (const std::exception_ptr& error : ended.errors) {
    // An order of rows is no order any more after a change of one bit.
    EXPECT_THAT(net::message_of(error),
                testing::AnyOf(testing::HasSubstr("did not see the same opened values"),
                               testing::HasSubstr("an order of rows in which a row is missing")));
  }
}

// Corrupts each message that each rank receives, one message in a run; the step after the opening
// is varied, too.
void corrupt_each_message(const CorruptedCase& tested, const Kind& kind, const Matrix& values) {
  int turn = 0;
  for (int rank = 0; rank < tested.parties; ++rank) {
    net::Corruption none{rank, kOpening};
    const Ended whole = run(tested, kind.opens, Then::kRevealToAll, values, none);
    for (const std::exception_ptr& error : whole.errors) EXPECT_EQ(net::message_of(error), "");
    EXPECT_EQ(std::ssize(whole.seen), tested.parties);
    for (int message = 0; message < none.received; ++message) {
      SCOPED_TRACE(testing::Message() << kind.name << ", message " << message << " to rank " << rank);
      net::Corruption one{rank, kOpening, message};
      expect_ended_by_the_comparison(
          run(tested, kind.opens, kThens[static_cast<std::size_t>(turn++) % kThens.size()], values, one));
      EXPECT_GT(one.received, message);
    }
  }
  EXPECT_GE(turn, tested.parties - 1) << "messages were corrupted";
}

TEST_P(CorruptedOpening, OfAnyMessageEndsEveryRankBeforeAnythingElseIsRevealed) {
  // Enough values that every party adds up a part of the bits, too.
  for (const Kind& kind : kKinds) corrupt_each_message(GetParam(), kind, Matrix::Constant(2053, 3, 2.5));
}

// A message is a segment of at most 512 KiB: here each chunk of a tensor is several messages.
TEST(CorruptedSegment, OfALongOpeningEndsEveryRank) {
  const Matrix values = Matrix::Constant(1 << 19, 1, 2.5);
  for (const net::AllReduce openings : net::kAllReduceAlgorithms) {
    corrupt_each_message({2, openings}, kKinds[0], values);
  }
}

}  // namespace
}  // namespace tacit::mpc
