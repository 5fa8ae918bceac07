// GraphConvolution — A·x·W + b. (A·x)·W or A·(x·W), whichever is smaller in between; at the first layer A·x, which
// never changes, is computed once.
#pragma once

#include "gnn/graph/propagator.h"
#include "gnn/model/layer.h"

namespace tacit::gnn {

class GraphConvolution final : public Layer {
 public:
  // `first`: the input is the same in every pass, and nobody asks for its gradient. The propagator must outlive it.
  GraphConvolution(std::string name, Propagator& propagator, Shape weight, bool bias, bool first);

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) override;
  std::optional<Tensor> backward(Arithmetic& arithmetic, const Tensor& gradient) override;
  std::vector<Parameter*> parameters() override;

 private:
  std::string name_;
  Propagator& propagator_;
  bool first_;
  bool gather_first_;
  Parameter weight_;
  std::optional<Parameter> bias_;
  std::optional<Tensor> left_;  // of the product by the weight: A·x or x
};

}  // namespace tacit::gnn
