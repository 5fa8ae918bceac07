// GradientHosts — the commands that run the ranks of a training with gradient_trainer on other machines, over ssh.
//
// The keys of a training are made here and copied to the hosts, so they protect no secrets; a benchmark needs no
// more. A host's shell ends the rank when ssh ends.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/tables/gradient_options.h"
#include "launcher/launch/hosts.h"
#include "launcher/processes/child.h"

namespace tacit::launcher {

class GradientHosts {
 public:
  // Throws ConfigError for a list that has not a host for each rank.
  explicit GradientHosts(const GradientOptions& options);

  const std::string& master() const { return master_; }  // the address of rank 0 for the other ranks
  // Copies these files into the rank's folder, which is made if it is missing. Removes the measurements of earlier runs.
  Command copying(int rank, const std::vector<std::filesystem::path>& files) const;
  // Runs a program in the rank's folder. `words`: variables, the program and its options.
  Command running(int rank, std::vector<std::string> words) const;
  // Writes a file of the rank's folder to stdout, or nothing if the file is missing.
  Command fetching(int rank, const std::string& name) const;
  std::string text(int rank) const { return host(rank).text(); }

 private:
  const Host& host(int rank) const { return hosts_[static_cast<std::size_t>(rank)]; }

  std::vector<std::string> ssh_;
  std::vector<Host> hosts_;
  std::string master_;
};

}  // namespace tacit::launcher
