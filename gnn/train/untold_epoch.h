// UntoldEpoch — the values of a trained epoch that are not revealed yet. The next epoch reveals them, beside its first two
// openings (mpc/protocols/late_reveal.h), which saves two rounds an epoch:
//
//   end of epoch e                 the range watch's answer leaves
//   first opening of epoch e + 1   the answer arrives. If it is clean, the loss leaves
//   second opening of epoch e + 1  the loss arrives; the event of epoch e is complete
//
// The loss waits for the answer, because a wrong loss, of values that left their range, would end the job with a misleading
// error. Without an audit after the epoch, the loss leaves at once and arrives with the first opening. tells_with_next()
// (gnn/plan/training_plan.h) decides which epochs are reported in this way. Every training step has two openings or more: of
// the errors of the outputs, and of the gradients by weights.
#pragma once

#include <optional>

#include "gnn/train/epoch_event.h"
#include "gnn/train/epoch_loss.h"
#include "mpc/protocols/late_reveal.h"

namespace tacit::gnn {

// The reason in the account of reveals.
inline constexpr const char* kTrainingLossReason = "training loss";

struct UntoldEpoch {
  EpochEvent event;                        // complete except for the loss
  std::optional<mpc::LateReveal> answer;   // the range watch's answer, on its way
  std::optional<EpochLoss> loss;           // if it is to be revealed
  std::optional<mpc::LateReveal> leaving;  // the loss, on its way
};

}  // namespace tacit::gnn
