// A revealed model as a file, under the names and in the shapes that PyTorch Geometric's layers use, so that a module
// with the same layers loads it as its state:
//
//   the k-th graph convolution   convs.k.lin.weight, convs.k.bias
//   the k-th mean aggregation    convs.k.lin_r.weight (of the node), convs.k.lin_l.weight and .bias (of neighbours)
//   the k-th dense layer         lins.k.weight, lins.k.bias
//
// Graph layers of both kinds are counted together. Weights have a row for each output, in float32.
#pragma once

#include <filesystem>

#include "gnn/data/npz.h"
#include "gnn/settings/model_spec.h"

namespace tacit::gnn {

// `parameters` in the order of initial_parameters().
std::vector<NamedArray> exported(const ModelSpec& model, const std::vector<NamedMatrix>& parameters);

// Replaces `path` as a whole or not at all. Throws ConfigError.
void write_model(const std::filesystem::path& path, const ModelSpec& model, const std::vector<NamedMatrix>& parameters);

// The parameters in such a file. Throws ConfigError unless the file holds this model's parameters in the right shapes.
std::vector<NamedMatrix> read_model(const std::filesystem::path& path, const ModelSpec& model, std::int64_t inputs);

}  // namespace tacit::gnn
