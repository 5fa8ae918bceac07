// EventLog — what happens to a rank, a line of JSON each, in a file that is only ever added to.
//
// Another process that writes the same file is refused. Thread: any.
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
  explicit EventLog(std::filesystem::path path);  // throws ConfigError, as everything below

  // As if one were open, until it ends; nothing where there is no such file. Throws ConfigError where one is.
  static net::Descriptor hold(const std::filesystem::path& path);

  // {"time": now, "event": name, ...more}
  void add(const std::string& name, const Json& more = Json::object());

  // Those in such a file that have one of these names, at most so many; a line that a dying process left half, or one
  // beyond 1 MiB, is passed over; so is a file that is not regular. A long run has many: others are not parsed.
  static std::vector<Json> read(const std::filesystem::path& path, std::initializer_list<std::string_view> names,
                                std::size_t most = std::numeric_limits<std::size_t>::max());

 private:
  void write(std::string_view text);

  std::filesystem::path path_;
  std::mutex mutex_;
  net::Descriptor file_;
};

}  // namespace tacit::launcher
