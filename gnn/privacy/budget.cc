#include "gnn/privacy/budget.h"

#include <fmt/format.h>

#include <cmath>

#include "net/error.h"

namespace tacit::gnn {

namespace {

LedgerContent with(LedgerContent content, LedgerSession next, std::int64_t step) {
  next.reveals.push_back({"", "", step});
  content.sessions.push_back(std::move(next));
  return content;
}

// Rounded up to two decimals, or to two digits.
std::string noise_text(double noise) {
  const double unit = std::pow(10, std::min(-2.0, std::floor(std::log10(noise)) - 1));
  return fmt::format("{:.{}f}", std::ceil(noise / unit) * unit, static_cast<int>(std::lround(-std::log10(unit))));
}

// The job with fewer epochs, and the job with more noise, if they fit.
std::string remedy(const LedgerContent& content, const LedgerSession& next, const Budget& budget) {
  const PrivacyPlan& plan = next.plan;
  const Adversary& adversary = strongest(plan, plan.steps - next.from_step, budget.delta);
  if (adversary.noise == 0) return fmt::format("one adversary knows all of the noise: {}", describe(adversary));
  const Allowance rest = {budget.epsilon, budget.delta,
                          with(content, next, next.from_step).charged_at_most(budget.delta)};
  const Mechanism job = mechanism_of(plan, adversary, plan.steps - next.from_step);
  if (epsilon_of(rest.before, rest.delta).told() >= rest.epsilon) {
    return "the earlier jobs spent all of the budget: `tacit privacy allow` allows more";
  }
  std::string text;
  const std::int64_t steps = adversary.uses > 0 ? 0 : steps_that_fit(job, rest, plan.steps_per_epoch);
  if (steps > 0) {
    const std::int64_t epochs = (next.from_step + steps) / plan.steps_per_epoch;
    const double spent =
        epsilon_of(with(content, next, next.from_step + steps).charged_at_most(rest.delta), rest.delta).told();
    text = fmt::format("{} epoch{} would spend {}", epochs, epochs == 1 ? "" : "s", epsilon_text(spent));
  }
  if (next.from_step > 0) return text.empty() ? "not one more epoch fits" : text;
  const double noise = noise_that_fits(job, rest);
  if (!std::isfinite(noise)) return text.empty() ? "no noise fits" : text;
  const std::string fits = noise_text(noise * plan.noise / adversary.noise);
  const std::int64_t epochs = plan.steps / plan.steps_per_epoch;
  if (text.empty())
    return fmt::format("not one epoch fits with noise {:g}; noise {} would fit for {}", plan.noise, fits, epochs);
  return fmt::format("{}, or noise {} for {}", text, fits, epochs);
}

}  // namespace

std::string epsilon_text(double epsilon, double other) {
  if (!std::isfinite(epsilon)) return "infinite";
  for (int decimals = 2; decimals < 8; ++decimals) {
    const std::string text = fmt::format("{:.{}f}", epsilon, decimals);
    if (epsilon == other || text != fmt::format("{:.{}f}", other, decimals)) return text;
  }
  return fmt::format("{}", epsilon);
}

Charge charge_within_budget(const LedgerContent& content, const LedgerSession& next, const std::string& owner) {
  const double delta = content.allowed ? content.allowed->delta : kUsualDelta;
  const LedgerContent after = with(content, next, next.plan.steps);
  const Charge charge = {epsilon_of(content.charged_at_most(delta), delta),
                         epsilon_of(after.charged_at_most(delta), delta)};
  if (!content.allowed || charge.after.told() <= content.allowed->epsilon) return charge;
  const double allowed = content.allowed->epsilon, told = charge.after.told();
  const std::string before =
      charge.before.told() > 0 ? fmt::format(", with {} of earlier jobs,", epsilon_text(charge.before.told())) : "";
  throw ConfigError(fmt::format("this job would spend epsilon {}{} of the {} that {} allows its data (delta {:g}); {}",
                                epsilon_text(told, allowed), before, epsilon_text(allowed, told), owner, delta,
                                remedy(content, next, *content.allowed)));
}

}  // namespace tacit::gnn
