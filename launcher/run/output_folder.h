// OutputFolder — OUTPUT/rank<r>, where all that a rank leaves behind lies: its events, checkpoints, results.
//
// One run has it. The same job goes on in it until it has finished; results, and runs of another job, are never
// overwritten: afresh() moves them aside.
#pragma once

#include <filesystem>
#include <string>

namespace tacit::launcher {

class OutputFolder {
 public:
  OutputFolder(const std::filesystem::path& output, int rank);

  // Moves what is there to rank<r>.1, .2, ...: the first that is free. Gives that name; "" if nothing was there.
  std::string move_aside() const;

  // Throws ConfigError, with the remedy, if it holds a run that has finished, unless `finished_too`, or one of a job
  // with another digest that has trained.
  void expect_free_for(const std::string& digest, bool finished_too) const;

  void make() const;  // if it is not there; for its owner alone. Throws ConfigError.
  void write(const std::string& name, const std::string& text) const;  // as a whole or not at all. Throws ConfigError.

  std::filesystem::path file(const char* name) const { return path_ / name; }
  std::filesystem::path events() const { return file("events.jsonl"); }
  std::filesystem::path job() const { return file("job.toml"); }
  std::filesystem::path summary() const { return file("summary.json"); }
  std::filesystem::path model() const { return file("model.npz"); }
  std::filesystem::path predictions() const { return file("predictions.npz"); }
  std::filesystem::path checkpoints() const { return file("checkpoints"); }
  std::filesystem::path storage_key() const { return file("storage.key"); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace tacit::launcher
