#include "gnn/arithmetic/roots.h"

#include <algorithm>
#include <array>

#include "mpc/functions/reciprocal.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

constexpr int kRing = 48;  // holds both

Tensor narrower(const Tensor& x, int ring) {
  return x.format().ring_bits <= ring ? x : Tensor(mpc::narrow(x.share(), ring), x.bound(), x.name());
}

// In a ring of a word. One round.
mpc::Share in_words(mpc::Session& session, const Tensor& x) {
  return mpc::lift(session, mpc::show(session, x.share()), mpc::kWordBits);
}

// rows · columns · weights. A weight of a thousand would enlarge the error of a rounded pair as much, so that a pair has
// kPairBits fraction bits until it is weighted. |result| < 2^8.
Tensor weighted_pairs(Arithmetic& arithmetic, const Tensor& weights, const Tensor& rows, const Tensor& columns,
                      double bound, const std::string& name) {
  constexpr int kPairBits = 24, kProductRing = 50;
  mpc::Session& session = arithmetic.session();
  const mpc::Share row = in_words(session, rows);
  mpc::Share pairs = row;
  if (columns.format().fraction_bits == 0) {  // ones
    pairs = mpc::repeat_cols(mpc::drop(session, row, row.fraction_bits() - kPairBits), columns.shape().cols);
  } else {
    const mpc::Masked masked = mpc::mask(session, row);
    const mpc::Share exact = mpc::matmul(session, masked, masked.transposed());
    pairs = mpc::drop(session, exact, exact.fraction_bits() - kPairBits);
  }
  const std::vector<mpc::Masked> factors =
      mpc::mask(session, std::array{mpc::narrow(pairs, kProductRing), mpc::narrow(weights.share(), kProductRing)});
  const mpc::Share exact = mpc::product(session, factors[0], factors[1]);
  return {mpc::drop(session, exact, exact.fraction_bits() - arithmetic.top().fraction_bits), bound, name};
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
  const Tensor pairs = places.weights ? weighted_pairs(arithmetic, *places.weights, rows, columns, bound, name)
                                      : arithmetic.matmul({narrower(rows, ring), narrower(columns, ring), bound, name});
  const int narrow = arithmetic.top().fraction_bits + kWholeBits;
  const std::vector<mpc::Masked> factors = mpc::mask(
      arithmetic.session(), std::array{mpc::narrow(places.at.share(), narrow), mpc::narrow(pairs.share(), narrow)});
  const mpc::Share entries = mpc::product(arithmetic.session(), factors[0], factors[1]);
  return arithmetic.refreshed(Tensor(entries, bound, name));
}

Tensor in_top_ring(Arithmetic& arithmetic, const Tensor& x) { return narrower(x, arithmetic.top().ring_bits); }

}  // namespace tacit::gnn
