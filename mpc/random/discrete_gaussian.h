// DiscreteGaussian — exact draws from the discrete Gaussian: a whole number x with a probability proportional to
// e^(-x² / 2 sigma²), for |x| <= 12 sigma.
//
// Only whole numbers of at most 128 bits are computed, so no rounding of floating-point numbers weakens a privacy bound
// (Mironov, CCS 2012).
//
//   bernoulli(e^(-a/b))   Draw whole numbers below b, 2b, 3b, … until one is a or more. The number of draws is odd with
//                         probability e^(-a/b), for a <= b. A larger a takes factors of e^-1 first.
//   discrete Laplace      x = u + t·v: u uniform below t, accepted with e^(-u/t), v geometric with e^-1; and a sign.
//   discrete Gaussian     Accept x with probability e^(-(|x| - sigma²/t)² / 2 sigma²).
//
// The truncation moves a probability of 4e-33. The sum of n draws is a discrete Gaussian up to a factor of
// 1 ± 10n·e^(-pi² sigma²) in each probability (Kairouz, Liu, Steinke, ICML 2021, theorem 9).
//
// Error       none, except for the truncation
// Time        depends on the number drawn. Draw ahead (noise_pool.h): the time of a block says next to nothing about
//             one number
// Papers      Canonne, Kamath, Steinke, The Discrete Gaussian for Differential Privacy, NeurIPS 2020, algorithms 1 to 3
//             (here sigma² is a whole number, and numbers beyond 12 sigma are drawn again)
#pragma once

#include "mpc/random/uniform_words.h"

namespace tacit::mpc {

class DiscreteGaussian {
 public:
  static constexpr std::int64_t kMostSigma = std::int64_t{1} << 52;
  static constexpr std::int64_t kMostVariance = std::int64_t{1} << 50;
  static constexpr std::int64_t kCut = 12;  // times sigma

  static DiscreteGaussian of_sigma(std::int64_t sigma);        // 1 … kMostSigma
  static DiscreteGaussian of_variance(std::int64_t variance);  // 1 … kMostVariance: sigma need not be whole

  std::int64_t draw(UniformWords& random) const;
  // The largest magnitude of a draw.
  std::int64_t most() const { return most_; }

 private:
  DiscreteGaussian(std::int64_t width, std::int64_t most, DoubleWord factor, DoubleWord centre, DoubleWord divisor)
      : width_(width), most_(most), factor_(factor), centre_(centre), divisor_(divisor) {}

  std::int64_t width_;  // t
  std::int64_t most_;
  // Accept with e^(-(factor·|x| - centre)² / divisor).
  DoubleWord factor_, centre_, divisor_;
};

}  // namespace tacit::mpc
