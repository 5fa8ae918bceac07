#include "launcher/launch/local.h"

#include "launcher/launch/run_keys.h"
#include "launcher/run/progress.h"
#include "launcher/run/rank_run.h"
#include "launcher/settings/cpus.h"

namespace tacit::launcher {

Ranks local_ranks(const LaunchedJob& launched, const LocalOptions& options, const net::ReservedPort& port) {
  std::vector<std::vector<int>> cpus;
  if (!options.cpus.empty()) cpus = share_out(options.cpus, launched.ranks());
  const auto command = [=, master = port.at("127.0.0.1").text(), keys = run_keys(launched.job(), options.output)](
                           int rank, bool again) {
    std::vector<std::string> words = {options.program,
                                      options.verb,
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
    if (rank == 0 && !options.who.empty()) words.insert(words.end(), {"--who", options.who});
    if (!cpus.empty()) words.insert(words.end(), {kCpusFlag, text_of_cpus(cpus[static_cast<std::size_t>(rank)])});
    for (const std::string& flag : starting(options.start, again)) words.push_back(flag);
    Command one{.arguments = std::move(words)};
    one.environment.emplace(kLaunchedVariable, launched.id);
    if (progress_style(false) == ProgressStyle::kLive) one.environment.emplace(kStatusVariable, "1");
    return one;
  };
  return {.command = command, .count = launched.ranks(), .restarts = options.restarts, .grace = grace_of(options.verb)};
}

std::string own_program() { return std::filesystem::read_symlink("/proc/self/exe"); }

}  // namespace tacit::launcher
