#include "launcher/launch/hosts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "launcher/text_file.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr std::int64_t kMostBytes = 1 << 20;
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

// Refuses any text that ssh could parse as an option.
bool is_destination(std::string_view text) {
  if (text.empty() || text.front() == '-') return false;
  return text.find_first_not_of(std::string(kLetters) + "@._-") == std::string_view::npos &&
         std::count(text.begin(), text.end(), '@') <= 1 && text.back() != '@' && text.front() != '@';
}

std::string default_folder(const std::string& job_name, int rank) {
  std::string safe = job_name;
  for (char& c : safe) {
    if (kLetters.find(c) == std::string_view::npos) c = '-';
  }
  return fmt::format("tacit-{}-rank{}", safe, rank);
}

Host parse_host(const std::string& text, const std::string& where) {
  const auto refuse = [&] {
    throw ConfigError(
        fmt::format("{}: \"{}\" is not a host; expected user@host or user@host:port, and perhaps a folder", where,
                    net::printable(text, 80)));
  };
  Host host{text, 0, {}};
  if (const std::size_t colon = text.find(':'); colon != std::string::npos) {
    host.destination = text.substr(0, colon);
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data() + colon + 1, end, host.port);
    if (parsed.ec != std::errc() || parsed.ptr != end || host.port < 1 || host.port > 65535) refuse();
  }
  if (!is_destination(host.destination)) refuse();
  return host;
}

}  // namespace

std::string Host::name() const { return destination.substr(destination.find('@') + 1); }
std::string Host::text() const { return port == 0 ? destination : fmt::format("{}:{}", destination, port); }

std::vector<Host> load_hosts(const std::string& file, int ranks, const std::string& job_name) {
  std::istringstream in(read_text_file(file, kMostBytes, "a list of hosts"));
  std::vector<Host> hosts;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    std::string text, folder, more;
    if (!(words >> text)) continue;
    const std::string where = fmt::format("{}:{}", file, number);
    Host host = parse_host(text, where);
    if (words >> folder && (folder.front() == '-' || folder.front() == '~')) {
      throw ConfigError(where + ": a folder begins with neither - nor ~; a relative one starts at the home folder");
    }
    if (words >> more) throw ConfigError(where + ": expected a host and a folder, and nothing more");
    host.folder = folder.empty() ? default_folder(job_name, static_cast<int>(hosts.size())) : folder;
    hosts.push_back(std::move(host));
  }
  if (std::ssize(hosts) == ranks) return hosts;
  throw ConfigError(fmt::format("{} has {} hosts for {} ranks; name one for each party, and the dealer's last", file,
                                hosts.size(), ranks));
}

}  // namespace tacit::launcher
