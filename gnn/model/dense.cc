#include "gnn/model/dense.h"

#include <array>

#include "gnn/arithmetic/rearranged.h"

namespace tacit::gnn {

Dense::Dense(std::string name, bool bias, Input input, std::optional<RecordLayer> of_records)
    : name_(std::move(name)), input_(input), of_records_(of_records) {
  if (bias) bias_.emplace();
}

std::vector<Parameter*> Dense::parameters() {
  std::vector<Parameter*> all{&weight_};
  if (bias_) all.push_back(&*bias_);
  return all;
}

Tensor Dense::forward(Arithmetic& arithmetic, const Tensor& x, Pass) {
  const Tensor& read = data_.factors.empty() ? x : data_.factors.front();
  x_ = of_records_ ? in_ring(arithmetic, read, of_records_->rings.inputs) : read;
  const double largest = of_records_ ? of_records_->output : arithmetic.ranges().activations;
  const Tensor z = into_view(arithmetic, arithmetic.matmul({x_, weight_.value, largest, name_}), data_);
  return bias_ ? plus_bias(arithmetic, z, *bias_).within(largest) : z;
}

std::optional<Tensor> Dense::backward(Arithmetic& arithmetic, const Tensor& gradient) {
  const bool learned = input_ == Input::kLearned;
  if (of_records_) {
    const Tensor by_output = in_ring(arithmetic, gradient, of_records_->rings.gradients);
    arithmetic.mask(std::array{x_, by_output});
    records_ = {x_, by_output, bias_.has_value()};
    if (!learned) return std::nullopt;
    return arithmetic.matmul(
        {by_output, weight_.value.transposed(), of_records_->input_gradient, name_ + " input gradient"});
  }
  const BackwardProducts both = products_of(arithmetic, gradient);
  std::vector<Arithmetic::Product> products{both.by_weight};
  if (learned) products.push_back(both.by_input);
  const std::vector<Tensor> results = arithmetic.matmul(products);
  set_gradients(arithmetic, both, results[0]);
  return learned ? std::optional(results[1]) : std::nullopt;
}

BackwardProducts Dense::products_of(Arithmetic& arithmetic, const Tensor& gradient) {
  const Ranges& ranges = arithmetic.ranges();
  const Tensor right = out_of_view(arithmetic, gradient, data_);  // its rows are the gradient's, and zeros
  return {{x_.transposed(), right, ranges.weight_gradients, name_ + " weight gradient"},
          {gradient, weight_.value.transposed(), ranges.gradients, name_ + " input gradient"},
          right,
          &weight_,
          bias_ ? &*bias_ : nullptr};
}

std::optional<BackwardProducts> Dense::begin_backward(Arithmetic& arithmetic, const Tensor& gradient) {
  if (input_ != Input::kLearned || of_records_ || gradient.shape().cols != 1) return std::nullopt;
  return products_of(arithmetic, gradient);
}

Tensor into_view(Arithmetic& arithmetic, const Tensor& product, const DataRows& data) {
  return data.into_view ? placed(arithmetic, *data.into_view, product).as_watched_as(product) : product;
}

Tensor out_of_view(Arithmetic& arithmetic, const Tensor& gradient, const DataRows& data) {
  return data.into_view ? placed(arithmetic, data.into_view->transposed(), gradient).as_watched_as(gradient) : gradient;
}

Tensor plus_bias(Arithmetic& arithmetic, const Tensor& x, const Parameter& bias) {
  return arithmetic.sum(x, repeated(bias.value, x.shape().rows), arithmetic.ranges().activations);
}

void set_gradients(Arithmetic& arithmetic, const BackwardProducts& products, const Tensor& by_weight) {
  products.weight->gradient = by_weight;
  if (products.bias == nullptr) return;
  // A sum over thousands of rows may leave the range. In a ring with few bits above it, the range watch would miss that.
  const double most = arithmetic.ranges().weight_gradients;
  const Tensor& rows = products.by_output;
  if (rows.format().ring_bits < arithmetic.ring_to_watch(most)) arithmetic.lifted(std::span(&rows, 1));
  products.bias->gradient = arithmetic.column_sums(rows, most, by_weight.name() + " (bias)");
}

}  // namespace tacit::gnn
