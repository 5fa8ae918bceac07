// Propagator — message passing along a graph's edges (SpMM): A·x in the forward pass, Aᵀ·x for
// gradients.
//
// The kind of graph stays inside the class: PublicPropagator for a public graph, local and without
// traffic; DensePropagator for a private graph. The edges lead from source nodes to target nodes.
// Every target is also a source.
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

  // Picks the targets' rows from x, which has a row for each source; own_backward() is the
  // transpose. Without traffic.
  virtual Tensor own(Arithmetic& arithmetic, const Tensor& x) = 0;
  virtual Tensor own_backward(Arithmetic& arithmetic, const Tensor& x) = 0;
};

}  // namespace tacit::gnn
