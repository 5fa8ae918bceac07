#include "launcher/plan/forecast_answer.h"

#include <fmt/format.h>

#include "gnn/run/bounded_leakage.h"
#include "gnn/train/agreed_privacy.h"
#include "launcher/data/contents.h"
#include "launcher/event_json.h"
#include "launcher/plan/advice.h"
#include "launcher/plan/implied.h"
#include "launcher/plan/privacy_account.h"
#include "launcher/plan/source_columns.h"
#include "launcher/reading_name.h"
#include "launcher/table.h"
#include "launcher/unit_text.h"
#include "mpc/correlations/pairwise_correlations.h"
#include "mpc/ot/leakage_units.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

using Rows = std::vector<std::vector<std::string>>;
using Step = gnn::PlannedRun::Step;

std::string in_bytes(std::int64_t bytes) { return bytes_text(static_cast<double>(bytes)); }

class Text {
 public:
  Text(const Job& job, const PlannedData& data, const Forecast& forecast)
      : job_(job), data_(data), forecast_(forecast), run_(forecast.busiest()) {}

  std::string all() const {
    return about() + "\n" + costs() + "\n" + times() + "\n" + by_parties() + "\n" + privacy() + revealed();
  }

 private:
  std::string about() const {
    const gnn::Holding& holding = data_.agreement.holding;
    const gnn::Counts& counts = data_.agreement.counts;
    std::string text = fmt::format(
        "{}: {}, {} epochs\n{}{}, {} features, {} to train on, {} to validate, {} to test "
        "({})\n",
        job_.name, ranks_in_words(job_), job_.training.epochs, nodes_in_snapshots(holding.nodes, holding.snapshots),
        holding.graphs > 0 ? " in " + several(holding.graphs, "graph") : "", holding.features,
        holding.pairs           ? several(counts.train, "pair")
        : holding.snapshots > 1 ? several(counts.train, "row")
                                : std::to_string(counts.train),
        counts.validation, counts.test, data_.from);
    if (data_.at_most) {
      text += fmt::format("an upper limit: the reach of labelled {}s in the public graph is not known\n",
                          holding.subject());
    }
    if (job_.training.openings == gnn::Openings::kMeasured) {
      text += "openings = \"measured\" is settled by the links before each session; this plan assumes \"by-size\"\n";
    }
    if (run_.left_out.anything()) {
      const std::string less = fmt::format(", without {} of the batches of each", run_.left_out.batches);
      text += fmt::format("of the epochs {} were planned one by one{}; the others are assumed to cost the same\n",
                          run_.epochs.size(), run_.left_out.batches > 0 ? less : "");
    }
    if (job_.training.stopping) text += "it may stop early, and cost less\n";
    return text;
  }

  // The bytes that each rank sends to parties, and the dealer's to all parties; without a dealer, the part of the busiest party
  // that makes correlations.
  std::string costs() const {
    constexpr std::size_t kMostColumns = 5;  // the ranks differ by a few bytes
    const bool each = forecast_.ranks.size() <= kMostColumns;
    Rows rows{{!forecast_.exact ? "about" : data_.at_most ? "at most" : "exactly", "rounds"}};
    for (std::size_t rank = 0; each && rank < forecast_.ranks.size(); ++rank) {
      rows[0].push_back(fmt::format("rank {} sends", rank));
    }
    if (!each) rows[0].push_back("the busiest party sends");
    add_heading_of_source(job_, rows[0]);
    const auto add = [&](const char* name, const Step& (*step_of)(const gnn::PlannedRun&)) {
      const mpc::Cost& cost = step_of(run_).cost;
      rows.push_back({name, fmt::format("{}", cost.rounds)});
      const auto ranks = each ? std::span(forecast_.ranks) : std::span(&run_, 1);
      for (const gnn::PlannedRun& rank : ranks) rows.back().push_back(in_bytes(step_of(rank).cost.bytes));
      add_source(job_, cost, rows.back());
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
    return table(rows, 1) + about_source(job_) + about_leakage(job_, run_.total.cost.made_leakage, in_epochs()) +
           "before that, about 10 rounds and 10 kB to each rank: the meeting, the comparison of jobs, the agreement on "
           "the data\n";
  }

  std::string in_epochs() const { return fmt::format("{} epochs", job_.training.epochs); }

  std::string times() const {
    Rows rows{{"about"}, {"an epoch"}, {"all"}};
    std::string advice;
    for (const Forecast::OnLink& on : forecast_.links) {
      rows[0].push_back(fmt::format("{} ({})", on.link.name, on.link.text()));
      rows[1].push_back(duration_text(on.epoch_seconds));
      rows[2].push_back(duration_text(on.all_seconds));
      if (!on.better) continue;
      advice += fmt::format("on {}, openings = \"{}\" would make an epoch {}\n", on.link.name, word_of(*on.better),
                            duration_text(on.better_epoch_seconds));
    }
    return table(rows, 1) + advice +
           fmt::format("memory: about {} at a party{}{}\n", in_bytes(forecast_.memory.party),
                       dealt() ? fmt::format(", {} at the dealer", in_bytes(forecast_.memory.dealer)) : "", here()) +
           on_adjacency() + on_cards();
  }

  std::string on_adjacency() const {
    const std::optional<OtherAdjacency>& other = forecast_.other_adjacency;
    if (!other) return "";
    return fmt::format(
        "data.adjacency = \"{}\" would send {} at most from a party{} in all, and take about {} of memory at a party\n",
        other->form, in_bytes(other->party),
        dealt() ? fmt::format(", {} from the dealer", in_bytes(other->dealer)) : "", in_bytes(other->memory));
  }

  std::string on_cards() const {
    std::string text;
    for (const Forecast::OnLink& on : forecast_.links) {
      if (!on.card_helps()) continue;
      text += fmt::format("on {}, a GPU at each rank (--device cuda) would make an epoch about {} (an estimate)\n",
                          on.link.name, duration_text(on.card_epoch_seconds));
    }
    if (text.empty()) return "a GPU would not make an epoch a twentieth shorter on these links\n";
    return text +
           fmt::format(
               "memory of the GPU: at most {} at a party{}\n", in_bytes(forecast_.memory.party_on_device.most),
               dealt() ? fmt::format(", {} at the dealer", in_bytes(forecast_.memory.dealer_on_device.most)) : "");
  }

  std::string here() const {
    const MemoryAtHand have = memory_at_hand();
    if (have.bytes < 0) return "";
    const bool enough = lack_of_memory({forecast_.memory.party, forecast_.memory.party, 1}, have).empty();
    return fmt::format(
        "; {} leaves {} here{}", have.limit, in_bytes(have.bytes),
        enough ? "" : fmt::format(", too little for a party: {}, or take another machine", memory_remedy(job_.data)));
  }

  std::string by_parties() const {
    Rows rows{{"an epoch of", "rounds", "a party sends"}};
    add_heading_of_source(job_, rows[0]);
    if (job_.is_pairwise()) rows[0].push_back(fmt::format("leakage in {}", in_epochs()));
    for (const Forecast::OnLink& on : forecast_.links) rows[0].push_back(on.link.name);
    for (const Forecast::OfParties& of : forecast_.by_parties) {
      rows.push_back(
          {fmt::format("{} parties", of.parties), fmt::format("{}", of.epoch.rounds), in_bytes(of.epoch.bytes)});
      add_source(job_, of.epoch, rows.back());
      if (job_.is_pairwise()) rows.back().push_back(leakage_in_table(of.leakage));
      for (const double seconds : of.epoch_seconds) rows.back().push_back(duration_text(seconds));
    }
    return table(rows, 1);
  }

  static std::string leakage_in_table(std::int64_t leakage) {
    return gnn::leakage_text(leakage) + (leakage > mpc::kMostLeakage ? ", refused" : "");
  }

  bool dealt() const { return job_.helpers() > 0; }

  std::string privacy() const {
    if (!job_.training.privacy) return "";
    return privacy_text(privacy_json(job_.training, gnn::privacy_of(job_.training, data_.agreement))) + "\n";
  }

  std::string revealed() const {
    std::string text = run_.reveals.empty() ? "nothing is revealed\n" : "revealed:\n";
    for (const mpc::Reveal& reveal : run_.reveals) {
      text +=
          fmt::format("  {} to {}, {} x {} numbers\n", net::printable(shown_name(reveal.reason, job_.data.class_names)),
                      text_of(reveal.to), reveal.count, reveal.elements / reveal.count);
    }
    for (const mpc::Decision& decision : run_.decisions) {
      text += fmt::format("  {}, to everyone{}, {} x 1 bit\n", decision.reason,
                          job_.is_pairwise() ? "" : " and the dealer", decision.count);
    }
    for (const std::string& sentence : implied_by(run_.reveals, job_)) text += fmt::format("  {}\n", sentence);
    for (const std::string& sentence : advice_on(job_)) text += fmt::format("advice: {}\n", sentence);
    if (job_.training.audit_every == 0 && !job_.training.privacy) text += fmt::format("{}\n", kWatchIsOff);
    return text;
  }

  const Job& job_;
  const PlannedData& data_;
  const Forecast& forecast_;
  const gnn::PlannedRun& run_;
};

Json json_of_other(const std::optional<OtherAdjacency>& other) {
  if (!other) return nullptr;
  return {{"form", other->form}, {"party", other->party}, {"dealer", other->dealer}, {"memory", other->memory}};
}

Json memory_json(const Job& job, const MemoryNeed& need) {
  if (job.helpers() == 0) return {{"party", need.party}, {"party_on_gpu", need.party_on_device.most}};
  return {{"party", need.party},
          {"dealer", need.dealer},
          {"party_on_gpu", need.party_on_device.most},
          {"dealer_on_gpu", need.dealer_on_device.most}};
}

Json forecast_json(const Job& job, const PlannedData& data, const Forecast& forecast) {
  const gnn::Holding& holding = data.agreement.holding;
  const gnn::Counts& counts = data.agreement.counts;
  Json json = {{"name", job.name},
               {"parties", job.parties},
               {"correlations", word_of(job.training.correlations)},
               {"epochs", job.training.epochs},
               {"planned_epochs", forecast.busiest().epochs.size()},
               {"batches_left_out", forecast.busiest().left_out.batches},
               {"exact", forecast.exact && !data.at_most},
               {"may_stop_early", job.training.stopping.has_value()},
               {"openings", forecast.openings.text()},
               {"openings_measured", job.training.openings == gnn::Openings::kMeasured},
               {"sizes",
                {{"nodes", holding.graph_nodes()},
                 {"snapshots", holding.snapshots},
                 {"graphs", holding.graphs},
                 {"pairs", holding.pairs.value_or(0)},
                 {"features", holding.features},
                 {"train", counts.train},
                 {"validation", counts.validation},
                 {"test", counts.test},
                 {"from", data.from},
                 {"at_most", data.at_most}}},
               {"ranks", Json::array()},
               {"memory", memory_json(job, forecast.memory)},
               {"other_adjacency", json_of_other(forecast.other_adjacency)},
               {"links", Json::array()},
               {"by_parties", Json::array()},
               {"reveals", Json::array()},
               {"decisions", Json::array()},
               {"implied", implied_by(forecast.busiest().reveals, job)},
               {"advice", advice_on(job)}};
  if (job.is_pairwise()) json["leakage"] = leakage_json(forecast.busiest().total.cost.made_leakage);
  if (job.training.privacy) json["privacy"] = privacy_json(job.training, gnn::privacy_of(job.training, data.agreement));
  for (std::size_t rank = 0; rank < forecast.ranks.size(); ++rank) {
    const gnn::PlannedRun& run = forecast.ranks[rank];
    Json one = {{"rank", rank},
                {"sharing", json_of(run.sharing.cost)},
                {"first_epoch", json_of(run.epochs.front().cost)},
                {"epoch", json_of(run.usual_epoch().cost)},
                {"last_epoch", json_of(run.epochs.back().cost)},
                {"results", json_of(run.results.cost)},
                {"total", json_of(run.total.cost)}};
    if (job.is_pairwise()) {
      const mpc::MadeCost start =
          mpc::start_cost(static_cast<int>(job.parties), static_cast<int>(rank), job.training.correlations_from());
      one["start"] = {{"rounds", start.rounds}, {"bytes", start.bytes}, {"messages", start.messages}};
    }
    one["numbers_of_epochs"] = run.numbers;
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
                             {"epoch_seconds_with_gpu", on.card_epoch_seconds},
                             {"better_openings", on.better ? Json(word_of(*on.better)) : Json()},
                             {"better_epoch_seconds", on.better ? Json(on.better_epoch_seconds) : Json()}});
  }
  for (const Forecast::OfParties& of : forecast.by_parties) {
    json["by_parties"].push_back(
        {{"parties", of.parties}, {"epoch", json_of(of.epoch)}, {"epoch_seconds", of.epoch_seconds}});
    if (job.is_pairwise()) json["by_parties"].back()["leakage"] = leakage_json(of.leakage);
  }
  for (const mpc::Reveal& reveal : forecast.busiest().reveals) {
    json["reveals"].push_back({{"reason", reveal.reason},
                               {"to", text_of(reveal.to)},
                               {"count", reveal.count},
                               {"elements", reveal.elements}});
  }
  for (const mpc::Decision& decision : forecast.busiest().decisions) {
    json["decisions"].push_back({{"reason", decision.reason}, {"count", decision.count}});
  }
  return json;
}

}  // namespace

Answer answer_of(const Job& job, const PlannedData& data, const Forecast& forecast) {
  return {Text(job, data, forecast).all(), forecast_json(job, data, forecast)};
}

}  // namespace tacit::launcher
