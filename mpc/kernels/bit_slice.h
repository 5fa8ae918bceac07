// Words to bit planes and back: plane j holds bit j of every element, 64 elements to the word.
#pragma once

#include <span>

#include "mpc/kernels/workers.h"
#include "mpc/ring/bit_tensor.h"
#include "mpc/ring/ring_tensor.h"

namespace tacit::mpc {

// The planes first … first + planes.size() - 1 of the words; each plane has the tensor's shape.
void bit_planes(const RingTensor& tensor, int first, std::span<BitTensor> planes, Workers& workers);
// The same of the words of a view, row_major().
void bit_planes(RingView words, int first, std::span<BitTensor> planes, Workers& workers);

// The same of constant - word.
void bit_planes_of_difference(std::uint64_t constant, const RingTensor& tensor, int first, std::span<BitTensor> planes,
                              Workers& workers);

// Each bit as a word 0 or 1. `out` has the shape of `bits`.
void widen(const BitTensor& bits, RingTensor& out, Workers& workers);

}  // namespace tacit::mpc
