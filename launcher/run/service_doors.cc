#include "launcher/run/service_doors.h"

#include <fmt/format.h>

#include <algorithm>

namespace tacit::launcher {

ServiceDoors::ServiceDoors(const Job& job, int rank, OutputFolder folder, Metrics& metrics, Note note)
    : job_(job), rank_(rank), folder_(std::move(folder)), metrics_(metrics), note_(std::move(note)) {}

ServiceDoors::~ServiceDoors() { close("the service has ended"); }

gnn::ServiceOptions ServiceDoors::options(std::function<void()> on_open) {
  return {.limits = job_.service.limits,
          .desk = &desk_,
          .on_open =
              [this, on_open = std::move(on_open)] {
                open();
                on_open();
              },
          .on_turn =
              [this](const gnn::AskedTurn& turn) {
                record(turn);
                metrics_.take(turn);
              }};
}

void ServiceDoors::set_subject(const gnn::GraphData* part, std::int64_t nodes, std::int64_t epochs) {
  names_.emplace(part != nullptr ? *part : gnn::GraphData(), nodes, job_.data.links.has_value());
  epochs_ = epochs;
}

void ServiceDoors::open() {
  if (rank_ >= job_.parties) {
    note_("waits for the end: the dealer sees no request");
    return;
  }
  log_.emplace(folder_.requests());
  if (!gnn::tells_predictions_to(job_.training, rank_)) {
    note_("takes no requests: the job reveals predictions to other ranks");
    return;
  }
  const int parties = static_cast<int>(job_.parties);
  api_.emplace(desk_, *names_,
               PredictionApi::About{job_.name, rank_, parties, epochs_, job_.data.classes > 0, job_.data.class_names},
               [this](RequestResult result, double seconds) { metrics_.answered(result, seconds); });
  const std::string socket = job_.service.socket.of(rank_);
  std::optional<net::Endpoint> loopback;
  if (!job_.service.http.empty()) loopback = net::Endpoint::parse(job_.service.http);
  http_.emplace(
      socket.empty() ? folder_.file("ask.sock") : std::filesystem::path(socket), loopback,
      [this](std::string_view method, std::string_view target, const std::string& body,
             PredictionApi::Respond respond) { api_->handle(method, target, body, std::move(respond)); },
      note_);
  note_(fmt::format("takes requests at {}", http_->text()));
  const std::string folder = job_.service.folder.of(rank_);
  if (folder.empty()) return;
  files_.emplace(
      folder,
      [this](const std::string& body, PredictionApi::Respond respond) { api_->predict(body, std::move(respond)); },
      note_);
  note_(fmt::format("takes requests as files in {}", folder));
}

// A refused request is recorded, too, with its first nodes: no limit holds for its length and for the number of such
// requests.
void ServiceDoors::record(const gnn::AskedTurn& turn) {
  constexpr std::ptrdiff_t kMostOfRefused = 100;
  for (std::size_t i = 0; i < turn.requests.size(); ++i) {
    const gnn::Rows& nodes = turn.requests[i];
    const int by = turn.refused_by[i];
    const std::ptrdiff_t shown = by < 0 ? std::ssize(nodes) : std::min(kMostOfRefused, std::ssize(nodes));
    log_->add("request", {{"asker", turn.asker},
                          {"count", std::ssize(nodes)},
                          {"nodes", gnn::Rows(nodes.begin(), nodes.begin() + shown)},
                          {"refused_by", by < 0 ? Json(nullptr) : Json(by)}});
  }
}

void ServiceDoors::close(const std::string& why) {
  desk_.end(why);
  files_.reset();
  http_.reset();
}

}  // namespace tacit::launcher
