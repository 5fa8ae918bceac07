// scaled_moments — one step of a running mean and a running mean of squares (Adam's moments), both kept in units of the root
// that divides a step. The root comes from the last step's by one step of Newton's iteration, so there is no look-up.
//
// Let s_t be the mean of squares with weights beta2^i, corrected for its beginning, plus epsilon², and let zeta = epsilon /
// sqrt(s). The state is (zeta, n, q): n = beta1·(the sum of beta1^i g_i)·zeta / epsilon, and q = s·(zeta / epsilon)², which is
// near 1. With a gradient g and kappa = (1 - beta2) / (1 - beta2^t):
//
//   y = g·zeta / epsilon, clamped to ±Y, kappa·Y² = 1       the gradient in units of the root
//   w = q + kappa·(y² + zeta² - 1)                          s_t·(zeta / epsilon)², 0 <= w <= 2
//   p = (3 - w) / 2                                         Newton's step to 1/sqrt w, never above it
//   n' = p·(n + y);  zeta <- p·zeta;  q <- w·p²;  n <- beta1·n'
//
// The quotient of the corrected moments is n'·(1 - beta1) / (1 - beta1^t). The equality q = s·(zeta / epsilon)² holds after every
// step, for any p: a coarse p makes the quotient of this step shorter by 3/8·(w-1)², and s stays right. w·p² <= 1 for 0 <= w <=
// 4, so a root is never above its true value. w is rounded coarsely before it is multiplied; the rounded parts stay in q and zeta.
//
// A gradient beyond Y roots of the step before counts as Y roots in both means: Y = 31 for beta2 = 0.999 and large t, 4 in the
// first step. Therefore w <= 2. All later steps are steps of Adam with gradients cut at Y. If w is near 2, the root is too
// small in this step and the next two or three. |n'| stays below the bound of Cauchy and Schwarz for such means in any case.
//
// Requires    |g| <= largest; epsilon² <= s; possible(): beta1² < beta2, 1 - beta2 <= 1/20; kappa <= kMostPart
// Error       of a quotient: relative 3/8·(w-1)² with |w-1| <= kappa·max(1, y²), and 2^-9. Rounding makes a relative error of s of
//             2^-9, for |g| up to 2^12 epsilon, beta2 up to 0.9999 and up to 8 parties
// Rounds      7 together with the opening of the gradients: y, two for its clamp, y again, w and n, n'
// Sends       k_g + 23 + 7 + k_y + 4m + 13 + 13 + k_n + k_n + 2 bits an element to each peer, m the groups of a comparison: 131
//             beside the gradient's k_g, by default
// Consumes    the polynomials (lifted_polynomial.h), two comparisons that ignore kIgnored bits, 4·k_n bits of selections, and
//             2·(k_n + 2) of a multiple: 105 bytes an element by default
// Reveals     nothing
#pragma once

#include <span>
#include <vector>

#include "mpc/session/session.h"

namespace tacit::mpc {

struct MomentRules {
  double beta1 = 0.9, beta2 = 0.999;
  double epsilon = 0.0625;
  double largest = 256;  // |g|

  static constexpr double kMostPart = 1.0 / 16;
  // False if the roots change too fast to be followed, or if the mean could be much larger than the root.
  bool possible() const;
  double part(std::int64_t step) const;  // kappa
  // The first step with kappa <= kMostPart, counted from 1.
  std::int64_t first_step() const;
  double largest_mean() const;  // the bound of n', by Cauchy and Schwarz

  // Formats, equal in every step, so that all steps cost the same.
  Format root() const;
  Format mean() const;
  Format rest() const;
  Format quotient() const;  // of n'
};

// The state of one tensor.
struct ScaledMoments {
  Share root;  // zeta
  Share mean;  // n
  Share rest;  // q
};

// The first state, from the inverse root of s, and from n; with at least 14 and 8 fraction bits, in rings with room for the
// formats above. No round.
ScaledMoments begin_moments(Session& session, const MomentRules& rules, const Share& inverse_root, const Share& mean);

// The shares to open beside the gradients: two for each tensor.
std::vector<Share> to_open(Session& session, std::span<const ScaledMoments> moments);

struct MovedMoments {
  std::vector<Share> gradients;  // lifted, for the range watch
  std::vector<Shown> quotients;  // n'
};

// One step of all tensors. `opened` has the shares of to_open() after show. Changes the moments.
MovedMoments move_moments(Session& session, const MomentRules& rules, std::int64_t step,
                          std::span<const Shown> gradients, std::span<const Shown> opened,
                          std::span<ScaledMoments> moments);

}  // namespace tacit::mpc
