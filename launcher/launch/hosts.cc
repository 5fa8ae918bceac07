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

int port_of(std::string_view text) {
  int port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port <= 65535 ? port : 0;
}

// An IPv6 address stands in brackets, as in user@[2001:db8::1]:22. ssh takes it without them.
Host parse_host(const std::string& text, const std::string& where) {
  const auto refuse = [&] {
    throw ConfigError(fmt::format(
        "{}: \"{}\" is not a host; expected user@host or user@host:port, with an IPv6 address in brackets, and perhaps "
        "a folder",
        where, net::printable(text, 80)));
  };
  Host host{text, 0, {}};
  std::size_t end = std::min(text.find(':'), text.size());  // a port follows
  if (const std::size_t open = text.find('['); open != std::string::npos) {
    const std::size_t close = std::min(text.find(']', open), text.size());
    const std::string user = text.substr(0, open), address = text.substr(open + 1, close - open - 1);
    if (close == text.size() || address.find_first_not_of("0123456789abcdefABCDEF:.") != std::string::npos) refuse();
    if (address.find(':') == std::string::npos || (!user.empty() && !is_destination(user + "x"))) refuse();
    if (!user.empty() && user.back() != '@') refuse();
    host.destination = user + address;
    end = close + 1;
  } else {
    host.destination = text.substr(0, end);
    if (!is_destination(host.destination)) refuse();
  }
  if (end == text.size()) return host;
  host.port = text[end] == ':' ? port_of(std::string_view(text).substr(end + 1)) : 0;
  if (host.port < 1) refuse();
  return host;
}

}  // namespace

std::string Host::name() const {
  const std::string name = destination.substr(destination.find('@') + 1);
  return name.find(':') == std::string::npos ? name : fmt::format("[{}]", name);
}

std::string Host::text() const {
  const std::string whole = destination.substr(0, destination.find('@') + 1) + name();
  return port == 0 ? whole : fmt::format("{}:{}", whole, port);
}

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
  throw ConfigError(
      fmt::format("{} has {} hosts for {} ranks; name one for each party, and last the dealer's, if the job has one",
                  file, hosts.size(), ranks));
}

}  // namespace tacit::launcher
