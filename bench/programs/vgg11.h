// The parameters of VGG-11 for 32x32 pictures and 10 classes, layer by layer: 9.2 million floats.
#pragma once

#include <array>
#include <cstdint>

namespace tacit::bench {

struct ParameterTensor {
  const char* name;
  std::int64_t count;
  std::int64_t multiplications;  // to compute its gradient for one picture: what its share of a backward pass goes by
};

constexpr ParameterTensor convolution(const char* name, std::int64_t in, std::int64_t out, std::int64_t pixels) {
  return {name, in * out * 9, in * out * 9 * pixels};
}
constexpr ParameterTensor bias(const char* name, std::int64_t out) { return {name, out, out}; }

// In the order of a forward pass; gradients come in the other.
inline constexpr std::array kVgg11{
    convolution("conv1.weight", 3, 64, 32 * 32),
    bias("conv1.bias", 64),
    convolution("conv2.weight", 64, 128, 16 * 16),
    bias("conv2.bias", 128),
    convolution("conv3.weight", 128, 256, 8 * 8),
    bias("conv3.bias", 256),
    convolution("conv4.weight", 256, 256, 8 * 8),
    bias("conv4.bias", 256),
    convolution("conv5.weight", 256, 512, 4 * 4),
    bias("conv5.bias", 512),
    convolution("conv6.weight", 512, 512, 4 * 4),
    bias("conv6.bias", 512),
    convolution("conv7.weight", 512, 512, 2 * 2),
    bias("conv7.bias", 512),
    convolution("conv8.weight", 512, 512, 2 * 2),
    bias("conv8.bias", 512),
    ParameterTensor{"classifier.weight", 512 * 10, 512 * 10},
    bias("classifier.bias", 10),
};

constexpr std::int64_t total_parameters() {
  std::int64_t sum = 0;
  for (const ParameterTensor& tensor : kVgg11) sum += tensor.count;
  return sum;
}
static_assert(total_parameters() == 9'225'610);

}  // namespace tacit::bench
