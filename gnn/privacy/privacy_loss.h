// Epsilon for a delta, and delta for an epsilon, of a composition of mechanisms, from the numeric distribution of their
// privacy loss (PLD; Koskela, Jalko, Honkela 2020). The results are upper bounds:
//
// - A grid dominates the loss of a step (step_loss.h), in both directions: with the record, and without it.
// - Truncated tails count as infinite losses, and add at most 1e-7 of delta.
// - Noise on a grid counts as less than continuous noise (`Mechanism::grid`).
// - The worst case of all rounding errors is added to delta. The tilt of the composition keeps it near 1e-4 of delta, even
//   for a delta of 1e-20. (Without a tilt it would be about 1e-9 for 40,000 steps.)
#pragma once

#include <span>

#include "gnn/privacy/mechanism.h"

namespace tacit::gnn {

enum class LossBound {
  kRough,  // about 1 % too large, in a tenth of the time
  kFine,   // about 0.01 % too large; 0.1 s for 40,000 steps
};

// Infinite without noise, or if the rounding errors or the failures alone reach delta.
double epsilon_by_loss(std::span<const Mechanism> mechanisms, double delta, LossBound bound = LossBound::kFine);
double delta_by_loss(std::span<const Mechanism> mechanisms, double epsilon);

// About the bytes that epsilon_by_loss() takes for a while, for its finest grid.
std::int64_t bytes_of_loss(std::span<const Mechanism> mechanisms, double delta);

}  // namespace tacit::gnn
