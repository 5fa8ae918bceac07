#include "launcher/plan/implied.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "gnn/arithmetic/column_scale.h"
#include "launcher/event_json.h"

namespace tacit::launcher {

namespace {

// The ranks that see both numbers; nullopt if no rank does.
std::optional<mpc::To> both(const mpc::To& a, const mpc::To& b) {
  if (a == mpc::To::everyone()) return b;
  if (b == mpc::To::everyone() || a == b) return a;
  return std::nullopt;
}

// With two classes, the number of right nodes and two ratios are three equations for three unknown counts.
std::vector<std::string> implied_of_classes(const std::vector<mpc::Reveal>& reveals, const gnn::DataPlan& data) {
  std::vector<std::string> sentences;
  if (data.classes != 2) return sentences;
  for (const mpc::Reveal& accuracy : reveals) {
    if (!accuracy.reason.ends_with(" accuracy")) continue;
    const std::string part = accuracy.reason.substr(0, accuracy.reason.find(' '));
    std::vector<std::string> ratios;
    std::optional<mpc::To> seen = accuracy.to;
    for (const char* what : {"precision", "recall", "f1"}) {
      const auto found = std::find_if(reveals.begin(), reveals.end(), [&](const mpc::Reveal& one) {
        return one.reason == fmt::format("{} {}", part, what) && seen && both(*seen, one.to);
      });
      if (found == reveals.end() || ratios.size() == 2) continue;
      seen = both(*seen, found->to);
      ratios.emplace_back(what);
    }
    if (ratios.size() < 2) continue;
    sentences.push_back(fmt::format(
        "{}, {} and {} of the {} {}s together tell the counts of the confusion matrix, to {}", "accuracy", ratios[0],
        ratios[1], part, gnn::subject_name(data.ownership.graphs, data.ownership.pairs), text_of(*seen)));
  }
  return sentences;
}

std::vector<std::string> implied_of_targets(const std::vector<mpc::Reveal>& reveals, const Job& job) {
  std::vector<std::string> sentences;
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

// Every party knows how many features of each column its own rows have.
std::vector<std::string> implied_of_features(const std::vector<mpc::Reveal>& reveals, const Job& job) {
  const bool counted = std::any_of(reveals.begin(), reveals.end(),
                                   [](const mpc::Reveal& reveal) { return reveal.reason == gnn::kKnownFeatures; });
  if (!counted || job.parties < 2) return {};
  return {fmt::format("{} and the own number tell {} how many features {} knows", gnn::kKnownFeatures,
                      job.parties == 2 ? "each party" : "all parties but one, together,",
                      job.parties == 2 ? "the other" : "that one")};
}

}  // namespace

std::vector<std::string> implied_by(const std::vector<mpc::Reveal>& reveals, const Job& job) {
  std::vector<std::string> sentences =
      job.data.classes > 0 ? implied_of_classes(reveals, job.data) : implied_of_targets(reveals, job);
  for (std::string& one : implied_of_features(reveals, job)) sentences.push_back(std::move(one));
  return sentences;
}

}  // namespace tacit::launcher
