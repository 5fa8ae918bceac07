#include "launcher/report/account_json.h"

#include "launcher/event_json.h"

namespace tacit::launcher {

namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json json_of(const ToldPhase& phase) {
  return {{"phase", phase.name},
          {"seconds", phase.seconds},
          {"cpu_seconds", phase.cpu_seconds},
          {"bytes_sent", phase.bytes_sent},
          {"bytes_received", phase.bytes_received}};
}

Json json_of(const ToldSession& session) {
  Json json = {{"command", session.command},
               {"started", text_or_null(session.started)},
               {"ended", text_or_null(session.ended)},
               {"error", text_or_null(session.error)},
               {"resumed_from", session.resumed_from ? Json(*session.resumed_from) : Json(nullptr)},
               {"epochs", session.epochs},
               {"training", json_of(session.training)},
               {"phases", Json::array()}};
  for (const ToldPhase& phase : session.phases) json["phases"].push_back(json_of(phase));
  return json;
}

Json json_of(const ToldSizes& sizes) {
  return {{"nodes", sizes.nodes}, {"features", sizes.features},
          {"edges", sizes.edges}, {sizes.classes ? "classes" : "targets", sizes.targets},
          {"train", sizes.train}, {"validation", sizes.validation},
          {"test", sizes.test},   {"parameters", sizes.parameters}};
}

}  // namespace

Json json_of(const RankAccount& account) {
  Json json = {{"rank", account.rank},
               {"role", account.role},
               {"result", result_of(account)},
               {"error", text_or_null(account.error)},
               {"job_digest", text_or_null(account.job_digest)},
               {"tacit", text_or_null(account.tacit_version)},
               {"epochs", account.epochs.size()},
               {"epochs_again", account.epochs_again},
               {"seconds", account.seconds},
               {"cpu_seconds", account.cpu_seconds},
               {"peak_memory", account.peak_memory},
               {"sizes", account.sizes ? json_of(*account.sizes) : Json(nullptr)},
               {"sent_to", account.sent_to},
               {"received_from", account.received_from},
               {"stated", account.stated ? json_of(*account.stated) : Json(nullptr)},
               {"stated_by_protocol", Json::array()},
               {"sessions", Json::array()},
               {"reveals", Json::array()},
               {"decisions", Json::array()}};
  for (const ToldCost& cost : account.stated_by_protocol) {
    Json line = {{"protocol", cost.protocol}, {"calls", cost.calls}};
    line.update(json_of(cost.cost));
    json["stated_by_protocol"].push_back(std::move(line));
  }
  for (const ToldSession& session : account.sessions) json["sessions"].push_back(json_of(session));
  for (const ToldReveal& reveal : account.reveals) {
    json["reveals"].push_back(
        {{"what", reveal.what}, {"to", reveal.to}, {"count", reveal.count}, {"elements", reveal.elements}});
  }
  for (const ToldDecision& decision : account.decisions) {
    json["decisions"].push_back({{"what", decision.what}, {"count", decision.count}});
  }
  return json;
}

}  // namespace tacit::launcher
