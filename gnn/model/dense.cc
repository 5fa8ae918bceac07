#include "gnn/model/dense.h"

#include "gnn/arithmetic/rearranged.h"

namespace tacit::gnn {

Dense::Dense(std::string name, bool bias, Input input) : name_(std::move(name)), input_(input) {
  if (bias) bias_.emplace();
}

std::vector<Parameter*> Dense::parameters() {
  std::vector<Parameter*> all{&weight_};
  if (bias_) all.push_back(&*bias_);
  return all;
}

Tensor Dense::forward(Arithmetic& arithmetic, const Tensor& x, Pass) {
  x_ = x;
  const Tensor z = arithmetic.matmul({x, weight_.value, arithmetic.ranges().activations, name_});
  return bias_ ? plus_bias(arithmetic, z, *bias_) : z;
}

std::optional<Tensor> Dense::backward(Arithmetic& arithmetic, const Tensor& gradient) {
  const Ranges& ranges = arithmetic.ranges();
  std::vector<Arithmetic::Product> products{
      {x_.transposed(), gradient, ranges.weight_gradients, name_ + " weight gradient"}};
  const bool learned = input_ == Input::kLearned;
  if (learned) {
    products.push_back({gradient, weight_.value.transposed(), ranges.gradients, name_ + " input gradient"});
  }
  const std::vector<Tensor> results = arithmetic.matmul(products);
  weight_.gradient = results[0];
  if (bias_) bias_->gradient = bias_gradient(arithmetic, gradient, name_);
  return learned ? std::optional(results[1]) : std::nullopt;
}

Tensor plus_bias(Arithmetic& arithmetic, const Tensor& x, const Parameter& bias) {
  return arithmetic.sum(x, repeated(bias.value, x.shape().rows), arithmetic.ranges().activations);
}

Tensor bias_gradient(Arithmetic& arithmetic, const Tensor& gradient, const std::string& name) {
  return arithmetic.column_sums(gradient, arithmetic.ranges().weight_gradients, name + " bias gradient");
}

}  // namespace tacit::gnn
