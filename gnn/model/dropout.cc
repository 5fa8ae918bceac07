#include "gnn/model/dropout.h"

#include <fmt/format.h>

#include <algorithm>
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

// What is dropped becomes 0, what stays `kept`: 16 bits of a draw decide, four elements to a draw. The engine is the
// same on every machine; the library's distributions are not.
template <typename Element>
void fill(Element* out, std::int64_t size, Element kept, double rate, std::uint64_t seed, std::int64_t layer,
          std::int64_t pass) {
  std::seed_seq key{seed & 0xffffffff, seed >> 32, static_cast<std::uint64_t>(layer), static_cast<std::uint64_t>(pass)};
  std::mt19937_64 random(key);
  const auto dropped = static_cast<std::uint64_t>(std::ldexp(rate, 16));
  for (std::int64_t i = 0; i < size; i += 4) {
    const std::uint64_t drawn = random();
    for (std::int64_t j = 0; j < std::min<std::int64_t>(4, size - i); ++j) {
      out[i + j] = (drawn >> (16 * j) & 0xffff) < dropped ? Element{0} : kept;
    }
  }
}

}  // namespace

Matrix dropout_mask(Shape shape, double rate, std::uint64_t seed, std::int64_t layer, std::int64_t pass) {
  Matrix mask(shape.rows, shape.cols);
  fill(mask.data(), shape.size(), 1 / (1 - rate), rate, seed, layer, pass);
  return mask;
}

Dropout::Dropout(std::int64_t layer, double rate, std::uint64_t seed, Input input)
    : layer_(layer), rate_(rate), seed_(seed), input_(input) {}

Tensor Dropout::forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) {
  mask_.reset();
  if (pass == Pass::kEvaluation || rate_ == 0) return x;
  const int fraction_bits = fraction_bits_for(rate_);
  if (arithmetic.session().computes()) {
    const auto kept = static_cast<std::uint64_t>(std::llround(std::ldexp(1 / (1 - rate_), fraction_bits)));
    mpc::RingTensor mask(x.shape(), mpc::kWordBits);
    fill(mask.data(), mask.size(), kept, rate_, seed_, layer_, pass_);
    mask_.emplace(std::move(mask), fraction_bits);
  } else {
    mask_.emplace(x.shape(), fraction_bits);
  }
  ++pass_;
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
