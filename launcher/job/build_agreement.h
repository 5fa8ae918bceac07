// Build — the version and build of this program. All ranks of a job compare it before the first
// message, together with the job's settings.
#pragma once

#include <string>

#include "net/rendezvous/agreement.h"

namespace tacit::launcher {

struct Build {
  std::string version;     // "0.1.0"
  std::string commit;      // "unknown" outside a repository; ends with "+" if files were changed
  int protocol = 0;        // mpc::kProtocolNumber
  std::string generators;  // gnn::digest_of_generators()
};

Build this_build();

// Adds the build's fields to `agreement`. A mismatch ends every rank with exit code 2, and the
// error names the field, both values and the ranks.
void add(const Build& build, net::Agreement& agreement);

}  // namespace tacit::launcher
