// The part of Trainer that tells an epoch: the range watch's answer, and after it the loss.
#include <algorithm>
#include <utility>

#include "gnn/arithmetic/sharing.h"
#include "gnn/metric/divergence.h"
#include "gnn/train/range_left.h"
#include "gnn/train/trainer.h"

namespace tacit::gnn {

void Trainer::tell_at_once(const std::optional<EpochLoss>& loss, EpochEvent& event) {
  // Audits before anything is revealed: a wrong loss, of values that left their range, would give a misleading error.
  if (is_audited(event.epoch)) audit(event.epoch);
  if (!loss) return;
  session_.begin_part("loss");
  const Tensor told = share_of_loss(*loss, event.epoch);
  read_loss(reveal(arithmetic_, told, *plan_.loss_to, kTrainingLossReason), loss->loss_per_total, event);
}

// The first messages leave: the answer or, without an audit, the loss.
UntoldEpoch Trainer::begin_telling(std::optional<EpochLoss> loss, std::int64_t epoch) {
  UntoldEpoch untold;
  untold.loss = std::move(loss);
  if (is_audited(epoch)) {
    session_.begin_part("range watch");
    untold.answer = ask_for_groups_that_left(arithmetic_, *audit_);
  } else {
    untold.leaving =
        mpc::late_reveal(session_, share_of_loss(*untold.loss, epoch).share(), *plan_.loss_to, kTrainingLossReason);
  }
  return untold;
}

void Trainer::tell_with_next(UntoldEpoch untold) {
  untold_ = std::move(untold);
  session_.after_next_round([this] { go_on_telling(); });
}

// Takes the message that arrived beside an opening of the next epoch.
void Trainer::go_on_telling() {
  UntoldEpoch& untold = *untold_;
  const std::int64_t epoch = untold.event.epoch;
  if (untold.answer) {
    expect_clean(groups_that_left(session_, *audit_, *std::exchange(untold.answer, std::nullopt)), epoch);
    if (untold.loss) {
      untold.leaving =
          mpc::late_reveal(session_, share_of_loss(*untold.loss, epoch).share(), *plan_.loss_to, kTrainingLossReason);
      return session_.after_next_round([this] { go_on_telling(); });
    }
  } else {
    read_loss(mpc::revealed(session_, *untold.leaving), untold.loss->loss_per_total, untold.event);
  }
  const EpochEvent event = std::exchange(untold_, std::nullopt)->event;
  if (on_epoch_) on_epoch_(event);
}

// The loss judges the state before this epoch, which a checkpoint may hold.
Tensor Trainer::share_of_loss(const EpochLoss& loss, std::int64_t epoch) {
  return once(epoch - 1, kTrainingLossReason, [&] { return loss.total; });
}

void Trainer::read_loss(const mpc::Public& seen, double loss_per_total, EpochEvent& event) {
  session_.note_decision(kDivergenceGuard);
  session_.output([&](const mpc::PublicReader& read) {
    if (!read.seen(seen)) return;
    event.loss = read(seen)(0, 0) * loss_per_total;
    if (!first_loss_) first_loss_ = event.loss;
    // This loss judges the weights after the epoch before, and so a checkpoint of that epoch.
    const auto good = std::find_if(kept_.rbegin(), kept_.rend(), [&](auto kept) { return kept + 1 < event.epoch; });
    judged_among(*plan_.loss_to, [&] {
      expect_converging(*event.loss, *first_loss_, event.epoch,
                        good == kept_.rend() ? std::nullopt : std::optional(*good));
    });
  });
}

// After a hit the parties alone open the groups, and throw. The dealer has no part in a reveal; the mesh informs it of
// the end.
void Trainer::audit(std::int64_t epoch) {
  if (!audit_) return;
  session_.begin_part("range watch");
  expect_clean(groups_that_left(arithmetic_, *audit_), epoch);
}

void Trainer::expect_clean(std::vector<Watched> left, std::int64_t epoch) {
  if (left.empty()) {
    clean_until_ = epoch;
    return;
  }
  throw RangeLeft(sentence_of(
      {std::move(left), epoch, clean_until_, kept_.empty() ? std::nullopt : std::optional(kept_.back())}, plan_));
}

}  // namespace tacit::gnn
