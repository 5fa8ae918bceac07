#include "gnn/arithmetic/roots.h"

#include <algorithm>
#include <array>

#include "mpc/functions/reciprocal.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

constexpr int kRing = 48;  // holds both

Tensor narrower(const Tensor& x, int ring) {
  return x.format().ring_bits <= ring ? x : Tensor(mpc::narrow(x.share(), ring), x.bound(), x.name());
}

// Element by element. The weights keep all their bits until the product is rounded.
Tensor weighted(Arithmetic& arithmetic, const Tensor& x, const Tensor& weights, double bound) {
  mpc::Session& session = arithmetic.session();
  const std::vector<mpc::Masked> factors =
      mpc::mask(session, std::array{arithmetic.lifted(x).share(), arithmetic.lifted(weights).share()});
  const mpc::Share exact = mpc::product(session, factors[0], factors[1]);
  return {mpc::drop(session, exact, exact.fraction_bits() - arithmetic.top().fraction_bits), bound, x.name()};
}

}  // namespace

Tensor reciprocal(Arithmetic& arithmetic, const Tensor& x) {
  return Tensor(mpc::reciprocal(arithmetic.session(), x.share(), kRing), 1 << 9, x.name() + ", inverse");
}

Tensor inverse_root(Arithmetic& arithmetic, const Tensor& x) {
  return Tensor(mpc::inverse_square_root(arithmetic.session(), x.share(), kRing), 1 << 5, x.name() + ", inverse root");
}

// The products are rounded first and multiplied by zeros and ones afterwards, because rounding a share of zero adds
// noise. Each is rounded on its own, so that the errors of a row do not add up.
Tensor products_of_pairs(Arithmetic& arithmetic, const Places& places, const Tensor& rows, const Tensor& columns,
                         double bound, const std::string& name) {
  constexpr int kWholeBits = 10;  // the range watch compares those above the bound
  const int ring = std::min(rows.format().ring_bits, columns.format().ring_bits);
  Tensor pairs = arithmetic.matmul({narrower(rows, ring), narrower(columns, ring), bound, name});
  if (places.weights) pairs = weighted(arithmetic, pairs, *places.weights, bound);
  const int narrow = arithmetic.top().fraction_bits + kWholeBits;
  const std::vector<mpc::Masked> factors = mpc::mask(
      arithmetic.session(), std::array{mpc::narrow(places.at.share(), narrow), mpc::narrow(pairs.share(), narrow)});
  const mpc::Share entries = mpc::product(arithmetic.session(), factors[0], factors[1]);
  return arithmetic.refreshed(Tensor(entries, bound, name));
}

}  // namespace tacit::gnn
