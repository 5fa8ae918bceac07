#include "mpc/functions/selected_outer.h"

#include "mpc/protocols/lifted_product.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"

namespace tacit::mpc {

SelectedOuter selected_outer(Session& session, const Bits& bits, const Share& column, const Masked& row, int row_ring,
                             int ring_bits, std::span<const Share> others) {
  TACIT_CHECK(bits.shape() == (Shape{column.shape().rows, row.shape().cols}));
  const Share chosen = select(session, bits, shown_rows(row, column.shape().rows, row_ring), row_ring);
  std::vector<Share> all{column, chosen};
  all.insert(all.end(), others.begin(), others.end());
  const std::vector<Shown> shown = show(session, all);
  return {lifted_product(session, shown[0], shown[1], ring_bits), shown[0], {shown.begin() + 2, shown.end()}};
}

}  // namespace tacit::mpc
