// `tacit privacy`: ledgers and the accountant, as a person uses them.
#include <gmock/gmock.h>

#include <fstream>

#include "gnn/privacy/privacy_ledger.h"
#include "tests/launcher/commands/command.h"
#include "tests/launcher/job/small_job.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class Privacy : public testing::Test {
 protected:
  std::string ledger() const { return folder_.path() / "ledger"; }

  static gnn::PrivacyPlan plan() {
    gnn::PrivacyPlan plan;
    plan.noise = 2;
    plan.steps = 100;
    plan.steps_per_epoch = 10;
    plan.adversaries = gnn::adversaries_of(gnn::NoiseFrom::kBoth, 3, 2, plan.noise, .05, true);
    return plan;
  }
  static gnn::SessionStart start(int session, int job) {
    gnn::SessionStart start;
    start.session[31] = static_cast<std::byte>(session);
    start.job[0] = static_cast<std::byte>(job);
    return start;
  }
  // A job that revealed a model, and a second one that was cut off.
  void run_jobs() const {
    gnn::PrivacyLedger ledger(this->ledger());
    ledger.reserve(start(1, 0x3f), plan());
    ledger.revealed("model", "everyone", 100);
    ledger.ended();
    ledger.reserve(start(2, 0xa5), plan());
  }

  // Runs `tacit privacy ...`, which must fail with exit code 2, and returns the error.
  static std::string refused(std::vector<std::string> words) {
    words.insert(words.begin(), "privacy");
    const Ran ran = tacit(words);
    EXPECT_EQ(ran.exit_code, 2) << ran;
    EXPECT_EQ(ran.out, "");
    return ran.err;
  }

 private:
  TemporaryFolder folder_;
};

// `tacit doctor` looks at the ledger, and `tacit launch` gives each party its own.
TEST_F(Privacy, LedgersAreExaminedBeforeARun) {
  const std::string job = ledger() + ".toml";
  std::ofstream(job) << kPrivateJob << "epsilon = 1.0\n";
  const auto examined = [&](const std::string& file) {
    return tacit({"doctor", job, "--alone", "--rank", "0", "--output", ledger() + ".run", "--set",
                  "privacy.ledger=" + file})
        .out;
  };
  EXPECT_THAT(examined(ledger()), HasSubstr("note   ledger  "));
  EXPECT_THAT(examined(ledger()), HasSubstr("is not there: the job makes it, with no budget"));
  run_jobs();
  EXPECT_THAT(examined(ledger()), HasSubstr("is spent, and has no budget (delta 1e-06)"));
  tacit({"privacy", "allow", ledger(), "--epsilon", "7", "--delta", "1e-5"});
  EXPECT_THAT(examined(ledger()), HasSubstr("is spent of 7 (delta 1e-05)"));
  std::ofstream(ledger(), std::ios::app) << "nonsense\n";
  EXPECT_THAT(examined(ledger()), HasSubstr("WRONG  ledger"));
  EXPECT_THAT(tacit({"launch", job, "--output", ledger() + ".run", "--set", "privacy.ledger=one"}).err,
              HasSubstr("/one for ranks 0 and 1, and a ledger is of one party's data"));
}

TEST_F(Privacy, AccountsForATraining) {
  const std::vector<std::string> words = {"privacy",    "account", "--noise", "0.9",     "--rate",
                                          "256/980000", "--steps", "38280",   "--delta", "1e-6"};
  const Ran ran = tacit(words);
  ASSERT_EQ(ran.exit_code, 0) << ran;
  EXPECT_THAT(ran.out, StartsWith("noise 0.9, rate 0.000261224, 38280 steps, delta 1e-06\n"));
  EXPECT_THAT(ran.out, HasSubstr("everyone who sees the revealed values    0.9   0.3220       0.9562\n"));
  std::vector<std::string> in_json = words;
  in_json.push_back("--json");
  const Json json = tacit(in_json).json();
  EXPECT_NEAR(json["adversaries"][0]["epsilon"].get<double>(), 0.322, 5e-5);
  EXPECT_NEAR(json["adversaries"][0]["epsilon_renyi"].get<double>(), 0.9562, 5e-5);
}

// The table of the design, section 1.5.
TEST_F(Privacy, AccountsForEachAdversary) {
  const Json json = tacit({"privacy", "account", "--noise", "0.9", "--rate", "256/980000", "--steps", "38280",
                           "--delta", "1e-6", "--parties", "2", "--json"})
                        .json();
  ASSERT_EQ(json["adversaries"].size(), 3U);
  const std::vector<std::pair<std::string, double>> expected = {
      {"outsiders", 0.225}, {"dealer", 0.322}, {"parties", 0.322}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(json["adversaries"][i]["observer"], expected[i].first);
    EXPECT_NEAR(json["adversaries"][i]["epsilon"].get<double>(), expected[i].second, 5e-4);
  }
  const Ran dealt = tacit({"privacy", "account", "--noise", "0.9", "--rate", "0.01", "--steps", "10", "--delta", "1e-6",
                           "--parties", "2", "--noise-from", "dealt"});
  EXPECT_THAT(dealt.out, testing::ContainsRegex("the dealer, if it sees the revealed values +0 +infinite +infinite\n"));
}

TEST_F(Privacy, SolvesForTheNoiseOrTheSteps) {
  const Json noise = tacit({"privacy", "account", "--epsilon", "1", "--rate", "0.05", "--steps", "100", "--delta",
                            "1e-6", "--parties", "3", "--json"})
                         .json();
  double most = 0;
  for (const Json& one : noise["adversaries"]) most = std::max(most, one["epsilon"].get<double>());
  EXPECT_LE(most, 1);
  EXPECT_GT(most, .995);
  EXPECT_EQ(noise["adversaries"][1]["noise"], noise["noise"]) << "the dealer's";
  const Json steps =
      tacit({"privacy", "account", "--epsilon", "1", "--rate", "0.05", "--noise", "3", "--delta", "1e-6", "--json"})
          .json();
  EXPECT_GT(steps["steps"].get<int>(), 100);
  EXPECT_LE(steps["adversaries"][0]["epsilon"].get<double>(), 1);
  EXPECT_GT(steps["adversaries"][0]["epsilon"].get<double>(), .99);
}

TEST_F(Privacy, RefusesQuestionsWithoutOneAnswer) {
  const auto account = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"account", "--rate", "0.01", "--delta", "1e-6"});
    return refused(more);
  };
  EXPECT_THAT(account({"--noise", "1"}), HasSubstr("say two of --noise, --steps and --epsilon"));
  EXPECT_THAT(account({"--noise", "1", "--steps", "10", "--epsilon", "1"}), HasSubstr("are too many"));
  EXPECT_THAT(account({"--noise", "0.06", "--epsilon", "0.5"}),
              HasSubstr("one step alone has a larger epsilon than 0.5"));
  EXPECT_THAT(account({"--steps", "10", "--epsilon", "1", "--parties", "2", "--noise-from", "dealt"}),
              HasSubstr("one adversary knows all of the noise"));
  EXPECT_THAT(account({"--noise", "1", "--steps", "10", "--parties", "2", "--colluding", "2"}),
              HasSubstr("2 of 2 parties collude"));
  EXPECT_THAT(account({"--noise", "1", "--steps", "10", "--colluding", "2"}), HasSubstr("--colluding needs --parties"));
  EXPECT_THAT(account({"--noise", "0", "--steps", "10"}), HasSubstr("0 is not a number from 0.05 to 1e+06"));
  EXPECT_THAT(account({"--noise", "1", "--steps", "0"}), HasSubstr("--steps"));
  EXPECT_THAT(account({"--noise", "1", "--steps", "10", "--noise-from", "nobody"}), HasSubstr("--noise-from"));
  for (const std::string rate : {"0", "1.5", "-1", "nan", "256/", "/3", "980000/256", "1e-300/1e300", "1/2/3"}) {
    EXPECT_THAT(refused({"account", "--noise", "1", "--steps", "10", "--rate", rate, "--delta", "1e-6"}),
                HasSubstr("the rate " + rate + ": expected a number"));
  }
  EXPECT_THAT(refused({"account", "--noise", "1", "--steps", "10", "--rate", "1", "--delta", "1"}),
              HasSubstr("1 is not a number of at least 1e-30 and below 1"));
  EXPECT_THAT(tacit({"privacy", "account", "--help"}).out, HasSubstr("< 1"));
  EXPECT_THAT(refused({"account", "--noise", "1", "--steps", "10", "--rate", "1", "--delta", "0"}),
              HasSubstr("--delta"));
  EXPECT_THAT(refused({"account", "--noise", "1", "--steps", "10", "--rate", "1"}), HasSubstr("--delta is required"));
}

TEST_F(Privacy, ShowsTheSpentPrivacyAndTheSteps) {
  run_jobs();
  const Ran ran = tacit({"privacy", "show", ledger()});
  ASSERT_EQ(ran.exit_code, 0) << ran;
  EXPECT_THAT(ran.out, StartsWith(ledger() + ": privacy of one record, which an empty one replaces, at delta 1e-06\n"));
  EXPECT_THAT(ran.out, AllOf(HasSubstr("2 parties together, none the owner"), HasSubstr("there is no budget"),
                             HasSubstr("ended; revealed model to everyone"), HasSubstr("3f000000")));
  const Json json = tacit({"privacy", "show", ledger(), "--json"}).json();
  EXPECT_EQ(json["unit"], "record");
  EXPECT_EQ(json["allowed"], nullptr);
  const double epsilon = gnn::epsilon_of(std::vector<gnn::Mechanism>{{2, .05, 100}}, 1e-6).told();
  EXPECT_NEAR(json["epsilon"].get<double>(), epsilon, 1e-9);
  ASSERT_EQ(json["adversaries"].size(), 3U);
  EXPECT_LT(json["adversaries"][0]["epsilon"].get<double>(), epsilon);
  ASSERT_EQ(json["jobs"].size(), 2U);
  EXPECT_EQ(json["jobs"][0]["charged_steps"], 100);
  EXPECT_EQ(json["jobs"][0]["reveals"][0], Json({{"what", "model"}, {"to", "everyone"}, {"step", 100}}));
  EXPECT_EQ(json["jobs"][1]["charged_steps"], 0);
  EXPECT_EQ(json["jobs"][1]["open"], true);
  const Json smaller = tacit({"privacy", "show", ledger(), "--delta", "1e-9", "--json"}).json();
  EXPECT_GT(smaller["epsilon"].get<double>(), epsilon);
}

TEST_F(Privacy, AllowsABudgetBeforeAndAfterTheFirstJob) {
  const Ran made = tacit({"privacy", "allow", ledger(), "--epsilon", "2", "--delta", "1e-5"});
  EXPECT_EQ(made.exit_code, 0) << made;
  EXPECT_EQ(made.out, ledger() + " allows epsilon 2 (delta 1e-05); 0.00 is spent\n");
  EXPECT_THAT(tacit({"privacy", "show", ledger()}).out,
              AllOf(HasSubstr("spent: epsilon 0.00 of 2.00 (delta 1e-05)"), HasSubstr("no job has used this ledger")));
  run_jobs();
  const Ran less = tacit({"privacy", "allow", ledger(), "--epsilon", "0.1", "--delta", "1e-5"});
  EXPECT_EQ(less.exit_code, 0) << less;
  EXPECT_THAT(less.out, HasSubstr("is spent, so further jobs are refused"));
  const Json json = tacit({"privacy", "show", ledger(), "--json"}).json();
  EXPECT_EQ(json["allowed"], Json({{"epsilon", 0.1}, {"delta", 1e-5}}));
  EXPECT_EQ(json["delta"], 1e-5) << "the budget's";
  EXPECT_THAT(refused({"allow", ledger(), "--epsilon", "-1", "--delta", "1e-5"}), HasSubstr("--epsilon"));
  EXPECT_THAT(refused({"allow", ledger(), "--epsilon", "1", "--delta", "1"}),
              HasSubstr("1 is not a number of at least 1e-30"));
}

TEST_F(Privacy, EndsAReservationOnRequest) {
  run_jobs();
  EXPECT_THROW(gnn::PrivacyLedger(ledger()).reserve(start(3, 0x77), plan()), ConfigError);
  const Ran ran = tacit({"privacy", "end", ledger()});
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_THAT(ran.out, HasSubstr("the reservation of job a5000000 has ended"));
  EXPECT_THAT(tacit({"privacy", "end", ledger()}).out, HasSubstr("no reservation is open"));
  gnn::PrivacyLedger(ledger()).reserve(start(3, 0x77), plan());
}

TEST_F(Privacy, RefusesLedgersThatAreMissingDamagedOrInUse) {
  EXPECT_THAT(refused({"show", ledger()}), AllOf(HasSubstr(ledger()), HasSubstr("No such file")));
  EXPECT_THAT(refused({"end", ledger()}), HasSubstr("No such file"));
  EXPECT_FALSE(std::filesystem::exists(ledger())) << "only `allow` and a job make a ledger";
  run_jobs();
  {
    const gnn::PrivacyLedger job(ledger());
    EXPECT_THAT(refused({"allow", ledger(), "--epsilon", "1", "--delta", "1e-6"}), HasSubstr("another process uses"));
    EXPECT_THAT(refused({"end", ledger()}), HasSubstr("another process uses"));
    EXPECT_EQ(tacit({"privacy", "show", ledger()}).exit_code, 0);
  }
  std::ofstream(ledger(), std::ios::app) << "noise\n";
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"show", ledger()}, {"end", ledger()}, {"allow", ledger(), "--epsilon", "1", "--delta", "1e-6"}}) {
    EXPECT_THAT(refused(words), HasSubstr("is damaged: line 6"));
  }
}

}  // namespace
}  // namespace tacit::launcher
