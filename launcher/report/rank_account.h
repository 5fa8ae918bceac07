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

#include "launcher/json.h"
#include "launcher/report/told.h"
#include "launcher/report/told_profile.h"
#include "mpc/session/session.h"
#include "net/traffic.h"

namespace tacit::launcher {

struct ToldReading {
  std::string what, to;  // "test rmse", "everyone"
  double value = 0;

  static constexpr auto fields() {
    return std::tuple(told_field("what", &ToldReading::what), told_field("to", &ToldReading::to),
                      told_field("value", &ToldReading::value));
  }
};

// The traffic of an epoch, without the peers one by one.
struct EpochTraffic {
  std::int64_t rounds = 0;
  net::PeerTraffic total;
  net::PeerTraffic parties;  // without the dealer; protocols state its payload and messages sent
};

struct ToldEpoch {
  std::int64_t epoch = 0;
  std::optional<double> loss;
  std::vector<ToldReading> readings;
  double seconds = 0, cpu_seconds = 0;
  std::int64_t peak_memory = 0;
  std::optional<mpc::Cost> stated;
  std::optional<EpochTraffic> measured;  // by then
};

struct ToldPhase {
  std::string name;
  double seconds = 0, cpu_seconds = 0;
  std::int64_t bytes_sent = 0, bytes_received = 0;  // payload, of all links

  static constexpr auto fields() {
    return std::tuple(told_field("phase", &ToldPhase::name), told_field("seconds", &ToldPhase::seconds),
                      told_field("cpu_seconds", &ToldPhase::cpu_seconds),
                      told_field("bytes_sent", &ToldPhase::bytes_sent),
                      told_field("bytes_received", &ToldPhase::bytes_received));
  }
};

struct ToldReveal {
  std::string what, to;
  std::int64_t count = 0, elements = 0;

  static constexpr auto fields() {
    return std::tuple(told_field("what", &ToldReveal::what), told_field("to", &ToldReveal::to),
                      told_field("count", &ToldReveal::count), told_field("elements", &ToldReveal::elements));
  }
};

struct ToldDecision {
  std::string what;
  std::int64_t count = 0;

  static constexpr auto fields() {
    return std::tuple(told_field("what", &ToldDecision::what), told_field("count", &ToldDecision::count));
  }
};

struct ToldCost {
  std::string protocol;
  std::int64_t calls = 0;
  mpc::Cost cost;
};

// The sizes that the ranks agreed on before training.
struct ToldSizes {
  std::int64_t nodes = 0, features = 0, targets = 0, edges = 0;
  std::int64_t train = 0, validation = 0, test = 0;
  std::int64_t parameters = 0;  // of the model
  bool classes = false;         // targets counts them

  static constexpr auto fields() {
    return std::tuple(told_field("nodes", &ToldSizes::nodes), told_field("features", &ToldSizes::features),
                      told_field("targets", &ToldSizes::targets), told_field("edges", &ToldSizes::edges),
                      told_field("train", &ToldSizes::train), told_field("validation", &ToldSizes::validation),
                      told_field("test", &ToldSizes::test), told_field("parameters", &ToldSizes::parameters),
                      told_field("classes", &ToldSizes::classes));
  }
};

// The events from one "started" to the next.
struct ToldSession {
  std::string started, command, ended;       // ended: "finished", "failed", or "" for neither
  std::string error;                         // of a failed session
  std::optional<std::int64_t> resumed_from;  // an epoch
  std::int64_t epochs = 0;                   // in its events
  ToldPhase training;                        // all epochs together
  std::vector<ToldPhase> phases;             // that ended

  static constexpr auto fields() {
    return std::tuple(told_field("command", &ToldSession::command), told_field("started", &ToldSession::started),
                      told_field("ended", &ToldSession::ended), told_field("error", &ToldSession::error),
                      told_field("resumed_from", &ToldSession::resumed_from),
                      told_field("epochs", &ToldSession::epochs), told_field("training", &ToldSession::training),
                      told_field("phases", &ToldSession::phases));
  }
};

struct RankAccount {
  int rank = 0;
  int parties = 0;         // 0: unknown
  std::string role, name;  // "party"; the job's
  std::string tacit_version, job_digest;
  std::string training_digest;  // the same in all sessions of a run; the job's digest may change
  std::int64_t epochs_planned = 0;
  std::string last_time;  // of its last event

  std::optional<ToldSizes> sizes;
  std::vector<ToldSession> sessions;
  std::map<std::int64_t, ToldEpoch> epochs;  // without epochs that were lost and done again
  std::int64_t epochs_again = 0;             // lost with a session, and done again from a checkpoint
  std::vector<ToldReveal> reveals;           // of all sessions, once one has ended well
  std::vector<ToldDecision> decisions;
  std::vector<std::string> implied;            // sentences of launcher/plan/implied.h
  std::vector<double> sent_to, received_from;  // bytes of payload by rank, in all sessions

  // From the summary of the last session; empty if there is no summary.
  std::string result, error;
  std::vector<ToldReading> readings;
  std::optional<EpochTraffic> measured;  // by then
  std::optional<mpc::Cost> stated;
  std::vector<ToldCost> stated_by_protocol;
  std::optional<ToldProfile> profile;
  double seconds = 0, cpu_seconds = 0;
  std::int64_t peak_memory = 0;
  std::string row_order;  // a sentence that names the ranks with an unchecked order of rows; "": none

  std::vector<std::string> complaints;
};

inline constexpr int kMostRanks = 1024;
inline constexpr std::size_t kMostEventLine = 1 << 20;   // bytes
inline constexpr std::size_t kMostEpochsTold = 100'000;  // of a rank: later ones are left out
inline constexpr std::size_t kMostComplaints = 20;

// Adds the events of these lines. `name`: the file's, for complaints. The account already says which ranks are parties,
// or the first line does.
void read_events(std::istream& lines, const std::string& name, RankAccount& account);
void read_summary(std::istream& text, const std::string& name, RankAccount& account);

// Reads both files of a folder, if they exist. Throws ConfigError if one cannot be opened.
RankAccount read_rank(const std::filesystem::path& folder, int rank);

// The state of the run in a word: "finished", "failed", "interrupted", "running".
std::string result_of(const RankAccount& account);

// The account for programs, without the numbers that figures show.
Json json_of(const RankAccount& account);

}  // namespace tacit::launcher
