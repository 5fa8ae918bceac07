// PictureBatches — the pictures of each training step of each rank: shuffled, shared out without overlap, and augmented.
//
// A seed shuffles all pictures in each epoch. A step takes the next `ranks` x `batch` pictures, and each rank takes `batch`
// pictures in a row. If fewer are left for the last step of an epoch, all ranks have equally many, and at most
// ranks-1 pictures wait for another epoch. A picture is moved by up to 4 pixels and flipped by a draw that depends on the
// seed, the epoch and the picture, never on the rank: one process that computes the parts of all ranks sees the same
// pictures.
#pragma once

#include "bench/data/pictures.h"

namespace tacit::gnn {

struct BatchesOptions {
  std::int64_t pictures = 0, batch = 64;  // `batch`: pictures of a rank in a step
  int ranks = 1;
  std::uint64_t seed = 1;
};

class PictureBatches {
 public:
  explicit PictureBatches(const BatchesOptions& options);  // ConfigError: fewer pictures than ranks, or a batch of 0

  std::int64_t steps() const { return steps_; }  // steps in an epoch
  void begin_epoch(std::int64_t epoch);          // shuffles
  std::span<const std::int64_t> of(std::int64_t step, int rank) const;

 private:
  BatchesOptions options_;
  std::int64_t steps_ = 0;
  std::vector<std::int64_t> order_;
};

// A crop of the picture with 4 black pixels on each side, flipped or not.
struct Augmentation {
  std::int64_t right = 0, down = 0;  // the crop's move, -4 … 4
  bool flip = false;
};

Augmentation augmentation_of(std::uint64_t seed, std::int64_t epoch, std::int64_t picture);

// The pixels as kPictureBytes floats of about mean 0 and deviation 1, with CIFAR-10's means and deviations.
void write_pixels(std::span<const std::uint8_t> pixels, const Augmentation& augmentation, std::span<float> out);

}  // namespace tacit::gnn
