#include "gnn/model/mean_aggregation.h"

#include <algorithm>

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
  if (input_ != Input::kData) own_x_ = mean_.own(arithmetic, x);
  if (!own_x_) take_data({data_of(arithmetic, x), std::nullopt});
  const Tensor own = own_.forward(arithmetic, *own_x_, pass);
  return arithmetic.sum(own, neighbours_.forward(arithmetic, x, pass), arithmetic.ranges().activations, name_);
}

// Both products are added: the own rows take as many bits above their fraction bits as the gathered ones. On a private graph the
// own rows are masked already, for the gather, and not masked again.
Tensors MeanAggregation::data_of(Arithmetic& arithmetic, const Tensor& x) {
  const Tensor gathered = neighbours_.data_of(arithmetic, x).front(), own = mean_.own(arithmetic, x);
  if (Arithmetic::is_masked(own)) return {own, gathered};
  const int finer = own.format().fraction_bits - gathered.format().fraction_bits;
  const int least = Arithmetic::spare_ring(own.format().fraction_bits, own.bound());
  const int ring = std::min(std::max(gathered.format().ring_bits + finer, least), own.format().ring_bits);
  return {Arithmetic::in_ring(own, ring), gathered};
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
