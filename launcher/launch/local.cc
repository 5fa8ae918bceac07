#include "launcher/launch/local.h"

#include <algorithm>

#include "launcher/launch/run_keys.h"
#include "launcher/run/output_folder.h"
#include "launcher/run/progress.h"
#include "launcher/run/rank_run.h"

namespace tacit::launcher {

namespace {

// Where a rank's folder goes that is there now, when it is moved aside.
std::vector<std::filesystem::path> to_be_moved_to(const std::filesystem::path& output, int ranks) {
  std::vector<std::filesystem::path> names;
  for (int rank = 0; rank < ranks; ++rank) {
    const OutputFolder folder(output, rank);
    if (std::filesystem::exists(std::filesystem::symlink_status(folder.path()))) names.push_back(folder.aside());
  }
  return names;
}

bool all_exist(const std::vector<std::filesystem::path>& names) {
  return std::all_of(names.begin(), names.end(), [](const auto& name) { return std::filesystem::exists(name); });
}

}  // namespace

Ranks local_ranks(const LaunchedJob& launched, const LocalOptions& options, const net::ReservedPort& port) {
  const bool afresh = std::find(options.start.begin(), options.start.end(), "--afresh") != options.start.end();
  const auto aside = afresh ? to_be_moved_to(options.output, launched.ranks()) : std::vector<std::filesystem::path>{};
  const auto command = [=, master = port.at("127.0.0.1").text(), keys = run_keys(launched.job(), options.output)](
                           int rank, bool again) {
    std::vector<std::string> words = {options.program,
                                      "train",
                                      launched.file,
                                      "--rank",
                                      std::to_string(rank),
                                      "--world-size",
                                      std::to_string(launched.ranks()),
                                      "--master",
                                      master,
                                      "--output",
                                      options.output.string()};
    if (!keys.keys.empty()) words.insert(words.end(), {"--key", keys.keys[static_cast<std::size_t>(rank)]});
    for (const std::string& text : launched.overrides) words.insert(words.end(), {kOverrideFlag, text});
    words.insert(words.end(), {kOverrideFlag, "roster=" + keys.roster});
    if (!options.emulated.empty()) words.insert(words.end(), {"--emulate", options.emulated});
    if (options.segment > 0) words.insert(words.end(), {"--segment", std::to_string(options.segment)});
    // A restart goes on with what the first time began: which is nothing before all folders have been moved aside.
    if (!again || !all_exist(aside)) words.insert(words.end(), options.start.begin(), options.start.end());
    Command one{.arguments = std::move(words)};
    one.environment.emplace(kLaunchedVariable, "1");
    if (progress_style(false) == ProgressStyle::kLive) one.environment.emplace(kStatusVariable, "1");
    return one;
  };
  return {.command = command, .count = launched.ranks(), .restarts = options.restarts};
}

std::string own_program() { return std::filesystem::read_symlink("/proc/self/exe"); }

}  // namespace tacit::launcher
