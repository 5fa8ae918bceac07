// RunRecord — the account of a rank's run: what goes into events.jsonl while it runs, and into its summary when it
// ends. That of a prediction is not that of the training, which it leaves as it was.
//
// Thread: the run's, but failed().
#pragma once

#include <memory>

#include "gnn/run/training_run.h"
#include "launcher/job/job.h"
#include "launcher/run/event_log.h"
#include "launcher/run/output_folder.h"

namespace tacit::launcher {

inline constexpr const char* kTrainingSummary = "summary.json";
inline constexpr const char* kPredictionSummary = "prediction.json";

class RunRecord {
 public:
  // `summary`: its file's name. `about`: what every summary says of the run, its rank too, and its first event.
  // `begun`: what this process had used by then.
  RunRecord(OutputFolder folder, std::string summary, Json about, const gnn::Usage& begun);

  void joined(const net::Mesh& mesh);
  void begin_phase(std::string_view phase, const net::Mesh& mesh);
  void agreed(Json sizes);  // of data and model; told when the phase ends
  void end_phase(const net::Mesh& mesh);
  void row_order(const gnn::RowOrder& order);
  void resumed(std::int64_t epoch);
  void epoch(const gnn::EpochEvent& event);
  void checkpoint(std::int64_t epoch);
  // `stopped`: why training ended before its last epoch; "" where it did not. `implied`: sentences of
  // launcher/plan/implied.h.
  void revealed(const gnn::RunResult& result, const std::string& stopped, const std::vector<std::string>& implied,
                const net::Mesh& mesh);
  void finished();
  void failed(const std::string& error, int exit_code) noexcept;  // any thread; a full disk stays silent

  std::optional<std::int64_t> newest_checkpoint() const;  // of this run, on this rank's disk; any thread
  const Json& summary() const { return summary_; }        // as it was written

 private:
  void write_summary();
  void clear_up() const;

  const OutputFolder folder_;
  const std::string file_;  // of the summary
  const int rank_;
  EventLog log_;
  const gnn::Usage begun_;
  std::string phase_;
  gnn::Usage phase_begun_;
  net::Traffic phase_traffic_;
  Json agreed_ = Json::object();
  bool resumed_ = false;
  std::int64_t resumed_from_ = -1;
  mutable std::mutex mutex_;  // of all below
  std::optional<std::int64_t> newest_checkpoint_;
  Json summary_;
};

}  // namespace tacit::launcher
