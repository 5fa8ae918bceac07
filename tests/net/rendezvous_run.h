// RendezvousRun — a rendezvous of ranks that are threads of this process, with short deadlines,
// keys made on the fly, and a log of each rank.
#pragma once

#include <map>
#include <mutex>

#include "net/rendezvous/rendezvous.h"
#include "tests/net/loopback.h"

namespace tacit::net {

class RendezvousRun {
 public:
  explicit RendezvousRun(int parties, int helpers = 0, const std::string& host = "127.0.0.1");

  int size() const { return ensemble.roster.size(); }
  RendezvousOptions& options(int rank) { return options_.at(static_cast<std::size_t>(rank)); }

  // One rank, in the calling thread.
  Formation join(int rank) { return join(rank, ensemble.roster); }
  Formation join(int rank, const Roster& roster);

  // Runs all ranks (or some), each in its own thread; returns their outcomes. Their formations stay
  // in `formations`.
  std::vector<Outcome> join_all();
  std::vector<Outcome> join_some(const std::vector<int>& ranks);  // in the order of `ranks`

  // The rank's log so far, one message in a line.
  std::string log_of(int rank);
  bool wait_until_logged(int rank, const std::string& text);  // false after ten seconds

  Ensemble ensemble;
  ReservedPort port;
  std::map<int, Formation> formations;

 private:
  std::mutex mutex_;
  std::map<int, std::string> logs_;
  std::vector<RendezvousOptions> options_;
};

// Every link carries a byte of its own from each rank to each other.
void expect_links_work(std::map<int, Formation>& formations);

}  // namespace tacit::net
