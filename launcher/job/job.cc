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

std::string part_file(const Job& job, int rank) {
  std::string file = job.data.files.of(rank);
  return file.empty() || job.data.join == JobData::Join::kNone ? file : aligned_file(file);
}

std::string aligned_file(const std::string& file) {
  constexpr std::string_view kAligned = ".aligned.npz", kNpz = ".npz";
  std::string_view stem = file;
  if (stem.ends_with(kAligned)) return file;
  while (stem.ends_with('/')) stem.remove_suffix(1);
  if (stem.ends_with(kNpz)) stem.remove_suffix(kNpz.size());
  return std::string(stem).append(kAligned);
}

}  // namespace tacit::launcher
