#include "bench/data/picture_batches.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "bench/data/random_source.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr std::int64_t kMargin = 4;
// CIFAR-10's, red, green and blue, of pixels in 0 … 1; made pictures are scaled alike.
constexpr std::array<float, kPictureColours> kMean = {0.4914F, 0.4822F, 0.4465F},
                                             kDeviation = {0.2470F, 0.2435F, 0.2616F};
constexpr std::uint64_t kShuffle = 0, kAugment = 1;

RandomSource source_of(std::uint64_t seed, std::uint64_t purpose, std::int64_t epoch) {
  RandomSource random(seed);
  random = RandomSource(random.word() ^ purpose);
  return RandomSource(random.word() ^ static_cast<std::uint64_t>(epoch));
}

}  // namespace

PictureBatches::PictureBatches(const BatchesOptions& options) : options_(options) {
  if (options.batch < 1) throw ConfigError(fmt::format("a batch must have at least 1 picture, not {}", options.batch));
  if (options.pictures < options.ranks) {
    throw ConfigError(fmt::format("{} training pictures are too few for {} ranks: each needs at least one",
                                  options.pictures, options.ranks));
  }
  const std::int64_t each = options.pictures / options.ranks;
  steps_ = (each + options.batch - 1) / options.batch;
  order_.resize(static_cast<std::size_t>(options.pictures));
  begin_epoch(0);
}

void PictureBatches::begin_epoch(std::int64_t epoch) {
  std::iota(order_.begin(), order_.end(), 0);
  source_of(options_.seed, kShuffle, epoch).shuffle(order_);
}

std::span<const std::int64_t> PictureBatches::of(std::int64_t step, int rank) const {
  TACIT_CHECK(step >= 0 && step < steps_ && rank >= 0 && rank < options_.ranks);
  const std::int64_t begin = step * options_.batch * options_.ranks;
  const std::int64_t each = std::min(options_.batch, (options_.pictures - begin) / options_.ranks);
  return std::span(order_).subspan(static_cast<std::size_t>(begin + rank * each), static_cast<std::size_t>(each));
}

Augmentation augmentation_of(std::uint64_t seed, std::int64_t epoch, std::int64_t picture) {
  RandomSource random = source_of(seed, kAugment, epoch);
  random = RandomSource(random.word() ^ static_cast<std::uint64_t>(picture));
  Augmentation augmentation;
  augmentation.right = random.below(2 * kMargin + 1) - kMargin;
  augmentation.down = random.below(2 * kMargin + 1) - kMargin;
  augmentation.flip = random.chance(0.5);
  return augmentation;
}

void write_pixels(std::span<const std::uint8_t> pixels, const Augmentation& augmentation, std::span<float> out) {
  TACIT_CHECK(std::ssize(pixels) == kPictureBytes && std::ssize(out) == kPictureBytes);
  auto next = out.begin();
  for (std::size_t colour = 0; colour < kMean.size(); ++colour) {
    const auto plane = pixels.subspan(colour * kPictureSide * kPictureSide, kPictureSide * kPictureSide);
    for (std::int64_t row = 0; row < kPictureSide; ++row) {
      const std::int64_t y = row + augmentation.down;
      for (std::int64_t column = 0; column < kPictureSide; ++column) {
        const std::int64_t x = (augmentation.flip ? kPictureSide - 1 - column : column) + augmentation.right;
        const bool inside = x >= 0 && x < kPictureSide && y >= 0 && y < kPictureSide;
        const float shade = inside ? static_cast<float>(plane[static_cast<std::size_t>(y * kPictureSide + x)]) : 0.0F;
        *next++ = (shade / 255.0F - kMean[colour]) / kDeviation[colour];
      }
    }
  }
}

}  // namespace tacit::gnn
