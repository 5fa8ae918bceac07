#include "bench/data/made_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <system_error>

#include "bench/data/random_source.h"
#include "gnn/data/atomic_file.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr std::int64_t kMostMade = 1'000'000;
constexpr double kHalfRoot = 0.70710678118654752;

void check(const PicturesOptions& options) {
  const auto refuse = [](std::string_view option, std::int64_t least, std::int64_t given) {
    throw ConfigError(fmt::format("pictures: {} must be {} ... {}, not {}", option, least, kMostMade, given));
  };
  const auto files = std::ssize(kTrainingBatches);  // every file needs a picture
  if (options.train < files || options.train > kMostMade) refuse("train", files, options.train);
  if (options.test < 1 || options.test > kMostMade) refuse("test", 1, options.test);
}

// A source of numbers for one thing, independent of all others.
RandomSource source_of(std::uint64_t seed, PictureUse use, std::int64_t number, std::uint64_t purpose) {
  RandomSource random(seed);
  for (const std::uint64_t part : {static_cast<std::uint64_t>(use), purpose, static_cast<std::uint64_t>(number)}) {
    random = RandomSource(random.word() ^ part);
  }
  return random;
}

int label_of(std::uint64_t seed, PictureUse use, std::int64_t number) {
  std::array<std::int64_t, kPictureClasses> labels{};
  std::iota(labels.begin(), labels.end(), 0);
  RandomSource random = source_of(seed, use, number / kPictureClasses, 0);
  random.shuffle(labels);
  return static_cast<int>(labels[static_cast<std::size_t>(number % kPictureClasses)]);
}

// 1 at whole numbers, 0 midway, straight lines between.
double wave(double at) { return std::abs(2 * (at - std::floor(at)) - 1); }
double in_cell(double at) { return at - std::floor(at) - 0.5; }

// A class's pattern in its own coordinates: 0 … 1. Shapes reach to 1 from the centre, textures repeat at 1.
double pattern(int label, double u, double v) {
  const double across = std::abs(u), along = std::abs(v);
  switch (label) {
    case 0:
      return wave(v);
    case 1:
      return wave(u);
    case 2:
      return wave(kHalfRoot * (u + v));
    case 3:
      return (wave(u / 2) > 0.5) != (wave(v / 2) > 0.5) ? 1 : 0;
    case 4:
      return wave(std::sqrt(u * u + v * v));
    case 5:
      return u * u + v * v < 1 ? 1 : 0;
    case 6:
      return std::max(across, along) < 0.9 ? 1 : 0;
    case 7:
      return along < 1 && across < (v + 1) / 2 ? 1 : 0;
    case 8:
      return std::min(across, along) < 0.3 && std::max(across, along) < 1 ? 1 : 0;
    default:
      return in_cell(u) * in_cell(u) + in_cell(v) * in_cell(v) < 0.09 ? 1 : 0;
  }
}

// The ground's mean colour of a class, in units of kTint.
constexpr double kTint = 50;
constexpr std::array<std::array<double, kPictureColours>, kPictureClasses> kTints = {{{-1, -1, -1},
                                                                                      {1, -1, -1},
                                                                                      {-1, 1, -1},
                                                                                      {-1, -1, 1},
                                                                                      {1, 1, -1},
                                                                                      {1, -1, 1},
                                                                                      {-1, 1, 1},
                                                                                      {1, 1, 1},
                                                                                      {1, 0, -1},
                                                                                      {-1, 0, 1}}};

// A pattern at its place in a picture.
struct Figure {
  int label = 0;
  double x = 0, y = 0, size = 1, slant = 0, side = 1;
  std::array<double, kPictureColours> colour{};  // added where the pattern is 1

  double at(double column, double row) const {
    const double v = (row - y) / size;
    return pattern(label, side * ((column - x) / size + slant * v), v);
  }
};

Figure draw_figure(int label, double contrast, RandomSource& random) {
  Figure figure{.label = label};
  const bool shape = label >= 5 && label <= 8;
  figure.x = random.uniform(9, 23);
  figure.y = random.uniform(9, 23);
  figure.size = shape ? random.uniform(5, 12) : random.uniform(4, 9);
  figure.slant = random.uniform(-0.3, 0.3);
  figure.side = random.chance(0.5) ? 1 : -1;
  const double sign = random.chance(0.5) ? contrast : -contrast;
  for (double& colour : figure.colour) colour = sign * random.uniform(0.4, 1);
  return figure;
}

// Mean 0, variance 1: eight uniform bytes of one word.
double noise(RandomSource& random) {
  std::uint64_t word = random.word();
  std::int64_t sum = 0;
  for (; word != 0; word >>= 8) sum += static_cast<std::int64_t>(word & 255);
  return static_cast<double>(sum - 1020) / 209;
}

}  // namespace

PictureRecord make_picture(std::uint64_t seed, PictureUse use, std::int64_t number) {
  const int label = label_of(seed, use, number);
  RandomSource random = source_of(seed, use, number, 1);
  const double contrast = random.uniform(30, 90), graininess = random.uniform(20, 50);
  const Figure own = draw_figure(label, contrast, random);
  const auto another = static_cast<int>((label + 1 + random.below(kPictureClasses - 1)) % kPictureClasses);
  const Figure other = draw_figure(another, contrast * random.uniform(0.3, 0.8), random);
  PictureRecord record{};
  record[0] = static_cast<std::uint8_t>(label);
  std::size_t byte = 1;
  for (std::size_t colour = 0; colour < own.colour.size(); ++colour) {
    const double ground = random.uniform(60, 195) + kTint * kTints[static_cast<std::size_t>(label)][colour];
    const double right = random.uniform(-2, 2), down = random.uniform(-2, 2);
    for (std::int64_t row = 0; row < kPictureSide; ++row) {
      for (std::int64_t column = 0; column < kPictureSide; ++column) {
        const auto x = static_cast<double>(column), y = static_cast<double>(row);
        const double shade = ground + right * (x - 16) + down * (y - 16) + own.colour[colour] * own.at(x, y) +
                             other.colour[colour] * other.at(x, y) + graininess * noise(random);
        record[byte++] = static_cast<std::uint8_t>(std::clamp(std::floor(shade + 0.5), 0.0, 255.0));
      }
    }
  }
  return record;
}

void make_pictures(const PicturesOptions& options, const std::filesystem::path& folder) {
  check(options);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw ConfigError(fmt::format("{} cannot be made: {}", folder.string(), error.message()));
  const auto write = [&](const char* name, PictureUse use, std::int64_t from, std::int64_t to) {
    AtomicFile file(folder / name);
    for (std::int64_t number = from; number < to; ++number) {
      const PictureRecord record = make_picture(options.seed, use, number);
      file.write(std::as_bytes(std::span(record)));
    }
    file.commit();
  };
  const auto files = std::ssize(kTrainingBatches);
  for (std::int64_t i = 0; i < files; ++i) {
    write(kTrainingBatches[static_cast<std::size_t>(i)], PictureUse::kTrain, options.train * i / files,
          options.train * (i + 1) / files);
  }
  write(kTestBatch, PictureUse::kTest, 0, options.test);
}

}  // namespace tacit::gnn
