#include "launcher/run/own_part.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gnn/data/part_digest.h"
#include "launcher/data/findings.h"
#include "launcher/data/read_part.h"
#include "launcher/job/job_agreement.h"
#include "launcher/run/event_log.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace fs = std::filesystem;

namespace {

std::string file_of(const Job& job, int rank) {
  std::string file = part_file(job, rank);
  if (job.join == Job::Join::kIntersection && !file.empty() && !fs::exists(file)) {
    throw ConfigError(
        fmt::format("{} is not there, and the job says join = \"intersection\": run `tacit data align JOB` "
                    "at every rank first, which writes it",
                    file),
        "", "is not aligned: run `tacit data align JOB` at every rank first");
  }
  if (!file.empty()) return file;
  throw ConfigError(fmt::format("rank {} is a party and has no data: say --data FILE, or data.files in the job", rank),
                    "", "is named nowhere");
}

}  // namespace

gnn::GraphData read_own_part(const Job& job, int rank, const std::function<void(const std::string&)>& note) {
  const std::string file = file_of(job, rank);
  std::vector<std::string> ignored;
  gnn::GraphData part = read_part(job, rank, file, &ignored);
  const Findings found = findings(part, job, rank, file);
  if (!found.wrong.empty()) {
    throw ConfigError(fmt::format("the data of rank {} do not fit the job; `tacit data check` says where", rank),
                      fmt::format("{}", fmt::join(found.wrong, "\n  ")),
                      "does not fit the job: `tacit data check` says where");
  }
  if (!ignored.empty()) {
    note(fmt::format("{}: {} arrays or columns in it are no part of a graph, and ignored; the first is \"{}\"", file,
                     ignored.size(), net::printable(ignored.front(), 60)));
  }
  return part;
}

gnn::StoreOptions store_options(const Job& job, int rank, const gnn::GraphData& part, const OutputFolder& folder,
                                bool may_make_key) {
  std::string key = job.keys.storage.of(rank);
  if (key.empty()) {
    key = folder.storage_key().string();
    if (!fs::exists(fs::symlink_status(key))) {
      if (!may_make_key) {
        throw ConfigError(
            fmt::format("rank {} has no checkpoints in {}: say with --output where it trained, or train first", rank,
                        folder.path().string()),
            "", "is not there: say there, with --output, where it trained, or train first");
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
