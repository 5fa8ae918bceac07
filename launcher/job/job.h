// Job — what is to be run, as a job file says it, with every default filled in.
//
// A job is the plans of gnn/ and besides: how many parties there are, where files, keys and rank 0 are. Paths, addresses
// and keys are each rank's own; all other settings are equal at all ranks (job_agreement.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gnn/plan/plans.h"

namespace tacit::launcher {

// A file of each rank: a path, in which "{rank}" stands for its number, or a list. A path without it is of one name
// wherever a rank runs.
struct RankFiles {
  std::string pattern;
  std::vector<std::string> each;

  bool empty() const { return pattern.empty() && each.empty(); }
  std::string of(int rank) const;  // "" where there is none
};

struct JobKeys {
  RankFiles identity, storage;
};

struct Job : gnn::Plans {
  enum class Correlations { kDealer };
  // kIntersection: parts are what `tacit data align` wrote beside `files`, the nodes that all parties have.
  enum class Join { kNone, kIntersection };

  std::string name;
  std::int64_t parties = 0;
  Correlations correlations = Correlations::kDealer;
  std::string roster;  // a file; "": none
  std::string master;  // HOST:PORT of rank 0; "": the environment's
  std::string output;  // a folder
  Join join = Join::kNone;
  RankFiles files;
  JobKeys keys;

  std::int64_t processes() const { return parties + 1; }  // the dealer too

  // Every setting of a job file.
  void describe(gnn::SettingVisitor& visitor);
};

// The plan, the closing lines and the report say so of a job without the range watch.
inline constexpr std::string_view kWatchIsOff =
    "the range watch is off (audit.every): nobody is told of a value that leaves its declared range, and what follows "
    "from it is wrong";

// The file with a party's part that is trained on: the one that the job names, or the aligned one beside it; "": none.
std::string part_file(const Job& job, int rank);
// "parts/rank0.npz", or the folder "parts/rank0": "parts/rank0.aligned.npz". Of an aligned file it is the file itself.
std::string aligned_file(const std::string& file);

}  // namespace tacit::launcher
