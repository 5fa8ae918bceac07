#include "mpc/functions/reciprocal.h"

#include <array>
#include <cmath>

#include "mpc/functions/normalise.h"
#include "mpc/protocols/add_public.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/look_up.h"
#include "mpc/protocols/mask.h"
#include "mpc/session/local.h"
#include "net/error.h"

namespace tacit::mpc {

namespace {

// u - centre is looked up in a ring of kPositionBits bits. A table with cells of width L covers
// -1/2 … 1/2 - L. The centre leaves room on either side for u's rounding.
constexpr Format kDomain{kPositionBits, kPositionBits};
constexpr double kReciprocalRoom = 1.0 / 64;

struct Root {
  Octaves octaves;
  double centre;
  int cell_bits;
  int degree;
  double (*of)(double u);
  int fraction_bits;
  CellTable::Precision precision;

  CellTable table() const {
    const double least = std::ldexp(1.0, -octaves.step);
    return CellTable::polynomial({kDomain, cell_bits}, {least - kReciprocalRoom - centre, 1 + kReciprocalRoom - centre},
                                 degree, precision, [this](double v) { return of(v + centre); });
  }
  int dropped() const {
    return precision.weight_bits + precision.entry_bits + octaves.highest / octaves.step - fraction_bits;
  }
};

// Largest relative error of the fits: 2^-12.8 for 1/u, 2^-11.4 for 1/sqrt u.
constexpr int kLowestOctave = -8;
constexpr Root kReciprocal{
    {kLowestOctave, kHighestOctave, 1}, 0.875, 2, 4, [](double u) { return 1 / u; }, kReciprocalFractionBits, {14, 14}};
constexpr Root inverse_square_root_up_to(int highest) {
  const int bits = highest > kHighestOctave ? 13 : 14;  // a wide root leaves fewer bits in a word
  return {{kLowestOctave, highest, 2},    0.6875,      3, 3, [](double u) { return 1 / std::sqrt(u); },
          kInverseSquareRootFractionBits, {bits, bits}};
}

Share taken(Session& session, const Share& x, int ring_bits, const Root& root) {
  const int wide = ring_bits + root.dropped();
  const Normalised normalised = normalise(session, x, root.octaves, wide);
  const Share u = narrow(add_public(session, normalised.u, -root.centre), kPositionBits);
  const std::vector<Masked> masked = mask(session, std::array{u, normalised.power});
  const std::vector<Share> found = look_up(session, masked[0], root.table(), wide, std::span(masked).subspan(1));
  return drop(session, found[1], root.dropped());
}

}  // namespace

Share reciprocal(Session& session, const Share& x, int ring_bits) { return taken(session, x, ring_bits, kReciprocal); }

Share inverse_square_root(Session& session, const Share& x, int ring_bits, int highest) {
  TACIT_CHECK(highest == kHighestOctave || highest == kHighestOctaveOfWideRoot);
  return taken(session, x, ring_bits, inverse_square_root_up_to(highest));
}

}  // namespace tacit::mpc
