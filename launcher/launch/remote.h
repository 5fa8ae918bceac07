// The ranks of a job on other machines, over ssh. Each host makes its own key, and only fingerprints come back; what
// goes there is the job, the roster, and the rank's part of the data where it lies here. A rank ends with its ssh: what
// runs there watches its input.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "launcher/launch/hosts.h"
#include "launcher/launch/launched_job.h"
#include "launcher/launch/ranks.h"

namespace tacit::launcher {

struct RemoteOptions {
  std::vector<Host> hosts;                 // by rank
  std::vector<std::string> ssh = {"ssh"};  // the client, and options of it
  std::string program = "tacit";           // there
  int port = 4711;                         // of rank 0
  std::filesystem::path output;            // here
  std::filesystem::path staging;           // here: what is about to be copied
  std::vector<std::string> start;          // --resume or --afresh, or neither: the first time
  int restarts = 0;
};

class Remote {
 public:
  Remote(const LaunchedJob& launched, RemoteOptions options, Keeper& keeper, EndSignals& signals, Console& console);

  // Makes keys there, a roster of them, and copies what each rank needs. Throws NetError for a host that cannot be
  // reached, ConfigError for one that lacks something, RunFailed when a signal came.
  Ranks prepare();
  // Of every rank what it wrote, but for checkpoints and keys, into output/rank<r>. Throws likewise.
  void collect();
  // The same after a failure, of each rank that can still be reached: an account of what went wrong there. Throws
  // nothing; says of whom nothing came.
  void collect_what_there_is();

 private:
  using Said = std::vector<std::vector<std::string>>;  // lines, by rank

  Command there(int rank, const std::string& script) const;
  Said on_all(const std::string& what, const std::vector<Command>& commands);
  std::string make_roster();
  void copy(const std::string& roster);
  Command training(int rank, bool again) const;
  Command fetching(int rank) const;
  const Host& host(int rank) const { return options_.hosts[static_cast<std::size_t>(rank)]; }
  bool part_is_here(int rank) const;
  std::string part_name(int rank) const;  // there

  const LaunchedJob& launched_;
  RemoteOptions options_;
  Keeper& keeper_;
  EndSignals& signals_;
  Console& console_;
};

}  // namespace tacit::launcher
