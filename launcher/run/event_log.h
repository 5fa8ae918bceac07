// EventLog — the events of a rank, one line of JSON each, in a file that only grows.
//
// A second process that writes the same file is refused. A launcher on another machine gets a copy of each line on stdout,
// after kEventMark; a reader that is too slow misses lines of the copy, and nothing waits for it. Thread: any.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <limits>
#include <mutex>

#include "launcher/json.h"
#include "launcher/processes/console.h"
#include "net/descriptor.h"

namespace tacit::launcher {

// A launcher sets this variable for a rank on another machine.
inline constexpr const char* kEventsVariable = "TACIT_EVENT_LINES";
inline constexpr std::string_view kEventMark = "@event ";

class EventLog {
 public:
  // `copy`: gets the marked lines; no other code may use it. Throws ConfigError, as every function below.
  explicit EventLog(std::filesystem::path path, Console* copy = nullptr);

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
  void tell(const std::string& line);

  std::filesystem::path path_;
  Console* copy_;
  std::mutex mutex_;
  net::Descriptor file_;
};

}  // namespace tacit::launcher
