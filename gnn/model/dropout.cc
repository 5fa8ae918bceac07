#include "gnn/model/dropout.h"

#include <fmt/format.h>

#include <cmath>
#include <random>

namespace tacit::gnn {

namespace {

// As few as tell 1 / (1 - rate) to a thousandth: every one is lost by the ring.
int fraction_bits_for(double rate) {
  const double kept = 1 / (1 - rate);
  int bits = 0;
  while (std::abs(std::nearbyint(std::ldexp(kept, bits)) - std::ldexp(kept, bits)) > std::ldexp(kept, bits) / 1024) {
    ++bits;
  }
  return bits;
}

}  // namespace

Matrix dropout_mask(Shape shape, double rate, std::uint64_t seed, std::int64_t layer, std::int64_t pass) {
  std::seed_seq key{seed & 0xffffffff, seed >> 32, static_cast<std::uint64_t>(layer), static_cast<std::uint64_t>(pass)};
  std::mt19937_64 random(key);
  const auto dropped = static_cast<std::uint64_t>(std::ldexp(rate, 32));
  Matrix mask(shape.rows, shape.cols);
  for (Eigen::Index i = 0; i < mask.size(); i += 2) {  // 32 bits for each of two
    const std::uint64_t drawn = random();
    mask.data()[i] = drawn >> 32 < dropped ? 0 : 1 / (1 - rate);
    if (i + 1 < mask.size()) mask.data()[i + 1] = (drawn & 0xffffffff) < dropped ? 0 : 1 / (1 - rate);
  }
  return mask;
}

Dropout::Dropout(std::int64_t layer, double rate, std::uint64_t seed, Input input)
    : layer_(layer), rate_(rate), seed_(seed), input_(input) {}

Tensor Dropout::forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) {
  mask_.reset();
  if (pass == Pass::kEvaluation || rate_ == 0) return x;
  mask_.emplace(dropout_mask(x.shape(), rate_, seed_, layer_, pass_++), fraction_bits_for(rate_), "dropout");
  const std::string name = fmt::format("layer {} dropout", layer_);
  if (input_ != Input::kData) return arithmetic.product(*mask_, x, arithmetic.ranges().activations, name);
  arithmetic.mask(std::span(&x, 1));
  return arithmetic.exact_product(*mask_, x, x.bound() / (1 - rate_), name);
}

std::optional<Tensor> Dropout::backward(Arithmetic& arithmetic, const Tensor& gradient) {
  if (!mask_) return gradient;
  return arithmetic.product(*mask_, gradient, arithmetic.ranges().gradients,
                            fmt::format("layer {} dropout gradient", layer_));
}

}  // namespace tacit::gnn
