// Job — one run of the program mesh_party: a key for every rank, the roster, a port, and a process
// per rank.
//
// The timings are short: a rank that is silent for kSilence is dead, so every failure shows within
// a second or two.
#pragma once

#include <chrono>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "net/error.h"
#include "tests/net/loopback.h"
#include "tests/net/namespaces.h"
#include "tests/net/process.h"
#include "tests/temporary_folder.h"

namespace tacit::net {

inline constexpr std::chrono::milliseconds kSilence{1500};

// The time for an unobstructed process to end; generous, for busy machines.
inline constexpr std::chrono::seconds kSoon{30};

class Job {
 public:
  explicit Job(int parties, int helpers = 0);
  Job(const Hosts& hosts, int parties, int helpers = 0);  // rank r at host r

  int size() const { return ensemble_.roster.size(); }
  int port() const { return port_.number(); }
  std::string key(int rank) const;  // a path
  std::string roster() const;       // a path
  const RosterEntry& entry(int rank) const { return ensemble_.roster.at(rank); }
  std::filesystem::path folder() const { return folder_.path(); }

  // The command of an honest rank; `flags` come last and take precedence.
  Command command(int rank, const std::vector<std::string>& flags = {}) const;

  // The same for another program with the same flags.
  Command command_of(const std::string& program, int rank, const std::vector<std::string>& flags = {}) const;

  Process start(int rank, const std::vector<std::string>& flags = {}) const { return Process(command(rank, flags)); }
  std::vector<Process> start_all(const std::vector<std::string>& flags = {}) const;

 private:
  const TemporaryFolder folder_;
  const Ensemble ensemble_;
  const ReservedPort port_;
  const Hosts* hosts_ = nullptr;
};

// Waits until every process has joined its mesh.
void expect_standing(std::vector<Process>& processes);

// Waits for the end and expects success.
void expect_success(Process& process);

// Waits for the end and expects the exit code, and one line of stderr that contains every phrase.
void expect_failure(Process& process, Exit exit, std::initializer_list<std::string_view> phrases,
                    std::chrono::milliseconds within = kSoon);

}  // namespace tacit::net
