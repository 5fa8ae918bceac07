// GradientTrials — runs trainings of the program gradient_trainer to measure them: every rank a process, TLS between
// them, here or over ssh.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "bench/tables/gradient_account.h"
#include "bench/tables/gradient_hosts.h"
#include "bench/tables/gradient_plan.h"
#include "launcher/launch/ranks.h"
#include "launcher/processes/console.h"
#include "launcher/processes/scratch_folder.h"

namespace tacit::launcher {

inline constexpr const char* kGradientTrainer = "gradient_trainer";

// Throws ConfigError if the program is not built here. Over ssh, the hosts have it.
void expect_gradient_trainer(const GradientOptions& options);

class GradientTrials {
 public:
  // Makes the pictures unless the options name a folder with pictures. Throws ConfigError.
  GradientTrials(const GradientOptions& options, Console& console);

  // Runs the training at the first call, and returns its account, also of a training that diverged. Throws RunFailed if a
  // rank failed for another reason, after its last lines were printed; no rank is left running.
  const GradientAccount& of(const GradientSettings& settings);

 private:
  RanksEnded run_here(const GradientSettings& settings, const std::filesystem::path& folder);
  RanksEnded run_there(const GradientSettings& settings, const std::filesystem::path& folder);
  void run_on_hosts(const std::string& what, const std::vector<Command>& commands, EndSignals& signals);
  GradientAccount run_training(const GradientSettings& settings, const std::filesystem::path& folder);
  std::vector<std::string> arguments_of(const GradientSettings& settings) const;

  const GradientOptions& options_;
  Console& console_;
  ScratchFolder scratch_;
  std::optional<GradientHosts> hosts_;
  std::string program_, data_;
  std::map<GradientSettings, GradientAccount> made_;
};

}  // namespace tacit::launcher
