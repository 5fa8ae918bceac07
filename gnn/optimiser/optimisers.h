// The optimisers that a job may name. A new optimiser is a file pair in this folder, and the struct of its options in this
// list. Such a struct has
//   kWord, kRate      its word in a job, and its learning rate by default
//   describe          its settings
//   make, make_plain  the optimiser on shares, and its twin
//   misfit            why the optimiser cannot work in a top ring; "": it can
//   largest_scale     the largest scale of gradients (gnn/train/gradient_scale.h)
//   largest_gradient, starting_steps  below
#pragma once

#include <variant>

#include "gnn/optimiser/adam.h"
#include "gnn/optimiser/sgd.h"

namespace tacit::gnn {

using OptimiserOptions = std::variant<SgdOptions, AdamOptions>;

// Visits the kind, the learning rate and the settings of the kind.
void describe(OptimiserOptions& options, double& rate, SettingVisitor& visitor);

std::unique_ptr<Optimiser> make_optimiser(const OptimiserOptions& options);
std::unique_ptr<PlainOptimiser> make_plain_optimiser(const OptimiserOptions& options);
std::string misfit(const OptimiserOptions& options, mpc::Format top);
// The largest gradient of a step with which no value leaves its range, after any earlier steps. `scale` is the gradients' own.
// Negative: every gradient is too large.
double largest_gradient(const OptimiserOptions& options, const Ranges& ranges, double scale);
// The first steps of a training that cost more or less than all later ones, which cost the same.
std::int64_t starting_steps(const OptimiserOptions& options);
double largest_gradient_scale(const OptimiserOptions& options, const Ranges& ranges, const LossKind& loss);

}  // namespace tacit::gnn
