// ServiceDoors — `tacit serve` at one rank, beside the session: the desk for requests, the doors through which they come,
// and the account of the requests of all ranks.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "gnn/run/service_run.h"
#include "launcher/job/job.h"
#include "launcher/run/event_log.h"
#include "launcher/run/metrics.h"
#include "launcher/run/output_folder.h"
#include "launcher/serve/folder_door.h"
#include "launcher/serve/http_door.h"

namespace tacit::launcher {

class ServiceDoors {
 public:
  using Note = std::function<void(const std::string&)>;

  // `job` and `metrics` must outlive this object. `note` gets sentences for the user, in any thread.
  ServiceDoors(const Job& job, int rank, OutputFolder folder, Metrics& metrics, Note note);
  ~ServiceDoors();

  // The options of the service at this rank; the functions in them refer to this object. `on_open` is called when the
  // doors are open.
  gnn::ServiceOptions options(std::function<void()> on_open);
  // Sets the data with the nodes that requests may name, and the epochs of the model. Call it before the service opens.
  void set_subject(const gnn::GraphData* part, std::int64_t nodes, std::int64_t epochs);

  // Ends the service at all ranks. Returns false if the service is not open yet. Any thread.
  bool stop(int signal) { return desk_.stop(signal); }
  // Waiting requests get this sentence, and the doors close.
  void close(const std::string& why);

 private:
  void open();
  void record(const gnn::AskedTurn& turn);

  const Job& job_;
  const int rank_;
  const OutputFolder folder_;
  Metrics& metrics_;
  const Note note_;
  std::optional<NodeNames> names_;
  std::int64_t epochs_ = 0;
  std::optional<EventLog> log_;  // at parties
  gnn::RequestDesk desk_;
  std::optional<PredictionApi> api_;  // the doors call it, and it calls the desk
  std::optional<HttpDoor> http_;
  std::optional<FolderDoor> files_;
};

}  // namespace tacit::launcher
