// GraphConvolution — A·x·W + b. The order is (A·x)·W or A·(x·W): the one with the smaller intermediate result. For
// data, A·x never changes and is computed once. For data with dropped elements the order is A·(x·W), since data are
// masked once. A may also be A + I without normalisation, for sums over neighbours.
#pragma once

#include "gnn/graph/propagator.h"
#include "gnn/model/layer.h"

namespace tacit::gnn {

class GraphConvolution final : public Layer {
 public:
  // The rows that are gathered: weighted so that they are about as large as before, or added up.
  enum class Gathered { kWeighted, kSum };
  // The propagator must outlive it.
  GraphConvolution(std::string name, Propagator& propagator, Shape weight, bool bias, Input input,
                   Gathered gathered = Gathered::kWeighted);

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) override;
  std::optional<Tensor> backward(Arithmetic& arithmetic, const Tensor& gradient) override;
  std::optional<BackwardProducts> begin_backward(Arithmetic& arithmetic, const Tensor& gradient) override;
  Tensors data_of(Arithmetic& arithmetic, const Tensor& x) override;
  void take_data(const DataRows& rows) override;
  void forget() override;
  std::vector<Parameter*> parameters() override;

 private:
  Tensor gathered(Arithmetic& arithmetic, const Tensor& x);
  BackwardProducts products_of(Arithmetic& arithmetic, const Tensor& gradient);
  std::string scattered() const { return name_ + " gradient scattered"; }

  std::string name_;
  Propagator& propagator_;
  Input input_;
  Gathered gathered_;
  bool gather_first_;
  Parameter weight_;
  std::optional<Parameter> bias_;
  std::optional<Tensor> left_;  // left factor of the product by the weight: A·x or x
  DataRows data_;
};

}  // namespace tacit::gnn
