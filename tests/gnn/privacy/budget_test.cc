// A job beyond the budget is refused before it begins, with the epochs and the noise that would fit.
#include "gnn/privacy/budget.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "net/error.h"
#include "tests/gnn/privacy/sample_plan.h"

namespace tacit::gnn {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

class BudgetOf : public testing::Test {
 protected:
  std::string refusal(const LedgerSession& next) const {
    try {
      charge_within_budget(content_, next, "rank 1");
      return "";
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.told(), "") << "every rank gets the whole sentence";
      return error.what();
    }
  }
  static LedgerSession session(const PrivacyPlan& plan = sample_plan()) {
    LedgerSession next;
    next.plan = plan;
    return next;
  }
  double told_of(const LedgerSession& next) const { return charge_within_budget(content_, next, "").after.told(); }
  static PrivacyPlan with_epochs(std::int64_t epochs) {
    PrivacyPlan plan = sample_plan();
    plan.steps = epochs * plan.steps_per_epoch;
    return plan;
  }

  LedgerContent content_;
};

TEST_F(BudgetOf, AJobIsComparedWithTheStrongestAdversary) {
  const Charge charge = charge_within_budget(content_, session(), "rank 1");
  EXPECT_EQ(charge.before.told(), 0);
  EXPECT_NEAR(charge.after.by_loss, epsilon_of(std::vector<Mechanism>{{2, .05, 100}}, 1e-6).by_loss, 1e-9);
  content_.allowed = Budget{charge.after.told() * 1.0001, 1e-6};
  EXPECT_EQ(refusal(session()), "");
  content_.allowed = Budget{charge.after.told() * .9999, 1e-6};
  EXPECT_NE(refusal(session()), "");
}

TEST_F(BudgetOf, TooManyEpochsNamesTheEpochsAndTheNoiseThatFit) {
  const double all = told_of(session()), seven = told_of(session(with_epochs(7))),
               eight = told_of(session(with_epochs(8)));
  content_.allowed = Budget{(seven + eight) / 2, 1e-6};
  const std::string text = refusal(session());
  EXPECT_THAT(text,
              StartsWith(fmt::format("this job would spend epsilon {:.2f} of the {:.2f} that rank 1 allows its data "
                                     "(delta 1e-06); 7 epochs would spend {:.2f}, or noise 2.",
                                     all, content_.allowed->epsilon, seven)));
  EXPECT_THAT(text, HasSubstr(" for 10"));
  const double noise = std::stod(text.substr(text.rfind("noise") + 6));
  EXPECT_EQ(refusal(session(sample_plan(noise))), "") << "the advice fits";
  EXPECT_NE(refusal(session(sample_plan(noise - .03))), "");
  EXPECT_EQ(refusal(session(with_epochs(7))), "");
  EXPECT_NE(refusal(session(with_epochs(8))), "");
}

TEST_F(BudgetOf, SeveralJobsAddsThemUp) {
  LedgerSession before = session();
  before.reveals = {{"model", "everyone", 100}};
  content_.sessions = {before};
  const double one = epsilon_of(content_.charged_at_most(1e-6), 1e-6).told(), two = told_of(session());
  EXPECT_GT(two, one * 1.2);
  content_.allowed = Budget{two * .9, 1e-6};
  EXPECT_THAT(refusal(session()),
              HasSubstr(fmt::format("would spend epsilon {:.2f}, with {:.2f} of earlier jobs,", two, one)));
  content_.allowed = Budget{one * .99, 1e-6};
  EXPECT_THAT(refusal(session()),
              HasSubstr("the earlier jobs spent all of the budget: `tacit privacy allow` allows more"));
}

TEST_F(BudgetOf, AResumedJobCountsRepeatedSteps) {
  const double once = told_of(session());
  content_.allowed = Budget{once * 1.001, 1e-6};
  LedgerSession first = session();
  content_.sessions = {first};
  LedgerSession second = session();
  second.from = 0;
  second.from_step = 50;
  EXPECT_EQ(refusal(second), "") << "no step is in two revealed values";
  content_.sessions[0].reveals = {{"model", "everyone", 90}};
  EXPECT_THAT(refusal(second), HasSubstr("this job would spend"));
  EXPECT_THAT(refusal(second), MatchesRegex(".*; [67] epochs would spend [0-9.]+")) << "noise cannot change now";
}

TEST_F(BudgetOf, NoEpochSaysWhatWouldFit) {
  content_.allowed = Budget{.01, 1e-6};
  EXPECT_THAT(refusal(session()), MatchesRegex(".*; not one epoch fits with noise 2; noise [0-9.]+ would fit for 10"));
  content_.allowed = Budget{0, 1e-6};
  EXPECT_THAT(refusal(session()),
              HasSubstr("of the 0.00 that rank 1 allows its data (delta 1e-06); the earlier jobs spent"));
}

TEST_F(BudgetOf, AnAdversaryWithoutNoiseIsNamed) {
  content_.allowed = Budget{1000, 1e-6};
  PrivacyPlan plan = sample_plan();
  plan.adversaries = adversaries_of(NoiseFrom::kDealt, 3, 2, 2, .05, true);
  EXPECT_THAT(refusal(session(plan)),
              HasSubstr("would spend epsilon infinite of the 1000.00 that rank 1 allows its data (delta 1e-06); one "
                        "adversary knows all of the noise: the dealer"));
}

TEST(EpsilonText, HasAsManyDecimalsAsItNeeds) {
  EXPECT_EQ(epsilon_text(1.3149), "1.31");
  EXPECT_EQ(epsilon_text(1.00004, 1), "1.00004");
  EXPECT_EQ(epsilon_text(1, 1.00004), "1.00000");
  EXPECT_EQ(epsilon_text(INFINITY), "infinite");
}

}  // namespace
}  // namespace tacit::gnn
