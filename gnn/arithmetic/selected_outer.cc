// Arithmetic::select() of a product that is not computed.
#include "mpc/functions/selected_outer.h"

#include <algorithm>

#include "gnn/arithmetic/arithmetic.h"
#include "mpc/protocols/drop.h"

namespace tacit::gnn {

namespace {

// The chosen elements of a row are opened in a ring in which they are exact up to three times their range. The range watch finds
// every value beyond (mpc/levels/range_audit.h).
int ring_of_chosen(const Tensor& row) {
  constexpr int kThreeTimes = 2;
  const int fraction = row.format().fraction_bits;
  return std::max(mpc::room_for(fraction, row.bound()), mpc::RangeAudit::ring_of(fraction, row.bound()) + kThreeTimes);
}

}  // namespace

// Both factors are watched, and the result is no larger than their product, so it is not watched again.
std::optional<Tensor> Arithmetic::select(const mpc::Bits& bits, const Product& outer, double product_bound) {
  const Tensor &column = outer.left, &row = outer.right;
  const double bound = column.bound() * row.bound();
  const int fraction = column.format().fraction_bits + row.format().fraction_bits;
  const int drop = std::max(fraction - top().fraction_bits, 0);
  const int room = std::min(mpc::room_for(2 * top().fraction_bits, product_bound), top().ring_bits);
  const int ring = drop + std::max(room, mpc::room_for(fraction - drop, bound)), row_ring = ring_of_chosen(row);
  if (ring > top().ring_bits || mpc::room_for(fraction, bound) > ring) return std::nullopt;
  if (column.format().ring_bits >= ring || row_ring >= ring || row_ring > row.format().ring_bits) return std::nullopt;
  mask(std::span(&row, 1));
  Tensors waiting;
  const std::vector<mpc::Share> others = take_to_show(waiting);
  const mpc::SelectedOuter chosen =
      mpc::selected_outer(session_, bits, column.share(), masked(row), row_ring, ring, others);
  note_shown(waiting, chosen.others);
  column.forms_->shown = chosen.column;
  watch_shown(column);
  return Tensor(mpc::drop(session_, chosen.product, drop), bound, outer.name).certain();
}

}  // namespace tacit::gnn
