#include "gnn/model/model.h"

#include <fmt/format.h>

#include <array>

#include "gnn/model/dense.h"
#include "gnn/model/dot_product.h"
#include "gnn/model/dropout.h"
#include "gnn/model/graph_convolution.h"
#include "gnn/model/layer_norm.h"
#include "gnn/model/logit.h"
#include "gnn/model/mean_aggregation.h"
#include "gnn/model/pooling.h"
#include "gnn/model/propagation.h"
#include "gnn/model/relu.h"
#include "gnn/model/residual.h"

namespace tacit::gnn {

namespace {

std::unique_ptr<Layer> with_weights(const LayerSpec& spec, const std::string& name, Shape weight, Input input,
                                    Propagator* propagator) {
  switch (spec.kind) {
    case LayerSpec::Kind::kGraphConvolution:
      return std::make_unique<GraphConvolution>(name, *propagator, weight, spec.bias, input);
    case LayerSpec::Kind::kMeanAggregation:
      return std::make_unique<MeanAggregation>(name, *propagator, weight, spec.bias, input);
    case LayerSpec::Kind::kSumAggregation:
      return std::make_unique<GraphConvolution>(name, *propagator, weight, spec.bias, input,
                                                GraphConvolution::Gathered::kSum);
    default:
      return std::make_unique<Dense>(name, spec.bias, input);
  }
}

// The rings of a ReLU after `dense` dense layers. The ReLU's output is the input of the next dense layer, and the ReLU's input
// gradient is the gradient by the output of the last dense layer.
std::optional<Relu::OfRecords> relu_rings(const RecordLayers& of_records, std::size_t dense) {
  if (of_records.empty()) return std::nullopt;
  const int output = dense < of_records.size() ? of_records[dense].rings.inputs : mpc::kWordBits;
  return Relu::OfRecords{output, dense > 0 ? of_records[dense - 1].rings.gradients : mpc::kWordBits};
}

}  // namespace

Model::Model(const ModelSpec& spec, std::int64_t inputs, const GraphView& view, std::uint64_t seed,
             const RecordLayers& of_records)
    : data_layer_(of_records.empty() ? data_layer(spec) : std::nullopt) {
  check(spec, inputs);
  const std::vector<std::int64_t> widths = widths_of(spec, inputs);
  Input input = Input::kData;
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    const LayerSpec& layer = spec.layers[i];
    const std::string name = fmt::format("layer {}", i);
    jumps_.emplace_back();
    relus_.push_back(nullptr);
    if (layer.jump) jumps_.back().emplace(spec, i, view);
    has_jumps_ = has_jumps_ || layer.jump;
    if (layer.kind == LayerSpec::Kind::kRelu) {
      auto relu = std::make_unique<Relu>(name, relu_rings(of_records, dense_.size()));
      if (i + 1 < spec.layers.size() && spec.layers[i + 1].kind == LayerSpec::Kind::kDropout) {
        relu->expect_factor(Dropout::factor_bits(spec.layers[i + 1].rate));
      }
      relus_.back() = relu.get();
      layers_.push_back(std::move(relu));
      continue;
    }
    if (layer.kind == LayerSpec::Kind::kLogit) {
      layers_.push_back(std::make_unique<Logit>());
      continue;
    }
    if (!of_records.empty()) {
      TACIT_CHECK(layer.kind == LayerSpec::Kind::kDense && !layer.residual && !layer.jump);
      auto dense = std::make_unique<Dense>(name, layer.bias, input, of_records.at(dense_.size()));
      dense_.push_back(dense.get());
      layers_.push_back(std::move(dense));
      input = Input::kLearned;
      continue;
    }
    if (layer.kind == LayerSpec::Kind::kLayerNorm) {
      layers_.push_back(std::make_unique<LayerNorm>(name));
      continue;
    }
    if (layer.kind == LayerSpec::Kind::kDropout) {
      auto dropout = std::make_unique<Dropout>(static_cast<std::int64_t>(i), layer.rate, seed, input);
      dropouts_.push_back(dropout.get());
      layers_.push_back(std::move(dropout));
      if (input == Input::kData) input = Input::kDropped;
      continue;
    }
    if (layer.kind == LayerSpec::Kind::kPropagation) {
      layers_.push_back(std::make_unique<Propagation>(name, view.propagator(i), layer.steps, layer.restart, input));
      continue;
    }
    if (layer.kind == LayerSpec::Kind::kPooling) {
      layers_.push_back(std::make_unique<Pooling>(name, view.propagator(i), input));
      continue;
    }
    if (layer.kind == LayerSpec::Kind::kDotProduct) {
      layers_.push_back(std::make_unique<DotProduct>(name, view.ends()));
      continue;
    }
    Propagator* propagator = layer.gathers() ? &view.propagator(i) : nullptr;
    layers_.push_back(with_weights(layer, name, {widths[i], layer.outputs}, input, propagator));
    if (layer.residual) layers_.back() = std::make_unique<Residual>(name, std::move(layers_.back()), propagator);
    input = Input::kLearned;
  }
}

// After propagations of data, which have no weights.
std::optional<Model::DataLayer> Model::data_layer(const ModelSpec& spec) {
  using Kind = LayerSpec::Kind;
  const std::vector<LayerSpec>& layers = spec.layers;
  if (std::any_of(layers.begin(), layers.end(), [](const LayerSpec& layer) { return layer.jump; })) return std::nullopt;
  const auto is_propagation = [](const LayerSpec& layer) { return layer.kind == Kind::kPropagation; };
  const auto first = std::find_if_not(layers.begin(), layers.end(), is_propagation);
  const auto is_product = [&](auto layer) { return layer != layers.end() && layer->has_weights() && !layer->residual; };
  const auto index = static_cast<std::size_t>(first - layers.begin());
  if (is_product(first)) return DataLayer{index, false};
  // A mean aggregation masks its own nodes' rows apart, after elements were dropped.
  const bool dropped = first != layers.end() && first->kind == Kind::kDropout && is_product(first + 1) &&
                       first[1].kind != Kind::kMeanAggregation;
  return dropped ? std::optional(DataLayer{index, true}) : std::nullopt;
}

std::optional<std::size_t> place_of_data(const ModelSpec& spec) {
  const auto of_data = Model::data_layer(spec);
  if (!of_data) return std::nullopt;
  return of_data->layer + (!of_data->dropped && spec.layers[of_data->layer].gathers() ? 1 : 0);
}

Tensors Model::data_of(Arithmetic& arithmetic, const Tensor& x) {
  if (!data_layer_) return {};
  Tensor out = x;
  for (std::size_t i = 0; i < data_layer_->layer; ++i) out = layers_[i]->forward(arithmetic, out, Pass::kEvaluation);
  if (data_layer_->dropped) return {out};
  return layers_[data_layer_->layer]->data_of(arithmetic, out);
}

void Model::take_data(const DataRows& rows) {
  TACIT_CHECK(data_layer_ && !rows.factors.empty());
  takes_data_ = true;
  for (std::size_t i = 0; i < data_layer_->layer; ++i) layers_[i]->take_data(rows);
  if (!data_layer_->dropped) return layers_[data_layer_->layer]->take_data(rows);
  data_ = rows.factors.front();
  layers_[data_layer_->layer + 1]->take_data({{}, rows.into_view});
}

Tensor Model::forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) {
  Tensor out = data_.value_or(x);
  Tensors inputs(layers_.size());  // the input of each layer, kept for jumps
  for (std::size_t i = takes_data_ ? data_layer_->layer : 0; i < layers_.size(); ++i) {
    if (pass == Pass::kTraining) arithmetic.session().begin_part(fmt::format("layer {} forward", i));
    if (has_jumps_) inputs[i] = out;
    if (jumps_[i]) out = jumps_[i]->forward(arithmetic, inputs);
    out = layers_[i]->forward(arithmetic, out, pass);
  }
  return out;
}

void Model::backward(Arithmetic& arithmetic, const Tensor& gradient) {
  std::optional<Tensor> at = gradient;
  std::vector<std::optional<Tensor>> passed(layers_.size());  // the gradients by each layer's input that jumps pass
  const auto sum = [&](const std::optional<Tensor>& one, const std::optional<Tensor>& other) {
    if (!one || !other) return one ? one : other;
    return std::optional(arithmetic.sum(*one, *other, arithmetic.ranges().gradients, other->name()));
  };
  std::vector<BackwardProducts> left;  // their operands are masked together with an earlier layer's operands
  for (std::size_t i = layers_.size(); i-- > 0 && at;) {
    arithmetic.session().begin_part(fmt::format("layer {} backward", i));
    if (const auto through = through_relu(arithmetic, i, *at)) {
      at = through->gradient;
      if (through->left) left.push_back(*through->left);
      --i;
      continue;
    }
    at = layers_[i]->backward(arithmetic, *at);
    if (jumps_[i]) {
      const Tensors all = jumps_[i]->backward(arithmetic, *at);
      const std::vector<JumpPart>& parts = jumps_[i]->parts();
      for (std::size_t k = 0; k < parts.size(); ++k) passed[parts[k].layer] = sum(passed[parts[k].layer], all[k]);
      at.reset();
    }
    at = sum(at, passed[i]);
    passed[i].reset();
  }
  for (const BackwardProducts& one : left) set_gradients(arithmetic, one, arithmetic.matmul(one.by_weight));
}

std::optional<Model::ThroughRelu> Model::through_relu(Arithmetic& arithmetic, std::size_t i, const Tensor& gradient) {
  if (i == 0 || relus_[i - 1] == nullptr || has_jumps_) return std::nullopt;
  const std::optional<BackwardProducts> both = layers_[i]->begin_backward(arithmetic, gradient);
  if (!both) return std::nullopt;
  arithmetic.session().begin_part(fmt::format("layer {} backward", i - 1));
  Relu& relu = *relus_[i - 1];
  if (const std::optional<Tensor> selected = relu.backward(arithmetic, both->by_input)) {
    arithmetic.mask_with_next(both->by_weight);
    return ThroughRelu{*selected, both};
  }
  const Tensors results = arithmetic.matmul(std::array{both->by_weight, both->by_input});
  set_gradients(arithmetic, *both, results[0]);
  return ThroughRelu{*relu.backward(arithmetic, results[1]), std::nullopt};
}

void Model::forget() {
  for (const std::unique_ptr<Layer>& layer : layers_) layer->forget();
  for (Parameter* parameter : parameters()) *parameter = {};
}

std::vector<Parameter*> Model::parameters() {
  std::vector<Parameter*> all;
  for (const std::unique_ptr<Layer>& layer : layers_) {
    const std::vector<Parameter*> own = layer->parameters();
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

std::vector<RecordGradients> Model::records() const {
  std::vector<RecordGradients> all;
  for (const Dense* layer : dense_) all.push_back(layer->records());
  return all;
}

void Model::set_pass(std::int64_t pass) {
  for (Dropout* dropout : dropouts_) dropout->set_pass(pass);
}

}  // namespace tacit::gnn
