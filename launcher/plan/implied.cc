#include "launcher/plan/implied.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "launcher/event_json.h"

namespace tacit::launcher {

namespace {

// The ranks that see both numbers; nullopt if no rank does.
std::optional<mpc::To> both(const mpc::To& a, const mpc::To& b) {
  if (a == mpc::To::everyone()) return b;
  if (b == mpc::To::everyone() || a == b) return a;
  return std::nullopt;
}

}  // namespace

std::vector<std::string> implied_by(const std::vector<mpc::Reveal>& reveals, const Job& job) {
  std::vector<std::string> sentences;
  if (job.data.classes > 0) return sentences;
  for (const mpc::Reveal& rmse : reveals) {
    if (!rmse.reason.ends_with(" rmse")) continue;
    const std::string part = rmse.reason.substr(0, rmse.reason.find(' '));
    for (const mpc::Reveal& other : reveals) {
      const std::optional<mpc::To> seen = both(rmse.to, other.to);
      const bool of_loss = job.data.standardise_targets && other.reason == part + " loss";
      if (!seen || (!of_loss && other.reason != part + " r2")) continue;
      sentences.push_back(fmt::format("{} and {} together tell the deviation of the {} targets, to {}", rmse.reason,
                                      other.reason, part, text_of(*seen)));
    }
  }
  if (!job.data.standardise_targets) return sentences;
  const auto loss = std::find_if(reveals.begin(), reveals.end(),
                                 [](const mpc::Reveal& reveal) { return reveal.reason == "training loss"; });
  if (loss == reveals.end()) return sentences;
  for (const mpc::Reveal& reveal : reveals) {
    const std::optional<mpc::To> seen = both(loss->to, reveal.to);
    if (!reveal.reason.ends_with(" rmse") || !seen) continue;
    sentences.push_back(
        fmt::format("training loss and {} together tell the deviation of the training targets, to {}: the loss is of "
                    "standardised targets, the rmse in their own unit",
                    reveal.reason, text_of(*seen)));
    break;  // one rmse suffices
  }
  return sentences;
}

}  // namespace tacit::launcher
