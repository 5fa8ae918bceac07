// write_onnx — a model as an ONNX graph (opset 16), for onnxruntime and other programs.
//
//   x            nodes × features, float32; raw unless the description says that they are scaled outside
//   edge_index   2 × edges, int64: edge e leads from node [0, e] to node [1, e]; with a loop at each node
//   edge_weight  edges, float32: the entries of the normalised adjacency
//   output       nodes × outputs, float32: targets, or logits of classes
//   class        nodes, int64: the likeliest class; only if the model has classes
//
// A model without graph layers has x alone. If a model needs several normalisations, each has an
// input: edge_weight_symmetric (gcn, propagate), edge_weight_mean (sage), which is 0 at loops, and
// edge_weight_sum (gin). The metadata have the description of the model as JSON under the key `tacit`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "launcher/model/described_model.h"

namespace tacit::launcher {

// Replaces `path` as a whole or not at all. Only its owner may read the file. Throws ConfigError,
// also if the model has more than the 2 GiB that the format can hold.
void write_onnx(const std::filesystem::path& path, const DescribedModel& model);

// The inputs of the graph with weights of edges, and their normalisations: "symmetric", "mean", "sum".
struct EdgeWeights {
  std::string input, normalisation;
};
std::vector<EdgeWeights> edge_weights_of(const ModelDescription& model);

}  // namespace tacit::launcher
