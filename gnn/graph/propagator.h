// Propagator — how values travel along a graph's edges: A·x forwards, Aᵀ·x for gradients.
//
// What kind of graph it is stays in here: public (PublicPropagator: local, no traffic), private and dense
// (DensePropagator), later private and sparse. It leads from some nodes, the sources, to some of them, the targets.
#pragma once

#include <string>

#include "gnn/arithmetic/arithmetic.h"

namespace tacit::gnn {

class Propagator {
 public:
  virtual ~Propagator() = default;

  // |result| <= bound.
  virtual Tensor forward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) = 0;
  virtual Tensor backward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) = 0;

  // What targets hold among the sources, and the transpose. Without traffic.
  virtual Tensor own(Arithmetic& arithmetic, const Tensor& x) = 0;
  virtual Tensor own_backward(Arithmetic& arithmetic, const Tensor& x) = 0;
};

}  // namespace tacit::gnn
