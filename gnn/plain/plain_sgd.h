// Gradient descent in double precision, with the momentum and weight decay of Sgd.
#pragma once

#include <span>

#include "gnn/model/model_spec.h"
#include "gnn/optimiser/sgd.h"

namespace tacit::gnn {

class PlainSgd {
 public:
  explicit PlainSgd(const SgdOptions& options) : options_(options) {}

  void step(std::span<NamedMatrix> parameters, std::span<const Matrix> gradients, double rate) {
    if (velocities_.empty()) {
      for (const NamedMatrix& parameter : parameters) velocities_.push_back(0 * parameter.values);
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      Matrix& w = parameters[i].values;
      velocities_[i] = options_.momentum * velocities_[i] + gradients[i] + options_.weight_decay * w;
      w -= rate * velocities_[i];
    }
  }

 private:
  SgdOptions options_;
  std::vector<Matrix> velocities_;
};

}  // namespace tacit::gnn
