#include "gnn/model/graph_convolution.h"

#include "gnn/model/dense.h"

namespace tacit::gnn {

GraphConvolution::GraphConvolution(std::string name, Propagator& propagator, Shape weight, bool bias, Input input,
                                   Gathered gathered)
    : name_(std::move(name)),
      propagator_(propagator),
      input_(input),
      gathered_(gathered),
      gather_first_(input == Input::kData || (input == Input::kLearned && weight.rows <= weight.cols)) {
  if (bias) bias_.emplace();
}

std::vector<Parameter*> GraphConvolution::parameters() {
  std::vector<Parameter*> all{&weight_};
  if (bias_) all.push_back(&*bias_);
  return all;
}

Tensor GraphConvolution::gathered(Arithmetic& arithmetic, const Tensor& x) {
  const Ranges& ranges = arithmetic.ranges();
  const bool features = input_ == Input::kData && gathered_ == Gathered::kWeighted;
  const Tensor gathered =
      propagator_.forward(arithmetic, x, features ? ranges.features : ranges.activations, name_ + " gathered");
  if (input_ == Input::kData) gathered.watched_as(features ? Watched::kFeatures : Watched::kActivations);
  return gathered;
}

Tensors GraphConvolution::data_of(Arithmetic& arithmetic, const Tensor& x) { return {gathered(arithmetic, x)}; }

void GraphConvolution::take_data(const DataRows& rows) {
  data_ = rows;
  if (!rows.factors.empty()) left_ = rows.factors.front();
}

Tensor GraphConvolution::forward(Arithmetic& arithmetic, const Tensor& x, Pass) {
  const Ranges& ranges = arithmetic.ranges();
  if (!gather_first_) {
    left_ = x;
  } else if (input_ != Input::kData || !left_) {
    left_ = gathered(arithmetic, x);
  }
  Tensor z = into_view(arithmetic, arithmetic.matmul({*left_, weight_.value, ranges.activations, name_}), data_);
  if (!gather_first_) z = propagator_.forward(arithmetic, z, ranges.activations, name_ + " gathered");
  return bias_ ? plus_bias(arithmetic, z, *bias_) : z;
}

void GraphConvolution::forget() {
  if (input_ != Input::kData) left_.reset();
}

BackwardProducts GraphConvolution::products_of(Arithmetic& arithmetic, const Tensor& gradient) {
  const Ranges& ranges = arithmetic.ranges();
  const Tensor own =
      gather_first_ ? gradient : propagator_.backward(arithmetic, gradient, ranges.gradients, scattered());
  const Tensor right = out_of_view(arithmetic, own, data_);
  return {{left_->transposed(), right, ranges.weight_gradients, name_ + " weight gradient"},
          {right, weight_.value.transposed(), ranges.gradients, name_ + " input gradient"},
          gather_first_ ? right : gradient,
          &weight_,
          bias_ ? &*bias_ : nullptr};
}

std::optional<BackwardProducts> GraphConvolution::begin_backward(Arithmetic& arithmetic, const Tensor& gradient) {
  if (input_ != Input::kLearned || gather_first_ || gradient.shape().cols != 1) return std::nullopt;
  return products_of(arithmetic, gradient);
}

std::optional<Tensor> GraphConvolution::backward(Arithmetic& arithmetic, const Tensor& gradient) {
  const BackwardProducts both = products_of(arithmetic, gradient);
  std::vector<Arithmetic::Product> products{both.by_weight};
  const bool learned = input_ == Input::kLearned;
  if (learned) products.push_back(both.by_input);
  const std::vector<Tensor> results = arithmetic.matmul(products);
  set_gradients(arithmetic, both, results[0]);
  if (!learned) return std::nullopt;
  return gather_first_ ? propagator_.backward(arithmetic, results[1], arithmetic.ranges().gradients, scattered())
                       : results[1];
}

}  // namespace tacit::gnn
