#include "launcher/event_json.h"

#include <fmt/format.h>

namespace tacit::launcher {

namespace {

void add_time(Json& json, std::chrono::nanoseconds time, const mpc::Waited& waited) {
  const auto seconds = [](std::chrono::nanoseconds one) { return std::chrono::duration<double>(one).count(); };
  json["seconds"] = seconds(time);
  json["waited_for_parties"] = seconds(waited.for_parties);
  json["waited_for_dealer"] = seconds(waited.for_dealer);
}

Json json_of_part(const mpc::Profile::Part& part) {
  Json json = {{"part", part.name}, {"times", part.times}};
  add_time(json, part.time, part.waited());
  Json& protocols = json["protocols"] = Json::array();
  for (const mpc::Profile::Protocol& one : part.protocols) {
    Json line = {{"protocol", one.stated.protocol}, {"calls", one.stated.calls}};
    add_time(line, one.time, one.waited);
    line["cost"] = json_of(one.stated.cost);
    protocols.push_back(std::move(line));
  }
  return json;
}

}  // namespace

std::string name_of(const gnn::Revealed& what) {
  return fmt::format("{} {}", gnn::name_of(what.part), gnn::name_of(what.metric));
}

std::string text_of(const mpc::To& to) {
  return to == mpc::To::everyone() ? "everyone" : fmt::format("rank {}", to.party);
}

Json json_of(const gnn::EpochEvent& event, int rank) {
  Json json = {{"epoch", event.epoch},
               {"loss", event.loss ? Json(*event.loss) : Json(nullptr)},
               {"readings", json_of(event.readings)},
               {"rate", event.rate}};
  json.update(json_of(event.usage));
  json["stated"] = json_of(event.cost);
  if (event.traffic) json["measured"] = json_of(*event.traffic, rank);
  return json;
}

Json json_of(const std::vector<gnn::EpochEvent::Reading>& readings) {
  Json json = Json::array();
  for (const auto& reading : readings) {
    json.push_back({{"what", name_of(reading.what)}, {"value", reading.value}, {"to", text_of(reading.what.to)}});
  }
  return json;
}

Json json_of(const mpc::Cost& cost) {
  return {{"rounds", cost.rounds},
          {"bytes", cost.bytes},
          {"messages", cost.messages},
          {"dealt_bytes", cost.dealt_bytes},
          {"dealt_messages", cost.dealt_messages}};
}

Json json_of(const std::vector<mpc::ProtocolCost>& costs) {
  Json json = Json::array();
  for (const mpc::ProtocolCost& one : costs) {
    Json line = {{"protocol", one.protocol}, {"calls", one.calls}};
    line.update(json_of(one.cost));
    json.push_back(std::move(line));
  }
  return json;
}

Json json_of(const mpc::Profile& profile) {
  Json json = Json::array();
  for (const mpc::Profile::Part& part : profile.parts) json.push_back(json_of_part(part));
  return json;
}

Json json_of(const gnn::TrainingProfile& profile) {
  return {{"before", json_of(profile.before)},
          {"first_epoch", json_of(profile.first_epoch)},
          {"epochs", profile.epochs},
          {"parts", json_of(profile.later_epochs)},
          {"after", json_of(profile.after)}};
}

Json agreed_sizes(const gnn::DataPlan& data, const gnn::TrainingPlan& training, const gnn::DataAgreement& agreement) {
  const gnn::Holding& holding = agreement.holding;
  const bool public_edges = data.ownership.edges.kind == gnn::PartOwnership::Kind::kPublic;
  std::int64_t edges = 0, parameters = 0;
  for (const std::int64_t of_rank : holding.edges) edges = public_edges ? of_rank : edges + of_rank;
  for (const gnn::NamedMatrix& one : gnn::initial_parameters(training.model, holding.features, training.seed)) {
    parameters += one.values.size();
  }
  return {{"nodes", holding.nodes},
          {"features", holding.features},
          {"targets", holding.targets},
          {"classes", holding.classes},
          {"edges", edges},
          {"train", agreement.counts.train},
          {"validation", agreement.counts.validation},
          {"test", agreement.counts.test},
          {"parameters", parameters}};
}

Json json_of(const gnn::Usage& usage) {
  return {{"seconds", usage.seconds}, {"cpu_seconds", usage.cpu_seconds}, {"peak_memory", usage.peak_memory}};
}

Json json_of(const net::Traffic& traffic, int rank) { return Json::parse(net::to_json(traffic, rank)); }

Json json_of(const std::vector<mpc::Reveal>& reveals) {
  Json json = Json::array();
  for (const mpc::Reveal& reveal : reveals) {
    json.push_back(
        {{"what", reveal.reason}, {"to", text_of(reveal.to)}, {"count", reveal.count}, {"elements", reveal.elements}});
  }
  return json;
}

Json json_of(const std::vector<mpc::Decision>& decisions) {
  Json json = Json::array();
  for (const mpc::Decision& decision : decisions) {
    json.push_back({{"what", decision.reason}, {"count", decision.count}});
  }
  return json;
}

}  // namespace tacit::launcher
