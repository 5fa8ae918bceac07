#include "launcher/model/onnx_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <span>

#include "gnn/data/atomic_file.h"
#include "launcher/model/onnx.pb.h"
#include "net/error.h"

namespace tacit::launcher {

namespace {

using Kind = gnn::LayerSpec::Kind;

constexpr int kIrVersion = 8, kOperators = 16;                 // ScatterElements adds up from 16 on
constexpr std::int64_t kMostBytes = std::int64_t{2047} << 20;  // protobuf's limit is 2 GiB

enum class OnnxType { kFloat32 = 1, kInt64 = 7, kFloat64 = 11 };
enum class AttributeType { kInt = 2, kString = 3, kInts = 7 };

template <typename T>
constexpr OnnxType kTypeOf = std::is_same_v<T, float>          ? OnnxType::kFloat32
                             : std::is_same_v<T, std::int64_t> ? OnnxType::kInt64
                                                               : OnnxType::kFloat64;

onnx::Attribute attribute(const std::string& name, std::int64_t value) {
  onnx::Attribute made;
  made.set_name(name);
  made.set_type(static_cast<int>(AttributeType::kInt));
  made.set_i(value);
  return made;
}

onnx::Attribute attribute(const std::string& name, const std::string& value) {
  onnx::Attribute made;
  made.set_name(name);
  made.set_type(static_cast<int>(AttributeType::kString));
  made.set_s(value);
  return made;
}

onnx::Attribute attribute(const std::string& name, const std::vector<std::int64_t>& values) {
  onnx::Attribute made;
  made.set_name(name);
  made.set_type(static_cast<int>(AttributeType::kInts));
  made.mutable_ints()->Add(values.begin(), values.end());
  return made;
}

// A dimension is a name ("nodes") or a number.
using Dimensions = std::vector<std::variant<std::string, std::int64_t>>;

// A graph under construction. A value of the graph is named by a text, which node(), constant() and
// input() return.
class OnnxGraph {
 public:
  explicit OnnxGraph(onnx::Graph& graph) : graph_(graph) {}

  std::string input(const std::string& name, OnnxType type, const Dimensions& shape, const std::string& text) {
    declare(*graph_.add_input(), name, type, shape, text);
    return name;
  }

  void output(const std::string& name, const std::string& value, OnnxType type, const Dimensions& shape,
              const std::string& text) {
    add("Identity", {value}, {}, name);
    declare(*graph_.add_output(), name, type, shape, text);
  }

  template <typename T>
  std::string constant(const std::string& name, const std::vector<std::int64_t>& shape, const std::vector<T>& values) {
    onnx::Tensor& tensor = *graph_.add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(static_cast<int>(kTypeOf<T>));
    tensor.mutable_dims()->Add(shape.begin(), shape.end());
    const auto bytes = std::as_bytes(std::span(values));
    tensor.set_raw_data(bytes.data(), bytes.size());
    return name;
  }
  std::string constant(const std::string& name, const gnn::NpyArray& array) {
    if (const auto* floats = std::get_if<std::vector<float>>(&array.values))
      return constant(name, array.shape, *floats);
    return constant(name, array.shape, std::get<std::vector<double>>(array.values));
  }

  std::string node(const std::string& operation, const std::vector<std::string>& inputs,
                   const std::vector<onnx::Attribute>& attributes = {}) {
    return add(operation, inputs, attributes, fmt::format("{}_{}", operation, graph_.node_size()));
  }

 private:
  std::string add(const std::string& operation, const std::vector<std::string>& inputs,
                  const std::vector<onnx::Attribute>& attributes, const std::string& output) {
    onnx::Node& node = *graph_.add_node();
    node.set_op_type(operation);
    node.set_name(fmt::format("node_{}", graph_.node_size() - 1));
    for (const std::string& one : inputs) node.add_input(one);
    for (const onnx::Attribute& one : attributes) *node.add_attribute() = one;
    node.add_output(output);
    return output;
  }

  static void declare(onnx::ValueInfo& value, const std::string& name, OnnxType type, const Dimensions& shape,
                      const std::string& text) {
    value.set_name(name);
    value.set_doc_string(text);
    onnx::TensorType& tensor = *value.mutable_type()->mutable_tensor_type();
    tensor.set_elem_type(static_cast<int>(type));
    for (const auto& dimension : shape) {
      onnx::Dimension& made = *tensor.mutable_shape()->add_dim();
      if (const auto* its_name = std::get_if<std::string>(&dimension)) {
        made.set_dim_param(*its_name);
      } else {
        made.set_dim_value(std::get<std::int64_t>(dimension));
      }
    }
  }

  onnx::Graph& graph_;
};

std::string text_of_features(const ModelDescription& model) {
  switch (model.features.scaling) {
    case Scaling::kStandardise:
      if (model.features.mean.empty()) return "features, each column standardised as in the training";
      break;
    case Scaling::kNone:
    case Scaling::kFolded:
    case Scaling::kRowSum:
      break;
  }
  return "features in the units of the training's data; the graph scales them";
}

// Writes the layers of a model as nodes of a graph.
class ModelGraph {
 public:
  ModelGraph(const DescribedModel& model, onnx::Graph& graph)
      : model_(model), description_(model.description), graph_(graph) {}

  void write() {
    std::string z =
        graph_.input("x", OnnxType::kFloat32, {"nodes", description_.inputs()}, text_of_features(description_));
    read_edges();
    z = prepared(z);
    for (const DescribedLayer& layer : description_.layers) {
      if (layer.has_weights() && &layer != first_with_weights()) outputs_.push_back(z);
      z = after(layer, layer.jump ? graph_.node("Concat", outputs_, {attribute("axis", 1)}) : z);
    }
    z = in_own_unit(z);
    const bool classes = description_.classes > 0;
    const std::string rows = description_.pairs() ? "pairs" : description_.pools() ? "graphs" : "nodes";
    graph_.output("output", z, OnnxType::kFloat32, {rows, description_.outputs()},
                  classes ? text_of_logits() : text_of_targets());
    if (!classes) return;
    const std::string best = graph_.node("ArgMax", {z}, {attribute("axis", 1), attribute("keepdims", std::int64_t{0})});
    graph_.output("class", best, OnnxType::kInt64, {rows}, text_of_classes());
  }

 private:
  void read_edges() {
    const std::vector<EdgeWeights> all = edge_weights_of(description_);
    if (all.empty()) return;
    const std::string edges = graph_.input("edge_index", OnnxType::kInt64, {std::int64_t{2}, "edges"},
                                           "edge e leads from node [0, e] to node [1, e]; a loop at each node");
    column_ = graph_.constant<std::int64_t>("column", {1}, {1});
    sources_ = graph_.node("Gather", {edges, graph_.constant<std::int64_t>("source_row", {}, {0})});
    const std::string targets = graph_.node("Gather", {edges, graph_.constant<std::int64_t>("target_row", {}, {1})});
    targets_ = graph_.node("Unsqueeze", {targets, column_});
    for (const EdgeWeights& one : all) {
      const std::string weights =
          graph_.input(one.input, OnnxType::kFloat32, {"edges"},
                       fmt::format("entries of the adjacency with {} normalisation", one.normalisation));
      weights_[one.normalisation] = graph_.node("Unsqueeze", {weights, column_});
    }
  }

  std::string prepared(std::string x) {
    const DescribedScaling& features = description_.features;
    if (!features.mean.empty()) {
      const std::string difference = graph_.node("Sub", {wide(x), array(features.mean)});
      x = narrow(graph_.node("Div", {difference, array(features.deviation)}));
    }
    if (features.scaling == Scaling::kRowSum) {
      const std::string sums =
          graph_.node("ReduceL1", {x}, {attribute("axes", std::vector<std::int64_t>{1}), attribute("keepdims", 1)});
      const float least = std::numeric_limits<float>::min();  // in place of the sum of a row of zeros
      x = graph_.node("Div", {x, graph_.node("Max", {sums, graph_.constant<float>("least_sum", {}, {least})})});
    }
    if (description_.cut) {
      const auto cut = static_cast<float>(*description_.cut);
      const std::string least = graph_.constant<float>("cut_least", {}, {-cut});
      x = graph_.node("Clip", {x, least, graph_.constant<float>("cut_most", {}, {cut})});
    }
    return x;
  }

  std::string after(const DescribedLayer& layer, const std::string& z) {
    if (layer.kind == Kind::kRelu) return graph_.node("Relu", {z});
    if (layer.kind == Kind::kPropagation) return propagated(layer, z);
    if (layer.kind == Kind::kPooling) return pooled(layer, z);
    if (layer.kind == Kind::kLayerNorm) return normalised(layer, z);
    if (layer.kind == Kind::kDotProduct) return dot_products(z);
    if (layer.kind == Kind::kLogit) return with_zero(z);
    std::string out = product(z, layer.arrays.weight, layer.arrays.shift);
    if (layer.kind == Kind::kMeanAggregation) {
      const std::string around = product(z, layer.arrays.neighbour_weight, layer.arrays.neighbour_shift);
      out = graph_.node("Add", {out, gathered(around, weights_of(layer))});
    } else if (layer.kind != Kind::kDense) {
      const std::string sum = gathered(out, weights_of(layer));
      out = layer.epsilon == 0 ? sum : graph_.node("Add", {sum, times(out, layer.epsilon)});
    }
    if (!layer.arrays.bias.empty()) out = added(out, layer.arrays.bias);
    return layer.residual ? graph_.node("Add", {out, z}) : out;
  }

  // The operator LayerNormalization is of opset 17.
  std::string normalised(const DescribedLayer& layer, const std::string& x) {
    const auto mean = [&](const std::string& value) {
      return graph_.node("ReduceMean", {value},
                         {attribute("axes", std::vector<std::int64_t>{1}), attribute("keepdims", 1)});
    };
    const std::string centred = graph_.node("Sub", {x, mean(x)});
    const std::string variance = mean(graph_.node("Mul", {centred, centred}));
    const std::string epsilon = constant(layer.epsilon);
    return graph_.node("Div", {centred, graph_.node("Sqrt", {graph_.node("Add", {variance, epsilon})})});
  }

  std::string propagated(const DescribedLayer& layer, const std::string& x) {
    std::string z = x;
    const std::string kept = layer.restart > 0 ? times(x, layer.restart) : "";
    for (std::int64_t step = 0; step < layer.steps; ++step) {
      z = gathered(z, weights_of(layer));
      if (layer.restart > 0) z = graph_.node("Add", {times(z, 1 - layer.restart), kept});
    }
    return z;
  }

  std::string times(const std::string& value, double factor) { return graph_.node("Mul", {value, constant(factor)}); }
  std::string constant(double number) {
    return graph_.constant<float>(fmt::format("number_{}", numbers_++), {}, {static_cast<float>(number)});
  }

  // The mean or the sum over the rows of each graph.
  std::string pooled(const DescribedLayer& layer, const std::string& z) {
    const std::string graph =
        graph_.input("graph", OnnxType::kInt64, {"nodes"}, "the number of each node's graph, from 0");
    const std::string last = graph_.node("ReduceMax", {graph}, {attribute("keepdims", std::int64_t{1})});
    const std::string count = graph_.node("Add", {last, graph_.constant<std::int64_t>("one_graph", {1}, {1})});
    const std::string shape = graph_.node("Shape", {z});
    const std::string columns = graph_.node("Gather", {shape, graph_.constant<std::int64_t>("columns_at", {1}, {1})});
    const std::string of_graphs = graph_.node("Concat", {count, columns}, {attribute("axis", std::int64_t{0})});
    const std::string zeros = graph_.node("ConstantOfShape", {of_graphs});
    const std::string down = graph_.constant<std::int64_t>("down", {1}, {1});
    const std::string into = graph_.node("Expand", {graph_.node("Unsqueeze", {graph, down}), shape});
    const auto added_up = [&](const std::string& rows) {
      return graph_.node("ScatterElements", {zeros, into, rows},
                         {attribute("axis", std::int64_t{0}), attribute("reduction", std::string("add"))});
    };
    const std::string sums = added_up(z);
    if (layer.sums) return sums;
    const std::string ones =
        graph_.node("Add", {graph_.node("ConstantOfShape", {shape}), graph_.constant<float>("one_node", {}, {1.0F})});
    return graph_.node("Div", {sums, added_up(ones)});
  }

  // 0, and the dot product of the rows of each pair of nodes.
  std::string dot_products(const std::string& z) {
    const std::string pairs =
        graph_.input("pairs", OnnxType::kInt64, {std::int64_t{2}, "pairs"}, "pair p is of the nodes [0, p] and [1, p]");
    const auto end = [&](const char* name, std::int64_t row) {
      return graph_.node("Gather", {z, graph_.node("Gather", {pairs, graph_.constant<std::int64_t>(name, {}, {row})})});
    };
    const std::string products = graph_.node("Mul", {end("first_of_pair", 0), end("second_of_pair", 1)});
    const std::string score = graph_.node(
        "ReduceSum", {products, graph_.constant<std::int64_t>("score_axis", {1}, {1})}, {attribute("keepdims", 1)});
    return with_zero(score);
  }

  // 0, and the column.
  std::string with_zero(const std::string& column) {
    return graph_.node("Concat", {graph_.node("Sub", {column, column}), column}, {attribute("axis", 1)});
  }

  std::string product(const std::string& z, const std::string& weight, const std::string& shift) {
    const auto by_weight = [&](const std::string& left) {
      return graph_.node("Gemm", {left, array(weight)}, {attribute("transB", 1)});
    };
    return shift.empty() ? by_weight(z) : narrow(graph_.node("Sub", {by_weight(wide(z)), array(shift)}));
  }

  std::string added(const std::string& z, const std::string& bias) {
    if (model_.array(bias).type() == gnn::NpyType::kFloat32) return graph_.node("Add", {z, array(bias)});
    return narrow(graph_.node("Add", {wide(z), array(bias)}));
  }

  // The sum of weighted rows over the edges that lead to each node.
  std::string gathered(const std::string& rows, const std::string& weights) {
    const std::string messages = graph_.node("Mul", {graph_.node("Gather", {rows, sources_}), weights});
    const std::string into = graph_.node("Expand", {targets_, graph_.node("Shape", {messages})});
    const std::string zeros = graph_.node("ConstantOfShape", {graph_.node("Shape", {rows})});
    return graph_.node("ScatterElements", {zeros, into, messages},
                       {attribute("axis", std::int64_t{0}), attribute("reduction", std::string("add"))});
  }

  std::string in_own_unit(const std::string& z) {
    const DescribedScaling& targets = description_.targets;
    if (targets.mean.empty()) return z;
    const std::string scaled = graph_.node("Mul", {wide(z), array(targets.deviation)});
    return narrow(graph_.node("Add", {scaled, array(targets.mean)}));
  }

  std::string text_of_logits() const {
    if (description_.pairs()) return "0, and the log-odds of a link";
    if (description_.has_logit() && description_.class_names.empty()) return "0, and the log-odds of class 1";
    if (description_.class_names.empty()) return "a logit for each class";
    return fmt::format("a logit for each class: {}", fmt::join(description_.class_names, ", "));
  }

  std::string text_of_classes() const {
    if (description_.pairs()) return "1 if a link is likelier than not, else 0";
    return description_.class_names.empty() ? "the likeliest class"
                                            : "the likeliest class, by its place among the names of the logits";
  }

  std::string text_of_targets() const {
    const bool unknown = description_.targets.scaling == Scaling::kStandardise && description_.targets.mean.empty();
    return unknown ? "targets, in deviations from their mean" : "targets in their own unit";
  }

  // Means and deviations need more digits than float32 has.
  std::string wide(const std::string& value) { return cast(value, OnnxType::kFloat64); }
  std::string narrow(const std::string& value) { return cast(value, OnnxType::kFloat32); }
  std::string cast(const std::string& value, OnnxType type) {
    return graph_.node("Cast", {value}, {attribute("to", static_cast<std::int64_t>(type))});
  }
  const DescribedLayer* first_with_weights() const {
    return &*std::find_if(description_.layers.begin(), description_.layers.end(),
                          [](const DescribedLayer& layer) { return layer.has_weights(); });
  }
  const std::string& weights_of(const DescribedLayer& layer) const {
    return weights_.at(std::string(normalisation_of(layer.kind)));
  }
  std::string array(const std::string& name) { return graph_.constant(name, model_.array(name)); }

  const DescribedModel& model_;
  const ModelDescription& description_;
  OnnxGraph graph_;
  std::string column_, sources_, targets_;      // values of the graph, if there are edges
  std::map<std::string, std::string> weights_;  // values with the edges' weights, by normalisation
  std::vector<std::string> outputs_;            // outputs of the layers with weights so far, for jumps
  int numbers_ = 0;                             // constants of the graph
};

onnx::Model onnx_of(const DescribedModel& model) {
  onnx::Model made;
  made.set_ir_version(kIrVersion);
  made.set_producer_name("tacit");
  made.set_producer_version(model.description.version);
  made.add_opset_import()->set_version(kOperators);
  onnx::Entry& description = *made.add_metadata_props();
  description.set_key("tacit");
  description.set_value(text_of(model.description));
  made.mutable_graph()->set_name("model");
  ModelGraph(model, *made.mutable_graph()).write();
  return made;
}

}  // namespace

void write_onnx(const std::filesystem::path& path, const DescribedModel& model) {
  std::int64_t bytes = 0;
  for (const gnn::NamedArray& one : model.arrays) {
    bytes += gnn::elements_of(one.array.shape) * gnn::bytes_of(one.array.type());
  }
  if (bytes > kMostBytes) {
    throw ConfigError(fmt::format("the model has {} MiB, and an ONNX file holds at most {}; export it as safetensors",
                                  bytes >> 20, kMostBytes >> 20));
  }
  const std::string text = onnx_of(model).SerializeAsString();
  gnn::AtomicFile file(path);
  file.write(std::as_bytes(std::span(text)));
  file.commit();
}

std::vector<EdgeWeights> edge_weights_of(const ModelDescription& model) {
  std::vector<EdgeWeights> all;
  for (const std::string name : {"symmetric", "mean", "sum"}) {
    const bool used = std::any_of(model.layers.begin(), model.layers.end(),
                                  [&](const DescribedLayer& layer) { return normalisation_of(layer.kind) == name; });
    if (used) all.push_back({"edge_weight_" + name, name});
  }
  if (all.size() == 1) all.front().input = "edge_weight";
  return all;
}

}  // namespace tacit::launcher
