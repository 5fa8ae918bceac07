// Tensors to test kernels with, and the matrix product by its definition.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mpc/kernels/into.h"
#include "mpc/ring/bit_tensor.h"
#include "mpc/ring/ring_tensor.h"

namespace tacit::mpc {

inline const std::vector<int> kRings = {1, 2, 31, 32, 33, 48, 51, 52, 53, 63, 64};

// Uniform words of the ring, equal for equal seeds.
RingTensor random_tensor(Shape shape, int bits, std::uint64_t seed);
// Every word is the largest of the ring, which provokes every possible overflow.
RingTensor largest_tensor(Shape shape, int bits);
RingTensor transposed_copy(const RingTensor& tensor);
BitTensor random_bits(Shape shape, std::uint64_t seed);

// out = a·b, out += a·b or out -= a·b, word by word.
RingTensor product_by_definition(RingView a, RingView b, Into into, const RingTensor& out);

std::vector<std::uint64_t> words_of(const RingTensor& tensor);
std::string text(Shape shape);

}  // namespace tacit::mpc
