#include "python/bindings/private_gradients.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "gnn/privacy/mechanism.h"
#include "net/error.h"
#include "net/synchronise/gradient_code.h"

namespace tacit::python {

namespace {

// Above all relative rounding errors of the length of up to 2^32 numbers, and of the factor.
constexpr double kRounding = 0x1p-20;
// The least number of units in the clip, and in the noise of a rank. The sum of the ranks' noise then differs from a
// discrete Gaussian by a part of 10^-270.
constexpr double kLeastUnits = 8;

std::int64_t clip_units(const PrivacyOfRank& privacy) {
  return static_cast<std::int64_t>(std::min(std::ldexp(privacy.clip, privacy.fraction_bits), 0x1p40));
}

[[noreturn]] void refuse(const PrivacyOfRank& privacy, int parties, const char* what, int better) {
  const std::string remedy =
      better >= 0 && better <= net::GradientCode::kMostFractionBits
          ? fmt::format("expected other fraction_bits, such as {}", better)
          : "expected another clip or noise: a word of 32 bits holds both with no number of fraction bits";
  throw ConfigError(fmt::format("clip {:g} and noise {:g} {} with {} fraction bits and {} ranks; {}", privacy.clip,
                                privacy.noise, what, privacy.fraction_bits, parties, remedy));
}

}  // namespace

PrivateGradients::PrivateGradients(std::vector<std::int64_t> sizes, PrivacyOfRank privacy, int parties)
    : privacy_(privacy),
      parties_(parties),
      clip_units_(clip_units(privacy)),
      given_(sizes.size(), false),
      pool_(std::make_unique<mpc::NoisePool>([] { return mpc::PairSeed::own(mpc::Nonce{}); })) {
  constexpr double kCut = mpc::DiscreteGaussian::kCut;
  const double largest = net::GradientCode(parties, privacy.fraction_bits).largest_units();
  // The rank's deviation and the most of its part; in units they are rounded up, twice.
  const double each = privacy.noise * privacy.clip / std::sqrt(static_cast<double>(parties));
  const double most = privacy.clip + kCut * each, finest = each > 0 ? std::min(privacy.clip, each) : privacy.clip;
  const int fits = std::min(static_cast<int>(std::floor(std::log2((largest - 2 * kCut) / most))),
                            net::GradientCode::kMostFractionBits);
  if (privacy.fraction_bits > fits) refuse(privacy, parties, "do not fit the words of a sum", fits);
  if (std::ldexp(finest, privacy.fraction_bits) < kLeastUnits) {
    refuse(privacy, parties, "are too small for the units of a sum",
           std::ldexp(finest, fits) < kLeastUnits ? -1 : fits);
  }
  if (privacy.noise > 0) {
    const auto sigma = static_cast<std::int64_t>(std::ceil(privacy.noise * static_cast<double>(clip_units_)));
    noise_ = mpc::noise_parts({sigma, mpc::NoiseFrom::kParties, 0}, parties);
  }
  TACIT_CHECK(static_cast<double>(clip_units_) + kCut * static_cast<double>(noise_.each) <= largest);
  for (const std::int64_t size : sizes) {
    gradients_.emplace_back(static_cast<std::size_t>(size));
    units_.emplace_back(static_cast<std::size_t>(size));
    elements_ += size;
  }
}

void PrivateGradients::ready(std::size_t parameter, std::span<const float> gradient) {
  if (parameter >= gradients_.size() || gradient.size() != gradients_[parameter].size()) {
    throw ConfigError(
        fmt::format("ready: {} gradients for parameter {}, which has another size", gradient.size(), parameter));
  }
  if (given_[parameter]) {
    throw ConfigError(
        fmt::format("ready: parameter {} came twice in a step; expected finish() after each step", parameter));
  }
  if (noise_.each > 0) pool_->expect(noise_.each, elements_);
  std::ranges::copy(gradient, gradients_[parameter].begin());
  given_[parameter] = true;
}

const std::vector<std::vector<std::int32_t>>& PrivateGradients::part() {
  const auto late = std::ranges::find(given_, false);
  if (late != given_.end()) {
    throw ConfigError(
        fmt::format("finish() was called before ready() for parameter {}: every parameter needs a gradient in "
                    "each step, or zeros",
                    late - given_.begin()));
  }
  clip();
  if (noise_.each > 0) add_noise();
  given_.assign(given_.size(), false);
  ++steps_;
  return units_;
}

void PrivateGradients::clip() {
  double square = 0;
  for (const std::vector<float>& gradient : gradients_) {
    for (const float value : gradient) square += static_cast<double>(value) * static_cast<double>(value);
  }
  if (!std::isfinite(square)) {
    throw ConfigError(
        "a gradient is NaN or infinite; expected finite numbers: use a lower learning rate, and look for a "
        "division by zero in the loss");
  }
  const double length = std::ldexp(std::sqrt(square), privacy_.fraction_bits);
  const auto clip = static_cast<double>(clip_units_);
  const double scale = std::ldexp(length <= clip ? 1 : clip / length * (1 - kRounding), privacy_.fraction_bits);
  for_all([scale](float value) { return std::nearbyint(static_cast<double>(value) * scale); });
  if (is_within_clip()) return;
  const double less = scale * (1 - kRounding);
  for_all([less](float value) { return std::trunc(static_cast<double>(value) * less); });
  TACIT_CHECK(is_within_clip());
}

template <typename Rounded>
void PrivateGradients::for_all(const Rounded& rounded) {
  for (std::size_t p = 0; p < gradients_.size(); ++p) {
    std::ranges::transform(gradients_[p], units_[p].begin(),
                           [&](float value) { return static_cast<std::int32_t>(rounded(value)); });
  }
}

// True if the part is not longer than the clip. Computed in whole numbers, so that no rounding hides a part that is
// too long.
bool PrivateGradients::is_within_clip() const {
  mpc::DoubleWord square = 0;
  for (const std::vector<std::int32_t>& units : units_) {
    for (const std::int32_t unit : units) square += static_cast<std::uint64_t>(std::int64_t{unit} * unit);
  }
  const auto clip = static_cast<mpc::DoubleWord>(clip_units_);
  return square <= clip * clip;
}

void PrivateGradients::add_noise() {
  std::array<std::int64_t, static_cast<std::size_t>(mpc::NoisePool::kBlock)> drawn;
  for (std::vector<std::int32_t>& units : units_) {
    for (std::size_t at = 0; at < units.size(); at += drawn.size()) {
      const auto part = std::span(drawn).first(std::min(drawn.size(), units.size() - at));
      pool_->take(noise_.each, part);
      for (std::size_t i = 0; i < part.size(); ++i) {
        units[at + i] = static_cast<std::int32_t>(units[at + i] + part[i]);
      }
    }
  }
  sodium_memzero(drawn.data(), sizeof drawn);
}

double PrivateGradients::noise_left(int colluding) const {
  if (noise_.each == 0) return 0;
  const mpc::NoiseParts::Left left = noise_.left(parties_, colluding);
  return (colluding == 0 ? left.outsiders : left.colluding) / static_cast<double>(clip_units_);
}

double PrivateGradients::grid() const {
  return gnn::grid_of(static_cast<double>(elements_), static_cast<double>(clip_units_));
}

}  // namespace tacit::python
