// What all ranks of a job must have alike: its shared settings, one by one, so that a refusal names the one that
// differs; and one hash of all of them, for checkpoints and reports.
#pragma once

#include "launcher/job/job.h"
#include "mpc/sealed/storage_key.h"
#include "net/rendezvous/agreement.h"

namespace tacit::launcher {

// Equal exactly where the jobs ask for the same, however they are written. For RendezvousOptions::agreement.
net::Agreement agreement_of(const Job& job);
mpc::Digest digest_of(const Job& job);

}  // namespace tacit::launcher
