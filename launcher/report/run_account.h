// RunAccount — what the folder of a run tells: an account for each rank that left one, the training on plain data
// beside it if there was one, and the job.
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
  std::string folder;                   // as it was named
  std::string label;                    // of its line, where there are several runs
  std::vector<RankAccount> ranks;       // by rank; some may be missing
  std::optional<RankAccount> plain;     // events alone
  std::vector<ToldSetting> settings;    // that all ranks have alike; none: no job could be read
  bool keys_in_one_place = false;       // the keys of all ranks were made here
  std::vector<std::string> complaints;  // of files, the ranks' too
  std::vector<std::string> strangers;   // those of ranks of another run, which are left out

  int parties() const;  // 0: nobody says it
  std::string name() const;
  std::string result() const;                         // of the rank that is worst off
  std::string setting(const std::string& key) const;  // "": there is none
  const RankAccount* rank(int number) const;
  // One that saw the losses, if any did; else the first.
  const RankAccount& teller() const;
};

// DIR/rank0, DIR/rank1, ... and DIR/plain; or a rank's own folder. A rank of another run than the first's is left out,
// with a complaint. Throws ConfigError where there is neither.
RunAccount read_run(const std::filesystem::path& folder);
bool holds_a_run(const std::filesystem::path& folder);

// Shared settings of a job as `rank<r>/job.toml` has it, each with the comment that says where it came from. Throws
// ConfigError.
std::vector<ToldSetting> settings_in(const std::string& resolved_job, const std::string& name);

}  // namespace tacit::launcher
