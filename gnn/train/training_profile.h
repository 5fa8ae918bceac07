// TrainingProfile — rounds, bytes and time of a session of a training: before the epochs, in the
// first epoch, in later epochs, and after them.
#pragma once

#include "mpc/session/profile.h"

namespace tacit::gnn {

struct TrainingProfile {
  mpc::Profile before;        // testing the session, sharing the data, loading a checkpoint
  mpc::Profile first_epoch;   // first epoch of this session, which masks values that stay masked
  std::int64_t epochs = 0;    // number of later epochs
  mpc::Profile later_epochs;  // sum of the later epochs and the work between them
  mpc::Profile after;         // revealing results

  mpc::Cost cost() const { return before.cost() + first_epoch.cost() + later_epochs.cost() + after.cost(); }
};

// The session's known-answer test, before any data are shared.
inline constexpr std::string_view kTestPart = "testing the session";
// The comparison after the last reveal, before results are written.
inline constexpr std::string_view kComparePart = "comparing transcripts";
// Work between two epochs, which belongs to neither: reporting an epoch, keeping a checkpoint.
inline constexpr std::string_view kBetweenEpochs = "between epochs", kCheckpointPart = "checkpoint";

}  // namespace tacit::gnn
