// Job — what is to be run, as a job file says it, with every default filled in.
//
// Most of it is shared: all ranks must say the same (job_agreement.h). Paths, addresses and keys are each rank's own.
// job_fields.h lists every setting with its name, its limits and which of the two it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gnn/train/data_plan.h"
#include "gnn/train/training_plan.h"

namespace tacit::launcher {

// A file of each rank: a path, in which "{rank}" stands for its number, or a list. A path without it is of one name
// wherever a rank runs.
struct RankFiles {
  std::string pattern;
  std::vector<std::string> each;

  bool empty() const { return pattern.empty() && each.empty(); }
  std::string of(int rank) const;  // "" where there is none
};

struct JobData {
  // kIntersection: parts are what `tacit data align` wrote beside `files`, the nodes that all parties have.
  enum class Join { kNone, kIntersection };
  gnn::Ownership ownership;
  std::int64_t classes = 0;  // 0: labels are targets
  Join join = Join::kNone;
  RankFiles files;
};

struct JobPreparation {
  enum class Targets { kStandardise, kNone };
  gnn::FeatureScaling features = gnn::FeatureScaling::kStandardise;
  std::optional<double> cut;  // of standardised features, in deviations
  Targets targets = Targets::kStandardise;
};

struct JobOptimiser {
  enum class Kind { kSgd, kAdam };
  Kind kind = Kind::kSgd;
  gnn::SgdOptions sgd;
  gnn::AdamOptions adam;
};

struct JobTraining {
  std::int64_t epochs = 100;
  std::int64_t seed = 1;
  gnn::Objective loss = gnn::Objective::kSquaredError;
  std::int64_t batch = 0;           // labelled nodes a step; 0: all
  std::int64_t evaluate_every = 0;  // epochs; 0: after the last alone
  std::optional<double> clip;       // of a gradient's elements, at most
  JobOptimiser optimiser;
  gnn::RateSchedule rate;  // from the optimiser's rate on
  std::optional<gnn::EarlyStopping> stopping;
};

struct JobRing {
  std::int64_t bits = 64, fraction_bits = 13;
};

using Audience = std::optional<mpc::To>;  // or nobody

struct JobReveals {
  Audience loss = mpc::To::everyone();  // every epoch
  Audience model, predictions;          // at the end
  std::vector<gnn::Revealed> metrics;
};

struct JobCheckpoints {
  std::int64_t every = 0;  // epochs; 0: none
  std::int64_t keep = 2;
};

struct JobAudit {
  std::int64_t every = 1;  // epochs; 0: off
};
// What the plan, the closing lines and the report say of a job without the watch.
inline constexpr std::string_view kWatchIsOff =
    "the range watch is off (audit.every): nobody is told of a value that leaves its declared range, and what follows "
    "from it is wrong";

struct JobKeys {
  RankFiles identity, storage;
};

struct Job {
  enum class Correlations { kDealer };

  std::string name;
  std::int64_t parties = 0;
  Correlations correlations = Correlations::kDealer;
  gnn::Openings openings = gnn::Openings::kBySize;
  std::string roster;  // a file; "": none
  std::string master;  // HOST:PORT of rank 0; "": the environment's
  std::string output;  // a folder

  JobData data;
  JobPreparation preparation;
  gnn::ModelSpec model;
  JobTraining training;
  JobRing ring;
  gnn::Ranges ranges;
  JobReveals reveal;
  JobCheckpoints checkpoints;
  JobAudit audit;
  JobKeys keys;

  std::int64_t processes() const { return parties + 1; }  // the dealer too
};

// The file with a party's part that is trained on: the one that the job names, or the aligned one beside it; "": none.
std::string part_file(const Job& job, int rank);
// "parts/rank0.npz", or the folder "parts/rank0": "parts/rank0.aligned.npz". Of an aligned file it is the file itself.
std::string aligned_file(const std::string& file);

}  // namespace tacit::launcher
