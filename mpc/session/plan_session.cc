#include "mpc/session/plan_session.h"

namespace tacit::mpc {

PlanSession::PlanSession(int owners, int parties, int rank, net::AllReducePlan openings)
    : SessionOver(serial_, Times::kNone),
      owners_(owners),
      openings_(std::move(openings)),
      setting_{parties, rank, &openings_} {
  TACIT_CHECK(owners >= 1 && rank >= 0 && rank < parties);
}

}  // namespace tacit::mpc
