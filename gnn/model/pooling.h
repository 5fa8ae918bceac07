// Pooling — the mean or the sum over the nodes of each graph: from a row for each node to a row for each graph.
//
// Rounds      none, since the graphs are public; and lifts
#pragma once

#include "gnn/graph/propagator.h"
#include "gnn/model/layer.h"

namespace tacit::gnn {

class Pooling final : public Layer {
 public:
  // The propagator leads from nodes to graphs, and must outlive it.
  Pooling(std::string name, Propagator& propagator, Input input)
      : name_(std::move(name)), propagator_(propagator), input_(input) {}

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) override;
  std::optional<Tensor> backward(Arithmetic& arithmetic, const Tensor& gradient) override;

 private:
  std::string name_;
  Propagator& propagator_;
  Input input_;
  std::optional<Tensor> of_data_;  // the result, if it is the same in every pass
};

}  // namespace tacit::gnn
