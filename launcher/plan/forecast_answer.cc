#include "launcher/plan/forecast_answer.h"

#include <fmt/format.h>

#include "launcher/run/progress_line.h"
#include "launcher/table.h"

namespace tacit::launcher {

namespace {

using Rows = std::vector<std::vector<std::string>>;
using Step = gnn::PlannedRun::Step;

std::string in_bytes(std::int64_t bytes) { return bytes_text(static_cast<double>(bytes)); }

std::string audience(const mpc::To& to) {
  return to == mpc::To::everyone() ? "everyone" : fmt::format("rank {}", to.party);
}

std::string_view word(gnn::Openings openings) {
  switch (openings) {
    case gnn::Openings::kBySize:
      return "by-size";
    case gnn::Openings::kDirect:
      return "direct";
    case gnn::Openings::kTwoPhase:
      return "two-phase";
    case gnn::Openings::kMeasured:
      break;
  }
  return "measured";
}

Json json_of(const mpc::Cost& cost) {
  return {{"rounds", cost.rounds},
          {"bytes", cost.bytes},
          {"messages", cost.messages},
          {"dealt_bytes", cost.dealt_bytes},
          {"dealt_messages", cost.dealt_messages}};
}

class Text {
 public:
  Text(const Job& job, const PlannedData& data, const Forecast& forecast)
      : job_(job), data_(data), forecast_(forecast), run_(forecast.busiest()) {}

  std::string all() const {
    return about() + "\n" + costs() + "\n" + times() + "\n" + by_parties() + "\n" + revealed();
  }

 private:
  std::string about() const {
    const gnn::PublicShapes& shapes = data_.agreement.shapes;
    const gnn::Counts& counts = data_.agreement.counts;
    std::string text = fmt::format(
        "{}: {} parties and a dealer, {} epochs\n{} nodes, {} features, {} to train on, {} to validate, {} to test "
        "({})\n",
        job_.name, job_.parties, job_.training.epochs, shapes.nodes, shapes.features, counts.train, counts.validation,
        counts.test, data_.from);
    if (data_.at_most) text += "at most: how far labelled nodes reach in the public graph is not known\n";
    if (job_.openings == gnn::Openings::kMeasured) {
      text += "openings = \"measured\" is settled by the links before each session; what follows is \"by-size\"\n";
    }
    if (forecast_.epochs < job_.training.epochs) {
      text += fmt::format("the first {} epochs; those after them cost what the usual one does\n", forecast_.epochs);
    }
    if (job_.training.stopping) text += "it may stop early, and cost less\n";
    return text;
  }

  // Exact: what ranks send to parties, and the dealer to all of them.
  std::string costs() const {
    Rows rows{{"exactly", "rounds"}};
    for (std::size_t rank = 0; rank < forecast_.ranks.size(); ++rank) {
      rows[0].push_back(fmt::format("rank {} sends", rank));
    }
    rows[0].push_back("dealer sends");
    const auto add = [&](const char* name, const Step& (*step_of)(const gnn::PlannedRun&)) {
      const mpc::Cost& cost = step_of(run_).cost;
      rows.push_back({name, fmt::format("{}", cost.rounds)});
      for (const gnn::PlannedRun& rank : forecast_.ranks) rows.back().push_back(in_bytes(step_of(rank).cost.bytes));
      rows.back().push_back(in_bytes(cost.dealt_bytes));
    };
    add("sharing the data", [](const gnn::PlannedRun& run) -> const Step& { return run.sharing; });
    if (!(run_.epochs.front() == run_.usual_epoch())) {
      add("the first epoch", [](const gnn::PlannedRun& run) -> const Step& { return run.epochs.front(); });
    }
    add("an epoch", [](const gnn::PlannedRun& run) -> const Step& { return run.usual_epoch(); });
    if (!(run_.epochs.back() == run_.usual_epoch())) {
      add("the last epoch", [](const gnn::PlannedRun& run) -> const Step& { return run.epochs.back(); });
    }
    add("results", [](const gnn::PlannedRun& run) -> const Step& { return run.results; });
    add("all", [](const gnn::PlannedRun& run) -> const Step& { return run.total; });
    return table(rows, 1);
  }

  std::string times() const {
    Rows rows{{"about"}, {"an epoch"}, {"all"}};
    std::string advice;
    for (const Forecast::OnLink& on : forecast_.links) {
      rows[0].push_back(fmt::format("{} ({})", on.link.name, on.link.text()));
      rows[1].push_back(duration_text(on.epoch_seconds));
      rows[2].push_back(duration_text(on.all_seconds));
      if (!on.better) continue;
      advice += fmt::format("on {}, openings = \"{}\" would make an epoch {}\n", on.link.name, word(*on.better),
                            duration_text(on.better_epoch_seconds));
    }
    return table(rows, 1) + advice +
           fmt::format("memory: up to {} at a party, {} at the dealer\n", in_bytes(forecast_.party_memory),
                       in_bytes(forecast_.dealer_memory));
  }

  std::string by_parties() const {
    Rows rows{{"an epoch of", "rounds", "a party sends", "dealer sends"}};
    for (const Forecast::OnLink& on : forecast_.links) rows[0].push_back(on.link.name);
    for (const Forecast::OfParties& of : forecast_.by_parties) {
      rows.push_back({fmt::format("{} parties", of.parties), fmt::format("{}", of.epoch.rounds),
                      in_bytes(of.epoch.bytes), in_bytes(of.epoch.dealt_bytes)});
      for (const double seconds : of.epoch_seconds) rows.back().push_back(duration_text(seconds));
    }
    return table(rows, 1);
  }

  std::string revealed() const {
    std::string text = run_.reveals.empty() ? "nothing is revealed\n" : "revealed:\n";
    for (const mpc::Reveal& reveal : run_.reveals) {
      text += fmt::format("  {} to {}, {} x {} numbers\n", reveal.reason, audience(reveal.to), reveal.count,
                          reveal.elements / reveal.count);
    }
    for (const mpc::Decision& decision : run_.decisions) {
      text += fmt::format("  {}, to everyone and the dealer, {} x 1 bit\n", decision.reason, decision.count);
    }
    return text;
  }

  const Job& job_;
  const PlannedData& data_;
  const Forecast& forecast_;
  const gnn::PlannedRun& run_;
};

Json json_of(const Job& job, const PlannedData& data, const Forecast& forecast) {
  const gnn::PublicShapes& shapes = data.agreement.shapes;
  const gnn::Counts& counts = data.agreement.counts;
  Json json = {{"name", job.name},
               {"parties", job.parties},
               {"epochs", forecast.epochs},
               {"openings", forecast.openings.text()},
               {"sizes",
                {{"nodes", shapes.nodes},
                 {"features", shapes.features},
                 {"train", counts.train},
                 {"validation", counts.validation},
                 {"test", counts.test},
                 {"from", data.from},
                 {"at_most", data.at_most}}},
               {"ranks", Json::array()},
               {"memory", {{"party", forecast.party_memory}, {"dealer", forecast.dealer_memory}}},
               {"links", Json::array()},
               {"by_parties", Json::array()},
               {"reveals", Json::array()}};
  for (std::size_t rank = 0; rank < forecast.ranks.size(); ++rank) {
    const gnn::PlannedRun& run = forecast.ranks[rank];
    Json one = {{"rank", rank},
                {"sharing", json_of(run.sharing.cost)},
                {"first_epoch", json_of(run.epochs.front().cost)},
                {"epoch", json_of(run.usual_epoch().cost)},
                {"last_epoch", json_of(run.epochs.back().cost)},
                {"results", json_of(run.results.cost)},
                {"total", json_of(run.total.cost)}};
    for (const Step& epoch : run.epochs) {
      one["rounds_of_epochs"].push_back(epoch.cost.rounds);
      one["bytes_of_epochs"].push_back(epoch.cost.bytes);
    }
    json["ranks"].push_back(std::move(one));
  }
  for (const Forecast::OnLink& on : forecast.links) {
    json["links"].push_back({{"name", on.link.name},
                             {"round_trip", on.link.round_trip},
                             {"bytes_per_second", on.link.bytes_per_second},
                             {"epoch_seconds", on.epoch_seconds},
                             {"seconds", on.all_seconds},
                             {"better_openings", on.better ? Json(word(*on.better)) : Json()}});
  }
  for (const Forecast::OfParties& of : forecast.by_parties) {
    json["by_parties"].push_back(
        {{"parties", of.parties}, {"epoch", json_of(of.epoch)}, {"epoch_seconds", of.epoch_seconds}});
  }
  for (const mpc::Reveal& reveal : forecast.busiest().reveals) {
    json["reveals"].push_back({{"reason", reveal.reason},
                               {"to", audience(reveal.to)},
                               {"count", reveal.count},
                               {"elements", reveal.elements}});
  }
  return json;
}

}  // namespace

Answer answer_of(const Job& job, const PlannedData& data, const Forecast& forecast) {
  return {Text(job, data, forecast).all(), json_of(job, data, forecast)};
}

}  // namespace tacit::launcher
