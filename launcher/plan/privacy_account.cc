#include "launcher/plan/privacy_account.h"

#include <fmt/format.h>

#include <cmath>

#include "launcher/data/contents.h"
#include "launcher/table.h"
#include "launcher/unit_text.h"

namespace tacit::launcher {

namespace {

Json adversaries_json(const gnn::PrivacyPlan& account, double delta) {
  Json adversaries = Json::array();
  for (const gnn::Adversary& one : account.adversaries) {
    const gnn::Mechanism steps = gnn::mechanism_of(account, one, account.steps);
    const gnn::Epsilon epsilon = gnn::epsilon_of(std::span(&steps, 1), delta);
    adversaries.push_back({{"who", gnn::describe(one)},
                           {"noise", one.noise},
                           {"epsilon", epsilon.told()},
                           {"epsilon_renyi", epsilon.by_renyi}});
  }
  return adversaries;
}

}  // namespace

Json privacy_json(const gnn::TrainingPlan& training, const gnn::TrainingPrivacy& privacy) {
  const gnn::PrivacySettings& plan = *training.privacy;
  const bool edges = privacy.unit == gnn::PrivacyUnit::kEdge;
  Json json = {
      {"unit", edges ? "edge" : "record"},
      {"clip", edges ? Json(nullptr) : Json(plan.clip)},
      {"delta", plan.delta},
      {"noise", privacy.noise},
      {"rate", privacy.rate},
      {"steps", edges ? 1 : privacy.steps * training.epochs},
      {"epochs", training.epochs},
      {"records_in_a_step", privacy.expected()},
      {"adversaries", Json::array()},
      {"not_covered",
       {"a record from its own party", "the records behind metrics: the numbers of the metrics are revealed exactly",
        "a person with several records: their epsilons add up", "parties that do not follow the program"}}};
  if (edges) {
    json["not_covered"] = {
        "an edge from the rank that holds it", "the number of edges in each rank's file: all ranks know it",
        "features and labels: the noise is for edges alone", "parties that do not follow the program"};
    // Outsiders know no part of the noise: theirs is the noise in the sums.
    const double noise = privacy.account(training.epochs).adversaries.front().noise;
    json["noise_of_a_sum"] = noise * std::sqrt(2.0 * static_cast<double>(training.model.layers.back().outputs));
    json["mean_degree"] = privacy.mean_degree;
  }
  json["not_covered"].push_back(
      training.checkpoint_every > 0
          ? "other runs of this job: in another folder, or in a folder that --afresh moved aside (a privacy ledger "
            "counts them)"
          : "earlier sessions of this job, if one was interrupted: without checkpoints, epsilon is of one session "
            "alone (a privacy ledger counts all)");
  json["adversaries"] = adversaries_json(privacy.account(training.epochs), plan.delta);
  return json;
}

Json spent_json(const gnn::TrainingPlan& training, const gnn::TrainingPrivacy& privacy, std::int64_t steps,
                std::int64_t epochs) {
  Json json = privacy_json(training, privacy);
  const std::int64_t repeated = steps - privacy.account(epochs).steps;
  if (epochs == training.epochs && repeated == 0) return json;
  json["steps"] = steps;
  json["epochs"] = epochs;
  json["adversaries"] = adversaries_json(privacy.account_of_steps(steps), training.privacy->delta);
  if (repeated > 0) json["repeated_steps"] = repeated;
  return json;
}

std::string text_of_noisy_sums(double noise, double mean_degree) {
  return fmt::format("a row of sums over {:.3g} neighbours, the mean, has noise of length {:.3g}{}", mean_degree, noise,
                     noise > mean_degree ? ": noise hides most sums, so compare the metrics without edges" : "");
}

std::string privacy_text(const Json& privacy) {
  const double records = privacy["records_in_a_step"].get<double>(), rate = privacy["rate"].get<double>();
  const double delta = privacy["delta"].get<double>();
  std::string text =
      privacy["unit"] == "edge"
          ? fmt::format(
                "privacy of one edge (a pair of nodes, both directions); delta {:g}; sums over edges are read "
                "once\n{}\n",
                delta,
                text_of_noisy_sums(privacy["noise_of_a_sum"].get<double>(), privacy["mean_degree"].get<double>()))
          : fmt::format(
                "privacy of one record, which an empty one replaces; delta {:g}, after {} of about {:.0f} records "
                "each (one in {:.4g})\n",
                delta, several(privacy["steps"].get<std::int64_t>(), "step"), records, 1 / rate);
  std::vector<std::vector<std::string>> rows{{"against", "noise", "epsilon", "by Renyi"}};
  for (const Json& one : privacy["adversaries"]) {
    rows.push_back({one["who"].get<std::string>(), fmt::format("{:.3g}", one["noise"].get<double>()),
                    fmt::format("{:.3g}", one["epsilon"].get<double>()),
                    fmt::format("{:.3g}", one["epsilon_renyi"].get<double>())});
  }
  text += table(rows, 1);
  if (privacy.contains("repeated_steps")) {
    text += fmt::format("{} of the steps are repetitions after an interruption, and count again\n",
                        privacy["repeated_steps"].get<std::int64_t>());
  }
  if (privacy.contains("ledger_after")) {
    text += fmt::format(
        "by this rank's ledger (with the delta that it allows, or 1e-06), its data had spent epsilon {:.3g} "
        "before, and {:.3g} after this job\n",
        privacy["ledger_before"].get<double>(), privacy["ledger_after"].get<double>());
  }
  for (const Json& sentence : privacy["not_covered"])
    text += fmt::format("not covered: {}\n", sentence.get<std::string>());
  return text;
}

}  // namespace tacit::launcher
