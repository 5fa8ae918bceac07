#include "gnn/settings/model_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr std::int64_t kMostWidth = 1 << 20;  // columns of a layer
constexpr Interval kDropped = {.least = 0, .most = 1, .without_most = true};
constexpr std::int64_t kMostPropagations = 64;
constexpr double kLeastOfNeighbours = 1.0 / 64;  // the least 1 - restart
constexpr double kLeastRestart = 1.0 / 1024;     // the least restart above 0
constexpr Interval kRestarted = {.least = 0, .most = 1, .without_most = true};
constexpr Interval kEpsilon = {.least = -1, .most = 16};
constexpr double kLeastOwn = 1.0 / 64;  // the least 1 + epsilon that is not 0
constexpr std::int64_t kMostEpochsOfEncoder = 1'000'000;
constexpr WordTable<LayerSpec::Kind, 11> kLayers = {{{LayerSpec::Kind::kGraphConvolution, "gcn"},
                                                     {LayerSpec::Kind::kMeanAggregation, "sage"},
                                                     {LayerSpec::Kind::kSumAggregation, "gin"},
                                                     {LayerSpec::Kind::kDense, "dense"},
                                                     {LayerSpec::Kind::kRelu, "relu"},
                                                     {LayerSpec::Kind::kDropout, "dropout"},
                                                     {LayerSpec::Kind::kPooling, "pool"},
                                                     {LayerSpec::Kind::kLayerNorm, "layer-norm"},
                                                     {LayerSpec::Kind::kDotProduct, "dot"},
                                                     {LayerSpec::Kind::kLogit, "logit"},
                                                     {LayerSpec::Kind::kPropagation, "propagate"}}};
constexpr WordTable<bool, 2> kPoolings = {{{false, "mean"}, {true, "sum"}}};

[[noreturn]] void wrong(std::size_t layer, const std::string& what) {
  throw ConfigError(fmt::format("model: layer {}: {}", layer, what));
}

// Uniform in ±sqrt(6 / (inputs + outputs)), in steps that every format represents exactly. The
// engine of the standard library gives the same numbers everywhere; the library's distributions do not.
Matrix glorot(std::int64_t inputs, std::int64_t outputs, std::mt19937_64& random) {
  constexpr int kStepBits = 12;
  const double limit = std::sqrt(6.0 / static_cast<double>(inputs + outputs));
  return Matrix::NullaryExpr(inputs, outputs, [&] {
    const double unit = std::ldexp(static_cast<double>(random() >> 11), -53);
    return std::ldexp(std::nearbyint(std::ldexp(limit * (2 * unit - 1), kStepBits)), -kStepBits);
  });
}

}  // namespace

void LayerSpec::describe(SettingVisitor& visitor) {
  visitor.word({"kind", "the operation of the layer", Scope::kModel, true}, kind, kLayers);
  if (has_weights()) {
    visitor.whole({"outputs", "columns of the layer's output", Scope::kModel, true}, outputs, 1, kMostWidth);
    visitor.flag({"bias", "whether the layer adds a trained row to its output", Scope::kModel}, bias);
    visitor.flag({"residual", "whether the layer adds its input, of the same width, to its output", Scope::kModel},
                 residual);
    visitor.flag({"jump",
                  "whether the layer reads the outputs of all layers with weights before it, side by side (jumping "
                  "knowledge)",
                  Scope::kModel},
                 jump);
  } else {
    for (const std::string_view key : {"outputs", "bias", "residual", "jump"}) {
      visitor.exclude(key, "this kind of layer has no weights; take it out");
    }
  }
  if (kind == Kind::kSumAggregation) {
    visitor.real({"epsilon", "the node itself counts 1 + epsilon times in a sum over its neighbours", Scope::kModel},
                 epsilon, kEpsilon);
  } else {
    visitor.exclude("epsilon", "it is for a layer of kind \"gin\"; take it out");
  }
  if (kind == Kind::kDropout) {
    visitor.real({"rate", "the part of the elements that a dropout sets to zero", Scope::kModel, true}, rate, kDropped);
  } else {
    visitor.exclude("rate", "it is for a layer of kind \"dropout\"; take it out");
  }
  if (kind == Kind::kPropagation) {
    visitor.whole({"steps", "how often a propagation gathers over the edges", Scope::kModel, true}, steps, 1,
                  kMostPropagations);
    visitor.real({"restart", "the part of the layer's input in the result of every step", Scope::kModel}, restart,
                 kRestarted);
  } else {
    for (const std::string_view key : {"steps", "restart"}) {
      visitor.exclude(key, "it is for a layer of kind \"propagate\"; take it out");
    }
  }
  if (kind == Kind::kPooling) {
    visitor.word(
        {"pooling", "whether a pool takes the mean over the nodes of each graph, or adds them up", Scope::kModel}, sums,
        kPoolings);
  } else {
    visitor.exclude("pooling", "it is for a layer of kind \"pool\"; take it out");
  }
}

void ModelSpec::describe(SettingVisitor& visitor, std::int64_t classes, bool links) {
  const bool by_gcn = visitor.has("gcn", false);  // asked before anything is described: a list of settings visits both
  if (visitor.has("perturbed", perturbed.has_value())) {
    if (!perturbed) perturbed.emplace();
    visitor.table("perturbed", *perturbed);
    layers = {{.kind = LayerSpec::Kind::kDense, .outputs = perturbed->head},
              {.kind = LayerSpec::Kind::kRelu},
              {.kind = LayerSpec::Kind::kDense, .outputs = std::max<std::int64_t>(classes, 1)}};
    visitor.stands_for("perturbed", "layers");
    if (!by_gcn) {
      visitor.exclude("layers", "model.perturbed names the layers already; keep one of the two");
      return;
    }
  }
  if (!by_gcn) {
    visitor.list("layers", layers, kMostLayers);
    return;
  }
  std::int64_t hidden = 16;
  double dropout = 0;
  visitor.enter("gcn");
  visitor.whole({"hidden", "columns between the two graph convolutions", Scope::kModel, true}, hidden, 1, kMostWidth);
  std::int64_t outputs = links ? hidden : classes > 0 ? classes : 1;
  visitor.whole({"outputs", "columns of the prediction; by default the classes, or 1; if links are learned, hidden",
                 Scope::kModel},
                outputs, 1, kMostWidth);
  visitor.real({"dropout", "the rate of a dropout before the second graph convolution; 0: none", Scope::kModel},
               dropout, kDropped);
  visitor.leave();
  *this = gcn(hidden, outputs);
  if (dropout > 0) layers.insert(layers.end() - 1, {.kind = LayerSpec::Kind::kDropout, .rate = dropout});
  if (links) layers.push_back({.kind = LayerSpec::Kind::kDotProduct});
  for (const char* key : {"layers", "perturbed"}) {
    visitor.exclude(key, "model.gcn names the layers already; keep one of the two");
  }
  visitor.stands_for("gcn", "layers");
}

void PerturbedSpec::describe(SettingVisitor& visitor) {
  visitor.whole({"hidden", "columns of the network without edges, which is trained first", Scope::kModel}, hidden, 1,
                kMostWidth);
  visitor.whole({"head", "columns of the network that reads its answers and the sums over neighbours", Scope::kModel},
                head, 1, kMostWidth);
  visitor.whole({"encoder_epochs", "epochs of the network without edges", Scope::kModel}, encoder_epochs, 1,
                kMostEpochsOfEncoder);
}

ModelSpec ModelSpec::gcn(std::int64_t hidden, std::int64_t outputs) {
  using Kind = LayerSpec::Kind;
  return {{{.kind = Kind::kGraphConvolution, .outputs = hidden},
           {.kind = Kind::kRelu},
           {.kind = Kind::kGraphConvolution, .outputs = outputs}}};
}

bool ModelSpec::pools() const {
  return std::any_of(layers.begin(), layers.end(),
                     [](const LayerSpec& one) { return one.kind == LayerSpec::Kind::kPooling; });
}

bool ModelSpec::pairs() const { return !layers.empty() && layers.back().kind == LayerSpec::Kind::kDotProduct; }

bool ModelSpec::has_logit() const { return !layers.empty() && layers.back().kind == LayerSpec::Kind::kLogit; }

bool is_sum_in_fixed_point(const LayerSpec& layer) {
  if (layer.kind != LayerSpec::Kind::kSumAggregation) return true;
  return layer.epsilon == -1 || (kEpsilon.contains(layer.epsilon) && 1 + layer.epsilon >= kLeastOwn);
}

std::string text_of_epsilon() {
  return fmt::format(
      "expected an epsilon of -1, or of {} to {}: the node counts 1 + epsilon times, and fixed-point numbers are too "
      "coarse for less",
      kLeastOwn - 1, kEpsilon.most);
}

bool is_restart_in_fixed_point(const LayerSpec& layer) {
  if (layer.kind != LayerSpec::Kind::kPropagation || layer.restart == 0) return true;
  return layer.restart >= kLeastRestart && 1 - layer.restart >= kLeastOfNeighbours;
}

std::string text_of_restart() {
  return fmt::format(
      "expected a restart of 0, or of {} to {}: a step multiplies the neighbours by 1 - restart, and the layer's input "
      "by "
      "restart, and fixed-point numbers are too coarse for a smaller factor",
      kLeastRestart, 1 - kLeastOfNeighbours);
}

bool may_be_last(const LayerSpec& layer) {
  return layer.has_weights() || layer.gathers_alone() || layer.kind == LayerSpec::Kind::kDotProduct ||
         layer.kind == LayerSpec::Kind::kLogit;
}

bool is_logit_in_place(const ModelSpec& model, std::size_t layer) {
  std::int64_t width = 0;
  for (std::size_t i = 0; i < layer; ++i) {
    if (model.layers[i].has_weights()) width = model.layers[i].outputs;
  }
  return layer + 1 == model.layers.size() && width == 1;
}

std::vector<std::int64_t> widths_of(const ModelSpec& model, std::int64_t inputs) {
  std::vector<std::int64_t> widths;
  std::int64_t width = inputs, all = 0;
  for (const LayerSpec& layer : model.layers) {
    widths.push_back(layer.jump ? all : width);
    if (!layer.has_weights()) continue;
    width = layer.outputs;
    all += layer.outputs;
  }
  return widths;
}

std::vector<JumpPart> jump_parts(const ModelSpec& model, std::size_t layer) {
  std::vector<JumpPart> parts;
  std::int64_t before = 0;  // outputs of the layer with weights before
  for (std::size_t i = 0; i <= layer; ++i) {
    if (!model.layers[i].has_weights()) continue;
    const std::int64_t begin = parts.empty() ? 0 : parts.back().end;
    if (before > 0) parts.push_back({i, begin, begin + before});
    before = model.layers[i].outputs;
  }
  return parts;
}

bool jumps_over_pool(const ModelSpec& model, std::size_t layer) {
  bool weights = false;
  for (std::size_t i = 0; i < layer; ++i) {
    weights = weights || model.layers[i].has_weights();
    if (weights && model.layers[i].kind == LayerSpec::Kind::kPooling) return true;
  }
  return false;
}

void check(const ModelSpec& model, std::int64_t inputs) {
  if (model.layers.empty()) throw ConfigError("model: there are no layers; at least one with weights is needed");
  const std::vector<std::int64_t> widths = widths_of(model, inputs);
  bool first = true;  // no layer with weights was before
  bool pooled = false;
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const LayerSpec& layer = model.layers[i];
    if (pooled && layer.gathers()) {
      wrong(i, std::string(layer.kind == LayerSpec::Kind::kPooling ? kOnePool : kAfterPool));
    }
    pooled = pooled || layer.kind == LayerSpec::Kind::kPooling;
    if (layer.kind == LayerSpec::Kind::kDotProduct) {
      if (i + 1 < model.layers.size()) wrong(i, std::string(kDotIsLast));
      if (pooled) wrong(i, std::string(kDotAfterPool));
    }
    if (layer.kind == LayerSpec::Kind::kLogit && !is_logit_in_place(model, i)) wrong(i, std::string(kLogit));
    constexpr std::int64_t kMostOutputs = 1 << 20;
    if (layer.has_weights() && (layer.outputs < 1 || layer.outputs > kMostOutputs)) {
      wrong(i, fmt::format("{} outputs; at least 1, at most {}", layer.outputs, kMostOutputs));
    }
    if (layer.kind == LayerSpec::Kind::kDropout && !(layer.rate >= 0 && layer.rate < 1)) {
      wrong(i, fmt::format("dropout with rate {}; at least 0 and below 1", layer.rate));
    }
    if (layer.kind == LayerSpec::Kind::kPropagation &&
        !(layer.steps >= 1 && layer.steps <= kMostPropagations && kRestarted.contains(layer.restart))) {
      wrong(i, fmt::format("a propagation of {} steps with restart {}; 1 to {} steps, and at least 0 and below 1",
                           layer.steps, layer.restart, kMostPropagations));
    }
    if (!is_sum_in_fixed_point(layer)) wrong(i, text_of_epsilon());
    if (!is_restart_in_fixed_point(layer)) wrong(i, text_of_restart());
    if (layer.kind == LayerSpec::Kind::kLayerNorm && (first || widths[i] < 2)) wrong(i, std::string(kLayerNorm));
    if (layer.jump && (!layer.has_weights() || first)) wrong(i, std::string(kJump));
    if (layer.jump && jumps_over_pool(model, i)) wrong(i, std::string(kJumpOverPool));
    if (layer.has_weights() && widths[i] > kMostOutputs) {
      wrong(i, fmt::format("the layer reads {} columns; at most {}", widths[i], kMostOutputs));
    }
    if (layer.residual && (!layer.has_weights() || layer.outputs != widths[i])) {
      wrong(i, fmt::format("a residual connection needs as many outputs as inputs: {} inputs", widths[i]));
    }
    first = first && !layer.has_weights();
  }
  if (!may_be_last(model.layers.back())) wrong(model.layers.size() - 1, std::string(kLastLayer));
  if (std::none_of(model.layers.begin(), model.layers.end(), [](const LayerSpec& one) { return one.has_weights(); })) {
    throw ConfigError("model: no layer has weights; at least one must");
  }
}

std::int64_t outputs_of(const ModelSpec& model, std::int64_t inputs) {
  constexpr std::int64_t kTwoClasses = 2;
  if (model.pairs() || model.has_logit()) return kTwoClasses;
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
  const std::vector<std::int64_t> widths = widths_of(model, inputs);
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const LayerSpec& layer = model.layers[i];
    if (!layer.has_weights()) continue;
    const auto add = [&](const char* what, Matrix values) {
      all.push_back({fmt::format("layer {} {}", i, what), std::move(values)});
    };
    add("weight", glorot(widths[i], layer.outputs, random));
    if (layer.kind == LayerSpec::Kind::kMeanAggregation) {
      add("neighbour weight", glorot(widths[i], layer.outputs, random));
    }
    if (layer.bias) add("bias", Matrix::Zero(1, layer.outputs));
  }
  return all;
}

}  // namespace tacit::gnn
