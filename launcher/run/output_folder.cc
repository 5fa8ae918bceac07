#include "launcher/run/output_folder.h"

#include <fmt/format.h>

#include "gnn/data/atomic_file.h"
#include "launcher/run/event_log.h"
#include "net/error.h"

namespace tacit::launcher {

namespace fs = std::filesystem;

namespace {

constexpr const char* kRemedy = "name another folder with --output, or say --afresh, which moves this one aside";

std::string text_of(const Json& event, const char* key) {
  const auto found = event.find(key);
  return found != event.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

OutputFolder::OutputFolder(const fs::path& output, int rank) : path_(output / fmt::format("rank{}", rank)) {}

std::string OutputFolder::move_aside() const {
  if (!fs::exists(fs::symlink_status(path_))) return "";
  fs::path aside;
  for (int i = 1; aside.empty() || fs::exists(fs::symlink_status(aside)); ++i) {
    aside = fmt::format("{}.{}", path_.string(), i);
  }
  std::error_code failed;
  fs::rename(path_, aside, failed);
  if (failed) {
    throw ConfigError(fmt::format("{} cannot be moved aside to {}: {}; name another folder with --output",
                                  path_.string(), aside.string(), failed.message()));
  }
  return aside.string();
}

void OutputFolder::expect_free_for(const std::string& digest, bool finished_too) const {
  std::string last_job;  // of the run's
  for (const Json& event : EventLog::read(events(), {"started", "finished"})) {
    if (text_of(event, "event") == "started") {
      last_job = text_of(event, "training_digest");
    } else if (!finished_too && text_of(event, "command") == "train") {
      throw ConfigError(fmt::format("{} holds the results of a run that has finished; {}", path_.string(), kRemedy));
    }
  }
  const bool trained = !EventLog::read(events(), {"epoch"}, 1).empty();
  if (!trained || last_job == digest) return;
  throw ConfigError(fmt::format("{} holds a run of another job; {}", path_.string(), kRemedy));
}

void OutputFolder::make() const {
  std::error_code failed;
  if (fs::create_directories(path_, failed)) fs::permissions(path_, fs::perms::owner_all, failed);
  if (!failed && fs::is_directory(path_)) return;
  throw ConfigError(fmt::format("the output folder {} cannot be made: {}; name another with --output", path_.string(),
                                failed ? failed.message() : "a file of that name is there"));
}

void OutputFolder::write(const std::string& name, const std::string& text) const {
  gnn::AtomicFile file(path_ / name);
  file.write(std::as_bytes(std::span(text)));
  file.commit();
}

}  // namespace tacit::launcher
