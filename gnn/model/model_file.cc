#include "gnn/model/model_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "net/error.h"

namespace tacit::gnn {

namespace {

// The names of a model's parameters, in their order.
std::vector<std::string> names_of(const ModelSpec& model) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const LayerSpec& layer = model.layers[i];
    if (!layer.has_weights()) continue;
    names.push_back(array_name(model, i, "weight"));
    if (layer.kind == LayerSpec::Kind::kMeanAggregation) names.push_back(array_name(model, i, "neighbour weight"));
    if (layer.bias) names.push_back(array_name(model, i, "bias"));
  }
  return names;
}

bool is_row(const std::string& name) { return name.ends_with("bias") || name.ends_with("shift"); }

// PyTorch has x·Wᵀ where we have x·W, and biases are vectors.
std::vector<std::int64_t> shape_of(const std::string& name, Shape own) {
  return is_row(name) ? std::vector{own.cols} : std::vector{own.cols, own.rows};
}

std::string text_of(const std::vector<std::int64_t>& shape) { return fmt::format("({})", fmt::join(shape, ", ")); }

}  // namespace

std::string array_name(const ModelSpec& model, std::size_t layer, std::string_view what) {
  const LayerSpec& named = model.layers[layer];
  const auto before =
      std::count_if(model.layers.begin(), model.layers.begin() + static_cast<std::ptrdiff_t>(layer),
                    [&](const LayerSpec& other) { return other.has_weights() && other.gathers() == named.gathers(); });
  std::string name = fmt::format("{}.{}.", named.gathers() ? "convs" : "lins", before);
  const bool sage = named.kind == LayerSpec::Kind::kMeanAggregation;
  if (named.kind == LayerSpec::Kind::kSumAggregation && !what.ends_with("shift"))
    return name + "nn." + std::string(what);
  if (what == "weight") return name + (sage ? "lin_r.weight" : named.gathers() ? "lin.weight" : "weight");
  if (what == "neighbour weight") return name + "lin_l.weight";
  if (what == "bias") return name + (sage ? "lin_l.bias" : "bias");
  return name + (what == "shift" ? "shift" : "neighbour_shift");
}

std::vector<NamedArray> exported(const ModelSpec& model, const std::vector<NamedMatrix>& parameters,
                                 bool folded_targets) {
  std::map<std::string, std::string> names;
  std::set<std::string> wide;
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    for (const char* what : {"weight", "neighbour weight", "shift", "neighbour shift", "bias"}) {
      names[fmt::format("layer {} {}", i, what)] = array_name(model, i, what);
    }
    const std::string shift = fmt::format("layer {} shift", i);
    if (std::none_of(parameters.begin(), parameters.end(), [&](const auto& one) { return one.name == shift; }))
      continue;
    for (const char* what : {"weight", "neighbour weight", "shift", "neighbour shift"}) {
      wide.insert(fmt::format("layer {} {}", i, what));
    }
  }
  if (folded_targets) wide.insert(parameters.back().name);
  std::vector<NamedArray> arrays;
  for (const NamedMatrix& parameter : parameters) {
    const std::string& name = names.at(parameter.name);
    const Matrix turned = parameter.values.transpose();
    const double *begin = turned.data(), *end = begin + turned.size();
    NpyValues values;
    if (wide.contains(parameter.name)) {
      values = std::vector<double>(begin, end);
    } else {
      values = std::vector<float>(begin, end);
    }
    arrays.push_back({name, {shape_of(name, mpc::shape_of(parameter.values)), std::move(values)}});
  }
  return arrays;
}

void write_model(const std::filesystem::path& path, const ModelSpec& model,
                 const std::vector<NamedMatrix>& parameters) {
  write_npz(path, exported(model, parameters));
}

std::vector<NamedMatrix> read_model(const std::filesystem::path& path, const ModelSpec& model, std::int64_t inputs) {
  const Npz file(path);
  std::vector<NamedMatrix> parameters = initial_parameters(model, inputs, 0);
  const std::vector<std::string> names = names_of(model);
  const std::size_t arrays = file.keys().size() - (file.has(kDescriptionKey) ? 1 : 0);
  if (arrays != names.size()) {
    throw ConfigError(fmt::format("{} holds {} arrays, and the job's model has {} parameters: {}", path.string(),
                                  arrays, names.size(), fmt::join(names, ", ")));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const NpyArray array = file.read(names[i]);
    Matrix& values = parameters[i].values;
    const std::vector<std::int64_t> expected = shape_of(names[i], mpc::shape_of(values));
    if (!array.is_float() || array.shape != expected) {
      throw ConfigError(fmt::format("{}: {} is an array of {} {}; the job's model needs floats in {}", path.string(),
                                    names[i], name(array.type()), text_of(array.shape), text_of(expected)));
    }
    const std::vector<double> flat = values_as<double>(array);
    if (std::any_of(flat.begin(), flat.end(), [](double value) { return !std::isfinite(value); })) {
      throw ConfigError(fmt::format("{}: {} holds a number that is not finite", path.string(), names[i]));
    }
    values = Eigen::Map<const Matrix>(flat.data(), values.cols(), values.rows()).transpose();
  }
  return parameters;
}

}  // namespace tacit::gnn
