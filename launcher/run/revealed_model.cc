#include "launcher/run/revealed_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "launcher/job/load_job.h"
#include "launcher/run/event_log.h"
#include "net/error.h"

namespace tacit::launcher {

namespace fs = std::filesystem;

namespace {

constexpr const char* kModel = "model.npz";

bool is_rank_folder(const fs::path& folder) { return fs::exists(folder / "events.jsonl"); }

std::vector<fs::path> rank_folders(const fs::path& output) {
  if (is_rank_folder(output)) return {output};
  std::vector<fs::path> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(output)) {
    const std::string name = entry.path().filename().string();
    const bool aside = name.find('.') != std::string::npos;  // an earlier run, moved aside
    if (name.starts_with("rank") && !aside && is_rank_folder(entry.path())) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

bool has_finished(const fs::path& folder) { return !EventLog::read(folder / "events.jsonl", {"finished"}, 1).empty(); }

[[noreturn]] void refuse(const fs::path& output, const std::vector<fs::path>& folders) {
  if (folders.empty()) {
    throw ConfigError(fmt::format("{} holds no run: name a rank's output folder, or train first", output.string()));
  }
  if (std::none_of(folders.begin(), folders.end(), has_finished)) {
    throw ConfigError(
        fmt::format("the run in {} has not finished, and so revealed no model: let it go on to its end "
                    "(tacit train JOB --resume)",
                    output.string()));
  }
  throw ConfigError(fmt::format(
      "the model was never revealed to the rank of {}: only ranks that the job's reveal.model names get it; "
      "train with reveal.model = 0, or another rank, or \"everyone\"",
      folders.size() == 1 ? folders.front().string() : output.string() + ", or any other here"));
}

}  // namespace

RevealedModel find_revealed_model(const fs::path& from, const std::vector<std::string>& overrides) {
  if (!fs::is_directory(from) && from.extension() == ".npz") return {from, read_described_model(from)};
  const fs::path output = fs::is_directory(from) ? from : fs::path(load_job(from, overrides).job.output);
  const std::vector<fs::path> folders = fs::is_directory(output) ? rank_folders(output) : std::vector<fs::path>{};
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / kModel)) return {folder / kModel, read_described_model(folder / kModel)};
  }
  refuse(output, folders);
}

}  // namespace tacit::launcher
