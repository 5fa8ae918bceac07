// RankAccount — a rank's run as numbers, read from the rank's folder: the events of all sessions, and the summary.
//
// The files may come from anybody, be half written, or still grow. The reader skips unusable lines and names them in
// `complaints` with file and line. Half a line at the end of a file is normal, and no complaint.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "launcher/run_fields.h"

namespace tacit::launcher {

struct ToldPhase {
  std::string name;
  double seconds = 0, cpu_seconds = 0;
  std::int64_t bytes_sent = 0, bytes_received = 0;  // payload, of all links
};
constexpr auto fields_of(Type<ToldPhase>) {
  using T = ToldPhase;
  return std::tuple(Field("phase", &T::name), Field("seconds", &T::seconds), Field("cpu_seconds", &T::cpu_seconds),
                    Field("bytes_sent", &T::bytes_sent), Field("bytes_received", &T::bytes_received));
}

// The events from one "started" to the next.
struct ToldSession {
  std::string started, command, ended;       // ended: "finished", "failed", or "" for neither
  std::string error;                         // the message of a failed session
  std::optional<std::int64_t> resumed_from;  // an epoch
  std::int64_t epochs = 0;                   // number of epochs in the session's events
  ToldPhase training;                        // all epochs together
  std::vector<ToldPhase> phases;             // the phases that ended
};
constexpr auto fields_of(Type<ToldSession>) {
  using T = ToldSession;
  return std::tuple(Field("command", &T::command), Field("started", &T::started), Field("ended", &T::ended),
                    Field("error", &T::error), Field("resumed_from", &T::resumed_from), Field("epochs", &T::epochs),
                    Field("training", &T::training), Field("phases", &T::phases));
}

struct RankAccount {
  int rank = 0;
  int parties = 0;         // 0: unknown
  std::string role, name;  // "party"; the job's
  std::string tacit_version, job_digest;
  std::string training_digest;  // the same in all sessions of a run; the job's digest may change
  std::int64_t epochs_planned = 0;
  std::string last_time;  // the time of the last event

  std::optional<ToldSizes> sizes;
  std::optional<ToldPrivacy> privacy;  // from the last session that trained
  std::vector<ToldSession> sessions;
  std::map<std::int64_t, ToldEpoch> epochs;  // without epochs that were lost and done again
  std::int64_t epochs_again = 0;             // lost with a session, and done again from a checkpoint
  std::vector<ToldReveal> reveals;           // from all sessions, if one has ended well; otherwise empty
  std::vector<mpc::Decision> decisions;
  std::vector<std::string> implied;            // sentences of launcher/plan/implied.h
  std::vector<double> sent_to, received_from;  // bytes of payload by rank, in all sessions
  // The result of a training that has ended. Both stay empty while it runs.
  std::optional<ToldBest> best;  // the best model, if the result is not the last one
  // A sentence: when and why training stopped early, and the resulting model. "" if the training ran to its end.
  std::string stopped;

  // From the summary of the last session; empty if there is no summary.
  std::string result, error;
  std::vector<ToldReading> readings;
  std::vector<ToldReading> without_edges;  // metrics of a perturbed model's network that reads no edge
  std::optional<EpochTraffic> measured;    // by then
  std::optional<mpc::Cost> stated;
  std::vector<ToldCost> stated_by_protocol;
  std::optional<ToldProfile> profile;
  gnn::Usage usage;
  std::string row_order;  // a sentence that names the ranks with an unchecked order of rows; "": none

  std::vector<std::string> complaints;
};

inline constexpr int kMostRanks = 1024;
inline constexpr std::size_t kMostEventLine = 1 << 20;   // bytes
inline constexpr std::size_t kMostEpochsTold = 100'000;  // epochs of a rank; later ones are left out
inline constexpr std::size_t kMostComplaints = 20;

// Adds the events of these lines. `name`: the name of the file, for complaints. The account already states which
// ranks are parties, or the first line does.
void read_events(std::istream& lines, const std::string& name, RankAccount& account);
void read_summary(std::istream& text, const std::string& name, RankAccount& account);

// Reads both files of a folder, if they exist. Throws ConfigError if one cannot be opened.
RankAccount read_rank(const std::filesystem::path& folder, int rank);

// The state of the run in a word: "finished", "failed", "interrupted", "running".
std::string result_of(const RankAccount& account);

// The account for programs, without the numbers that figures show.
Json json_of(const RankAccount& account);

}  // namespace tacit::launcher
