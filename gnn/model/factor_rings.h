// factor_rings — the narrowest rings in which a model's data and weights can be masked for their products.
//
// A product is in the ring of its narrower factor, and the layer behind it may need fewer bits than the top ring has: a ReLU
// compares the bits of the declared range and kSpareBits more. Bits of a factor above that would be masked, sent and thrown
// away. The product is the same, and so is every tensor behind it.
//
// Only a layer in front of a ReLU says how many bits it needs. Other factors stay in the ring that they have.
#pragma once

#include <cstdint>
#include <vector>

#include "gnn/arithmetic/arithmetic.h"
#include "gnn/settings/model_spec.h"

namespace tacit::gnn {

struct FactorRings {
  int data = 0;                 // the ring of the model's input
  std::vector<int> parameters;  // in the order of Model::parameters(); biases are no factors
};

// The matrix by which a layer gathers: public or secret. A secret one has other fraction bits if edges have weights.
enum class EdgesAre { kPublic, kPublicWithWeights, kSecret, kSecretWithWeights };

// For data with `fraction_bits` fraction bits. Public: equal at every rank.
FactorRings factor_rings(const Arithmetic& arithmetic, const ModelSpec& model, std::int64_t inputs, int fraction_bits,
                         EdgesAre edges);

}  // namespace tacit::gnn
