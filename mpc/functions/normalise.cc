#include "mpc/functions/normalise.h"

#include <cmath>

#include "mpc/functions/unheld.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"

namespace tacit::mpc {

namespace {

Format shown_format(int fraction_bits, Octaves octaves) { return {fraction_bits + octaves.highest + 3, fraction_bits}; }

std::vector<Session::Comparison> comparisons(const Shown& shown, Octaves octaves) {
  std::vector<Session::Comparison> all;
  for (int j = 1; j < octaves.count(); ++j) {
    const int exponent = shown.fraction_bits() + octaves.lowest + octaves.step * j;
    all.push_back({shown, shown.ring_bits() - 1, std::int64_t{1} << exponent});
  }
  return all;
}

}  // namespace

// In step j, from 2^(lowest + step·j) on, u = x·2^(step·(last - j)) / 2^highest and 2^-w = 2^(last - j) / 2^(highest /
// step): each bit changes the factor from that of the step below.
Normalised normalise(Session& session, const Share& x, Octaves octaves, int ring_bits) {
  TACIT_CHECK(octaves.count() >= 2 && x.fraction_bits() + octaves.highest >= kPositionBits);
  const int last = octaves.count() - 1, power_bits = octaves.highest / octaves.step;
  const Format format = shown_format(x.fraction_bits(), octaves);
  session.expect_between(x, std::ldexp(1.0, octaves.lowest), std::ldexp(1.0, octaves.highest), "normalisation");
  const Share narrowed = narrow(x, format.ring_bits);
  const Shown shown = session.show(narrowed);
  const std::vector<Bits> reached = session.non_negative(comparisons(shown, octaves));

  const auto u_factor = [&](int j) { return std::int64_t{1} << (octaves.step * (last - j)); };
  Share u = scale(narrowed, u_factor(0), octaves.highest);
  Share power;
  for (int j = 1; j <= last; ++j) {
    const Bits& bits = reached[static_cast<std::size_t>(j - 1)];
    const Share step = scale(session.indicator(bits, ring_bits), -(std::int64_t{1} << (last - j)), power_bits);
    power = j == 1 ? step : power + step;
    u = u + scale(session.select(bits, shown, format.ring_bits), u_factor(j) - u_factor(j - 1), octaves.highest);
  }
  const double power_below = std::ldexp(1.0, last - power_bits);
  return {session.drop(u, u.fraction_bits() - kPositionBits), session.add_public(power, power_below)};
}

Cost normalise_cost(const Spec& x, Octaves octaves, int ring_bits, const CostSetting& setting) {
  const Spec shown(x.shape, shown_format(x.format.fraction_bits, octaves));
  Cost cost =
      show_cost(std::span(&shown, 1), setting) + non_negative_cost(comparisons(unheld_shown(shown), octaves), setting);
  const net::WordShape selected = word_shape(x.shape, shown.format.ring_bits);
  for (int j = 1; j < octaves.count(); ++j) {
    cost += indicator_cost(unheld_bits(x.shape), ring_bits, setting) + dealing_cost(std::span(&selected, 1));
  }
  return cost;
}

}  // namespace tacit::mpc
