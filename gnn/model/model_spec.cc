#include "gnn/model/model_spec.h"

#include <fmt/format.h>

#include <cmath>
#include <random>

#include "net/error.h"

namespace tacit::gnn {

namespace {

[[noreturn]] void wrong(std::size_t layer, const std::string& what) {
  throw ConfigError(fmt::format("model: layer {}: {}", layer, what));
}

// Uniform in ±sqrt(6 / (inputs + outputs)), in steps that every format holds exactly. The engine is the same
// everywhere; the library's distributions are not.
Matrix glorot(std::int64_t inputs, std::int64_t outputs, std::mt19937_64& random) {
  constexpr int kStepBits = 12;
  const double limit = std::sqrt(6.0 / static_cast<double>(inputs + outputs));
  return Matrix::NullaryExpr(inputs, outputs, [&] {
    const double unit = std::ldexp(static_cast<double>(random() >> 11), -53);
    return std::ldexp(std::nearbyint(std::ldexp(limit * (2 * unit - 1), kStepBits)), -kStepBits);
  });
}

}  // namespace

ModelSpec ModelSpec::gcn(std::int64_t hidden, std::int64_t outputs) {
  using Kind = LayerSpec::Kind;
  return {{{.kind = Kind::kGraphConvolution, .outputs = hidden},
           {.kind = Kind::kRelu},
           {.kind = Kind::kGraphConvolution, .outputs = outputs}}};
}

void check(const ModelSpec& model, std::int64_t inputs) {
  if (model.layers.empty()) throw ConfigError("model: there are no layers; at least one with weights is needed");
  std::int64_t width = inputs;
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const LayerSpec& layer = model.layers[i];
    constexpr std::int64_t kMostOutputs = 1 << 20;
    if (layer.has_weights() && (layer.outputs < 1 || layer.outputs > kMostOutputs)) {
      wrong(i, fmt::format("{} outputs; at least 1, at most {}", layer.outputs, kMostOutputs));
    }
    if (layer.kind == LayerSpec::Kind::kDropout && !(layer.rate >= 0 && layer.rate < 1)) {
      wrong(i, fmt::format("dropout with rate {}; at least 0 and below 1", layer.rate));
    }
    if (layer.residual && (!layer.has_weights() || layer.outputs != width)) {
      wrong(i, fmt::format("a residual connection needs as many outputs as inputs: {} inputs", width));
    }
    if (layer.has_weights()) width = layer.outputs;
  }
  if (!model.layers.back().has_weights()) wrong(model.layers.size() - 1, "the last layer must have weights");
}

std::int64_t outputs_of(const ModelSpec& model, std::int64_t inputs) {
  std::int64_t width = inputs;
  for (const LayerSpec& layer : model.layers) {
    if (layer.has_weights()) width = layer.outputs;
  }
  return width;
}

void check_outputs(const ModelSpec& model, std::int64_t inputs, std::int64_t labels) {
  const std::int64_t outputs = outputs_of(model, inputs);
  if (outputs == labels) return;
  throw ConfigError(fmt::format(
      "model: {} outputs, but there are {} targets or classes; let the last layer have as many", outputs, labels));
}

std::vector<NamedMatrix> initial_parameters(const ModelSpec& model, std::int64_t inputs, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<NamedMatrix> all;
  std::int64_t width = inputs;
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const LayerSpec& layer = model.layers[i];
    if (!layer.has_weights()) continue;
    const auto add = [&](const char* what, Matrix values) {
      all.push_back({fmt::format("layer {} {}", i, what), std::move(values)});
    };
    add("weight", glorot(width, layer.outputs, random));
    if (layer.kind == LayerSpec::Kind::kMeanAggregation) {
      add("neighbour weight", glorot(width, layer.outputs, random));
    }
    if (layer.bias) add("bias", Matrix::Zero(1, layer.outputs));
    width = layer.outputs;
  }
  return all;
}

}  // namespace tacit::gnn
