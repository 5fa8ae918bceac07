// Parameter — a value that training learns: a weight or a bias.
#pragma once

#include <optional>
#include <utility>

#include "gnn/arithmetic/arithmetic.h"

namespace tacit::gnn {

struct Parameter {
  Tensor value;                       // in the ring of Precision::kParameter or a wider one; new after every update
  Tensor gradient;                    // times the loss' scale; from the last backward pass
  std::optional<Tensor> narrow = {};  // the value in the ring of its products (factor_rings.h), if that is narrower

  // For products: masked anew after every update.
  const Tensor& factor() const { return narrow ? *narrow : value; }
  // A new value. `ring` bits are enough for products.
  void set(Tensor to, int ring = mpc::kWordBits) {
    value = std::move(to);
    narrow.reset();
    if (ring < value.format().ring_bits) narrow = Arithmetic::in_ring(value, ring);
  }
};

}  // namespace tacit::gnn
