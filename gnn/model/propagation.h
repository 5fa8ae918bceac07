// Propagation — z = (1 - restart)·A·z + restart·x in every step, from z = x: gathers without weights. Before a dense layer
// it is SGC, after the last one APPNP.
//
// Rounds      the propagator's rounds in every step, forwards and backwards, and lifts
#pragma once

#include "gnn/graph/propagator.h"
#include "gnn/model/layer.h"

namespace tacit::gnn {

class Propagation final : public Layer {
 public:
  // The propagator leads from all inputs to all inputs, has the factor 1 - restart, and must outlive it.
  Propagation(std::string name, Propagator& propagator, std::int64_t steps, double restart, Input input);

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) override;
  std::optional<Tensor> backward(Arithmetic& arithmetic, const Tensor& gradient) override;
  // A layer behind this one reads rows of common data.
  void take_data(const DataRows&) override { of_data_.reset(); }

 private:
  std::string name_;
  Propagator& propagator_;
  std::int64_t steps_;
  double restart_;
  Input input_;
  std::optional<Tensor> of_data_;  // the result, if it is the same in every pass
};

}  // namespace tacit::gnn
