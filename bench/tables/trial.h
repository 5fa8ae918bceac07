// Trials — trainings that are run to be measured, in the same way as a user runs them: new keys and files, a process
// for each rank, TLS between them; here or over ssh.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gnn/data/graph_data.h"
#include "launcher/job/job.h"
#include "launcher/processes/console.h"
#include "launcher/processes/scratch_folder.h"
#include "launcher/report/run_account.h"

namespace tacit::launcher {

struct TrialOptions {
  std::string program;      // the command that every rank runs; "": this one, or "tacit" there
  std::string keep;         // a folder for the files of the runs; "": the files are removed
  std::string hosts;        // a line for each rank of the largest trial, a dealer's last; "": here
  std::string ssh = "ssh";  // with hosts
  int port = 0;             // with hosts: rank 0 listens here
  std::vector<int> cpus;    // without hosts: shared out to the ranks; empty: every rank may use all CPUs
};

class Trials {
 public:
  Trials(const TrialOptions& options, Console& console);

  // `name` (letters, digits and "-") names the trial's folder, and no other trial may have it. This function sets the
  // job's files, keys and output. `emulated`: a link for parse_link; "": none. A rank computes on `threads` threads; 0: each
  // rank chooses. Throws RunFailed if a rank failed.
  RunAccount run(const std::string& name, Job job, const gnn::GraphData& whole, const std::string& emulated = "",
                 int threads = 0);
  // Like run(), but also returns the account of a training that all ranks ended early with exit code 2, as after a loss
  // that diverged.
  RunAccount run_to_any_end(const std::string& name, Job job, const gnn::GraphData& whole);

 private:
  enum class Wanted { kSuccess, kAnyEnd };
  RunAccount launched(const std::string& name, Job job, const gnn::GraphData& whole, const std::string& emulated,
                      int threads, Wanted wanted);
  std::string hosts_for(const Job& job, const std::filesystem::path& folder) const;

  TrialOptions options_;
  Console& console_;
  std::optional<ScratchFolder> scratch_;  // empty if the runs are kept
  std::filesystem::path folder_;
};

}  // namespace tacit::launcher
