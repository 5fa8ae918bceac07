#include "launcher/job/job.h"

namespace tacit::launcher {

std::string RankFiles::of(int rank) const {
  if (pattern.empty()) return static_cast<std::size_t>(rank) < each.size() ? each[static_cast<std::size_t>(rank)] : "";
  constexpr std::string_view kRank = "{rank}";
  std::string path = pattern;
  const std::string number = std::to_string(rank);
  for (std::size_t at = path.find(kRank); at != std::string::npos; at = path.find(kRank, at + number.size())) {
    path.replace(at, kRank.size(), number);
  }
  return path;
}

}  // namespace tacit::launcher
