// noise — add_noise adds discrete Gaussian noise: [x + z] from [x], z in units of x's last fraction bit.
//
// z = d + z_1 + … + z_n. The dealer draws d and deals its shares. Each party draws z_i from its own randomness and
// adds it to its share. An observer can subtract the parts that it knows; the variance of the others protects x.
// For sigma s and n parties, if up to t parties pool their knowledge:
//
//              variance dealt   of each party   left to: outsiders          the dealer         t parties
//   kDealt     s²               0               s²                          0                  s²
//   kParties   0                s²/(n-t)        n·s²/(n-t)                  n·s²/(n-t)         s²
//   kBoth      s²·t/n           s²/n            s²·(1 + t/n)                s²                 s²
//
// An outsider sees only revealed values; the dealer sees a result that is revealed to it, and kDealt protects nothing
// against this dealer. A dealer together with a party is not considered: the two learn everything that was ever masked.
//
// Requires    |x + z| < 2^(k-1) units. The noise must be on the grid of x: bits are dropped only afterwards, since a
//             rounding before could move x by more than the noise hides
// Reveals     nothing
// Rounds      0
// Sends       nothing
// Consumes    k bits an element are dealt; 0 for kParties, and for a single party. Own randomness of each rank
// Secure      against n-1 passive parties: shares of d are uniform except for their sum. No seed that two ranks share
//             enters z_i, and the job does not either: another session of the same job has other noise. All values that
//             are opened later are private against each observer with the variance above, counted by the caller
// Papers      Canonne, Kamath, Steinke, NeurIPS 2020 (the draw: random/discrete_gaussian.h). Dwork, Kenthapadi,
//             McSherry, Mironov, Naor, EUROCRYPT 2006 (noise from several parties; here each adds its own without a
//             proof of its size, against parties that follow the program)
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

enum class NoiseFrom : unsigned char { kDealt, kParties, kBoth };

struct Noise {
  std::int64_t sigma = 1;  // in units; 1 … DiscreteGaussian::kMostSigma
  NoiseFrom from = NoiseFrom::kBoth;
  int colluding = -1;  // t: parties that pool their knowledge; -1: all but one
};

// The parts, as sigmas in units, rounded up. `left` is the sigma of the parts that an observer does not know.
struct NoiseParts {
  std::int64_t dealt = 0;
  std::int64_t each = 0;  // of each party

  struct Left {
    double outsiders = 0, dealer = 0, colluding = 0;
  };
  Left left(int parties, int colluding) const;
};

// Throws ConfigError unless 0 <= t < parties.
NoiseParts noise_parts(const Noise& noise, int parties);
// The largest magnitude of z, in units.
double largest_noise(const Noise& noise, int parties);

// In the clear session, z has the variance that outsiders face.
Share add_noise(Session& session, const Share& x, const Noise& noise);

}  // namespace tacit::mpc
