#include "gnn/model/model_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "net/error.h"

namespace tacit::gnn {

namespace {

// The names of a model's parameters, in their order.
std::vector<std::string> names_of(const ModelSpec& model) {
  std::vector<std::string> names;
  int convs = 0, lins = 0;
  for (const LayerSpec& layer : model.layers) {
    if (!layer.has_weights()) continue;
    std::vector<std::string> weights{"weight"};
    std::string bias = "bias";
    if (layer.kind == LayerSpec::Kind::kGraphConvolution) weights = {"lin.weight"};
    if (layer.kind == LayerSpec::Kind::kMeanAggregation) {
      weights = {"lin_r.weight", "lin_l.weight"};
      bias = "lin_l.bias";
    }
    const std::string prefix = layer.gathers() ? fmt::format("convs.{}.", convs++) : fmt::format("lins.{}.", lins++);
    for (const std::string& weight : weights) names.push_back(prefix + weight);
    if (layer.bias) names.push_back(prefix + bias);
  }
  return names;
}

bool is_bias(const std::string& name) { return name.ends_with("bias"); }

// PyTorch has x·Wᵀ where we have x·W, and biases are vectors.
std::vector<std::int64_t> shape_of(const std::string& name, Shape own) {
  return is_bias(name) ? std::vector{own.cols} : std::vector{own.cols, own.rows};
}

std::string text_of(const std::vector<std::int64_t>& shape) { return fmt::format("({})", fmt::join(shape, ", ")); }

}  // namespace

std::vector<NamedArray> exported(const ModelSpec& model, const std::vector<NamedMatrix>& parameters) {
  const std::vector<std::string> names = names_of(model);
  TACIT_CHECK(names.size() == parameters.size());
  std::vector<NamedArray> arrays;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Matrix turned = parameters[i].values.transpose();
    const std::vector<float> values(turned.data(), turned.data() + turned.size());
    arrays.push_back({names[i], {shape_of(names[i], mpc::shape_of(parameters[i].values)), values}});
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
  if (file.keys().size() != names.size()) {
    throw ConfigError(fmt::format("{} holds {} arrays, and the job's model has {} parameters: {}", path.string(),
                                  file.keys().size(), names.size(), fmt::join(names, ", ")));
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
