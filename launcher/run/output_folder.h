// OutputFolder — OUTPUT/rank<r>, where all that a rank leaves behind lies: its events, checkpoints, results.
//
// One run has it. The same job goes on in it until it has finished; results, and runs of another job, are never
// overwritten: move_aside() makes room.
#pragma once

#include <filesystem>
#include <string>

#include "launcher/job/job.h"
#include "net/descriptor.h"

namespace tacit::launcher {

class OutputFolder {
 public:
  OutputFolder(const std::filesystem::path& output, int rank);

  // Whether the last run here is of the launch of this name.
  bool was_begun_by(const std::string& launch) const;

  // No run can begin to write in it while this lives; nothing to hold where nobody has written. Throws ConfigError
  // where one does. The folder is left as it was.
  net::Descriptor hold() const;

  // Moves what is there to aside(). Gives that name; "" if nothing was there.
  std::string move_aside() const;
  std::filesystem::path aside() const;  // rank<r>.1, .2, ...: the first that is free

  // Throws ConfigError, with the remedy, if it holds a run that has finished, unless `finished_too`, or one of another
  // job that has trained: with the first setting that is another, if its job can be read.
  void expect_free_for(const Job& job, bool finished_too) const;

  // If it is not there, with mode 0700. Throws ConfigError; also where it is there and is a link, another user's, or
  // others may write to it.
  void make() const;
  void write(const std::string& name, const std::string& text) const;  // as a whole or not at all. Throws ConfigError.

  std::filesystem::path file(const char* name) const { return path_ / name; }
  std::filesystem::path events() const { return file("events.jsonl"); }
  std::filesystem::path job() const { return file("job.toml"); }
  std::filesystem::path model() const { return file("model.npz"); }
  std::filesystem::path predictions() const { return file("predictions.npz"); }
  std::filesystem::path checkpoints() const { return file("checkpoints"); }
  std::filesystem::path storage_key() const { return file("storage.key"); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace tacit::launcher
