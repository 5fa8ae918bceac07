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
  return Matrix::NullaryExpr(shape.rows, shape.cols, [&] { return random() >> 32 < dropped ? 0 : 1 / (1 - rate); });
}

Dropout::Dropout(std::int64_t layer, double rate, std::uint64_t seed, std::int64_t nodes, Rows rows)
    : layer_(layer), rate_(rate), seed_(seed), nodes_(nodes), rows_(std::move(rows)) {}

Tensor Dropout::forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) {
  mask_.reset();
  if (pass == Pass::kEvaluation || rate_ == 0) return x;
  const Matrix all = dropout_mask({nodes_, x.shape().cols}, rate_, seed_, layer_, pass_++);
  mask_.emplace(all(rows_, Eigen::all), fraction_bits_for(rate_), "dropout");
  return masked(arithmetic, x, arithmetic.ranges().activations, fmt::format("layer {} dropout", layer_));
}

std::optional<Tensor> Dropout::backward(Arithmetic& arithmetic, const Tensor& gradient) {
  if (!mask_) return gradient;
  return masked(arithmetic, gradient, arithmetic.ranges().gradients, fmt::format("layer {} dropout gradient", layer_));
}

Tensor Dropout::masked(Arithmetic& arithmetic, const Tensor& x, double bound, const std::string& name) const {
  return arithmetic.product(*mask_, x, bound, name);
}

}  // namespace tacit::gnn
