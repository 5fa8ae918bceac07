// What all sessions that go on from each other must have alike: all that is shared of the job, but how values are
// opened, and what is revealed of the trained model, which may be asked for later.
#pragma once

#include <string>

#include "launcher/job/job.h"
#include "mpc/sealed/storage_key.h"

namespace tacit::launcher {

mpc::Digest training_digest(const Job& job);
// The settings that it is a digest of, as lines "training.seed = 1", for messages.
std::string training_settings(const Job& job);

// Of the settings that predicting depends on: who holds what, how data are prepared, the model, the ring. A job with
// another training, other ranges or other reveals predicts with the same checkpoint.
mpc::Digest predicting_digest(const Job& job);

std::string hex(const mpc::Digest& digest);

// The first of these settings that another job has otherwise: "training.epochs was 2 and is 100"; "" if none has.
std::string first_difference(const Job& before, const Job& now);

}  // namespace tacit::launcher
