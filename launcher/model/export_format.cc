#include "launcher/model/export_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "launcher/model/onnx_model.h"
#include "launcher/model/safetensors.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

// The number and the widths of consecutive layers; `hidden` is the width between layers.
struct PlainLayers {
  std::int64_t count = 0, inputs = 0, hidden = 0, outputs = 0;
};

// The arguments of a class of PyTorch Geometric, if the model consists of such layers with ReLU
// between them and one hidden width.
std::optional<PlainLayers> plain_layers(const ModelDescription& model, gnn::LayerSpec::Kind kind) {
  PlainLayers plain;
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const DescribedLayer& layer = model.layers[i];
    if (i % 2 == 1) {
      if (layer.kind != gnn::LayerSpec::Kind::kRelu) return std::nullopt;
      continue;
    }
    const bool same = layer.kind == kind && !layer.residual && !layer.jump && layer.arrays.shift.empty() &&
                      !layer.arrays.bias.empty();
    if (!same) return std::nullopt;
    if (plain.count == 0) plain.inputs = layer.inputs;
    if (plain.count == 1) plain.hidden = layer.inputs;
    if (plain.count > 0 && layer.inputs != plain.hidden) return std::nullopt;
    plain.outputs = layer.outputs;
    ++plain.count;
  }
  if (plain.count == 1) plain.hidden = plain.outputs;
  return plain;
}

std::string quoted(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '\\' || c == '"' ? std::string{'\\', c} : std::string{c};
  return '"' + escaped + '"';
}

bool is_left_to_user(const DescribedScaling& scaling) {
  return scaling.scaling == Scaling::kStandardise && scaling.mean.empty();
}

std::string sentences_about_scaling(const ModelDescription& model) {
  std::string text;
  if (is_left_to_user(model.features)) {
    text +=
        "x must be standardised as in the training: each column to mean 0 and deviation 1 over all nodes of its data\n";
  }
  if (is_left_to_user(model.targets)) text += "the output is in deviations of the training's targets from their mean\n";
  return text;
}

std::string lines_of_loaders(const ModelDescription& model, const std::string& file) {
  const bool edges = !edge_weights_of(model).empty();
  const char* arguments = edges ? "x, edge_index" : "x";
  const std::string weights =
      fmt::format("{}{}", model.edge_weights ? ", edge_weight=edge_weight" : "", model.pools() ? ", graph=graph" : "");
  const char* scale = is_left_to_user(model.features) ? ", training_x=training_x" : "";
  const char* names = model.class_names.empty() ? "" : "  names = load_numpy.names_of(about, predictions)\n";
  return fmt::format(
      "in Python, with numpy and examples/export/load_numpy.py:\n"
      "  about, arrays = load_numpy.read({0})\n"
      "  predictions = load_numpy.predict(about, arrays, {1}{2}{3})\n"
      "{4}"
      "with torch and examples/export/load_pyg.py:\n"
      "  outputs = load_pyg.Model({0}{2})({1}{3})\n",
      quoted(file), arguments, scale, weights, names);
}

std::string lines_of_pytorch_geometric(const ModelDescription& model, const std::string& file) {
  if (model.edge_weights || model.pools())
    return "";  // its classes read no weights of edges, or another form of them, and do not pool
  for (const auto& [kind, name] : {std::pair(gnn::LayerSpec::Kind::kGraphConvolution, "GCN"),
                                   std::pair(gnn::LayerSpec::Kind::kMeanAggregation, "GraphSAGE")}) {
    const auto layers = plain_layers(model, kind);
    if (!layers) continue;
    return fmt::format(
        "with numpy, torch and torch_geometric:\n"
        "  model = torch_geometric.nn.{}(in_channels={}, hidden_channels={}, num_layers={}, out_channels={})\n"
        "  arrays = numpy.load({})\n"
        "  model.load_state_dict({{name: torch.from_numpy(arrays[name]) for name in arrays.files if name != "
        "\"tacit\"}})\n",
        name, layers->inputs, layers->hidden, layers->count, layers->outputs, quoted(file));
  }
  return "";
}

std::string lines_of_onnxruntime(const ModelDescription& model, const std::string& file) {
  const std::vector<EdgeWeights> weights = edge_weights_of(model);
  std::string inputs = "\"x\": x.astype(\"float32\")";
  if (!weights.empty()) inputs += ", \"edge_index\": edges";
  for (const EdgeWeights& one : weights)
    inputs += fmt::format(", \"{}\": weights[\"{}\"]", one.input, one.normalisation);
  if (model.pools()) inputs += ", \"graph\": graph";
  return fmt::format(
      "in Python, with onnxruntime{}:\n{}"
      "  session = onnxruntime.InferenceSession({})\n"
      "  predictions = session.run([\"{}\"], {{{}}})[0]\n",
      weights.empty() ? "" : " and examples/export/load_numpy.py",
      weights.empty()      ? ""
      : model.edge_weights ? "  edges, weights = load_numpy.edges(edge_index, len(x), edge_weight)\n"
                           : "  edges, weights = load_numpy.edges(edge_index, len(x))\n",
      quoted(file), model.classes > 0 ? "class" : "output", inputs);
}

}  // namespace

ExportFormat parse_export_format(std::string_view name) {
  for (const auto& [format, word] : kExportFormats) {
    if (word == name) return format;
  }
  throw ConfigError(fmt::format("--format {}: expected npz, safetensors or onnx", net::printable(name, 40)));
}

ExportFormat format_of(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".safetensors") return ExportFormat::kSafetensors;
  return ending == ".onnx" ? ExportFormat::kOnnx : ExportFormat::kNpz;
}

void write_exported(const std::filesystem::path& path, const DescribedModel& model, ExportFormat format) {
  switch (format) {
    case ExportFormat::kNpz:
      return write_described_model(path, model);
    case ExportFormat::kSafetensors:
      return write_safetensors(path, model);
    case ExportFormat::kOnnx:
      return write_onnx(path, model);
  }
}

std::string python_that_predicts(const DescribedModel& model, ExportFormat format, const std::string& file) {
  const ModelDescription& description = model.description;
  const std::string scaling = sentences_about_scaling(description);
  if (format == ExportFormat::kOnnx) return scaling + lines_of_onnxruntime(description, file);
  const bool npz = format == ExportFormat::kNpz;
  return scaling + lines_of_loaders(description, file) + (npz ? lines_of_pytorch_geometric(description, file) : "");
}

}  // namespace tacit::launcher
