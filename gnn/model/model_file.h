// A revealed model as a file, under the names and in the shapes that PyTorch Geometric's layers use, so that a module
// with the same layers loads it as its state:
//
//   the k-th graph convolution   convs.k.lin.weight, convs.k.bias
//   the k-th mean aggregation    convs.k.lin_r.weight (of the node), convs.k.lin_l.weight and .bias (of neighbours)
//   the k-th sum aggregation     convs.k.nn.weight, convs.k.nn.bias
//   the k-th dense layer         lins.k.weight, lins.k.bias
//   shifts of the first layer    convs.0.shift, convs.0.neighbour_shift, or lins.0.shift
//
// Graph layers of all kinds are counted together. Weights have a row for each output. Arrays are float32. Arrays that
// contain the scaling of data are float64: the weights and shifts of a layer with a shift, and the bias of folded targets. A
// mean may be a million deviations from zero, and float32 would lose the deviations. A file of the command
// also has an array `tacit`, which describes the model (launcher/model/model_description.h); read_model() skips it.
#pragma once

#include <filesystem>

#include "gnn/data/npz.h"
#include "gnn/settings/model_spec.h"

namespace tacit::gnn {

inline constexpr const char* kDescriptionKey = "tacit";

// The name of a layer's "weight", "neighbour weight", "shift", "neighbour shift" or "bias".
std::string array_name(const ModelSpec& model, std::size_t layer, std::string_view what);
// `parameters` with the names of initial_parameters(), or as revealed_model() returns them (gnn/train/folded_model.h).
// `folded_targets`: the last layer with weights contains the scaling of the targets.
std::vector<NamedArray> exported(const ModelSpec& model, const std::vector<NamedMatrix>& parameters,
                                 bool folded_targets = false);

// Replaces `path` as a whole or not at all. Throws ConfigError.
void write_model(const std::filesystem::path& path, const ModelSpec& model, const std::vector<NamedMatrix>& parameters);

// The parameters in such a file. Throws ConfigError unless the file holds this model's parameters in the right shapes.
std::vector<NamedMatrix> read_model(const std::filesystem::path& path, const ModelSpec& model, std::int64_t inputs);

}  // namespace tacit::gnn
