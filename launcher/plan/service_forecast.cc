#include "launcher/plan/service_forecast.h"

#include <fmt/format.h>

#include "gnn/run/bounded_leakage.h"
#include "gnn/run/openings.h"
#include "gnn/run/planned_service.h"
#include "gnn/train/predictions.h"
#include "launcher/data/contents.h"
#include "launcher/event_json.h"
#include "launcher/plan/forecast.h"
#include "launcher/plan/multiplication_speed.h"
#include "launcher/plan/source_columns.h"
#include "launcher/table.h"
#include "launcher/unit_text.h"

namespace tacit::launcher {

namespace {

// The cost of a service at one party.
struct ServiceCost {
  int rank = 0;
  gnn::PlannedRun::Step ready, request;
  std::int64_t further_node = 0;  // bytes of a request
};

int first_asker(const Job& job) {
  int asker = 0;
  while (asker < job.parties && !gnn::tells_predictions_to(job.training, asker)) ++asker;
  if (asker < job.parties) return asker;
  throw ConfigError("the job reveals predictions to nobody: name a rank, with --set reveal.predictions=0");
}

// The cost at the asker, and at rank 0, which passes its requests on.
std::vector<ServiceCost> service_costs(const Job& job, const PlannedPredictionData& data, int asker) {
  gnn::Plans plans = job;
  plans.training.model_to.reset();  // tacit serve reveals no model
  const int parties = static_cast<int>(job.parties);
  const net::AllReducePlan openings =
      gnn::plan_of(plans.training.openings, parties).value_or(net::AllReducePlan::unmeasured(parties));
  std::vector<ServiceCost> costs;
  for (int rank = 0; rank < parties; ++rank) {
    if (rank != 0 && rank != asker && rank != parties - 1) continue;
    const auto of = [&](std::int64_t nodes) {
      return gnn::planned_service(plans.data, plans.training, data.agreement, {parties, rank, openings, 0}, asker,
                                  nodes);
    };
    const gnn::PlannedService one = of(1);
    const std::int64_t further =
        data.agreement.holding.subjects() > 1 ? of(2).request.cost.bytes - one.request.cost.bytes : 0;
    costs.push_back({rank, one.ready, one.request, further});
  }
  return costs;
}

std::string service_table(const Job& job, const std::vector<ServiceCost>& costs, int asker, bool exact) {
  std::vector<std::vector<std::string>> rows{
      {exact ? "exactly" : "about", "rounds"},
      {"until it is ready", fmt::format("{}", costs.front().ready.cost.rounds)},
      {fmt::format("a request of rank {} for one node", asker), fmt::format("{}", costs.front().request.cost.rounds)},
      {"each further node of it", "0"}};
  for (const ServiceCost& cost : costs) {
    rows[0].push_back(fmt::format("rank {} sends", cost.rank));
    rows[1].push_back(bytes_text(static_cast<double>(cost.ready.cost.bytes)));
    rows[2].push_back(bytes_text(static_cast<double>(cost.request.cost.bytes)));
    rows[3].push_back(bytes_text(static_cast<double>(cost.further_node)));
  }
  add_heading_of_source(job, rows[0]);
  add_source(job, costs.front().ready.cost, rows[1]);
  add_source(job, costs.front().request.cost, rows[2]);
  add_source(job, {}, rows[3]);
  return table(rows, 1) + about_source(job) +
         about_leakage(job, costs.front().ready.cost.made_leakage,
                       "a service, however many requests it answers: a request makes no product");
}

}  // namespace

Answer service_forecast(const Job& job, const PlannedPredictionData& data, const std::vector<Link>& links,
                        int threads) {
  if (job.data.snapshots > 1) throw ConfigError(std::string(kNoServiceOfSnapshots));
  const int asker = first_asker(job);
  const std::vector<ServiceCost> costs = service_costs(job, data, asker);
  gnn::expect_bounded_leakage(job.training, costs.front().ready.cost.made_leakage);
  const bool exact = gnn::plan_of(job.training.openings, static_cast<int>(job.parties)).has_value() && !data.at_most;
  const gnn::Holding& holding = data.agreement.holding;
  Answer answer;
  answer.text = fmt::format("{}: {}\na service for {}, with {} ({})\n", job.name, ranks_in_words(job),
                            subjects_text(holding), several(holding.features, "feature"), data.from);
  if (data.at_most) answer.text += "an upper limit: the edges of the public graph are not known\n";
  answer.text += "\n" + service_table(job, costs, asker, exact) +
                 "before that, about 12 rounds and 10 kB to each rank; predictions that were revealed before are ready "
                 "without computing\n\n";
  answer.json = {{"name", job.name},
                 {"parties", job.parties},
                 {"correlations", word_of(job.training.correlations)},
                 {"exact", exact},
                 {"asker", asker},
                 {"ranks", Json::array()},
                 {"links", Json::array()},
                 {"sizes",
                  {{"nodes", holding.graph_nodes()},
                   {"snapshots", holding.snapshots},
                   {"graphs", holding.graphs},
                   {"pairs", holding.pairs.value_or(0)},
                   {"features", holding.features},
                   {"from", data.from}}}};
  if (job.is_pairwise()) answer.json["leakage"] = leakage_json(costs.front().ready.cost.made_leakage);
  for (const ServiceCost& cost : costs) {
    answer.json["ranks"].push_back({{"rank", cost.rank},
                                    {"ready", json_of(cost.ready.cost)},
                                    {"request", json_of(cost.request.cost)},
                                    {"further_node_bytes", cost.further_node}});
  }
  const double speed = multiplication_speed(threads);
  std::vector<std::vector<std::string>> times{{"about"}, {"until it is ready"}, {"a request for one node"}};
  for (const Link& link : links) {
    const double ready = seconds_of(costs.front().ready, link, speed, job.training.correlations_from());
    const double request = seconds_of(costs.front().request, link, speed, job.training.correlations_from());
    times[0].push_back(fmt::format("{} ({})", link.name, link.text()));
    times[1].push_back(duration_text(ready));
    times[2].push_back(duration_text(request));
    answer.json["links"].push_back({{"name", link.name}, {"ready_seconds", ready}, {"request_seconds", request}});
  }
  answer.text += table(times, 1);
  return answer;
}

}  // namespace tacit::launcher
