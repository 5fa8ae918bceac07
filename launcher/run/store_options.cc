#include "launcher/run/store_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "gnn/data/part_digest.h"
#include "launcher/run/event_log.h"
#include "mpc/sealed/storage_key.h"
#include "net/error.h"

namespace tacit::launcher {

namespace fs = std::filesystem;

gnn::StoreOptions store_options(const Job& job, int rank, const gnn::GraphData& part, const OutputFolder& folder,
                                bool may_make_key) {
  std::string key = job.keys.storage.of(rank);
  if (key.empty()) {
    key = folder.storage_key().string();
    if (!fs::exists(fs::symlink_status(key))) {
      if (!may_make_key) {
        throw ConfigError(
            fmt::format("rank {} has no checkpoints in {}: name its output folder with --output, or train first", rank,
                        folder.path().string()),
            "", "is not there: name its output folder there with --output, or train first");
      }
      mpc::StorageKey::make(key);
    }
  }
  std::int64_t saved = 0;
  for (const Json& event : EventLog::read(folder.events(), {"checkpoint"})) {
    if (event.contains("epoch") && event["epoch"].is_number_integer()) {
      saved = std::max(saved, event["epoch"].get<std::int64_t>());
    }
  }
  gnn::StoreOptions options;
  options.folder = folder.checkpoints();
  options.key = std::move(key);
  options.data = gnn::part_digest(part);
  options.rank = rank;
  options.parties = static_cast<int>(job.parties);
  options.keep = static_cast<int>(job.training.checkpoints_kept);
  options.saved = saved;
  return options;
}

}  // namespace tacit::launcher
