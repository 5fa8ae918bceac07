// TrainingDiverged — a loss or a metric that was revealed cannot be right any more. Ends the job at every rank.
//
// That the job goes on or ends tells every rank and the dealer whether the number was possible. Each judgement is
// counted among the session's decisions, as kDivergenceGuard. It needs no message: Session::decide would cost a round
// an epoch, and the dealer could not deal ahead of it.
#pragma once

#include <optional>
#include <string_view>

#include "mpc/session/session.h"
#include "net/error.h"

namespace tacit::gnn {

class TrainingDiverged : public ConfigError {
 public:
  using ConfigError::ConfigError;

  // The other ranks are told that training diverged, and neither why nor when.
  void keep_from_others() { told_ = "its training diverged"; }
};

inline constexpr std::string_view kDivergenceGuard = "divergence guard: whether a loss or a metric is possible";

// Judges a number that `to` may see. Where that is one rank, the others hear nothing of it but that training diverged.
template <typename Judge>
void judged_among(mpc::To to, const Judge& judge) {
  try {
    judge();
  } catch (TrainingDiverged& error) {
    if (to != mpc::To::everyone()) error.keep_from_others();
    throw;
  }
}

// Judges the loss of `epoch`. More than a hundred times the first loss: training diverged. Below zero by more than
// rounding: a value left its declared range, which is no divergence and is not called so. The message names the last
// checkpoint of which it is known that it was good.
void expect_converging(double loss, double first, std::int64_t epoch, std::optional<std::int64_t> good = {});

}  // namespace tacit::gnn
