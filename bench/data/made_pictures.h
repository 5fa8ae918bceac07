// make_pictures — pictures of ten classes made from a seed, in the format of CIFAR-10.
//
// A class is a texture or a shape: stripes that lie, stand or lean, chequers, rings, a disc, a square, a triangle, a cross,
// dots. Each picture draws its place, size, slant and colours, a weaker pattern of another class over it, and noise. The
// classes look the same from both sides, because training flips pictures. The ground's mean colour is a hint of the class:
// a linear classifier of this colour alone is right for about 53 % of the pictures. The same options give the same bytes
// on every machine. Each picture follows from the seed and its number alone: a smaller set begins as a larger one, except that
// the training files divide it otherwise.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "bench/data/pictures.h"

namespace tacit::gnn {

struct PicturesOptions {
  std::int64_t train = 50'000, test = 10'000;  // ten pictures in a row have one of each class
  std::uint64_t seed = 1;
};

enum class PictureUse : std::uint64_t { kTrain = 0, kTest = 1 };

// One record. `number` counts the pictures of a use from 0.
using PictureRecord = std::array<std::uint8_t, kRecordBytes>;
PictureRecord make_picture(std::uint64_t seed, PictureUse use, std::int64_t number);

// Writes the six files into `folder`, which is made if it is missing; a file that exists is replaced. ConfigError names an
// option that makes no pictures, or a file that cannot be written.
void make_pictures(const PicturesOptions& options, const std::filesystem::path& folder);

}  // namespace tacit::gnn
