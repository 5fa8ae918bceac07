// Job agreement — the settings to compare between the ranks of a session, the sessions of a run,
// and two runs.
#pragma once

#include <string>

#include "launcher/job/job.h"
#include "mpc/sealed/storage_key.h"
#include "net/rendezvous/agreement.h"

namespace tacit::launcher {

// The settings that all ranks of a session share, one by one, so that a refusal names the setting
// that differs. Two job files with the same meaning give equal agreements. For
// RendezvousOptions::agreement.
net::Agreement agreement_of(const Job& job);
mpc::Digest job_digest(const Job& job);

// Hash of the settings that all sessions of a run share, because they resume from each other's
// checkpoints.
mpc::Digest training_digest(const Job& job);
// The first setting that differs: "training.epochs was 2 and is 100"; "": no difference.
std::string first_difference(const Job& before, const Job& now);

std::string hex(const mpc::Digest& digest);

}  // namespace tacit::launcher
