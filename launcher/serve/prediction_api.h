// PredictionApi — answers the requests of this rank's users, whichever way they come: over HTTP or as files.
//
//   POST /v1/predictions  {"nodes": [3, 5]}
//   GET  /v1/status
//   GET  /v1/openapi.json
//
// Thread: any.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "gnn/data/class_names.h"
#include "gnn/serve/request_desk.h"
#include "launcher/data/node_names.h"
#include "launcher/json.h"
#include "launcher/serve/request_result.h"

namespace tacit::launcher {

struct ApiAnswer {
  int status = 200;  // the HTTP status code
  Json body = Json::object();
  std::int64_t again_after = 0;  // seconds; 0: not stated
  std::string allowed{};         // methods, with status 405
};

ApiAnswer api_error(int status, const std::string& sentence);

// With status 503, after an exception that only an exhausted machine raises.
inline constexpr const char* kCannotTake = "this rank could not take the request now: ask again later";

class PredictionApi {
 public:
  struct About {
    std::string job;
    int rank = 0, parties = 0;
    std::int64_t epochs = 0;  // epochs of the model's training
    bool classes = false;
    gnn::ClassNames class_names = {};  // from the job; empty if it has none
  };
  using Respond = std::function<void(ApiAnswer)>;
  using OnResult = std::function<void(RequestResult result, double seconds)>;

  // The desk must outlive it, and its calls of `respond`. `on_result` is called once for each request for predictions, in
  // any thread, before its answer leaves.
  PredictionApi(gnn::RequestDesk& desk, NodeNames names, About about, OnResult on_result);

  // `respond` is called once, in any thread, perhaps before the call returns.
  void handle(std::string_view method, std::string_view target, const std::string& body, Respond respond);
  void predict(const std::string& body, Respond respond);

 private:
  using Clock = std::chrono::steady_clock;

  ApiAnswer status() const;
  void note(RequestResult result, Clock::time_point begun);

  gnn::RequestDesk& desk_;
  const NodeNames names_;
  const About about_;
  const OnResult on_result_;
  const Clock::time_point begun_ = Clock::now();
  std::atomic<std::int64_t> answered_ = 0, refused_ = 0;
};

}  // namespace tacit::launcher
