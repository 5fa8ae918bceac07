// FetchedFiles — the files of a rank's folder, as they come over ssh from a host that nobody here has to trust.
//
// The host sends a line that names the transfer, then for each file "file NAME SIZE" and its bytes, then "end". Only
// known names are taken, each once and of a limited size; anything else ends the transfer. Each file is written under a
// temporary name with mode 0600 and gets its own name once all of it is there, so no link in the folder is followed.
// What was complete before a fault stays.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "gnn/data/atomic_file.h"

namespace tacit::launcher {

class FetchedFiles {
 public:
  struct Kind {
    std::string_view name;
    std::int64_t most;  // bytes
  };
  static constexpr Kind kKinds[] = {
      {"events.jsonl", std::int64_t{1} << 30}, {"summary.json", 16 << 20},
      {"prediction.json", 16 << 20},           {"job.toml", 1 << 20},
      {"model.npz", std::int64_t{1} << 32},    {"predictions.npz", std::int64_t{1} << 32}};

  // What a host runs, in the folder that the files lie in, to send them.
  static std::string script(const std::string& transfer);

  // `transfer`: no file is taken before a line that names it, since a shell may greet first.
  FetchedFiles(std::filesystem::path folder, const std::string& transfer);

  // Bytes as they come. Throws ProtocolError where the host breaks these rules, ConfigError where a file is too large
  // or cannot be written here.
  void take(std::string_view bytes);

  void expect_end() const;  // throws ProtocolError if the host stopped before it

 private:
  void take_line(std::string_view line);
  void begin_file(std::string_view name, std::string_view size);
  void finish_file();

  std::filesystem::path folder_;
  std::string opening_;       // the line that names the transfer
  std::string line_;          // that has begun
  std::int64_t skipped_ = 0;  // bytes before the transfer
  bool opened_ = false, ended_ = false;
  std::set<std::string, std::less<>> taken_;
  std::optional<gnn::AtomicFile> file_;  // that is coming
  std::int64_t left_ = 0;                // of its bytes
};

}  // namespace tacit::launcher
