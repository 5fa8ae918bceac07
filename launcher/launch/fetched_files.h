// FetchedFiles — receives the files of a rank's folder over ssh, from an untrusted host.
//
// The host sends a line with the transfer's name; then, for each file, "file NAME SIZE" and the
// file's bytes; then "end". A name must be known, may occur once, and has a limit on the size. Any
// other input ends the transfer. Each file is written with mode 0600 under a temporary name and
// renamed when complete, so no link in the folder is followed. After an error the complete files
// stay.
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
  static constexpr std::string_view kEvents = "events.jsonl";
  // links.csv is a party's data, and stays at the host.
  static constexpr Kind kKinds[] = {{kEvents, std::int64_t{1} << 30},
                                    {"summary.json", 16 << 20},
                                    {"prediction.json", 16 << 20},
                                    {"service.json", 16 << 20},
                                    {"requests.jsonl", std::int64_t{1} << 30},
                                    {"job.toml", 1 << 20},
                                    {"model.npz", std::int64_t{1} << 32},
                                    {"predictions.npz", std::int64_t{1} << 32},
                                    {"predictions.csv", std::int64_t{1} << 32}};

  // The shell command that sends the files. The host runs it in the folder of the files.
  static std::string script(const std::string& transfer);

  // `transfer`: a random name. Input before the line with this name is skipped, since a shell may
  // print a greeting first.
  FetchedFiles(std::filesystem::path folder, const std::string& transfer);

  // Takes bytes in the order of arrival. Throws ProtocolError if the host breaks these rules, and
  // ConfigError if a file is too large or cannot be written here.
  void take(std::string_view bytes);

  void expect_end() const;  // throws ProtocolError if the host stopped before "end"

 private:
  void take_line(std::string_view line);
  void begin_file(std::string_view name, std::string_view size);
  void finish_file();

  std::filesystem::path folder_;
  std::string opening_;       // the line with the transfer's name
  std::string line_;          // a line that is not complete yet
  std::int64_t skipped_ = 0;  // before the transfer
  bool opened_ = false, ended_ = false;
  std::set<std::string, std::less<>> taken_;
  std::optional<gnn::AtomicFile> file_;  // the incomplete file
  std::int64_t left_ = 0;                // bytes missing from file_
};

}  // namespace tacit::launcher
