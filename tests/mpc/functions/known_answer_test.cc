// The known-answer check: before a session sees data, it computes a value that every rank knows.
// The check takes 5 rounds. A rank with another build or other streams ends the session at every
// party.
#include "mpc/functions/known_answer.h"

#include <gmock/gmock.h>

#include "net/error.h"
#include "tests/mpc/other_streams_mesh.h"
#include "tests/mpc/run_program.h"

namespace tacit::mpc {
namespace {

TEST(KnownAnswer, IsRightForAnyNumberOfPartiesInFiveRounds) {
  for (const int parties : {1, 2, 3, 5, 8}) {
    for (const net::AllReduce openings : net::kAllReduceAlgorithms) {
      RunOptions options;
      options.openings = openings;
      run_parties(
          parties,
          [&](Session& session, int rank) {
            expect_known_answer(session);
            ASSERT_EQ(session.reveals().size(), 1U);
            EXPECT_EQ(session.reveals()[0].reason, kKnownAnswer);
            if (rank >= parties) return;
            if (parties > 1 && openings == net::AllReduce::kDirect) {
              EXPECT_EQ(session.stated().rounds, 5);
            }
          },
          options);
    }
  }
}

TEST(KnownAnswer, IsRightInTheClearWithinTheRangesOfItsCalls) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    ClearSession session(3, seed);
    EXPECT_NO_THROW(expect_known_answer(session));
    EXPECT_TRUE(session.range_violations().empty());
  }
}

// Imitates a build that names its streams differently: every stream of `rank` differs from its
// peer's stream.
std::vector<std::string> refusals(int parties, int rank) {
  const auto errors = net::errors_of_ranks(net::with_other_streams(net::mesh_kind("Memory").make(parties, 1), rank),
                                           [](net::Mesh& mesh) {
                                             if (!mesh.world().is_party()) {
                                               DealerSession session(mesh);
                                               expect_known_answer(session);
                                               session.flush();
                                               return;
                                             }
                                             PartySession session(mesh, net::AllReducePlan::unmeasured(mesh.parties()));
                                             expect_known_answer(session);
                                           });
  std::vector<std::string> texts;
  for (const std::exception_ptr& error : errors) texts.push_back(net::message_of(error));
  return texts;
}

TEST(KnownAnswer, IsWrongAtEveryPartyWhereARankNamesItsStreamsOtherwise) {
  for (const int parties : {2, 3, 5}) {
    for (const int rank : {0, 1, parties}) {  // includes the dealer
      SCOPED_TRACE(testing::Message() << "rank " << rank << " of " << parties << " parties");
      const std::vector<std::string> texts = refusals(parties, rank);
      ASSERT_EQ(std::ssize(texts), parties + 1);
      for (const std::string& text : texts) EXPECT_THAT(text, testing::HasSubstr("another build of Tacit"));
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
