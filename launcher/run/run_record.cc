#include "launcher/run/run_record.h"

#include <algorithm>
#include <array>

#include "gnn/data/unfinished_files.h"
#include "launcher/event_json.h"
#include "launcher/untrusted_file.h"

namespace tacit::launcher {

namespace {

constexpr std::int64_t kMostOfSummary = 64 << 20;  // bytes
// The first of these phases follows when all ranks have agreed: from here on, a run has results of its own.
constexpr std::array<std::string_view, 2> kBeginAgain = {"testing the session", "training"};

}  // namespace

RunRecord::RunRecord(OutputFolder folder, std::string summary, std::string job, Json about, const gnn::Usage& begun,
                     gnn::ClassNames class_names, Console* copy)
    : folder_(std::move(folder)),
      file_(std::move(summary)),
      job_(std::move(job)),
      rank_(about.at("rank").get<int>()),
      log_(folder_.events(), copy),
      begun_(begun),
      class_names_(std::move(class_names)),
      summary_(std::move(about)) {
  clear_up();
  keeps_finished_ = summary_in(file_).value("result", Json()) == "finished";
  Json started = summary_;
  started[kKeepsFinished] = keeps_finished_;
  log_.add("started", std::move(started));
  summary_["result"] = "running";
  if (keeps_finished_) return;
  if (!job_.empty()) folder_.write("job.toml", job_);
  write_summary();
}

// The event is the first: if the machine goes down before job.toml is written, the folder is free for this run's job.
void RunRecord::replace_finished() {
  keeps_finished_ = false;
  log_.add(kReplaces);
  if (!job_.empty()) folder_.write("job.toml", job_);
}

// A killed process or a crashed machine leaves unfinished files, and a summary that says "running".
// This process has locked the log, so no other process writes here.
void RunRecord::clear_up() const {
  for (const char* name : {kTrainingSummary, kPredictionSummary, kServiceSummary, "job.toml", "model.npz",
                           "predictions.npz", "predictions.csv", "links.csv"}) {
    gnn::remove_unfinished(folder_.path(), name);
  }
  for (const char* name : {kTrainingSummary, kPredictionSummary, kServiceSummary}) {
    Json summary = summary_in(name);
    if (summary.value("result", Json()) != "running") continue;
    summary["result"] = "failed";
    summary["error"] = "the process ended without an error message: a signal killed it, or the machine went down";
    folder_.write(name, summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  }
}

// An empty object if there is none, or no readable one.
Json RunRecord::summary_in(const std::string& name) const {
  UntrustedFile file(folder_.file(name.c_str()));
  if (!file || file.size() > kMostOfSummary) return Json::object();
  Json summary = json_from_outside(file);
  return summary.is_object() ? summary : Json::object();
}

void RunRecord::joined(const net::Mesh& mesh) {
  Json peers = Json::object();
  for (int peer = 0; peer < mesh.size(); ++peer) {
    if (peer != rank_) peers[std::to_string(peer)] = mesh.describe(peer);
  }
  log_.add("joined", {{"seconds", (gnn::usage_so_far() - begun_).seconds}, {"peers", peers}});
}

void RunRecord::begin_phase(std::string_view phase, const net::Mesh& mesh) {
  end_phase(mesh);
  phase_ = phase;
  phase_begun_ = gnn::usage_so_far();
  phase_traffic_ = mesh.traffic();
  if (phase == "training" && !resumed_) log_.add("afresh");
  const std::lock_guard lock(mutex_);
  if (!keeps_finished_ || std::ranges::find(kBeginAgain, phase) == kBeginAgain.end()) return;
  replace_finished();
  write_summary();
}

void RunRecord::agreed(Json sizes) { agreed_ = std::move(sizes); }

void RunRecord::end_phase(const net::Mesh& mesh) {
  if (phase_.empty()) return;
  Json json = {{"phase", phase_}};
  json.update(json_of(gnn::usage_so_far() - phase_begun_));
  json["measured"] = json_of(mesh.traffic() - phase_traffic_, rank_);
  log_.add("phase", json);
  if (phase_ == "agreeing on the data" && !agreed_.empty()) log_.add("agreed", agreed_);
  phase_.clear();
}

void RunRecord::row_order(const gnn::RowOrder& order) {
  const std::lock_guard lock(mutex_);
  summary_["row_order"] = {{"compared", order.compared}, {"on_trust", order.on_trust}};
  if (const std::string note = order.note(); !note.empty()) summary_["row_order"]["note"] = note;
}

void RunRecord::device(const std::string& about) {
  const std::lock_guard lock(mutex_);
  summary_["device"] = about;
}

void RunRecord::subject(const Json& about) {
  {
    const std::lock_guard lock(mutex_);
    summary_["subject"] = about;
  }
  log_.add("subject", about);
}

void RunRecord::resumed(std::int64_t epoch) {
  resumed_ = true;
  resumed_from_ = epoch;
  {
    const std::lock_guard lock(mutex_);
    newest_checkpoint_ = epoch;
    summary_["resumed_from"] = epoch;
  }
  log_.add("resumed", {{"epoch", epoch}});
}

// A training resumed from its last epoch only evaluates.
void RunRecord::epoch(const gnn::EpochEvent& event) {
  Json json = json_of(event, rank_, class_names_);
  const bool trained = event.epoch != resumed_from_;
  if (!trained) {
    json.erase("loss");
    json.erase("rate");
  }
  log_.add(trained ? "epoch" : "evaluated", json);
}

void RunRecord::privacy(const Json& privacy) {
  log_.add("privacy", privacy);
  const std::lock_guard lock(mutex_);
  summary_["privacy"] = privacy;
}

void RunRecord::checkpoint(std::int64_t epoch) {
  {
    const std::lock_guard lock(mutex_);
    newest_checkpoint_ = epoch;
  }
  log_.add("checkpoint", {{"epoch", epoch}});
}

void RunRecord::revealed(const gnn::RunResult& result, const std::string& stopped,
                         const std::vector<std::string>& implied, const net::Mesh& mesh) {
  end_phase(mesh);
  if (!stopped.empty()) log_.add("stopped", {{"epoch", result.epochs}, {"why", stopped}});
  const Json reveals = json_of(result.reveals), decisions = json_of(result.decisions);
  log_.add("revealed", {{"reveals", reveals}, {"decisions", decisions}, {"implied", implied}});
  const std::lock_guard lock(mutex_);
  summary_["epochs"] = result.epochs;
  if (!stopped.empty()) summary_["stopped"] = stopped;
  summary_["readings"] = json_of(result.readings, class_names_);
  if (!result.without_edges.empty()) summary_["without_edges"] = json_of(result.without_edges, class_names_);
  summary_["reveals"] = reveals;
  summary_["decisions"] = decisions;
  summary_["implied"] = implied;
  if (result.openings) summary_["openings"] = result.openings->text();
  summary_["stated"] = json_of(result.cost);
  summary_["stated_by_protocol"] = json_of(result.costs);
  summary_["profile"] = json_of(result.profile);
  summary_["measured"] = json_of(mesh.traffic(), rank_);
  Json& files = summary_["files"] = Json::object();
  if (!result.model.empty()) files["model"] = folder_.model().string();
  if (result.predictions.any()) files["predictions"] = folder_.predictions().string();
  if (std::filesystem::is_regular_file(folder_.links())) files["links"] = folder_.links().string();
  // The dealer has no checkpoints; the parties' checkpoints suffice to resume.
  if (std::filesystem::is_directory(folder_.checkpoints())) files["checkpoints"] = folder_.checkpoints().string();
}

void RunRecord::served(const gnn::Served& served, const std::string& why_ended) {
  const Json about = {{"turns", served.turns}, {"requests", served.requests},      {"refused", served.refused},
                      {"nodes", served.nodes}, {"messages", json_of(served.cost)}, {"ended", why_ended}};
  {
    const std::lock_guard lock(mutex_);
    summary_["served"] = about;
  }
  log_.add("served", about);
}

void RunRecord::finished() {
  {
    const std::lock_guard lock(mutex_);
    summary_["result"] = "finished";
    if (keeps_finished_) replace_finished();
    write_summary();
  }
  log_.add("finished", {{"command", summary_["command"]}, {"epochs", summary_["epochs"]}});
}

void RunRecord::failed(const std::string& error, int exit_code) noexcept {
  try {
    log_.add("failed", {{"error", error}, {"exit_code", exit_code}});
    const std::lock_guard lock(mutex_);
    summary_["result"] = exit_code > 128 ? "interrupted" : "failed";
    summary_["error"] = error;
    summary_["exit_code"] = exit_code;
    write_summary();
  } catch (const std::exception&) {  // the error itself reaches the user another way
  }
}

std::optional<std::int64_t> RunRecord::newest_checkpoint() const {
  const std::lock_guard lock(mutex_);
  return newest_checkpoint_;
}

void RunRecord::write_summary() {
  if (newest_checkpoint_) summary_["newest_checkpoint"] = *newest_checkpoint_;
  summary_.update(json_of(gnn::usage_so_far() - begun_));
  if (keeps_finished_) return;
  folder_.write(file_, summary_.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace tacit::launcher
