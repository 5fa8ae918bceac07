// Gradients for tests of their synchronisation, and their mean by an independent sum of whole numbers.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace tacit::net {

using Sizes = std::vector<std::int64_t>;
using Gradient = std::vector<float>;
using Gradients = std::vector<Gradient>;  // by parameter

// Between -1 and 1, with more bits than any fixed point keeps.
inline float sample_gradient(std::int64_t rank, std::int64_t step, std::size_t parameter, std::size_t place) {
  std::uint64_t mixed = 1 + place;
  for (const auto part :
       {static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(step), std::uint64_t{parameter}}) {
    mixed = (mixed ^ (part + 7)) * 0x9E3779B97F4A7C15U;
    mixed ^= mixed >> 29;
  }
  return static_cast<float>(static_cast<std::int32_t>(mixed >> 32)) / 2147483648.0F;
}

inline Gradient sample_gradients(std::int64_t rank, std::int64_t step, std::size_t parameter, std::int64_t size) {
  Gradient gradient(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] = sample_gradient(rank, step, parameter, i);
  return gradient;
}

// The mean of the gradients of `ranks` ranks, each rounded to `fraction_bits`.
inline Gradient mean_of_samples(int ranks, std::int64_t step, std::size_t parameter, std::int64_t size,
                                int fraction_bits) {
  const double units = std::ldexp(1.0, fraction_bits);
  Gradient mean(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < mean.size(); ++i) {
    std::int64_t sum = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      sum += std::llrint(static_cast<double>(sample_gradient(rank, step, parameter, i)) * units);
    }
    mean[i] = static_cast<float>(static_cast<double>(sum) * (1 / (units * ranks)));
  }
  return mean;
}

}  // namespace tacit::net
