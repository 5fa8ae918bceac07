// The hosts of a launch over ssh: a line each, in rank order, the dealer's last: "user@host[:port] [folder]".
#pragma once

#include <string>
#include <vector>

namespace tacit::launcher {

struct Host {
  std::string destination;  // as ssh takes it
  int port = 0;             // 0: ssh's own
  std::string folder;       // there; a relative one starts at the home folder

  std::string name() const;  // without the user: where the others reach it
  std::string text() const;
};

// "#" begins a comment. Throws ConfigError with the line, also where there are not as many as ranks.
std::vector<Host> load_hosts(const std::string& file, int ranks, const std::string& job_name);

}  // namespace tacit::launcher
