// EventLog — what happens to a rank, a line of JSON each, in a file that is only ever added to.
//
// Another process that writes the same file is refused. Thread: any.
#pragma once

#include <filesystem>
#include <mutex>

#include "launcher/json.h"
#include "net/descriptor.h"

namespace tacit::launcher {

class EventLog {
 public:
  explicit EventLog(std::filesystem::path path);  // throws ConfigError, as everything below

  // {"time": now, "event": name, ...more}
  void add(const std::string& name, const Json& more = Json::object());

  // What is in such a file; a line that a dying process left half is passed over.
  static std::vector<Json> read(const std::filesystem::path& path);

 private:
  void write(std::string_view text);

  std::filesystem::path path_;
  std::mutex mutex_;
  net::Descriptor file_;
};

}  // namespace tacit::launcher
