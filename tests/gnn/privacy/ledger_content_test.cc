// A step of a session is charged once if a revealed value contains it, and not otherwise.
#include "gnn/privacy/ledger_content.h"

#include <gmock/gmock.h>

#include "tests/gnn/privacy/sample_plan.h"

namespace tacit::gnn {
namespace {

using testing::ElementsAre;

class Charges : public testing::Test {
 protected:
  // Adds a session that resumes session `from` after its step `step`, or starts afresh.
  std::size_t begin(int from = -1, std::int64_t step = 0) {
    LedgerSession session;
    session.plan = sample_plan();
    if (from >= 0) session.from = static_cast<std::size_t>(from);
    session.from_step = step;
    content_.sessions.push_back(session);
    return content_.sessions.size() - 1;
  }
  void reveal(std::int64_t step) { content_.sessions.back().reveals.push_back({"model", "everyone", step}); }
  std::vector<std::int64_t> steps() const { return content_.charged_steps(); }

  LedgerContent content_;
};

TEST_F(Charges, AreNoneWithoutAReveal) {
  begin();
  begin(0, 40);
  EXPECT_THAT(steps(), ElementsAre(0, 0));
  EXPECT_TRUE(content_.charged(Observer::kDealer).empty());
}

TEST_F(Charges, EndAtTheLastRevealedStep) {
  begin();
  reveal(30);
  reveal(60);
  reveal(50);
  EXPECT_THAT(steps(), ElementsAre(60));
}

TEST_F(Charges, OfAResumeWithoutEarlierRevealsAreThoseOfOneSession) {
  begin();
  begin(0, 40);
  reveal(100);
  EXPECT_THAT(steps(), ElementsAre(40, 60));
}

// The first session revealed up to step 70, and the second one repeats the steps from 41.
TEST_F(Charges, RepeatStepsThatWereRevealedTwice) {
  begin();
  reveal(70);
  begin(0, 40);
  EXPECT_THAT(steps(), ElementsAre(70, 0));
  reveal(100);
  EXPECT_THAT(steps(), ElementsAre(70, 60));
}

TEST_F(Charges, FollowACheckpointThroughSeveralSessions) {
  begin();
  begin(0, 20);
  begin(1, 50);
  begin(1, 30);  // the third session failed
  reveal(80);
  EXPECT_THAT(steps(), ElementsAre(20, 10, 0, 50));
}

TEST_F(Charges, OfARevealedCheckpointAreTheSteps) {
  begin();
  begin(0, 40);
  reveal(40);
  EXPECT_THAT(steps(), ElementsAre(40, 0));
}

TEST_F(Charges, OfAnInitialModelAreNone) {
  begin();
  reveal(0);
  EXPECT_THAT(steps(), ElementsAre(0));
}

TEST_F(Charges, AreOfTheNoiseThatAnObserverFaces) {
  begin();
  reveal(100);
  begin();
  reveal(50);
  content_.sessions[1].plan.adversaries.resize(1);  // a job without a dealer
  const std::vector<Mechanism> dealer = content_.charged(Observer::kDealer);
  ASSERT_EQ(dealer.size(), 2U);
  EXPECT_NEAR(dealer[0].noise, 2, 1e-12);
  EXPECT_EQ(dealer[0].steps, 100);
  EXPECT_NEAR(dealer[1].noise, 2 * std::sqrt(5. / 3), 1e-12) << "there the dealer is an outsider";
  const std::vector<Mechanism> outsiders = content_.charged(Observer::kOutsiders);
  ASSERT_EQ(outsiders.size(), 1U) << "equal steps are merged";
  EXPECT_EQ(outsiders[0].steps, 150);
}

// Somebody may be the dealer of one job and a party of the next.
TEST_F(Charges, AtMostAreThoseOfTheStrongestAdversaryOfEachJob) {
  begin();
  reveal(100);
  content_.sessions[0].plan.adversaries = {{Observer::kOutsiders, 0, 3, .05}, {Observer::kDealer, 0, 1, .05}};
  begin();
  reveal(100);
  content_.sessions[1].plan.adversaries = {{Observer::kOutsiders, 0, 3, .05}, {Observer::kParties, 1, 2, .05}};
  const std::vector<Mechanism> most = content_.charged_at_most(1e-6);
  ASSERT_EQ(most.size(), 2U);
  EXPECT_EQ(most[0].noise, 1);
  EXPECT_EQ(most[1].noise, 2);
}

}  // namespace
}  // namespace tacit::gnn
