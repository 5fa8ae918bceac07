#include "launcher/event_json.h"

#include <fmt/format.h>

#include <charconv>

#include "gnn/train/perturbed_graph.h"
#include "launcher/reading_name.h"

namespace tacit::launcher {

namespace {

ToldTime told(std::chrono::nanoseconds time, const mpc::Waited& waited) {
  const auto seconds = [](std::chrono::nanoseconds one) { return std::chrono::duration<double>(one).count(); };
  return {seconds(time), seconds(waited.for_parties), seconds(waited.for_dealer)};
}

ToldReading told(const gnn::EpochEvent::Reading& one, std::span<const std::string> class_names) {
  ToldReading told{name_of(one.what), text_of(one.what.to), one.value};
  told.class_name.text = class_name_of(one.what, class_names);
  if (one.table) told.class_names.of.assign(class_names.begin(), class_names.end());
  for (Eigen::Index r = 0; one.table && r < one.table->rows(); ++r) {
    const auto row = one.table->row(r);
    told.counts.rows.emplace_back(row.begin(), row.end());
  }
  return told;
}

std::vector<ToldReading> told(const std::vector<gnn::EpochEvent::Reading>& all,
                              std::span<const std::string> class_names) {
  std::vector<ToldReading> readings;
  for (const gnn::EpochEvent::Reading& one : all) readings.push_back(told(one, class_names));
  return readings;
}

ToldReveal told(const mpc::Reveal& one) { return {one.reason, text_of(one.to), one.count, one.elements}; }

ToldCost told(const mpc::ProtocolCost& one) { return {std::string(one.protocol), one.calls, one.cost}; }

ToldProfile::Protocol told(const mpc::Profile::Protocol& one) {
  return {std::string(one.stated.protocol), one.stated.calls, told(one.time, one.waited), one.stated.cost};
}

ToldProfile::Part told(const mpc::Profile::Part& part);

template <typename One>
auto told(const std::vector<One>& all) {
  std::vector<decltype(told(all.front()))> list;
  for (const One& one : all) list.push_back(told(one));
  return list;
}

ToldProfile::Part told(const mpc::Profile::Part& part) {
  return {part.name, part.times, told(part.time, part.waited()), told(part.protocols)};
}

// A peer's number; -1 if the text is no rank.
int rank_of(const std::string& text) {
  int rank = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rank);
  return error == std::errc() && end == text.data() + text.size() ? rank : -1;
}

}  // namespace

std::string text_of(const mpc::To& to) {
  return to == mpc::To::everyone() ? "everyone" : fmt::format("rank {}", to.party);
}

Json json_of(const gnn::EpochEvent& event, int rank, std::span<const std::string> class_names) {
  Json json = json_of(ToldEpoch{event.epoch, event.loss, told(event.readings, class_names), event.rate, event.usage,
                                event.cost, std::nullopt});
  add_best(event, class_names, json);
  if (event.traffic) json["measured"] = json_of(*event.traffic, rank);
  return json;
}

void add_best(const gnn::EpochEvent& event, std::span<const std::string> class_names, Json& json) {
  if (event.of_epoch) json["best"] = json_of(ToldBest{*event.of_epoch, told(event.of_best, class_names)});
}

Json json_of(const std::vector<gnn::EpochEvent::Reading>& readings, std::span<const std::string> class_names) {
  return json_of(told(readings, class_names));
}

Json json_of(const std::vector<mpc::ProtocolCost>& costs) { return json_of(told(costs)); }

Json json_of(const std::vector<mpc::Reveal>& reveals) { return json_of(told(reveals)); }

Json json_of(const gnn::TrainingProfile& profile) {
  return json_of(ToldProfile{told(profile.before.parts), told(profile.first_epoch.parts), profile.epochs,
                             told(profile.later_epochs.parts), told(profile.after.parts)});
}

Json agreed_sizes(const gnn::DataPlan& data, const gnn::TrainingPlan& training, const gnn::DataAgreement& agreement) {
  const gnn::Holding& holding = agreement.holding;
  const bool public_edges = data.ownership.edges.kind == gnn::PartOwnership::Kind::kPublic;
  ToldSizes sizes = {.nodes = holding.graph_nodes(),
                     .features = holding.features,
                     .targets = holding.classes ? data.classes : holding.targets,
                     .train = agreement.counts.train,
                     .validation = agreement.counts.validation,
                     .test = agreement.counts.test,
                     .classes = holding.classes,
                     .graphs = holding.graphs,
                     .links = data.links.has_value(),
                     .snapshots = holding.snapshots};
  for (const std::int64_t of_rank : holding.edges) sizes.edges = public_edges ? of_rank : sizes.edges + of_rank;
  const auto add_parameters = [&](const gnn::ModelSpec& model, std::int64_t inputs) {
    for (const gnn::NamedMatrix& one : gnn::initial_parameters(model, inputs, training.seed)) {
      sizes.parameters += one.values.size();
    }
  };
  if (training.model.perturbed) {
    add_parameters(gnn::encoder_of(training).model, holding.features);
    add_parameters(training.model, gnn::columns_of_perturbed(training));
  } else {
    add_parameters(training.model, holding.features);
  }
  return json_of(sizes);
}

Json json_of(const net::Traffic& traffic, int rank) {
  Json peers = Json::object();
  for (std::size_t peer = 0; peer < traffic.peers.size(); ++peer) {
    if (static_cast<int>(peer) != rank) peers[std::to_string(peer)] = json_of(traffic.peers[peer]);
  }
  return {{"rank", rank}, {"rounds", traffic.rounds}, {"total", json_of(traffic.total())}, {"peers", peers}};
}

net::Traffic traffic_in(const Json& object, int ranks) {
  net::Traffic traffic;
  traffic.rounds = count_in(object, "rounds");
  const Json* peers = find(object, "peers");
  if (peers == nullptr || !peers->is_object()) return traffic;
  for (const auto& [name, peer] : peers->items()) {
    const int rank = rank_of(name);
    if (rank < 0 || rank >= ranks) continue;
    if (traffic.peers.size() <= static_cast<std::size_t>(rank))
      traffic.peers.resize(static_cast<std::size_t>(rank) + 1);
    traffic.peers[static_cast<std::size_t>(rank)] = struct_in<net::PeerTraffic>(peer);
  }
  return traffic;
}

}  // namespace tacit::launcher
