#include "launcher/privacy/account_question.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "gnn/privacy/privacy_plan.h"
#include "launcher/privacy/ledger_summary.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

void expect_two(const AccountQuestion& question) {
  const int given = question.noise.has_value() + question.epsilon.has_value() + question.steps.has_value();
  if (given == 2) return;
  throw ConfigError(given == 3
                        ? "--noise, --steps and --epsilon are too many: leave out the one that the answer is to be"
                        : "say two of --noise, --steps and --epsilon; the answer is the third one");
}

gnn::PrivacyPlan plan_of(const AccountQuestion& question) {
  gnn::PrivacyPlan plan;
  plan.noise = question.noise.value_or(1);
  plan.steps = question.steps.value_or(gnn::kMostSteps);
  if (!question.parties) {
    if (question.colluding) throw ConfigError("--colluding needs --parties");
    plan.adversaries = {{gnn::Observer::kOutsiders, 0, plan.noise, question.rate}};
    return plan;
  }
  const int parties = *question.parties, colluding = question.colluding.value_or(parties - 1);
  if (parties < 1 || colluding < 0 || colluding >= parties) {
    throw ConfigError(fmt::format("{} of {} parties collude; expected at least one party more than colluding ones",
                                  colluding, parties));
  }
  const gnn::NoiseFrom from = question.dealer ? question.noise_from : gnn::NoiseFrom::kParties;
  plan.adversaries = gnn::adversaries_of(from, parties, colluding, plan.noise, question.rate, question.dealer);
  return plan;
}

// Replaces the value that the question leaves open, for the strongest adversary.
void solve(gnn::PrivacyPlan& plan, const AccountQuestion& question) {
  if (!question.epsilon) return;
  const gnn::Allowance allowance = {*question.epsilon, question.delta};
  const gnn::Adversary strongest = gnn::strongest(plan, question.steps.value_or(1), question.delta);
  if (strongest.noise == 0) {
    throw ConfigError(
        fmt::format("one adversary knows all of the noise, so its epsilon is infinite: {}; take --noise-from "
                    "both or parties",
                    describe(strongest)));
  }
  const gnn::Mechanism mechanism = gnn::mechanism_of(plan, strongest, plan.steps);
  if (question.noise) {
    plan.steps = gnn::steps_that_fit(mechanism, allowance);
    if (plan.steps > 0) return;
    throw ConfigError(fmt::format("one step alone has a larger epsilon than {:g} with noise {:g}", *question.epsilon,
                                  *question.noise));
  }
  const double factor = gnn::noise_that_fits(mechanism, allowance) / strongest.noise;
  if (!std::isfinite(factor)) {
    throw ConfigError(
        fmt::format("no noise up to {:g} makes epsilon as small as {:g}", gnn::kMostNoise, *question.epsilon));
  }
  plan.noise *= factor;
  for (gnn::Adversary& one : plan.adversaries) one.noise *= factor;
}

}  // namespace

Answer answer_of(const AccountQuestion& question) {
  expect_two(question);
  gnn::check_delta(question.delta);
  gnn::PrivacyPlan plan = plan_of(question);
  gnn::check_plan(plan);
  solve(plan, question);
  std::vector<LedgerSummary::Row> rows;
  Answer answer;
  answer.text = fmt::format("noise {:.4g}, rate {:.6g}, {} steps, delta {:g}\n", plan.noise, question.rate, plan.steps,
                            question.delta);
  answer.json = {{"noise", plan.noise},
                 {"rate", question.rate},
                 {"steps", plan.steps},
                 {"delta", question.delta},
                 {"adversaries", Json::array()}};
  for (const gnn::Adversary& one : plan.adversaries) {
    const std::vector<gnn::Mechanism> steps = {gnn::mechanism_of(plan, one, plan.steps)};
    rows.push_back({one, gnn::epsilon_of(steps, question.delta)});
    Json row = to_json(rows.back());
    row["noise"] = one.noise;
    answer.json["adversaries"].push_back(std::move(row));
  }
  answer.text += adversary_table(rows, true);
  return answer;
}

double rate_of(const std::string& text) {
  const auto number = [&](std::string_view part) {
    double value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    const bool whole = error == std::errc() && end == part.data() + part.size();
    return whole && std::isfinite(value) && value > 0 ? value : -1;
  };
  const std::size_t slash = text.find('/');
  const double above = number(std::string_view(text).substr(0, slash));
  const double below = slash == std::string::npos ? 1 : number(std::string_view(text).substr(slash + 1));
  if (above > 0 && below > 0 && above / below >= gnn::kLeastRate && above <= below) return above / below;
  throw ConfigError(fmt::format("the rate {}: expected a number from {:g} to 1, or two numbers as in 256/980000",
                                net::printable(text, 60), gnn::kLeastRate));
}

}  // namespace tacit::launcher
