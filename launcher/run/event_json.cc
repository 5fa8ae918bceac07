#include "launcher/run/event_json.h"

#include <fmt/format.h>

namespace tacit::launcher {

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
