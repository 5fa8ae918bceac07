#include "launcher/plan/prediction_forecast.h"

#include <fmt/format.h>

#include <algorithm>

#include "gnn/run/bounded_leakage.h"
#include "gnn/run/openings.h"
#include "gnn/run/planned_prediction.h"
#include "launcher/data/contents.h"
#include "launcher/event_json.h"
#include "launcher/plan/forecast.h"
#include "launcher/plan/multiplication_speed.h"
#include "launcher/plan/source_columns.h"
#include "launcher/table.h"
#include "launcher/unit_text.h"

namespace tacit::launcher {

namespace {

using Step = gnn::PlannedRun::Step;

std::string size_text(std::int64_t bytes) { return bytes_text(static_cast<double>(bytes)); }

struct PredictionForecast {
  std::vector<gnn::PlannedPrediction> ranks;  // the parties, in order
  bool exact = true;

  const gnn::PlannedPrediction& busiest() const {
    return *std::max_element(ranks.begin(), ranks.end(),
                             [](const auto& a, const auto& b) { return a.total().cost.bytes < b.total().cost.bytes; });
  }
};

PredictionForecast forecast_of(const Job& job, const PlannedPredictionData& data) {
  constexpr std::int64_t kMostRanks = 16;  // the ranks of a job with many parties differ by a few bytes
  gnn::Plans plans = job;
  plans.training.model_to.reset();  // tacit predict reveals no model
  const int parties = static_cast<int>(job.parties);
  const auto openings = gnn::plan_of(plans.training.openings, parties);
  PredictionForecast made;
  made.exact = openings.has_value() && !data.at_most;
  for (int rank = 0; rank < std::min(job.parties, kMostRanks); ++rank) {
    made.ranks.push_back(
        gnn::planned_prediction(plans.data, plans.training, data.agreement,
                                {parties, rank, openings.value_or(net::AllReducePlan::unmeasured(parties)), 0}));
  }
  return made;
}

std::string costs(const Job& job, const PredictionForecast& forecast, bool at_most) {
  constexpr std::size_t kMostColumns = 5;
  const bool each = forecast.ranks.size() <= kMostColumns;
  std::vector<std::vector<std::string>> rows{{forecast.exact ? "exactly" : at_most ? "at most" : "about", "rounds"}};
  for (std::size_t rank = 0; each && rank < forecast.ranks.size(); ++rank) {
    rows[0].push_back(fmt::format("rank {} sends", rank));
  }
  if (!each) rows[0].push_back("the busiest party sends");
  add_heading_of_source(job, rows[0]);
  const gnn::PlannedPrediction& busiest = forecast.busiest();
  const auto add = [&](const char* name, Step (*step_of)(const gnn::PlannedPrediction&)) {
    const mpc::Cost cost = step_of(busiest).cost;
    rows.push_back({name, fmt::format("{}", cost.rounds)});
    const auto ranks = each ? std::span(forecast.ranks) : std::span(&busiest, 1);
    for (const gnn::PlannedPrediction& rank : ranks) rows.back().push_back(size_text(step_of(rank).cost.bytes));
    add_source(job, cost, rows.back());
  };
  add("sharing the data", [](const gnn::PlannedPrediction& one) { return one.sharing; });
  add("predicting", [](const gnn::PlannedPrediction& one) { return one.predicting; });
  add("all", [](const gnn::PlannedPrediction& one) { return one.total(); });
  return table(rows, 1) + about_source(job) + about_leakage(job, busiest.total().cost.made_leakage, "this prediction");
}

}  // namespace

Answer prediction_forecast(const Job& job, const PlannedPredictionData& data, const std::vector<Link>& links,
                           int threads) {
  if (!gnn::tells_predictions(job.training)) {
    throw ConfigError("the job reveals predictions to nobody: name a rank, with --set reveal.predictions=0");
  }
  const PredictionForecast forecast = forecast_of(job, data);
  const gnn::PlannedPrediction& busiest = forecast.busiest();
  gnn::expect_bounded_leakage(job.training, busiest.total().cost.made_leakage);
  const gnn::Holding& holding = data.agreement.holding;
  const auto predicted = static_cast<std::int64_t>(data.agreement.nodes.size());
  Answer answer;
  answer.text = fmt::format("{}: {}\n{} of {} are predicted, with {} ({})\n", job.name, ranks_in_words(job),
                            holding.snapshots > 1 ? several(predicted, "row") : std::to_string(predicted),
                            subjects_text(holding), several(holding.features, "feature"), data.from);
  if (data.at_most) answer.text += "an upper limit: the edges of the public graph are not known\n";
  answer.text +=
      "\n" + costs(job, forecast, data.at_most) +
      "before that, about 12 rounds and 10 kB to each rank: the meeting, the agreement on job, checkpoint and "
      "data\nwhat was revealed before is revealed again by the same shares, and costs less\n\n";
  answer.json = {{"name", job.name},
                 {"parties", job.parties},
                 {"correlations", word_of(job.training.correlations)},
                 {"exact", forecast.exact},
                 {"sizes",
                  {{"nodes", holding.graph_nodes()},
                   {"snapshots", holding.snapshots},
                   {"graphs", holding.graphs},
                   {"pairs", holding.pairs.value_or(0)},
                   {"features", holding.features},
                   {"predicted", predicted},
                   {"from", data.from},
                   {"at_most", data.at_most}}},
                 {"ranks", Json::array()},
                 {"links", Json::array()},
                 {"reveals", Json::array()}};
  if (job.is_pairwise()) answer.json["leakage"] = leakage_json(busiest.total().cost.made_leakage);
  for (std::size_t rank = 0; rank < forecast.ranks.size(); ++rank) {
    const gnn::PlannedPrediction& one = forecast.ranks[rank];
    answer.json["ranks"].push_back({{"rank", rank},
                                    {"sharing", json_of(one.sharing.cost)},
                                    {"predicting", json_of(one.predicting.cost)},
                                    {"total", json_of(one.total().cost)}});
  }
  const double speed = multiplication_speed(threads);
  std::vector<std::vector<std::string>> times{{"about"}, {"all"}};
  for (const Link& link : links) {
    const double seconds = seconds_of(busiest.total(), link, speed, job.training.correlations_from());
    times[0].push_back(fmt::format("{} ({})", link.name, link.text()));
    times[1].push_back(duration_text(seconds));
    answer.json["links"].push_back({{"name", link.name}, {"seconds", seconds}});
  }
  answer.text += table(times, 1) + "\nrevealed:\n";
  for (const mpc::Reveal& reveal : busiest.reveals) {
    answer.text += fmt::format("  {} to {}, {} x {} numbers\n", reveal.reason, text_of(reveal.to), reveal.count,
                               reveal.elements / reveal.count);
    answer.json["reveals"].push_back({{"reason", reveal.reason},
                                      {"to", text_of(reveal.to)},
                                      {"count", reveal.count},
                                      {"elements", reveal.elements}});
  }
  return answer;
}

}  // namespace tacit::launcher
