#include "launcher/model/described_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "gnn/model/model_file.h"
#include "gnn/train/folded_model.h"
#include "launcher/job/build_commit.h"
#include "net/error.h"

namespace tacit::launcher {

namespace {

std::vector<DescribedLayer> layers_of(const gnn::ModelSpec& model, std::int64_t inputs,
                                      const std::vector<gnn::NamedArray>& arrays) {
  const std::vector<std::int64_t> widths = gnn::widths_of(model, inputs);
  std::vector<DescribedLayer> layers;
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const gnn::LayerSpec& spec = model.layers[i];
    if (spec.kind == gnn::LayerSpec::Kind::kDropout) continue;
    DescribedLayer layer;
    layer.kind = spec.kind;
    if (spec.kind == gnn::LayerSpec::Kind::kPropagation) {
      layer.steps = spec.steps;
      layer.restart = spec.restart;
    }
    layer.sums = spec.sums;
    if (spec.kind == gnn::LayerSpec::Kind::kLayerNorm) layer.epsilon = gnn::kNormEpsilon;
    if (spec.has_weights()) {
      const auto named = [&](const char* what) {
        const std::string name = gnn::array_name(model, i, what);
        const bool there = std::any_of(arrays.begin(), arrays.end(), [&](const auto& one) { return one.key == name; });
        return there ? name : std::string();
      };
      layer.inputs = widths[i];
      layer.outputs = spec.outputs;
      layer.residual = spec.residual;
      layer.jump = spec.jump;
      layer.epsilon = spec.epsilon;
      layer.arrays = {named("weight"), "", named("shift"), "", named("bias")};
      if (spec.kind == gnn::LayerSpec::Kind::kMeanAggregation) {
        layer.arrays.neighbour_weight = named("neighbour weight");
        layer.arrays.neighbour_shift = named("neighbour shift");
      }
    }
    layers.push_back(std::move(layer));
  }
  return layers;
}

Scaling scaling_of(gnn::FeatureScaling scaling) {
  switch (scaling) {
    case gnn::FeatureScaling::kNone:
    case gnn::FeatureScaling::kWhole:
      return Scaling::kNone;
    case gnn::FeatureScaling::kStandardise:
      return Scaling::kStandardise;
    case gnn::FeatureScaling::kRowSum:
      break;
  }
  return Scaling::kRowSum;
}

gnn::NamedArray array_of(const std::string& description) {
  const auto bytes = std::as_bytes(std::span(description));
  std::vector<std::uint8_t> values(bytes.size());
  std::ranges::transform(bytes, values.begin(), [](std::byte byte) { return std::to_integer<std::uint8_t>(byte); });
  return {gnn::kDescriptionKey, {{std::ssize(description)}, std::move(values)}};
}

ModelDescription read_own_description(const gnn::Npz& file) {
  if (!file.has(gnn::kDescriptionKey)) {
    file.place().wrong(
        "the file has no array \"tacit\", which describes the model: an earlier version of Tacit or another program "
        "wrote it; reveal the model again (tacit train JOB --resume, at every rank)");
  }
  const gnn::NpyArray array = file.read(gnn::kDescriptionKey, kMostDescription);
  const gnn::Place place = file.place().within(gnn::kDescriptionKey);
  const auto* bytes = std::get_if<std::vector<std::uint8_t>>(&array.values);
  if (bytes == nullptr || array.shape.size() != 1) {
    place.wrong(fmt::format("an array of {} with {} dimensions; expected bytes (uint8) with one", name(array.type()),
                            array.shape.size()));
  }
  return read_description(std::string(bytes->begin(), bytes->end()), place);
}

bool is_finite(const gnn::NpyArray& array) {
  const std::vector<double> values = gnn::values_as<double>(array);
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

gnn::NpyArray read_array(const gnn::Npz& file, const ExpectedArray& expected) {
  gnn::NpyArray array = file.read(expected.name, gnn::elements_of(expected.shape) * gnn::bytes_of(expected.type));
  const gnn::Place place = file.place().within(expected.name);
  if (array.type() != expected.type || array.shape != expected.shape) {
    place.wrong(fmt::format("an array of {} in ({}); the description of the model needs {} in ({})", name(array.type()),
                            fmt::join(array.shape, ", "), name(expected.type), fmt::join(expected.shape, ", ")));
  }
  if (!is_finite(array)) place.wrong("it holds a number that is not finite; the file is damaged");
  return array;
}

}  // namespace

const gnn::NpyArray& DescribedModel::array(std::string_view name) const {
  const auto found = std::find_if(arrays.begin(), arrays.end(), [&](const auto& one) { return one.key == name; });
  TACIT_CHECK(found != arrays.end());
  return found->array;
}

DescribedModel described_model(const Job& job, const std::vector<gnn::NamedMatrix>& parameters,
                               const gnn::GraphData* part) {
  DescribedModel model;
  const bool folded = gnn::folds(job.data, job.training);
  const bool standardises_targets = job.data.classes == 0 && job.data.standardise_targets;
  model.arrays = gnn::exported(job.training.model, parameters, folded && standardises_targets);
  ModelDescription& description = model.description;
  description.version = TACIT_VERSION;
  description.commit = build_commit();
  const std::int64_t inputs = parameters.front().values.rows();
  description.layers = layers_of(job.training.model, inputs, model.arrays);
  description.features.scaling = scaling_of(job.data.features);
  description.cut = job.data.cut;
  description.classes = job.data.classes;
  description.class_names = job.data.class_names;
  description.edge_weights = job.data.edge_weights;
  if (standardises_targets) description.targets.scaling = Scaling::kStandardise;
  if (folded) {
    for (DescribedScaling* scaling : {&description.features, &description.targets}) {
      if (scaling->scaling == Scaling::kStandardise) scaling->scaling = Scaling::kFolded;
    }
  }
  if (part != nullptr && std::ssize(part->feature_names) == inputs) description.columns = part->feature_names;
  return model;
}

void write_described_model(const std::filesystem::path& path, const DescribedModel& model) {
  std::vector<gnn::NamedArray> arrays = model.arrays;
  arrays.push_back(array_of(text_of(model.description)));
  gnn::write_npz(path, arrays);
}

DescribedModel read_described_model(const std::filesystem::path& path) { return read_described_model(gnn::Npz(path)); }

DescribedModel read_described_model(const gnn::Npz& file) {
  DescribedModel model{read_own_description(file), {}};
  for (const ExpectedArray& expected : arrays_of(model.description)) {
    const bool again = std::any_of(model.arrays.begin(), model.arrays.end(),
                                   [&](const gnn::NamedArray& one) { return one.key == expected.name; });
    if (again || expected.name == gnn::kDescriptionKey) {
      file.place().within(expected.name).wrong("the description of the model names this array twice; it is damaged");
    }
    model.arrays.push_back({expected.name, read_array(file, expected)});
  }
  for (const std::string& key : file.keys()) {
    const bool known = key == gnn::kDescriptionKey || std::any_of(model.arrays.begin(), model.arrays.end(),
                                                                  [&](const auto& one) { return one.key == key; });
    if (!known) file.place().within(key).wrong("the description of the model does not name this array");
  }
  return model;
}

}  // namespace tacit::launcher
