// The hosts of a launch over ssh. The file has a line for each rank, in rank order, with the dealer
// last: "user@host[:port] [folder]".
#pragma once

#include <string>
#include <vector>

namespace tacit::launcher {

struct Host {
  std::string destination;  // in ssh's syntax
  int port = 0;             // 0: ssh's default
  std::string folder;       // on the host; a relative path starts at the home folder

  std::string name() const;  // without the user: the address for the other ranks, an IPv6 address in brackets
  std::string text() const;
};

// "#" begins a comment. Throws ConfigError with the line, also if the number of hosts is not
// `ranks`.
std::vector<Host> load_hosts(const std::string& file, int ranks, const std::string& job_name);

}  // namespace tacit::launcher
