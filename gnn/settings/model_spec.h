// ModelSpec — the layers of a model, as the job lists them; any depth. Public.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gnn/settings/setting_visitor.h"
#include "mpc/ring/fixed_point.h"

namespace tacit::gnn {

using mpc::Matrix;
using mpc::Shape;

struct LayerSpec {
  enum class Kind {
    kGraphConvolution,  // A·x·W + b with the graph's symmetric normalisation (GCN)
    kMeanAggregation,   // x·W + mean of the neighbours' x·V + b (GraphSAGE)
    kSumAggregation,    // ((1 + epsilon)·x + sum of the neighbours' x)·W + b (GIN)
    kDense,             // x·W + b
    kRelu,
    kDropout,
    kPooling,      // the mean or sum over the nodes of each graph
    kLayerNorm,    // each row less its mean, divided by the root of its variance plus kNormEpsilon; no parameters
    kDotProduct,   // a row for each pair of nodes: 0, and the dot product of both nodes' rows; for links
    kLogit,        // a row of 0 and its input, which is one column: the log-odds of the second of two classes
    kPropagation,  // z = (1 - restart)·A·z + restart·x in every step, from z = x (SGC, APPNP); A as in GCN
  };
  Kind kind = Kind::kDense;
  std::int64_t outputs = 0;  // width of a layer with weights
  bool bias = true;
  bool residual = false;   // adds the layer's input, of the same width, to its output
  bool jump = false;       // reads the outputs of all layers with weights before it (jumping knowledge)
  double epsilon = 0;      // for a sum aggregation
  double rate = 0;         // for a dropout layer
  std::int64_t steps = 1;  // for a propagation
  double restart = 0;      // for a propagation
  bool sums = false;       // for a pooling: adds up instead of taking the mean

  void describe(SettingVisitor& visitor);

  bool has_weights() const {
    return kind == Kind::kGraphConvolution || kind == Kind::kMeanAggregation || kind == Kind::kSumAggregation ||
           kind == Kind::kDense;
  }
  bool gathers() const { return (has_weights() && kind != Kind::kDense) || gathers_alone(); }
  bool gathers_alone() const { return kind == Kind::kPropagation || kind == Kind::kPooling; }  // without weights
  bool gathers_over_edges() const { return gathers() && kind != Kind::kPooling; }
};

// False for a sum aggregation in which the node itself counts so little that a fixed-point number is too coarse for it.
bool is_sum_in_fixed_point(const LayerSpec& layer);
std::string text_of_epsilon();
// The same of a propagation's restart.
bool is_restart_in_fixed_point(const LayerSpec& layer);
std::string text_of_restart();

// Added to a layer norm's variances. PyTorch adds 1e-5: a root on shares has no room for so little.
inline constexpr double kNormEpsilon = 1.0 / 256;
inline constexpr std::string_view kLayerNorm =
    "a layer norm normalises rows of two columns and more; a layer with so many outputs must come before";

// A model ends with a layer that has weights, or that gathers, or with a dot product or a logit.
bool may_be_last(const LayerSpec& layer);
inline constexpr std::string_view kLastLayer =
    "the last layer must have weights, or be of kind \"propagate\", \"pool\", \"dot\" or \"logit\"";
inline constexpr std::string_view kDotIsLast = "a dot product makes pairs of nodes; it must be the last layer";
inline constexpr std::string_view kLogit =
    "a logit makes two classes of one column; it must be the last layer, behind a layer with one output";
inline constexpr std::string_view kDotAfterPool =
    "a dot product is of pairs of nodes, and behind the pool there are graphs; take one of the two layers out";
inline constexpr std::string_view kOnePool = "it pools a second time; a model pools once, from nodes to graphs";
inline constexpr std::string_view kAfterPool =
    "it gathers over edges after the pool, which leaves graphs and no nodes; move it before the pool";

inline constexpr std::string_view kJumpOverPool =
    "a jump behind the pool would read rows of nodes beside rows of graphs; take it out";
inline constexpr std::string_view kJump =
    "a jump reads the outputs of earlier layers; a layer with weights must come before";

inline constexpr std::size_t kMostLayers = 32;

// A model in which edges count once, in sums with noise (train/perturbed_graph.h): a network without edges is trained first; the
// probabilities that it gives to the classes of a node's neighbours are added up, with noise, and `layers` read both.
struct PerturbedSpec {
  std::int64_t hidden = 64;           // columns of the network without edges
  std::int64_t head = 32;             // columns of the network that reads the sums
  std::int64_t encoder_epochs = 100;  // of the network without edges

  void describe(SettingVisitor& visitor);
};

struct ModelSpec {
  std::vector<LayerSpec> layers;
  std::optional<PerturbedSpec> perturbed = {};

  // A job lists layers, or sets gcn = { hidden = 16 }: gcn() with an output for each class, or one
  // output for targets. If the job learns `links`, as many outputs as hidden columns, and a dot product.
  void describe(SettingVisitor& visitor, std::int64_t classes, bool links);

  bool pools() const;      // true if labels and predictions are of graphs
  bool pairs() const;      // true if the model ends with a dot product: labels and predictions are of pairs of nodes
  bool has_logit() const;  // true if the model ends with a logit: two classes of one output

  // Two graph convolutions with a ReLU between them, as in Kipf and Welling.
  static ModelSpec gcn(std::int64_t hidden, std::int64_t outputs);
};

// True if this layer of kind "logit" is the last one, and reads one column.
bool is_logit_in_place(const ModelSpec& model, std::size_t layer);

// The columns that each layer reads.
std::vector<std::int64_t> widths_of(const ModelSpec& model, std::int64_t inputs);

// A part of the input of a layer with a jump, in the columns begin … end - 1: the input of layer `layer`, which is the output
// of a layer with weights and of the ReLU and dropout after it.
struct JumpPart {
  std::size_t layer = 0;
  std::int64_t begin = 0, end = 0;
};
// In the order of the layers; the last part is the layer's own input. The layer must have a jump.
std::vector<JumpPart> jump_parts(const ModelSpec& model, std::size_t layer);
// True if a jump of this layer would read outputs from before a pool.
bool jumps_over_pool(const ModelSpec& model, std::size_t layer);

// Validates the model. Throws ConfigError that names the layer and the allowed values.
void check(const ModelSpec& model, std::int64_t inputs);
std::int64_t outputs_of(const ModelSpec& model, std::int64_t inputs);
// Throws ConfigError unless the model has one output for each of the `labels` targets or classes.
void check_outputs(const ModelSpec& model, std::int64_t inputs, std::int64_t labels);

// The parameters, in the order of the layers: "layer 0 weight", "layer 0 bias", … A mean
// aggregation has one weight for the node itself and one for its neighbours.
struct NamedMatrix {
  std::string name;
  Matrix values;
};
// Glorot weights and zero biases. Equal seeds give equal values on every machine.
std::vector<NamedMatrix> initial_parameters(const ModelSpec& model, std::int64_t inputs, std::uint64_t seed);

}  // namespace tacit::gnn
