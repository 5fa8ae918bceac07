#include "gnn/model/mean_aggregation.h"

namespace tacit::gnn {

MeanAggregation::MeanAggregation(const std::string& name, Propagator& mean, Shape weight, bool bias, Input input)
    : name_(name),
      mean_(mean),
      input_(input),
      own_(name, bias, input),
      neighbours_(name + " neighbours", mean, weight, false, input) {}

std::vector<Parameter*> MeanAggregation::parameters() {
  std::vector<Parameter*> all = own_.parameters();
  all.insert(all.begin() + 1, neighbours_.parameters().front());
  return all;
}

Tensor MeanAggregation::forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) {
  if (input_ != Input::kData || !own_x_) own_x_ = mean_.own(arithmetic, x);
  const Tensor own = own_.forward(arithmetic, *own_x_, pass);
  return arithmetic.sum(own, neighbours_.forward(arithmetic, x, pass), arithmetic.ranges().activations, name_);
}

Tensors MeanAggregation::data_of(Arithmetic& arithmetic, const Tensor& x) {
  return {mean_.own(arithmetic, x), neighbours_.data_of(arithmetic, x).front()};
}

void MeanAggregation::take_data(const DataRows& rows) {
  own_x_ = rows.factors.front();
  own_.take_data({{rows.factors.front()}, rows.into_view});
  neighbours_.take_data({{rows.factors.back()}, rows.into_view});
}

void MeanAggregation::forget() {
  if (input_ != Input::kData) own_x_.reset();
  own_.forget();
  neighbours_.forget();
}

std::optional<Tensor> MeanAggregation::backward(Arithmetic& arithmetic, const Tensor& gradient) {
  const std::optional<Tensor> own = own_.backward(arithmetic, gradient);
  const std::optional<Tensor> neighbours = neighbours_.backward(arithmetic, gradient);
  if (!own) return std::nullopt;
  return arithmetic.sum(mean_.own_backward(arithmetic, *own), *neighbours, arithmetic.ranges().gradients,
                        name_ + " input gradient");
}

}  // namespace tacit::gnn
