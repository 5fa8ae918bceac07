// FollowedMoments — running means of gradients and of their squares in units of the root that divides a step, of many tensors: the
// memory of an optimiser that finds its roots from the last step's roots (mpc/functions/scaled_moments.h).
//
// Rounds      6 a step beside the opening of the gradients
#pragma once

#include <array>

#include "gnn/arithmetic/arithmetic.h"
#include "mpc/functions/scaled_moments.h"

namespace tacit::gnn {

struct FollowedMoments {
  Tensors roots, means, rests;  // a tensor for each parameter; empty before they begin

  // Begins with the inverse roots and the means over them of all tensors, each in a row (over_roots.h).
  void begin(Arithmetic& arithmetic, const mpc::MomentRules& rules, std::span<const Tensor> like,
             const mpc::Share& inverse_roots, const mpc::Share& means_over_roots);
  // Takes the gradients of this step, counted from 1. Returns -factor · mean / root of each, as fine as master copies and in the
  // top ring, |result| <= bound. Returns an empty list if the factor is zero.
  Tensors step(Arithmetic& arithmetic, const mpc::MomentRules& rules, std::int64_t number,
               std::span<const Tensor> gradients, double factor, double bound);
};

}  // namespace tacit::gnn
