#include "mpc/functions/normalise.h"

#include <cmath>

#include "mpc/protocols/add_public.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"

namespace tacit::mpc {

namespace {

Format shown_format(int fraction_bits, Octaves octaves) { return {fraction_bits + octaves.highest + 3, fraction_bits}; }

std::vector<Comparison> comparisons(const Shown& shown, Octaves octaves) {
  std::vector<Comparison> all;
  for (int j = 1; j < octaves.count(); ++j) {
    const int exponent = shown.fraction_bits() + octaves.lowest + octaves.step * j;
    all.push_back({shown, shown.ring_bits() - 1, std::int64_t{1} << exponent});
  }
  return all;
}

}  // namespace

// In step j, from 2^(lowest + step·j) on, u = x·2^(step·(last - j)) / 2^highest and 2^-w = 2^(last
// - j) / 2^(highest / step). Each bit changes the factor from the factor of the step below.
Normalised normalise(Session& session, const Share& x, Octaves octaves, int ring_bits) {
  TACIT_CHECK(octaves.count() >= 2 && x.fraction_bits() + octaves.highest >= kPositionBits);
  const int last = octaves.count() - 1, power_bits = octaves.highest / octaves.step;
  const Format format = shown_format(x.fraction_bits(), octaves);
  session.expect_between(x, std::ldexp(1.0, octaves.lowest), std::ldexp(1.0, octaves.highest), "normalisation");
  const Share narrowed = narrow(x, format.ring_bits);
  const Shown shown = show(session, narrowed);
  const std::vector<Bits> reached = non_negative(session, comparisons(shown, octaves));

  const auto u_factor = [&](int j) { return std::int64_t{1} << (octaves.step * (last - j)); };
  Share u = scale(narrowed, u_factor(0), octaves.highest);
  Share power;
  for (int j = 1; j <= last; ++j) {
    const Bits& bits = reached[static_cast<std::size_t>(j - 1)];
    const Share step = scale(indicator(session, bits, ring_bits), -(std::int64_t{1} << (last - j)), power_bits);
    power = j == 1 ? step : power + step;
    u = u + scale(select(session, bits, shown, format.ring_bits), u_factor(j) - u_factor(j - 1), octaves.highest);
  }
  const double power_below = std::ldexp(1.0, last - power_bits);
  return {drop(session, u, u.fraction_bits() - kPositionBits), add_public(session, power, power_below)};
}

}  // namespace tacit::mpc
