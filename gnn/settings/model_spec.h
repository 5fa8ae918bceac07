// ModelSpec — what a model is made of, as the job says it: a list of layers, any depth. Public.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gnn/settings/setting_visitor.h"
#include "mpc/ring/fixed_point.h"

namespace tacit::gnn {

using mpc::Matrix;
using mpc::Shape;

struct LayerSpec {
  enum class Kind {
    kGraphConvolution,  // A·x·W + b with the graph's symmetric normalisation
    kMeanAggregation,   // x·W + mean of the neighbours' x·V + b (GraphSAGE)
    kDense,             // x·W + b
    kRelu,
    kDropout,
  };
  Kind kind = Kind::kDense;
  std::int64_t outputs = 0;  // of a layer with weights
  bool bias = true;
  bool residual = false;  // adds the layer's input, of the same width, to its output
  double rate = 0;        // of a dropout

  void describe(SettingVisitor& visitor);

  bool has_weights() const { return kind != Kind::kRelu && kind != Kind::kDropout; }
  bool gathers() const { return kind == Kind::kGraphConvolution || kind == Kind::kMeanAggregation; }
};

inline constexpr std::size_t kMostLayers = 32;

struct ModelSpec {
  std::vector<LayerSpec> layers;

  // A job lists layers, or says gcn = { hidden = 16 }: gcn() with as many outputs as classes, 1 for targets.
  void describe(SettingVisitor& visitor, std::int64_t classes);

  // Two graph convolutions with a ReLU between them, as Kipf and Welling.
  static ModelSpec gcn(std::int64_t hidden, std::int64_t outputs);
};

// Throws ConfigError that names the layer and what is allowed.
void check(const ModelSpec& model, std::int64_t inputs);
std::int64_t outputs_of(const ModelSpec& model, std::int64_t inputs);
// Throws ConfigError unless there is an output for each target, or each class.
void check_outputs(const ModelSpec& model, std::int64_t inputs, std::int64_t labels);

// The parameters, in the order of the layers: "layer 0 weight", "layer 0 bias", … A mean aggregation has a weight for
// the node itself and one for its neighbours.
struct NamedMatrix {
  std::string name;
  Matrix values;
};
// Weights by Glorot, biases zero; equal for equal seeds, on every machine.
std::vector<NamedMatrix> initial_parameters(const ModelSpec& model, std::int64_t inputs, std::uint64_t seed);

}  // namespace tacit::gnn
