#include "mpc/functions/selected_outer.h"

#include <array>

#include "mpc/protocols/lifted_product.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"

namespace tacit::mpc {

SelectedOuter selected_outer(Session& session, const Bits& bits, const Share& column, const Masked& row, int row_ring,
                             int ring_bits) {
  TACIT_CHECK(bits.shape() == (Shape{column.shape().rows, row.shape().cols}));
  const Share chosen = select(session, bits, shown_rows(row, column.shape().rows, row_ring), row_ring);
  const std::vector<Shown> shown = show(session, std::array{column, chosen});
  return {lifted_product(session, shown[0], shown[1], ring_bits), shown[0]};
}

}  // namespace tacit::mpc
