// Ranks — two parties and a dealer as a user would run them: the command itself makes all files,
// and each rank is a process of the command.
#pragma once

#include "gnn/run/training_run.h"
#include "launcher/json.h"
#include "tests/net/loopback.h"
#include "tests/net/process.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {

using Words = std::vector<std::string>;

inline constexpr std::chrono::seconds kSoon{120};  // generous, for sanitizers on a busy machine

class Ranks {
 public:
  static constexpr int kParties = 2, kSize = 3, kDealer = 2;

  Ranks();

  std::string path(const std::string& name) const { return folder_.path() / name; }
  std::filesystem::path output(int rank) const { return folder_.path() / "out" / ("rank" + std::to_string(rank)); }
  std::string master() const { return port_.at("127.0.0.1").text(); }

  // The example job for two parties, overridden by these settings.
  Words overrides(const Words& settings) const;
  net::Command command(const std::string& verb, int rank, const Words& more = {}) const;
  net::Process start(const std::string& verb, int rank, const Words& more = {}) const {
    return net::Process(command(verb, rank, more));
  }
  std::vector<net::Process> start_all(const std::string& verb, const Words& more = {}) const;
  std::vector<net::Ended> run_all(const std::string& verb, const Words& more = {}) const;

  std::vector<Json> events(int rank, const std::string& name) const;  // events of that name
  bool comes(int rank, const std::string& event) const;               // within kSoon
  Json summary(int rank) const;

  // The result of one holder of all data.
  struct Twin {
    double rmse = 0;          // test, in the targets' own unit
    gnn::Matrix predictions;  // in the targets' own unit
  };
  Twin twin(const Words& settings) const;

 private:
  const TemporaryFolder folder_;
  const net::ReservedPort port_;
};

// "--set a --set b"
Words sets(const Words& settings);
std::vector<net::Ended> ends_of(std::vector<net::Process>& processes);
void expect_success(const std::vector<net::Ended>& all);

}  // namespace tacit::launcher
