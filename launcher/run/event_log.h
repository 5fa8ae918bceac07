// EventLog — the events of a rank, one line of JSON each, in a file that only grows.
//
// A second process that writes the same file is refused. Thread: any.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <limits>
#include <mutex>

#include "launcher/json.h"
#include "net/descriptor.h"

namespace tacit::launcher {

class EventLog {
 public:
  explicit EventLog(std::filesystem::path path);  // throws ConfigError, as every function below

  // Locks an existing log against other processes until the descriptor closes. Empty if the file
  // does not exist. Throws ConfigError if a process has the log open.
  static net::Descriptor hold(const std::filesystem::path& path);

  // {"time": now, "event": name, ...more}
  void add(const std::string& name, const Json& more = Json::object());

  // The first `most` events with one of the given names. Skips incomplete lines of a killed process,
  // lines beyond 1 MiB, and a file that is not regular. Parses only lines that contain a wanted
  // name, since a long run has many events.
  static std::vector<Json> read(const std::filesystem::path& path, std::initializer_list<std::string_view> names,
                                std::size_t most = std::numeric_limits<std::size_t>::max());

 private:
  void write(std::string_view text);

  std::filesystem::path path_;
  std::mutex mutex_;
  net::Descriptor file_;
};

}  // namespace tacit::launcher
