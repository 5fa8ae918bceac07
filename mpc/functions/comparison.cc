#include "mpc/functions/comparison.h"

#include <algorithm>
#include <cmath>

#include "mpc/functions/unheld.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"

namespace tacit::mpc {

namespace {

// |a - b| < 2^(k-2) units, and the comparison uses all but the top bit.
Format difference_format(int fraction_bits, int whole_bits) { return {fraction_bits + whole_bits + 2, fraction_bits}; }

struct Difference {
  Shown shown;
  Bits not_negative;
};

Difference compared(Session& session, const Share& a, const Share& b, int whole_bits) {
  const int ring_bits = difference_format(a.fraction_bits(), whole_bits).ring_bits;
  const Share difference = a - b;
  const double most = std::ldexp(1.0, whole_bits);
  session.expect_between(difference, -most, most, "comparison of two tensors");
  const Shown shown = session.show(narrow(difference, ring_bits));
  return {shown, session.non_negative(shown, ring_bits - 1)};
}

}  // namespace

Bits at_least(Session& session, const Share& a, const Share& b, int whole_bits) {
  return compared(session, a, b, whole_bits).not_negative;
}

Cost at_least_cost(const Spec& a, int whole_bits, const CostSetting& setting) {
  const Spec shown(a.shape, difference_format(a.format.fraction_bits, whole_bits));
  const Session::Comparison comparison{unheld_shown(shown), shown.format.ring_bits - 1};
  return show_cost(std::span(&shown, 1), setting) + non_negative_cost(std::span(&comparison, 1), setting);
}

Share greater_of(Session& session, const Share& a, const Share& b, int whole_bits) {
  const Difference difference = compared(session, a, b, whole_bits);
  return b + session.select(difference.not_negative, difference.shown, std::min(a.ring_bits(), b.ring_bits()));
}

Cost greater_of_cost(const Spec& a, const Spec& b, int whole_bits, const CostSetting& setting) {
  const Spec shown(a.shape, difference_format(a.format.fraction_bits, whole_bits));
  const int ring_bits = std::min(a.format.ring_bits, b.format.ring_bits);
  return at_least_cost(a, whole_bits, setting) + select_cost(unheld_bits(a.shape), shown, ring_bits, setting);
}

}  // namespace tacit::mpc
