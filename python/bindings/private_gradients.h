// PrivateGradients — one rank's part of a private sum of gradients: clipped to a length, in whole units, with the rank's own
// noise.
//
// The unit of privacy is a rank: in each step, the gradient of all parameters together is scaled down to the length
// `clip`. Compared with a rank that adds zeros, a rank that takes part moves the sum by `clip` at most. The noise of
// all ranks together has a deviation of noise · clip.
//
// Whole units  The clipped gradient is rounded to units of 2^-fraction_bits, toward zero if it would become longer than
//              `clip`. Each rank adds a discrete Gaussian to every unit (mpc/random/discrete_gaussian.h), so no rounding
//              follows the noise, and a sum of whole numbers is exact (mpc/protocols/noise.h, kParties with t = 0)
// Randomness   NoisePool, from a seed of the operating system's generator. No other rank and no program determines it
// Without overlap  The length is known when the last gradient is there, so nothing leaves before finish()
// Memory       8 bytes a gradient, and 16 for noise that is drawn ahead
// Errors       ConfigError for settings that the words of a sum cannot hold, and for gradients that are no numbers
// Thread       one at a time; noise is drawn by a thread of its own until end()
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mpc/protocols/noise.h"
#include "mpc/random/noise_pool.h"

namespace tacit::python {

struct PrivacyOfRank {
  double clip = 0;
  double noise = 0;  // deviation of the sum's noise, divided by clip; 0: clipping alone
  int fraction_bits = 22;
};

class PrivateGradients {
 public:
  PrivateGradients(std::vector<std::int64_t> sizes, PrivacyOfRank privacy, int parties);

  // Keeps a copy. Every parameter once in a step.
  void ready(std::size_t parameter, std::span<const float> gradient);
  // The rank's part of the sum, by parameter, valid until the next ready(). Counts a step.
  const std::vector<std::vector<std::int32_t>>& part();

  // Ends the thread that draws noise. The account stays.
  void end() { pool_.reset(); }

  std::int64_t steps() const { return steps_; }
  // The noise that `colluding` ranks do not know, divided by the clip.
  double noise_left(int colluding) const;
  // Mechanism::grid of a step (gnn/privacy/mechanism.h).
  double grid() const;

 private:
  void clip();
  void add_noise();
  template <typename Rounded>
  void for_all(const Rounded& rounded);  // units from gradients
  bool is_within_clip() const;

  const PrivacyOfRank privacy_;
  const int parties_;
  const std::int64_t clip_units_;  // the clip, rounded down
  std::int64_t elements_ = 0;
  std::vector<std::vector<float>> gradients_;
  std::vector<bool> given_;
  std::vector<std::vector<std::int32_t>> units_;
  mpc::NoiseParts noise_;
  std::int64_t steps_ = 0;
  std::unique_ptr<mpc::NoisePool> pool_;
};

}  // namespace tacit::python
