#include "gnn/privacy/record_bounds.h"

#include <algorithm>

#include "gnn/plan/privacy_settings.h"
#include "net/error.h"

namespace tacit::gnn {

double RecordBounds::squared_length() const {
  double sum = 0;
  for (const Layer& layer : layers) sum += (layer.squared_inputs() + (layer.bias ? 1 : 0)) * layer.squared_gradients();
  return sum;
}

RecordBounds record_bounds(const ModelSpec& model, std::int64_t inputs, Objective objective, const BoundedBy& by) {
  if (const std::string why = not_of_records(model); !why.empty()) throw ConfigError(why);
  RecordBounds bounds;
  const double weight = by.weights + by.rounding;
  double largest = by.features + by.rounding;
  std::int64_t width = inputs;
  for (const LayerSpec& layer : model.layers) {
    if (layer.kind != LayerSpec::Kind::kDense) continue;
    bounds.layers.push_back({width, layer.outputs, largest, 0, layer.bias});
    largest = static_cast<double>(width) * largest * weight + by.rounding + (layer.bias ? weight : 0);
    bounds.layers.back().output = largest;
    bounds.activation = std::max(bounds.activation, largest);
    width = layer.outputs;
  }
  double gradient = kind_of(objective).largest_slope(largest, by.targets) * by.factor + 2 * by.rounding;
  for (auto layer = bounds.layers.rbegin(); layer != bounds.layers.rend(); ++layer) {
    layer->gradient = gradient;
    bounds.gradient = std::max(bounds.gradient, gradient);
    gradient = static_cast<double>(layer->outputs) * gradient * weight + by.rounding;
  }
  return bounds;
}

}  // namespace tacit::gnn
