#include "gnn/model/dense.h"

#include <array>

#include "gnn/arithmetic/rearranged.h"

namespace tacit::gnn {

Dense::Dense(std::string name, bool bias, Input input, Gradients gradients)
    : name_(std::move(name)), input_(input), gradients_(gradients) {
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
  const bool learned = input_ == Input::kLearned;
  const Arithmetic::Product by_input{gradient, weight_.value.transposed(), ranges.gradients, name_ + " input gradient"};
  if (gradients_ == Gradients::kOfRecords) {
    arithmetic.mask(std::array{x_, gradient});
    records_ = {x_, gradient, bias_.has_value()};
    return learned ? std::optional(arithmetic.matmul(by_input)) : std::nullopt;
  }
  std::vector<Arithmetic::Product> products{
      {x_.transposed(), gradient, ranges.weight_gradients, name_ + " weight gradient"}};
  if (learned) products.push_back(by_input);
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
