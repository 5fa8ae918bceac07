// TrainingDiverged — an error for a revealed loss or metric with an impossible value, which ends the
// job at every rank.
//
// Every rank and the dealer learn whether the number was possible, because the job goes on or ends.
// The session counts each judgement among its decisions, as kDivergenceGuard. A judgement sends no
// message: Session::decide would cost a round an epoch, and the dealer could not deal past the decision.
#pragma once

#include <optional>
#include <string_view>

#include "mpc/session/session.h"
#include "net/error.h"

namespace tacit::gnn {

class TrainingDiverged : public ConfigError {
 public:
  using ConfigError::ConfigError;

  // Other ranks learn that training diverged, but neither the reason nor the epoch.
  void keep_from_others() { told_ = "its training diverged"; }
};

inline constexpr std::string_view kDivergenceGuard = "divergence guard: whether a loss or a metric is possible";

// Judges a number that `to` may see. If one rank alone sees it, the error for other ranks says only
// that training diverged.
template <typename Judge>
void judged_among(mpc::To to, const Judge& judge) {
  try {
    judge();
  } catch (TrainingDiverged& error) {
    if (to != mpc::To::everyone()) error.keep_from_others();
    throw;
  }
}

// Judges the loss of `epoch`. The error says that training diverged if the loss is not finite, or
// more than a hundred times the first loss, and that a value left its declared range if the
// loss is negative by more than rounding. The message names `good`, the last checkpoint that is
// known to be good.
void expect_converging(double loss, double first, std::int64_t epoch, std::optional<std::int64_t> good = {});

}  // namespace tacit::gnn
