// Optimiser — moves parameters against their gradients.
#pragma once

#include <initializer_list>
#include <span>

#include "gnn/model/parameter.h"
#include "gnn/settings/model_spec.h"

namespace tacit::gnn {

// For one step.
struct Step {
  double rate = 0;
  double gradient_scale = 1;  // gradients are this much larger than the loss'
  bool clamps = false;        // cuts weights at ranges.weights, so that they stay within this range after any step
};

// The memory of an optimiser from step to step.
struct OptimiserState {
  Tensors tensors;  // in an order of its own
  std::int64_t steps = 0;
};

using Parameters = std::span<Parameter* const>;

class Optimiser {
 public:
  virtual ~Optimiser() = default;
  // Before the first step of a session, with parameters in the top ring unless a state was restored.
  virtual void begin(Arithmetic& arithmetic, Parameters parameters) = 0;
  // Every rank calls it with the same parameters, in the same order, every time.
  virtual void step(Arithmetic& arithmetic, Parameters parameters, const Step& step) = 0;

  virtual OptimiserState state() const = 0;
  // Takes the state of an optimiser with the same options, for these parameters. Throws ConfigError for the state of
  // another optimiser or model.
  virtual void restore(OptimiserState state, Parameters parameters) = 0;
};

// The memory of a PlainOptimiser: lists of matrices, one list after the other. Empty before the first step.
struct PlainOptimiserState {
  std::vector<Matrix> matrices;
  std::int64_t steps = 0;
};

// The same optimiser in double precision, for the twin and for the mode "aggregate".
class PlainOptimiser {
 public:
  virtual ~PlainOptimiser() = default;
  // `scale` is the factor by which gradients on shares are larger; these gradients are the loss' own.
  virtual void step(std::span<NamedMatrix> parameters, std::span<const Matrix> gradients, double rate,
                    double scale) = 0;

  virtual PlainOptimiserState state() const = 0;
  // Takes the state of an optimiser with the same options, for these parameters. Throws ConfigError for the state of
  // another optimiser or model.
  virtual void restore(PlainOptimiserState state, std::span<const NamedMatrix> parameters) = 0;
};

// Values of parameters in the format of Precision::kParameter, which the range watch sees when they are opened. If a value
// is in a narrower ring, all are lifted: one round.
Tensors in_ring_of_parameters(Arithmetic& arithmetic, Tensors values);

// factor · value of every parameter, |factor · value| <= most, to be added to gradients: with bits above the range of the
// sum, so that the range watch sees a sum outside. No round, but one for a factor so small that the values must be lifted.
Tensors decays(Arithmetic& arithmetic, Parameters parameters, double factor, double most);

// Master copies of parameters, with more fraction bits than products take, so that small steps add up instead of
// vanishing in rounding. A parameter's value is its copy, rounded without bias.
struct MasterCopies {
  // Copies the parameters before the first step, and does nothing later.
  void begin(Arithmetic& arithmetic, Parameters parameters);
  // w += step of every parameter. The values are then in the format of Precision::kParameter, or in the top ring if they are
  // clamped. Rounds: 0 if the steps are in the top ring and its bits suffice, as SGD's are; 1 to lift; 3 to clamp.
  void add(Arithmetic& arithmetic, std::span<const Tensor> steps, Parameters parameters, bool clamps = false);

  Tensors tensors;  // empty before the first step
};

// The lists of an optimiser as a state, one list after the other, and back. A list has a tensor for each parameter; all
// lists are empty where the state is empty. Throws ConfigError unless the state holds tensors of the parameters' shapes.
OptimiserState state_of(std::initializer_list<const Tensors*> lists, std::int64_t steps = 0);
void restore_lists(OptimiserState state, Parameters parameters, std::initializer_list<Tensors*> lists);

// The same for a PlainOptimiser.
using Matrices = std::vector<Matrix>;
PlainOptimiserState plain_state_of(std::initializer_list<const Matrices*> lists, std::int64_t steps = 0);
void restore_plain_lists(PlainOptimiserState state, std::span<const NamedMatrix> parameters,
                         std::initializer_list<Matrices*> lists);

}  // namespace tacit::gnn
