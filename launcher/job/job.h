// Job — the settings of a job file, with every default filled in.
//
// A job holds the plans of gnn/, the number of parties, and the places of files, keys and rank 0.
// Paths, addresses and keys are local to each rank. All other settings are equal at all ranks
// (job_agreement.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gnn/plan/plans.h"
#include "gnn/serve/request_limits.h"

namespace tacit::launcher {

// One file for each rank: a list, or a path in which "{rank}" is replaced by the rank's number. A
// path without "{rank}" has the same name at every rank.
struct RankFiles {
  std::string pattern;
  std::vector<std::string> each;

  bool empty() const { return pattern.empty() && each.empty(); }
  std::string of(int rank) const;  // "": no file for this rank
};

// Throws ConfigError if the folder has "{rank}" in its own path: a file in it would be looked for in other folders.
void expect_no_rank_in(const std::filesystem::path& folder);

struct JobKeys {
  RankFiles identity, storage;
};

// How `tacit serve` takes requests at this rank, and which requests this rank takes part in.
struct JobService {
  RankFiles socket;  // a Unix domain socket; empty: ask.sock in the output folder
  std::string http;  // HOST:PORT of this machine's loopback, in addition; "": none
  RankFiles folder;  // a folder with requests as files, in addition; empty: none
  gnn::RequestLimits limits;
};

struct Job : gnn::Plans {
  using Correlations = gnn::Correlations;
  // kIntersection: train on the files that `tacit data align` wrote beside `files`. These hold the
  // nodes that all parties have.
  enum class Join { kNone, kIntersection };

  std::string name;
  std::int64_t parties = 0;
  std::string roster;  // a file; "": no roster
  std::string master;  // HOST:PORT of rank 0; "": from the environment
  std::string output;  // a folder
  Join join = Join::kNone;
  RankFiles files;
  // For predictions: the files with the parties' parts, and the file that lists the nodes. Empty: the training's
  // files, and all nodes.
  RankFiles predict_files;
  std::string predict_nodes;
  // The number of nodes of each rank in the data to predict, for folders of CSV files of owners of rows. If it is empty, each
  // rank has as many as in the training.
  std::vector<std::int64_t> predict_rows;
  RankFiles ledger;  // the privacy ledger of a party's data; empty: none is kept
  JobService service;
  JobKeys keys;

  bool is_pairwise() const { return gnn::is_pairwise(training.correlations); }
  // The number of ranks besides the parties that the correlations need: one for a dealer, else none.
  std::int64_t helpers() const { return training.correlations == Correlations::kDealer ? 1 : 0; }
  std::int64_t ranks() const { return parties + helpers(); }

  // Visits every setting of a job file.
  void describe(gnn::SettingVisitor& visitor);
};

// "3 parties and a dealer", "3 parties, which make the correlations among themselves".
std::string ranks_in_words(const Job& job);

// The trust that correlations = "pairwise" or "pairwise-softspoken" implies.
std::string trust_without_dealer(std::string_view correlations);

// The sentence of the plan, the closing lines and the report for a job without the range watch.
inline constexpr std::string_view kWatchIsOff =
    "the range watch is off (audit.every): no rank detects a value that leaves its declared range, and all later "
    "results are wrong";

inline constexpr std::string_view kNoServiceOfSnapshots =
    "data.snapshots: a service answers for nodes, and here each node has a row in every snapshot; take `tacit predict`";

// The file that a party trains on: the file in the job, or the aligned file beside it; "": none.
std::string part_file(const Job& job, int rank);
// The file that a party predicts with: by default the file that it trained on; "": none.
std::string prediction_file(const Job& job, int rank);
// The name of the aligned file: "parts/rank0.aligned.npz" for "parts/rank0.npz" and for the folder
// "parts/rank0". An aligned file's name is returned unchanged.
std::string aligned_file(const std::string& file);

}  // namespace tacit::launcher
