#include "gnn/model/dropout.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <random>

namespace tacit::gnn {

namespace {

// A dropped element becomes 0, any other `kept`. 16 bits of a draw decide on an element, so a draw serves four
// elements. The engine is the same on every machine; the library's distributions are not.
template <typename Element>
void fill(Element* out, std::int64_t size, Element kept, double rate, std::uint64_t seed, std::int64_t layer,
          std::int64_t pass) {
  std::seed_seq key{seed & 0xffffffff, seed >> 32, static_cast<std::uint64_t>(layer), static_cast<std::uint64_t>(pass)};
  std::mt19937_64 random(key);
  const auto dropped = static_cast<std::uint64_t>(std::ldexp(rate, 16));
  const std::array<Element, 2> either{Element{0}, kept};  // no branch on a random bit, which processors predict badly
  const auto fill_next = [&](Element* next, std::int64_t count, std::uint64_t drawn) {
    for (std::int64_t j = 0; j < count; ++j) next[j] = either[(drawn >> (16 * j) & 0xffff) >= dropped];
  };
  constexpr std::int64_t kOfDraw = 4;
  const std::int64_t whole = size / kOfDraw * kOfDraw;
  for (std::int64_t i = 0; i < whole; i += kOfDraw) fill_next(out + i, kOfDraw, random());
  if (whole < size) fill_next(out + whole, size - whole, random());
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
  mask_ = arithmetic.zeros_and(1 / (1 - rate_), x.shape(),
                               [&](std::uint64_t* words, std::int64_t size, std::uint64_t kept) {
                                 fill(words, size, kept, rate_, seed_, layer_, pass_);
                               });
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
