#include "launcher/settings/cpus.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <sstream>

#include "net/decimal.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

std::vector<int> parse_cpus(const std::string& text) {
  const auto refuse = [&](const char* why) {
    throw ConfigError(
        fmt::format("{} {}: {}; expected numbers of CPUs, as 0,1 or 0-3,8", kCpusFlag, net::printable(text, 80), why));
  };
  const auto number = [&](const std::string& word) {
    const auto value = net::parse_decimal(word, 0, CPU_SETSIZE - 1);
    if (!value) refuse("no list of CPUs");
    return static_cast<int>(*value);
  };
  std::vector<int> cpus;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const std::size_t dash = word.find('-');
    const int first = number(word.substr(0, dash));
    const int last = dash == std::string::npos ? first : number(word.substr(dash + 1));
    if (last < first) refuse("a range ends below its begin");
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
  }
  if (cpus.empty() || text.ends_with(',')) refuse("no list of CPUs");
  std::sort(cpus.begin(), cpus.end());
  if (std::adjacent_find(cpus.begin(), cpus.end()) != cpus.end()) refuse("a CPU is named twice");
  return cpus;
}

std::string text_of_cpus(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t begin = 0, end = 0; begin < cpus.size(); begin = end) {
    for (end = begin + 1; end < cpus.size() && cpus[end] == cpus[end - 1] + 1;) ++end;
    text += fmt::format("{}{}", begin == 0 ? "" : ",", cpus[begin]);
    if (end - begin > 1) text += fmt::format("-{}", cpus[end - 1]);
  }
  return text;
}

std::vector<std::vector<int>> share_out(const std::vector<int>& cpus, int ranks) {
  const int count = static_cast<int>(cpus.size());
  if (count < ranks) {
    throw ConfigError(fmt::format("{} {}: {} {} for {} ranks, the dealer counted; each needs a CPU of its own",
                                  kCpusFlag, text_of_cpus(cpus), count, count == 1 ? "CPU" : "CPUs", ranks));
  }
  std::vector<std::vector<int>> shares;
  for (int rank = 0; rank < ranks; ++rank) {
    shares.emplace_back(cpus.begin() + rank * count / ranks, cpus.begin() + (rank + 1) * count / ranks);
  }
  return shares;
}

void stay_on(const std::vector<int>& cpus) {
  cpu_set_t usable, wanted;
  CPU_ZERO(&usable);
  CPU_ZERO(&wanted);
  for (const int cpu : cpus) CPU_SET(static_cast<std::size_t>(cpu), &wanted);
  const bool known = ::sched_getaffinity(0, sizeof usable, &usable) == 0;
  std::vector<int> denied, allowed;
  for (int cpu = 0; known && cpu < CPU_SETSIZE; ++cpu) {
    const auto at = static_cast<std::size_t>(cpu);
    if (CPU_ISSET(at, &usable)) allowed.push_back(cpu);
    if (CPU_ISSET(at, &wanted) && !CPU_ISSET(at, &usable)) denied.push_back(cpu);
  }
  if (denied.empty() && ::sched_setaffinity(0, sizeof wanted, &wanted) == 0) return;
  const std::vector<int>& refused = denied.empty() ? cpus : denied;
  throw ConfigError(fmt::format("{} {}: this process may not use {}; it may use {}", kCpusFlag, text_of_cpus(cpus),
                                refused == cpus      ? std::string(cpus.size() > 1 ? "these CPUs" : "this CPU")
                                : refused.size() > 1 ? "CPUs " + text_of_cpus(refused)
                                                     : "CPU " + text_of_cpus(refused),
                                text_of_cpus(allowed)));
}

}  // namespace tacit::launcher
