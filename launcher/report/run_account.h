// RunAccount — a run as numbers, read from the run's folder: an account for each rank that left one, the training on
// plain data if there was one, and the job.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "launcher/report/rank_account.h"

namespace tacit::launcher {

struct ToldSetting {
  std::string key, value, source;  // "training.epochs", "200", "sensors.toml:21"
};

struct RunAccount {
  std::string folder;                   // the name that the user gave
  std::string label;                    // the name of the run's line in a comparison of several runs
  std::vector<RankAccount> ranks;       // by rank; some may be missing
  std::optional<RankAccount> plain;     // events alone
  std::vector<ToldSetting> settings;    // settings shared by all ranks; empty: no job could be read
  bool keys_in_one_place = false;       // the keys of all ranks were made here
  std::vector<std::string> complaints;  // about files of the run and of its ranks
  std::vector<std::string> strangers;   // complaints about left-out ranks of another run

  int parties() const;  // 0: unknown
  std::string name() const;
  std::string result() const;                         // the worst result of a rank
  std::string setting(const std::string& key) const;  // "": no such setting
  std::string correlations() const;                   // their source: "dealer", "pairwise"; empty if it is not known
  bool is_pairwise() const;                           // the parties made the correlations, without a dealer
  const RankAccount* rank(int number) const;
  // A rank that saw the losses, if any did; otherwise the first rank.
  const RankAccount& teller() const;
};

// DIR/rank0, DIR/rank1, ... and DIR/plain; or a rank's own folder. A rank of another run than the first's is left out,
// with a complaint. Throws ConfigError if the folder is neither.
RunAccount read_run(const std::filesystem::path& folder);
bool holds_a_run(const std::filesystem::path& folder);

// The shared settings in the text of a `rank<r>/job.toml`, each with the comment that names its source. Throws
// ConfigError.
std::vector<ToldSetting> settings_in(const std::string& resolved_job, const std::string& name);

}  // namespace tacit::launcher
