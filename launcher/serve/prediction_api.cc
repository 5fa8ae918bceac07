#include "launcher/serve/prediction_api.h"

#include <fmt/format.h>

#include "launcher/serve/open_api.h"
#include "launcher/serve/request_text.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr const char *kPredictions = "/v1/predictions", *kStatus = "/v1/status", *kOpenApi = "/v1/openapi.json";

}  // namespace

ApiAnswer api_error(int status, const std::string& sentence) {
  return {.status = status, .body = {{"error", sentence}}};
}

PredictionApi::PredictionApi(gnn::RequestDesk& desk, NodeNames names, About about, OnResult on_result)
    : desk_(desk), names_(std::move(names)), about_(std::move(about)), on_result_(std::move(on_result)) {}

void PredictionApi::handle(std::string_view method, std::string_view target, const std::string& body, Respond respond) {
  const std::string_view path = target.substr(0, target.find('?'));
  const bool predicts = path == kPredictions;
  if (!predicts && path != kStatus && path != kOpenApi) {
    return respond(api_error(404, fmt::format("there is no {}; {}, {} and {} are here",
                                              net::printable(std::string(path), 80), kPredictions, kStatus, kOpenApi)));
  }
  const std::string_view expected = predicts ? "POST" : "GET";
  if (method != expected) {
    ApiAnswer answer = api_error(405, fmt::format("{} takes {} alone", path, expected));
    answer.allowed = expected;
    return respond(std::move(answer));
  }
  if (predicts) return predict(body, std::move(respond));
  respond(path == kStatus ? status() : ApiAnswer{.body = open_api(names_.what())});
}

void PredictionApi::predict(const std::string& body, Respond respond) {
  const Clock::time_point begun = Clock::now();
  gnn::Rows nodes;
  try {
    nodes = nodes_in_request(body, names_);
  } catch (const BadRequest& bad) {
    note(RequestResult::kBadRequest, begun);
    return respond(api_error(bad.status(), bad.what()));
  }
  desk_.ask(nodes, [this, nodes, begun, respond = std::move(respond)](const gnn::Reply& reply) {
    note(result_of(reply), begun);
    if (reply.kind == gnn::Reply::Kind::kAnswered) {
      return respond({.body = answer_text(nodes, reply.predictions, about_.classes, names_, about_.class_names)});
    }
    ApiAnswer error = api_error(reply.kind == gnn::Reply::Kind::kRefused ? 429 : 503, reply.why);
    error.again_after = reply.again_after;
    respond(std::move(error));
  });
}

void PredictionApi::note(RequestResult result, Clock::time_point begun) {
  ++(result == RequestResult::kAnswered ? answered_ : refused_);
  on_result_(result, std::chrono::duration<double>(Clock::now() - begun).count());
}

ApiAnswer PredictionApi::status() const {
  const std::chrono::duration<double> since = Clock::now() - begun_;
  ApiAnswer answer{.body = {{"job", about_.job},
                            {"rank", about_.rank},
                            {"parties", about_.parties},
                            {std::string(names_.what()) + "s", names_.nodes()},
                            {"epochs", about_.epochs},
                            {"seconds", since.count()},
                            {"answered", answered_.load()},
                            {"refused", refused_.load()}}};
  if (!about_.class_names.empty()) answer.body["class_names"] = about_.class_names;
  return answer;
}

}  // namespace tacit::launcher
