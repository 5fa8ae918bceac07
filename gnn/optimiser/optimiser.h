// Optimiser — moves parameters against their gradients.
//
// Of every parameter it keeps a master copy with more fraction bits than products take, so that small steps add up
// instead of vanishing in rounding; a parameter's value is that copy, rounded without bias.
#pragma once

#include <span>
#include <vector>

#include "gnn/model/parameter.h"

namespace tacit::gnn {

// For one step.
struct Step {
  double rate = 0;
  double gradient_scale = 1;  // gradients are this much larger than the loss'
};

// What an optimiser remembers from step to step.
struct OptimiserState {
  std::vector<Tensor> tensors;  // in an order of its own
  std::int64_t steps = 0;
};

class Optimiser {
 public:
  virtual ~Optimiser() = default;
  // Every rank calls it with the same parameters, in the same order, every time.
  virtual void step(Arithmetic& arithmetic, std::span<Parameter* const> parameters, const Step& step) = 0;

  virtual OptimiserState state() const = 0;
  // Of an optimiser of the same options, for these parameters. Throws ConfigError if the state is that of another one.
  virtual void restore(OptimiserState state, std::span<Parameter* const> parameters) = 0;
};

// Throws ConfigError unless the state holds, `copies` times over, a tensor of every parameter's shape; or nothing at
// all.
void expect_copies(const OptimiserState& state, std::span<Parameter* const> parameters, std::size_t copies);

// Fraction bits of a master copy beyond a value's own.
inline constexpr int kMasterBits = 10;

}  // namespace tacit::gnn
