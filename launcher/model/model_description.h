// ModelDescription — everything that reproduces a revealed model's predictions, except its arrays.
//
// The description names the layers in their order, the arrays of each layer, the normalisation of the graph, and the
// scaling of features and targets. A file of a model holds it as JSON (docs/model-file.md), so that a program without
// Tacit can predict.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gnn/data/class_names.h"
#include "gnn/data/npy_array.h"
#include "gnn/data/place.h"
#include "gnn/settings/model_spec.h"
#include "launcher/json.h"

namespace tacit::launcher {

// The names of a layer's arrays; "": the layer has no such array. With weights W and V of the shape
// (outputs, inputs), a layer computes from x
//
//   dense   x·Wᵀ - shift + bias
//   gcn     A (x·Wᵀ - shift) + bias                                  A: symmetric, with loops
//   sage    x·Wᵀ - shift + M (x·Vᵀ - neighbour_shift) + bias         M: mean over the neighbours
//   gin     S (x·Wᵀ - shift) + bias                                  S: sum over the neighbours and 1 + epsilon times the node
//
// and adds x if it is residual. With a jump, x is the outputs of all layers with weights before it, side by side;
// each output has passed the layers without weights that follow its layer. Other layers have no arrays:
//
//   layer-norm  (x - mean) / sqrt(variance + epsilon) of each row
//   propagate   z = (1 - restart) A z + restart x, `steps` times, from z = x
//   pool        the mean or the sum over the nodes of each graph: the output has a row for each graph
//   dot         last layer; a row for each pair of nodes: 0, and the dot product of the rows of both nodes
//   logit       last layer; a row with 0 and the one column of its input
//
// Only the first layer has shifts, if the features' scaling is folded into its weights.
struct LayerArrays {
  std::string weight, neighbour_weight, shift, neighbour_shift, bias;
};

struct DescribedLayer {
  gnn::LayerSpec::Kind kind = gnn::LayerSpec::Kind::kRelu;  // no dropout, which predicts nothing
  std::int64_t inputs = 0, outputs = 0;                     // columns; 0 for a layer without weights
  bool residual = false, jump = false;
  double epsilon = 0;  // a sum aggregation and a layer norm have one
  LayerArrays arrays = {};
  std::int64_t steps = 0;  // propagation: steps, and the probability of a restart
  double restart = 0;
  bool sums = false;  // pool: the sum over the nodes, not the mean

  bool has_weights() const { return inputs > 0; }
};

// The step between the numbers of a file of data and the numbers that the layers compute on.
enum class Scaling {
  kNone,
  kStandardise,  // features: (x - mean) / deviation; targets: output * deviation + mean
  kFolded,       // as kStandardise, but the weights of the first or last layer contain it, so a user does nothing
  kRowSum,       // features: each row divided by its sum of absolute values; a row of zeros stays
};

// The arrays with the means and deviations of the columns; "": the file does not have them, and the
// user has to know them.
struct DescribedScaling {
  Scaling scaling = Scaling::kNone;
  std::string mean, deviation;
};

struct ModelDescription {
  static constexpr std::int64_t kFormat = 1;

  std::string version, commit;  // the build of Tacit that revealed the model
  std::vector<DescribedLayer> layers;
  DescribedScaling features, targets;
  std::optional<double> cut;         // clips scaled features to [-cut, cut]
  std::int64_t classes = 0;          // the output has a logit for each class; 0: the output has targets
  gnn::ClassNames class_names;       // empty: the classes have numbers only
  std::vector<std::string> columns;  // names of the features; empty: unknown
  bool edge_weights = false;         // the entries of the graph contain weights of the data

  std::int64_t inputs() const;
  std::int64_t outputs() const;
  bool pools() const;      // the output has a row for each graph
  bool pairs() const;      // the output has a row for each pair of nodes
  bool has_logit() const;  // the output is 0, and the one column of the layer before
};

// The normalisation of the graph for a layer of this kind: "symmetric", "mean", "sum"; "": the layer does not gather.
std::string_view normalisation_of(gnn::LayerSpec::Kind kind);

// An array that the description names.
struct ExpectedArray {
  std::string name;
  gnn::NpyType type;
  std::vector<std::int64_t> shape;
};
std::vector<ExpectedArray> arrays_of(const ModelDescription& model);

// The description as JSON, without names of columns, or of classes, that take more than kMostNames bytes.
std::string text_of(const ModelDescription& model);
inline constexpr std::int64_t kMostDescription = 4 << 20;  // bytes
inline constexpr std::size_t kMostNames = 1 << 20;

// Reads the JSON of any file. Throws ConfigError at `place`, unless the text is a whole description
// with consistent layers.
ModelDescription read_description(std::string_view text, const gnn::Place& place);

}  // namespace tacit::launcher
