#include "launcher/job/build_agreement.h"

#include "gnn/train/generators.h"
#include "launcher/job/build_commit.h"
#include "mpc/session/protocol_number.h"

namespace tacit::launcher {

Build this_build() { return {TACIT_VERSION, build_commit(), mpc::kProtocolNumber, gnn::digest_of_generators()}; }

// The rendezvous compares the fields in alphabetical order and names the first one that differs.
// These four names sort before every setting of the job, and the version sorts first.
void add(const Build& build, net::Agreement& agreement) {
  agreement.set("Tacit version", build.version);
  agreement.set("Tacit's build (commit)", build.commit);
  agreement.set("Tacit's generators (digest)", build.generators);
  agreement.set("Tacit's protocol number", std::to_string(build.protocol));
}

}  // namespace tacit::launcher
