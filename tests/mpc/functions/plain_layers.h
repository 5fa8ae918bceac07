// Layers of a batch of records in real numbers, for tests of clipping.
#pragma once

#include <vector>

#include "mpc/functions/clip_factor.h"
#include "tests/mpc/run_program.h"

namespace tacit::mpc {

struct LayerReals {
  Matrix inputs, gradients;
  bool bias = true;
};
using Layers = std::vector<LayerReals>;

// Multiples of 2^-9, of rows of all lengths.
Matrix rows_of_all_lengths(Shape shape, double most, unsigned seed);
// The first rank owns the inputs, the last the gradients.
std::vector<LayerRecords> masked_layers(Session& session, const Layers& layers, Format format);

// |g|² of each record, a column.
Matrix squared_gradients(const Layers& layers);

}  // namespace tacit::mpc
