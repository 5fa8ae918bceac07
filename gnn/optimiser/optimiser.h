// Optimiser — moves parameters against their gradients.
//
// Of every parameter it keeps a master copy with more fraction bits than products take, so that small steps add up
// instead of vanishing in rounding; a parameter's value is that copy, rounded without bias.
#pragma once

#include <span>

#include "gnn/model/parameter.h"

namespace tacit::gnn {

// For one step.
struct Step {
  double rate = 0;
  double gradient_scale = 1;  // gradients are this much larger than the loss'
};

class Optimiser {
 public:
  virtual ~Optimiser() = default;
  // Every rank calls it with the same parameters, in the same order, every time.
  virtual void step(Arithmetic& arithmetic, std::span<Parameter* const> parameters, const Step& step) = 0;
};

// Fraction bits of a master copy beyond a value's own.
inline constexpr int kMasterBits = 10;

}  // namespace tacit::gnn
