// OutputFolder — OUTPUT/rank<r>, the folder for everything that a rank writes: events, checkpoints,
// results.
//
// A folder belongs to one run. The same job continues in it until the job has finished. The
// results, and a run of another job, are never overwritten: move_aside() makes room.
#pragma once

#include <filesystem>
#include <string>

#include "launcher/job/job.h"
#include "net/descriptor.h"

namespace tacit::launcher {

// In events.jsonl. A run beside finished results keeps them and their job.toml, as its "started" event says, until all ranks have
// agreed: then it replaces them.
inline constexpr const char* kKeepsFinished = "keeps_finished";
inline constexpr const char* kReplaces = "replaces";

class OutputFolder {
 public:
  OutputFolder(const std::filesystem::path& output, int rank);

  // True if the last run in the folder belongs to the launch with this name.
  bool was_begun_by(const std::string& launch) const;

  // Keeps other processes from starting a run in the folder while the descriptor is open. Empty if
  // no run has written there. Throws ConfigError if a run is writing. Changes nothing in the
  // folder.
  net::Descriptor hold() const;

  // Renames an existing folder to aside() and returns the new name; "": no folder to move.
  std::string move_aside() const;
  std::filesystem::path aside() const;  // the first free name of rank<r>.1, .2, ...

  // Throws ConfigError with the remedy if the folder holds a finished run (unless `finished_too`)
  // or a run of another job that has trained. The error names the first setting that differs if the
  // other job can be read.
  void expect_free_for(const Job& job, bool finished_too) const;

  // Makes a missing folder, with mode 0700. Throws ConfigError, also if the folder is a link,
  // belongs to another user, or is writable by others.
  void make() const;
  void write(const std::string& name, const std::string& text) const;  // all or nothing; throws ConfigError

  // Renames predictions.npz to predictions.1.npz, or with the first free number, and predictions.csv likewise. Returns
  // the new name; "": there are none.
  std::string put_predictions_aside() const;

  std::filesystem::path file(const char* name) const { return path_ / name; }
  std::filesystem::path events() const { return file("events.jsonl"); }
  std::filesystem::path job() const { return file("job.toml"); }
  std::filesystem::path model() const { return file("model.npz"); }
  std::filesystem::path predictions() const { return file("predictions.npz"); }
  std::filesystem::path predictions_table() const { return file("predictions.csv"); }
  std::filesystem::path links() const { return file("links.csv"); }          // a training of links writes it
  std::filesystem::path requests() const { return file("requests.jsonl"); }  // a service writes it
  std::filesystem::path checkpoints() const { return file("checkpoints"); }
  std::filesystem::path storage_key() const { return file("storage.key"); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace tacit::launcher
