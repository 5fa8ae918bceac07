#include "mpc/functions/sigmoid.h"

#include <cmath>

#include "mpc/protocols/look_up.h"
#include "mpc/protocols/mask.h"
#include "mpc/session/local.h"

namespace tacit::mpc {

namespace {

constexpr int kDegree = 5;
constexpr int kWholeBits = 4;
constexpr double kSmallest = -16, kLargest = 14;  // 16 cells, 2 wide, but for the last
constexpr CellTable::Precision kPrecision{14, 16};
constexpr int kTableBits = kPrecision.weight_bits + kPrecision.entry_bits;

int domain_bits(int fraction_bits) { return fraction_bits + kWholeBits + 1; }

CellTable table_of(int fraction_bits) {
  const CellTable::Cells cells{{domain_bits(fraction_bits), fraction_bits}, kWholeBits};
  return CellTable::polynomial(cells, {kSmallest, kLargest}, kDegree, kPrecision,
                               [](double x) { return 1 / (1 + std::exp(-x)); });
}

int wide(Format result) { return result.ring_bits + kTableBits - result.fraction_bits; }

}  // namespace

Share sigmoid(Session& session, const Share& x, Format result) {
  session.expect_between(x, kSmallest, kLargest, "sigmoid");
  const Masked masked = session.mask(narrow(x, domain_bits(x.fraction_bits())));
  const Share found = session.look_up(masked, table_of(x.fraction_bits()), wide(result)).front();
  return session.drop(found, kTableBits - result.fraction_bits);
}

Cost sigmoid_cost(const Spec& x, Format result, const CostSetting& setting) {
  const int f = x.format.fraction_bits;
  const Spec masked(x.shape, {domain_bits(f), f});
  return mask_cost(std::span(&masked, 1), setting) + look_up_cost(masked, table_of(f), wide(result), {}, setting);
}

}  // namespace tacit::mpc
