#include "launcher/model/model_description.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "launcher/untrusted_text.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

using Kind = gnn::LayerSpec::Kind;

constexpr std::int64_t kMostColumns = 1 << 20;  // inputs or outputs of a layer, as in a job
constexpr std::size_t kMostName = 300;          // bytes of a name of an array or of a column
constexpr double kMostCut = 1 << 20;
constexpr double kMostEpsilon = 1 << 10;   // the largest of a sum aggregation
constexpr std::int64_t kMostSteps = 1024;  // limit for the steps of a propagation

constexpr gnn::WordTable<Kind, 10> kKinds = {{{Kind::kGraphConvolution, "gcn"},
                                              {Kind::kMeanAggregation, "sage"},
                                              {Kind::kSumAggregation, "gin"},
                                              {Kind::kDense, "dense"},
                                              {Kind::kRelu, "relu"},
                                              {Kind::kPropagation, "propagate"},
                                              {Kind::kLayerNorm, "layer-norm"},
                                              {Kind::kPooling, "pool"},
                                              {Kind::kDotProduct, "dot"},
                                              {Kind::kLogit, "logit"}}};
constexpr gnn::WordTable<bool, 2> kPoolings = {{{false, "mean"}, {true, "sum"}}};
constexpr gnn::WordTable<Scaling, 4> kFeatureScalings = {{{Scaling::kNone, "none"},
                                                          {Scaling::kStandardise, "standardise"},
                                                          {Scaling::kFolded, "folded"},
                                                          {Scaling::kRowSum, "row-sum"}}};
constexpr gnn::WordTable<Scaling, 3> kTargetScalings = {
    {{Scaling::kNone, "none"}, {Scaling::kStandardise, "standardise"}, {Scaling::kFolded, "folded"}}};

template <typename Enum, std::size_t n>
std::string_view word_for(Enum value, const gnn::WordTable<Enum, n>& words) {
  const auto found = std::find_if(words.begin(), words.end(), [&](const auto& pair) { return pair.first == value; });
  return found->second;
}

struct Gathering {
  std::string_view normalisation;
  bool loops = false;
};

// How a layer of this kind gathers over edges, or nothing.
std::optional<Gathering> gathering_of(Kind kind) {
  if (kind == Kind::kGraphConvolution || kind == Kind::kPropagation) return Gathering{"symmetric", true};
  if (kind == Kind::kSumAggregation) return Gathering{"sum", true};
  if (kind == Kind::kMeanAggregation) return Gathering{"mean", false};
  return std::nullopt;
}

struct ArrayField {
  const char* key;
  std::string LayerArrays::*name;
};
constexpr std::array<ArrayField, 5> kArrayFields = {{{"weight", &LayerArrays::weight},
                                                     {"neighbour_weight", &LayerArrays::neighbour_weight},
                                                     {"shift", &LayerArrays::shift},
                                                     {"neighbour_shift", &LayerArrays::neighbour_shift},
                                                     {"bias", &LayerArrays::bias}}};

Json json_of_layer(const DescribedLayer& layer) {
  Json json = {{"kind", word_for(layer.kind, kKinds)}};
  if (const auto gathering = gathering_of(layer.kind)) {
    json["normalisation"] = gathering->normalisation;
    json["loops"] = gathering->loops;
  }
  if (layer.kind == Kind::kPropagation) {
    json["steps"] = layer.steps;
    json["restart"] = layer.restart;
  }
  if (layer.kind == Kind::kPooling) json["pooling"] = word_for(layer.sums, kPoolings);
  if (layer.epsilon != 0) json["epsilon"] = layer.epsilon;
  if (!layer.has_weights()) return json;
  json["inputs"] = layer.inputs;
  json["outputs"] = layer.outputs;
  json["residual"] = layer.residual;
  if (layer.jump) json["jump"] = true;
  for (const ArrayField& field : kArrayFields) {
    if (const std::string& name = layer.arrays.*field.name; !name.empty()) json["arrays"][field.key] = name;
  }
  return json;
}

template <std::size_t n>
Json json_of_scaling(const DescribedScaling& scaling, const gnn::WordTable<Scaling, n>& words) {
  Json json = {{"scaling", word_for(scaling.scaling, words)}};
  if (!scaling.mean.empty()) json["mean"] = scaling.mean;
  if (!scaling.deviation.empty()) json["deviation"] = scaling.deviation;
  return json;
}

// A value in a description, with its place in the file for errors.
class Value {
 public:
  Value(const Json* json, gnn::Place place) : json_(json), place_(std::move(place)) {}

  bool has(const char* key) const { return json_->is_object() && json_->contains(key); }
  Value at(const char* key) const {
    if (!has(key)) wrong(fmt::format("it has no \"{}\"", key));
    return {&(*json_)[key], place_.within(key)};
  }

  std::vector<Value> list(std::size_t least, std::size_t most) const {
    if (!json_->is_array()) wrong("it is no list");
    if (json_->size() < least || json_->size() > most) {
      wrong(fmt::format("a list of {}; expected {} to {} items", json_->size(), least, most));
    }
    std::vector<Value> items;
    for (const Json& one : *json_) items.push_back({&one, place_.within(std::to_string(items.size()))});
    return items;
  }

  std::int64_t whole(std::int64_t least, std::int64_t most) const {
    const bool fits = json_->is_number_integer() && json_->get<double>() >= static_cast<double>(least) &&
                      json_->get<double>() <= static_cast<double>(most);
    if (!fits) wrong(fmt::format("expected a whole number from {} to {}", least, most));
    return json_->get<std::int64_t>();
  }

  double part_of_one() const {
    const bool fits = json_->is_number() && json_->get<double>() >= 0 && json_->get<double>() < 1;
    if (!fits) wrong("expected a number of at least 0 and below 1");
    return json_->get<double>();
  }

  double within(double least, double most) const {
    const bool fits = json_->is_number() && json_->get<double>() >= least && json_->get<double>() <= most;
    if (!fits) wrong(fmt::format("expected a number from {} to {}", least, most));
    return json_->get<double>();
  }

  double positive(double most) const {
    const bool fits = json_->is_number() && json_->get<double>() > 0 && json_->get<double>() <= most;
    if (!fits) wrong(fmt::format("expected a number above 0, at most {}", most));
    return json_->get<double>();
  }

  bool flag() const {
    if (!json_->is_boolean()) wrong("expected true or false");
    return json_->get<bool>();
  }

  std::string text() const {
    if (!json_->is_string() || json_->get_ref<const std::string&>().size() > kMostName) {
      wrong(fmt::format("expected a text of at most {} bytes", kMostName));
    }
    return json_->get<std::string>();
  }
  std::string name() const {
    const std::string name = text();
    if (name.empty()) wrong("the name is empty");
    return name;
  }

  template <typename Enum, std::size_t n>
  Enum word(const gnn::WordTable<Enum, n>& words) const {
    const std::string word = text();
    const auto found = std::find_if(words.begin(), words.end(), [&](const auto& pair) { return pair.second == word; });
    if (found != words.end()) return found->first;
    std::vector<std::string_view> known;
    for (const auto& pair : words) known.push_back(pair.second);
    wrong(fmt::format("\"{}\"; expected one of: {}", net::printable(word, 40), fmt::join(known, ", ")));
  }

  [[noreturn]] void wrong(const std::string& what) const {
    place_.wrong(what + "; the description of the model is damaged, or another program wrote it");
  }

 private:
  const Json* json_;
  gnn::Place place_;
};

LayerArrays read_arrays(const Value& value, Kind kind, bool first) {
  const bool neighbours = kind == Kind::kMeanAggregation;
  LayerArrays arrays;
  for (const ArrayField& field : kArrayFields) {
    if (value.has(field.key)) arrays.*field.name = value.at(field.key).name();
  }
  if (arrays.weight.empty()) value.wrong("it names no \"weight\"");
  if (arrays.neighbour_weight.empty() == neighbours) {
    value.wrong("a \"neighbour_weight\" belongs to layers of kind sage, and to no other");
  }
  const bool shifted = !arrays.shift.empty();
  if (shifted && !first) value.wrong("a \"shift\" belongs to the first layer");
  if (arrays.neighbour_shift.empty() == (shifted && neighbours)) {
    value.wrong("a \"neighbour_shift\" belongs to a first layer of kind sage that has a \"shift\"");
  }
  return arrays;
}

void expect_gathering(const Value& value, Kind kind) {
  const auto gathering = gathering_of(kind);
  if (!gathering) return;
  if (value.at("normalisation").text() != gathering->normalisation || value.at("loops").flag() != gathering->loops) {
    value.wrong(
        fmt::format("expected the normalisation {} with loops = {}", gathering->normalisation, gathering->loops));
  }
}

std::vector<DescribedLayer> read_layers(const Value& value) {
  std::vector<DescribedLayer> layers;
  std::int64_t width = 0, all = 0;  // outputs of the last layer with weights, and of all so far
  bool pooled = false;
  for (const Value& one : value.list(1, gnn::kMostLayers)) {
    DescribedLayer layer;
    layer.kind = one.at("kind").word(kKinds);
    expect_gathering(one, layer.kind);
    if (pooled && (layer.kind == Kind::kPooling || gathering_of(layer.kind))) one.wrong("it gathers after a pool");
    pooled = pooled || layer.kind == Kind::kPooling;
    if (!layers.empty() && layers.back().kind == Kind::kDotProduct) one.wrong("it comes after a dot product");
    if (!layers.empty() && layers.back().kind == Kind::kLogit) one.wrong("it comes after a logit");
    if (layer.kind == Kind::kLogit && width != 1) one.wrong("a logit comes after a layer with one output");
    if (layer.kind == Kind::kDotProduct && pooled) one.wrong("a dot product is of nodes, and comes after a pool");
    if (layer.kind == Kind::kPropagation) {
      layer.steps = one.at("steps").whole(1, kMostSteps);
      layer.restart = one.at("restart").part_of_one();
    } else if (layer.kind == Kind::kPooling) {
      layer.sums = one.at("pooling").word(kPoolings);
    } else if (layer.kind == Kind::kLayerNorm) {
      if (width == 0) one.wrong("a layer-norm comes after a layer with weights");
      layer.epsilon = one.at("epsilon").positive(1);
    } else if (layer.kind != Kind::kRelu && layer.kind != Kind::kDotProduct && layer.kind != Kind::kLogit) {
      layer.inputs = one.at("inputs").whole(1, kMostColumns);
      layer.outputs = one.at("outputs").whole(1, kMostColumns);
      if (one.has("jump")) layer.jump = one.at("jump").flag();
      if (layer.jump && width == 0) one.wrong("a \"jump\" comes after a layer with weights");
      if (layer.jump && layer.inputs != all) {
        one.wrong(fmt::format("{} inputs of a jump after layers of {} outputs", layer.inputs, all));
      }
      if (!layer.jump && width != 0 && layer.inputs != width) {
        one.wrong(fmt::format("{} inputs after a layer of {} outputs", layer.inputs, width));
      }
      if (layer.inputs * layer.outputs > gnn::kMostElements) one.wrong("its weights are too many");
      layer.residual = one.at("residual").flag();
      if (layer.residual && layer.inputs != layer.outputs) one.wrong("a residual layer has as many outputs as inputs");
      if (one.has("epsilon")) {
        if (layer.kind != Kind::kSumAggregation) one.wrong("an \"epsilon\" belongs to layers of kind gin");
        layer.epsilon = one.at("epsilon").within(-1, kMostEpsilon);
      }
      layer.arrays = read_arrays(one.at("arrays"), layer.kind, layers.empty());
      width = layer.outputs;
      all += layer.outputs;
    }
    layers.push_back(std::move(layer));
  }
  if (width == 0) value.wrong("no layer has weights");
  const Kind last = layers.back().kind;
  if (last == Kind::kRelu || last == Kind::kLayerNorm) {
    value.wrong(fmt::format("the last layer is of kind {}", word_for(last, kKinds)));
  }
  return layers;
}

template <std::size_t n>
DescribedScaling read_scaling(const Value& value, const gnn::WordTable<Scaling, n>& words) {
  DescribedScaling scaling{value.at("scaling").word(words), "", ""};
  if (value.has("mean") != value.has("deviation")) value.wrong("it names one of \"mean\" and \"deviation\"");
  if (!value.has("mean")) return scaling;
  if (scaling.scaling != Scaling::kStandardise) value.wrong("only \"standardise\" has a \"mean\"");
  scaling.mean = value.at("mean").name();
  scaling.deviation = value.at("deviation").name();
  return scaling;
}

// Features are folded into the weights of a first layer. The layer must not add its input, and
// nothing may happen to the features before.
void expect_foldable(const ModelDescription& model, const Value& features) {
  const DescribedLayer& first = model.layers.front();
  const bool folded = model.features.scaling == Scaling::kFolded;
  if (!folded && !first.arrays.shift.empty()) features.wrong("the first layer has a \"shift\", but nothing is folded");
  if (!folded) return;
  if (first.arrays.shift.empty()) features.wrong("\"folded\" needs a \"shift\" of the first layer");
  if (first.residual || model.cut) features.wrong("\"folded\" needs a first layer that is not residual, and no cut");
}

gnn::ClassNames read_class_names(const Value& value, std::int64_t classes) {
  const auto count = static_cast<std::size_t>(classes);
  gnn::ClassNames names;
  for (const Value& one : value.list(count, count)) names.push_back(one.text());
  try {
    gnn::check_class_names(names);
  } catch (const ConfigError& error) {
    value.wrong(error.what());
  }
  return names;
}

ModelDescription read_model_description(const Value& root) {
  ModelDescription model;
  if (const std::int64_t format = root.at("format").whole(1, kMostColumns); format != ModelDescription::kFormat) {
    root.wrong(fmt::format("format {} of a model; this version of Tacit reads {}", format, ModelDescription::kFormat));
  }
  model.version = root.at("tacit").text();
  model.commit = root.at("commit").text();
  model.layers = read_layers(root.at("layers"));
  const Value features = root.at("features");
  model.features = read_scaling(features, kFeatureScalings);
  if (features.has("cut")) model.cut = features.at("cut").positive(kMostCut);
  if (features.has("columns")) {
    const auto count = static_cast<std::size_t>(model.inputs());
    for (const Value& one : features.at("columns").list(count, count)) model.columns.push_back(one.text());
  }
  if (root.has("edge_weights")) model.edge_weights = root.at("edge_weights").flag();
  expect_foldable(model, features);
  model.targets = read_scaling(root.at("targets"), kTargetScalings);
  if (model.targets.scaling == Scaling::kFolded && !model.layers.back().has_weights()) {
    root.at("targets").wrong("\"folded\" needs a last layer with weights");
  }
  const Value output = root.at("output");
  if (output.text() == "classes") {
    model.classes = model.outputs();
    if (root.has("class_names")) model.class_names = read_class_names(root.at("class_names"), model.classes);
    if (model.targets.scaling != Scaling::kNone) root.at("targets").wrong("classes have no scaling");
  } else if (output.text() != "targets") {
    output.wrong("expected classes or targets");
  }
  if (model.has_logit() && model.classes == 0) output.wrong("a logit is of classes");
  if (model.pairs() && model.classes == 0) output.wrong("pairs of nodes have two classes, without a link and with one");
  return model;
}

}  // namespace

bool ModelDescription::pools() const {
  return std::any_of(layers.begin(), layers.end(),
                     [](const DescribedLayer& layer) { return layer.kind == Kind::kPooling; });
}

bool ModelDescription::pairs() const { return layers.back().kind == Kind::kDotProduct; }

bool ModelDescription::has_logit() const { return layers.back().kind == Kind::kLogit; }

std::string_view normalisation_of(gnn::LayerSpec::Kind kind) {
  const auto gathering = gathering_of(kind);
  return gathering ? gathering->normalisation : "";
}

std::int64_t ModelDescription::inputs() const {
  return std::find_if(layers.begin(), layers.end(), [](const auto& layer) { return layer.has_weights(); })->inputs;
}

std::int64_t ModelDescription::outputs() const {
  constexpr std::int64_t kTwoClasses = 2;
  if (pairs() || has_logit()) return kTwoClasses;
  return std::find_if(layers.rbegin(), layers.rend(), [](const auto& layer) { return layer.has_weights(); })->outputs;
}

std::vector<ExpectedArray> arrays_of(const ModelDescription& model) {
  std::vector<ExpectedArray> arrays;
  const auto add = [&](const std::string& name, gnn::NpyType type, std::vector<std::int64_t> shape) {
    if (!name.empty()) arrays.push_back({name, type, std::move(shape)});
  };
  for (const DescribedLayer& layer : model.layers) {
    const LayerArrays& names = layer.arrays;
    const auto type = names.shift.empty() ? gnn::NpyType::kFloat32 : gnn::NpyType::kFloat64;
    for (const std::string& name : {names.weight, names.neighbour_weight}) {
      add(name, type, {layer.outputs, layer.inputs});
    }
    for (const std::string& name : {names.shift, names.neighbour_shift}) add(name, type, {layer.outputs});
    const bool folded = model.targets.scaling == Scaling::kFolded && &layer == &model.layers.back();
    add(names.bias, folded ? gnn::NpyType::kFloat64 : gnn::NpyType::kFloat32, {layer.outputs});
  }
  for (const auto& [scaling, columns] :
       {std::pair(&model.features, model.inputs()), {&model.targets, model.outputs()}}) {
    add(scaling->mean, gnn::NpyType::kFloat64, {columns});
    add(scaling->deviation, gnn::NpyType::kFloat64, {columns});
  }
  return arrays;
}

std::string text_of(const ModelDescription& model) {
  Json json = {{"format", ModelDescription::kFormat}, {"tacit", model.version}, {"commit", model.commit}};
  json["layers"] = Json::array();
  for (const DescribedLayer& layer : model.layers) json["layers"].push_back(json_of_layer(layer));
  json["features"] = json_of_scaling(model.features, kFeatureScalings);
  if (model.cut) json["features"]["cut"] = *model.cut;
  std::vector<std::string> columns;
  std::size_t bytes = 0;
  for (const std::string& column : model.columns) {
    columns.push_back(shortened(displayable(column), kMostName / 4));  // a character has at most 4 bytes
    bytes += columns.back().size();
  }
  if (!columns.empty() && bytes <= kMostNames) json["features"]["columns"] = columns;
  json["targets"] = json_of_scaling(model.targets, kTargetScalings);
  if (model.edge_weights) json["edge_weights"] = true;
  json["output"] = model.classes > 0 ? "classes" : "targets";
  bytes = 0;
  for (const std::string& name : model.class_names) bytes += name.size();
  if (!model.class_names.empty() && bytes <= kMostNames) json["class_names"] = model.class_names;
  return json.dump();
}

ModelDescription read_description(std::string_view text, const gnn::Place& place) {
  if (std::ssize(text) > kMostDescription) {
    place.wrong(fmt::format("a description of {} bytes; at most {} are read", text.size(), kMostDescription));
  }
  const Json json = json_from_outside(text);
  const Value root(&json, place);
  if (json.is_discarded() || !json.is_object()) root.wrong("it is no JSON object");
  return read_model_description(root);
}

}  // namespace tacit::launcher
