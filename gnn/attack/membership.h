// Membership inference: was a record trained on? By the model's fit to the record's label, and by models that the attacker trains
// on other records (LiRA: Carlini and others, IEEE S&P 2022; here with few models and one variance for all records).
#pragma once

#include <optional>

#include "gnn/attack/ranking.h"
#include "gnn/attack/rehearsal.h"

namespace tacit::gnn {

struct MembershipAttack {
  std::int64_t members = 0, others = 0;
  Ranking by_fit;
  std::optional<Ranking> by_shadows;                       // if there are shadow models
  Ranking untrained;                                       // the baseline: by the fit of a model that was not trained
  double of_members = 0, of_others = 0;                    // accuracy, or the root of the mean squared error
  double constant_of_members = 0, constant_of_others = 0;  // the same of the constant answer
};

// Members are the records that are trained on; others those for validation and tests. `shadows`: models to train, each on as
// many records as there are members, drawn among all; 0: none.
MembershipAttack attack_membership(const Rehearsal& rehearsal, const std::vector<NamedMatrix>& model, int shadows,
                                   std::uint64_t seed);

}  // namespace tacit::gnn
