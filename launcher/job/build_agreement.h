// Build — the fields of a program's build that all ranks of a job compare before the first message, with its settings.
#pragma once

#include <string>

#include "net/rendezvous/agreement.h"

namespace tacit::launcher {

struct Build {
  std::string version;     // "0.1.0"
  std::string commit;      // "unknown" outside a repository; "+" at its end where files were changed
  int protocol = 0;        // mpc::kProtocolNumber
  std::string generators;  // gnn::digest_of_generators()
};

Build this_build();

// A mismatch ends every rank with exit code 2, and names the field, both values and the ranks.
void add(const Build& build, net::Agreement& agreement);

}  // namespace tacit::launcher
