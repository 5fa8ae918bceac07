// Remote — runs the ranks of a job on other machines over ssh.
//
// Each host makes its own key and sends the fingerprint. The launcher sends each host the job
// without its local settings, the roster, and the rank's part of the data if the part is on this
// machine. The files have mode 0600, in a folder of mode 0700. No host is trusted: FetchedFiles
// limits the files that a host sends back. A shell beside each rank watches the input that ssh
// holds open, and ends the rank when ssh ends. Events arrive while they happen (EventCopy).
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "launcher/launch/fetched_files.h"
#include "launcher/launch/hosts.h"
#include "launcher/launch/launched_job.h"
#include "launcher/launch/ranks.h"

namespace tacit::launcher {

struct RemoteOptions {
  std::vector<Host> hosts;                 // by rank
  std::vector<std::string> ssh = {"ssh"};  // the client and its options
  std::string program = "tacit";           // there
  std::string verb = "train";              // or "predict", "serve"
  std::string who;                         // here: the nodes to predict, which rank 0 names; "": all
  int port = 4711;                         // where rank 0 listens
  std::filesystem::path output;            // here
  std::string run = "run";                 // there: the same, in the rank's folder
  std::filesystem::path staging;           // here: files that will be copied
  std::vector<std::string> start;          // flags of every rank at the first start only, for example --resume
  int restarts = 0;
};

class Remote {
 public:
  Remote(const LaunchedJob& launched, RemoteOptions options, EndSignals& signals, Console& console);

  // Makes the keys on the hosts and the roster, and copies each rank's files. Throws NetError for a
  // host that cannot be reached, ConfigError for a host that lacks something, and RunFailed after a
  // signal.
  Ranks prepare();
  // Copies each rank's account and results (FetchedFiles::kKinds) to output/rank<r>. Throws as
  // prepare() does, and ProtocolError for a host that sends any other file.
  void collect();
  // Like collect(), after a failure: copies from every host that can still be reached. Never
  // throws, and prints the ranks with missing files.
  void collect_what_there_is();

 private:
  using Said = std::vector<std::string>;  // the last line, by rank

  Command there(int rank, const std::string& script) const;
  enum class Silence { kLimited, kAllowed };
  Said on_all(const std::string& what, const std::vector<Command>& commands, Silence silence);
  std::string make_roster();
  std::filesystem::path folder_here(int rank) const;
  void prepare_folders() const;
  void copy(const std::string& roster);
  Command training(int rank, bool again) const;
  struct Fetch {
    std::shared_ptr<FetchedFiles> files;
    Command command;
  };
  Fetch fetching(int rank) const;
  void about(int rank, const std::function<void()>& act) const;
  const Host& host(int rank) const { return options_.hosts[static_cast<std::size_t>(rank)]; }
  bool predicts() const { return options_.verb != "train"; }
  std::string part_here(int rank) const;  // the part to send; "": none
  std::string part_name(int rank) const;  // on the host
  std::vector<std::string> service_settings(int rank) const;
  std::string ledger_there(
      int rank) const;  // the path on the host; "": none. Throws ConfigError for a ledger that is here
  bool sends_nodes(int rank) const { return rank == 0 && !options_.who.empty(); }

  const LaunchedJob& launched_;
  RemoteOptions options_;
  EndSignals& signals_;
  Console& console_;
};

}  // namespace tacit::launcher
