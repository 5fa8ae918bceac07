#include "mpc/functions/exponential.h"

#include "mpc/protocols/look_up.h"
#include "mpc/protocols/mask.h"
#include "mpc/session/local.h"

namespace tacit::mpc {

namespace {

constexpr ExponentialCells kCells;
constexpr int kWeightBits = 14;
constexpr int kMoreEntryBits = 7;  // a weight is up to e^4 < 2^6, an entry's error half a unit
constexpr int kDropped = kWeightBits + kMoreEntryBits;

}  // namespace

CellTable ExponentialCells::table(int fraction_bits, double shift, CellTable::Precision precision) const {
  return CellTable::exponential({{ring_bits(fraction_bits), fraction_bits}, cell_bits}, largest(), shift, precision);
}

Share exponential(Session& session, const Share& x, int largest, Format result) {
  session.expect_between(x, largest - kCells.span(), largest, "exponential");
  const int shift = kCells.largest() - largest;
  const Share narrowed = narrow(x, kCells.ring_bits(x.fraction_bits()));
  const Masked masked = session.mask(session.add_public_units(narrowed, std::int64_t{shift} << x.fraction_bits()));
  const CellTable table = kCells.table(x.fraction_bits(), -shift, {kWeightBits, result.fraction_bits + kMoreEntryBits});
  return session.drop(session.look_up(masked, table, result.ring_bits + kDropped).front(), kDropped);
}

Cost exponential_cost(const Spec& x, Format result, const CostSetting& setting) {
  const int f = x.format.fraction_bits;
  const Spec masked(x.shape, {kCells.ring_bits(f), f});
  const CellTable table = kCells.table(f, 0, {kWeightBits, 0});
  return mask_cost(std::span(&masked, 1), setting) +
         look_up_cost(masked, table, result.ring_bits + kDropped, {}, setting);
}

}  // namespace tacit::mpc
