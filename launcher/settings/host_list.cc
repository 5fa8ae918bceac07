#include "launcher/settings/host_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "net/error.h"
#include "net/printable.h"
#include "net/rendezvous/endpoint.h"

namespace tacit::launcher {

namespace {

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string first_host(std::string_view list) {
  const auto refuse = [&](std::string_view why) {
    throw ConfigError(
        fmt::format("the list of hosts \"{}\" cannot be read: {}; expected one as Slurm writes it, such as "
                    "node[003-010,12],gpu1",
                    net::printable(list, 80), why));
  };
  std::string host;
  std::string_view rest = list;
  while (!rest.empty() && rest.front() != ',' && std::ssize(host) <= net::kMaxHostBytes) {
    if (rest.front() != '[') {
      host += rest.front();
      rest.remove_prefix(1);
      continue;
    }
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos) refuse("a bracket is not closed");
    const std::string_view ranges = rest.substr(1, end - 1);
    const std::string_view first = ranges.substr(0, ranges.find_first_of(",-"));
    if (!is_digits(first)) refuse("a bracket does not begin with a number");
    host += first;  // with the leading zeros
    rest.remove_prefix(end + 1);
  }
  if (!net::parse_host(host)) refuse("its first host is not a host's name");
  return host;
}

}  // namespace tacit::launcher
