#include "gnn/arithmetic/scaled_rows.h"

#include "mpc/protocols/drop.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

mpc::Share scaled(Arithmetic& arithmetic, const mpc::Share& rows, const mpc::Share& factors) {
  mpc::Session& session = arithmetic.session();
  const mpc::Share column = mpc::transposed(factors);
  const std::vector<mpc::Share> operands{rows, column};
  const std::vector<mpc::Masked> masked = mpc::mask(session, operands);
  const mpc::Share product = mpc::product(session, masked[0], mpc::repeat_cols(masked[1], rows.shape().cols));
  return mpc::drop(session, product, product.fraction_bits() - arithmetic.top().fraction_bits);
}

}  // namespace

Tensor scaled_rows(Arithmetic& arithmetic, const Tensor& x, const Tensor& factors, double bound,
                   const std::string& name) {
  return arithmetic.lifted(Tensor(scaled(arithmetic, arithmetic.lifted(x).share(), factors.share()), bound, name));
}

Tensor scaled_columns(Arithmetic& arithmetic, const Tensor& x, const Tensor& factors, double bound,
                      const std::string& name) {
  const mpc::Share rows = mpc::transposed(arithmetic.lifted(x).share());
  return arithmetic.lifted(Tensor(mpc::transposed(scaled(arithmetic, rows, factors.share())), bound, name));
}

}  // namespace tacit::gnn
