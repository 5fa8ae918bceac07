// lifted_multiple — a shown value times a public factor, rounded, in a wider ring: a lift (ring extension), a scale and a
// drop (truncation) in one. The drop would take as many bits from the ring as from the value; here the ring stays whole.
//
// With C = M - 2^(k-2), rho = r mod 2^k, and m and sigma the bits k-1 of M and r, the lift (lift.h) is
// x = C - rho + 2^k (1 - m) sigma. Let c = a / 2^e be the factor in units of the result, and R(v) the whole number next
// to v. Then
//
//   R(c·C) - R(c·rho) + (1 - m) a 2^(k-e) sigma  =  c·x + e_C - e_rho,   e_v = R(v) - v
//
// C is public. The dealer knows rho, and shares R(c·rho) and sigma.
//
// Requires    |x| < 2^(k-2) units, as show does; 0 <= e <= k; |c·x| < 2^(K-1) units of the result
// Error       below one unit of the result, with mean 0: e_C and e_rho have the same mean, since C and rho are uniform
//             for every x. Without a dealer, below (n+1)/2 units (made/lifted_multiple.h)
// Reveals     nothing
// Rounds      0
// Sends       nothing
// Consumes    shares of R(c·rho) and of sigma in Z_2^K: 2K dealt bits an element, for any factor
// Secure      against n-1 passive parties: local except for dealt shares, which are uniform except for their sums; the
//             dealer must not collude
// Papers      as lift; the dealer rounds a multiple of the mask, as in a truncation with a dealt pair of masks
#pragma once

#include "mpc/session/session.h"

namespace tacit::mpc {

// mantissa / 2^shift
struct PublicFactor {
  std::int64_t mantissa = 1;
  int shift = 0;
};

// The whole number next to (word - offset)·factor, as a word; a half goes up.
inline std::uint64_t rounded_multiple(std::uint64_t word, std::uint64_t offset, const PublicFactor& factor) {
  __extension__ using Wide = __int128;
  const Wide exact = (static_cast<Wide>(word) - static_cast<Wide>(offset)) * factor.mantissa;
  const Wide half = factor.shift == 0 ? 0 : Wide{1} << (factor.shift - 1);
  return static_cast<std::uint64_t>((exact + half) >> factor.shift);
}

// The result has the format `result`, with at least the ring bits of x.
Share lifted_multiple(Session& session, const Shown& x, const PublicFactor& factor, Format result);

}  // namespace tacit::mpc
