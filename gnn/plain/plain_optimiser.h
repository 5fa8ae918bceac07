// PlainOptimiser — SGD and Adam in double precision, with the definitions of Sgd and Adam.
#pragma once

#include <cmath>
#include <optional>
#include <span>

#include "gnn/optimiser/adam.h"
#include "gnn/optimiser/sgd.h"
#include "gnn/settings/model_spec.h"

namespace tacit::gnn {

class PlainOptimiser {
 public:
  PlainOptimiser(const SgdOptions& sgd, const std::optional<AdamOptions>& adam) : sgd_(sgd), adam_(adam) {}

  // One step. `scale` is the factor by which the secret gradients travel; Adam's epsilon counts in
  // scaled gradients.
  void step(std::span<NamedMatrix> parameters, std::span<const Matrix> gradients, double rate, double scale) {
    if (first_.empty()) {
      for (const NamedMatrix& parameter : parameters) first_.push_back(0 * parameter.values);
      second_ = first_;
    }
    ++steps_;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      Matrix& w = parameters[i].values;
      if (adam_) {
        w -= rate * adams_step(first_[i], second_[i], gradients[i] + adam_->weight_decay * w, adam_->epsilon / scale);
      } else {
        first_[i] = sgd_.momentum * first_[i] + gradients[i] + sgd_.weight_decay * w;
        w -= rate * first_[i];
      }
    }
  }

 private:
  Matrix adams_step(Matrix& m, Matrix& v, const Matrix& g, double epsilon) const {
    m += (1 - adam_->beta1) * (g - m);
    v += (1 - adam_->beta2) * (g.cwiseAbs2() - v);
    const double m_part = 1 - std::pow(adam_->beta1, steps_), v_part = 1 - std::pow(adam_->beta2, steps_);
    return (m.array() / m_part) / (v.array() / v_part + epsilon * epsilon).sqrt();
  }

  SgdOptions sgd_;
  std::optional<AdamOptions> adam_;
  std::vector<Matrix> first_, second_;  // velocities of SGD, or moments of Adam
  int steps_ = 0;
};

}  // namespace tacit::gnn
