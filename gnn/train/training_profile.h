// TrainingProfile — where a session of a training spent its rounds, bytes and time: before the epochs, in the first, in
// those after it, and after them.
#pragma once

#include "mpc/session/profile.h"

namespace tacit::gnn {

struct TrainingProfile {
  mpc::Profile before;        // testing the session, sharing the data, loading a checkpoint
  mpc::Profile first_epoch;   // of this session: it masks what stays
  std::int64_t epochs = 0;    // after that one
  mpc::Profile later_epochs;  // all of these together, and what lies between them
  mpc::Profile after;         // revealing results

  mpc::Cost cost() const { return before.cost() + first_epoch.cost() + later_epochs.cost() + after.cost(); }
};

// The session's known-answer test, before any data are shared.
inline constexpr std::string_view kTestPart = "testing the session";
// After everything was revealed, before results are written.
inline constexpr std::string_view kComparePart = "comparing transcripts";
// What passes between two epochs, and belongs to neither: telling of one, keeping a checkpoint.
inline constexpr std::string_view kBetweenEpochs = "between epochs", kCheckpointPart = "checkpoint";

}  // namespace tacit::gnn
