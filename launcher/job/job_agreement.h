// What is compared of a job: between the ranks of a session, between the sessions of a run, between two runs.
#pragma once

#include <string>

#include "launcher/job/job.h"
#include "mpc/sealed/storage_key.h"
#include "net/rendezvous/agreement.h"

namespace tacit::launcher {

// The settings that all ranks of a session share, one by one, so that a refusal names the one that differs. Equal exactly
// where the jobs ask for the same, however they are written. For RendezvousOptions::agreement.
net::Agreement agreement_of(const Job& job);
mpc::Digest job_digest(const Job& job);

// Of the settings that all sessions of a run share: they resume from each other's checkpoints.
mpc::Digest training_digest(const Job& job);
// The first of these settings that another job has otherwise: "training.epochs was 2 and is 100"; "": none.
std::string first_difference(const Job& before, const Job& now);

std::string hex(const mpc::Digest& digest);

}  // namespace tacit::launcher
