// MeanAggregation — x·W + (the mean of the neighbours' x)·V + b, as GraphSAGE with the mean aggregator: a dense layer
// and a graph convolution of the same input, added.
#pragma once

#include "gnn/model/dense.h"
#include "gnn/model/graph_convolution.h"

namespace tacit::gnn {

class MeanAggregation final : public Layer {
 public:
  MeanAggregation(const std::string& name, Propagator& mean, Shape weight, bool bias, Input input);

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) override;
  std::optional<Tensor> backward(Arithmetic& arithmetic, const Tensor& gradient) override;
  Tensors data_of(Arithmetic& arithmetic, const Tensor& x) override;
  void take_data(const DataRows& rows) override;
  void forget() override;
  std::vector<Parameter*> parameters() override;  // W, V, b

 private:
  std::string name_;
  Propagator& mean_;
  Input input_;
  Dense own_;
  GraphConvolution neighbours_;
  std::optional<Tensor> own_x_;
};

}  // namespace tacit::gnn
