// RunRecord — the account of a rank's run: events.jsonl during the run, and the summary at its end.
// A prediction has its own summary, and leaves the training's unchanged. A finished summary is replaced only when all ranks of a
// later run have agreed: until then a run that fails leaves it, and its error is in the events. job.toml is replaced with it, so
// both are of the same run.
//
// Thread: the run's, except failed().
#pragma once

#include <memory>

#include "gnn/run/service_run.h"
#include "launcher/job/job.h"
#include "launcher/run/event_log.h"
#include "launcher/run/output_folder.h"

namespace tacit::launcher {

inline constexpr const char* kTrainingSummary = "summary.json";
inline constexpr const char* kPredictionSummary = "prediction.json";
inline constexpr const char* kServiceSummary = "service.json";

class RunRecord {
 public:
  // `summary`: the summary's file name. `job`: the text of job.toml; empty for a run that writes none. `about`: fields of
  // every summary and of the first event, including the rank.
  // `begun`: the process' usage before the run. `class_names`: the names of classes in the job. `copy`: gets a copy
  // of each event (EventLog).
  RunRecord(OutputFolder folder, std::string summary, std::string job, Json about, const gnn::Usage& begun,
            gnn::ClassNames class_names = {}, Console* copy = nullptr);

  void joined(const net::Mesh& mesh);
  void begin_phase(std::string_view phase, const net::Mesh& mesh);
  void agreed(Json sizes);  // sizes of data and model; logged when the phase ends
  void end_phase(const net::Mesh& mesh);
  void row_order(const gnn::RowOrder& order);
  void privacy(const Json& privacy);      // the result of privacy_json (launcher/plan/privacy_account.h)
  void subject(const Json& about);        // the nodes and the data of a prediction
  void device(const std::string& about);  // the device for this rank's products of large matrices
  void resumed(std::int64_t epoch);
  void epoch(const gnn::EpochEvent& event);
  void checkpoint(std::int64_t epoch);
  // `stopped`: why training ended before its last epoch; "" if it did not. `implied`: sentences of
  // launcher/plan/implied.h.
  void revealed(const gnn::RunResult& result, const std::string& stopped, const std::vector<std::string>& implied,
                const net::Mesh& mesh);
  void served(const gnn::Served& served, const std::string& why_ended);
  void finished();
  void failed(const std::string& error, int exit_code) noexcept;  // any thread; a full disk causes no error

  std::optional<std::int64_t> newest_checkpoint() const;  // this run's newest on this rank's disk; any thread
  const Json& summary() const { return summary_; }        // the last written summary

 private:
  void write_summary();
  void replace_finished();
  void clear_up() const;
  Json summary_in(const std::string& name) const;

  const OutputFolder folder_;
  const std::string file_;  // the summary's name
  const std::string job_;
  const int rank_;
  EventLog log_;
  const gnn::Usage begun_;
  const gnn::ClassNames class_names_;
  std::string phase_;
  gnn::Usage phase_begun_;
  net::Traffic phase_traffic_;
  Json agreed_ = Json::object();
  bool resumed_ = false;
  std::int64_t resumed_from_ = -1;
  mutable std::mutex mutex_;  // guards everything below
  std::optional<std::int64_t> newest_checkpoint_;
  Json summary_;
  bool keeps_finished_ = false;  // the file is an earlier run's, and finished
};

}  // namespace tacit::launcher
