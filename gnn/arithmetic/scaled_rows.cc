#include "gnn/arithmetic/scaled_rows.h"

#include "mpc/protocols/drop.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

mpc::Share scaled_rows(mpc::Session& session, const mpc::Share& x, const mpc::Masked& column) {
  return mpc::product(session, mpc::mask(session, x), mpc::repeat_cols(column, x.shape().cols));
}

mpc::Share scaled_rows(mpc::Session& session, const mpc::Share& x, const mpc::Share& column) {
  return scaled_rows(session, x, mpc::mask(session, column));
}

mpc::Share in_top_ring(Arithmetic& arithmetic, const mpc::Share& x, double bound) {
  const mpc::Share rounded = mpc::drop(arithmetic.session(), x, x.fraction_bits() - arithmetic.top().fraction_bits);
  return arithmetic.lifted(arithmetic.narrowed(Tensor(rounded, bound, "scaled"))).share();
}

}  // namespace tacit::gnn
