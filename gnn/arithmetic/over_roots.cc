#include "gnn/arithmetic/over_roots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "gnn/arithmetic/rearranged.h"
#include "mpc/functions/reciprocal.h"
#include "mpc/protocols/add_public.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

// The root has 19 fraction bits and x has f + 9, so a ring of 47 bits has no room for large quotients. Quotients are halved
// until they fit, which leaves x fewer fraction bits; and up to twice more, so that a parameter can take a step without a
// lift.
struct Halved {
  mpc::Share row;
  int halvings = 0;
};

constexpr int kRootRing = 47;  // the widest of an inverse root up to 2^20

// For a product by a root. A small factor gains many fraction bits, which rounding takes from the ring.
mpc::Share row_with_room(Arithmetic& arithmetic, std::span<const Tensor> tensors) {
  Tensors narrow;
  std::copy_if(tensors.begin(), tensors.end(), std::back_inserter(narrow),
               [](const Tensor& one) { return one.format().ring_bits < kRootRing; });
  arithmetic.lifted(narrow);
  return in_one_row(tensors).share();
}

Halved numerators(Arithmetic& arithmetic, const Multiples& x, double bound) {
  const int fraction = arithmetic.format_of(Precision::kMaster).fraction_bits;
  const int of_product = mpc::kInverseSquareRootFractionBits + arithmetic.format_of(Precision::kStep).fraction_bits;
  const auto missing = [&](double most) {
    return mpc::room_for(fraction, most) - (kRootRing - (of_product - fraction));
  };
  constexpr int kForParameters = 2;
  const int halvings = std::max({missing(bound), std::min(missing(arithmetic.ranges().weights), kForParameters), 0});
  const Tensors above = arithmetic.scaled(x.tensors, std::ldexp(x.factor, -halvings),
                                          {.most = std::ldexp(x.most, -halvings), .precision = Precision::kStep});
  return {row_with_room(arithmetic, above), halvings};
}

}  // namespace

OverRoots over_roots(Arithmetic& arithmetic, const Multiples& x, const Multiples& y, double least, double bound,
                     std::span<const Tensor> more) {
  mpc::Session& session = arithmetic.session();
  const int fraction = arithmetic.format_of(Precision::kMaster).fraction_bits;
  Halved above;
  if (x.factor != 0) above = numerators(arithmetic, x, bound);
  const Tensors below = arithmetic.scaled(y.tensors, y.factor, {.most = y.most, .precision = Precision::kValue});
  const mpc::Share shifted = mpc::add_public(session, in_one_row(below).share(), least, "the square of epsilon");
  OverRoots found;
  found.inverse_roots = mpc::inverse_square_root(session, shifted, kRootRing, mpc::kHighestOctaveOfWideRoot);
  std::vector<mpc::Share> to_mask{found.inverse_roots};
  if (x.factor != 0) to_mask.push_back(above.row);
  if (!more.empty()) to_mask.push_back(row_with_room(arithmetic, more));
  const std::vector<mpc::Masked> masked = mpc::mask(session, to_mask);
  if (!more.empty()) found.more = mpc::product(session, masked.front(), masked.back());
  if (x.factor == 0) return found;
  const mpc::Share exact = mpc::scale(mpc::product(session, masked[0], masked[1]), 1, -above.halvings);
  const mpc::Share all = mpc::drop(session, exact, exact.fraction_bits() - fraction);
  found.results = shaped_like(x.tensors, Tensor(all, bound, "step"));
  return found;
}

Tensors over_roots(Arithmetic& arithmetic, const Multiples& x, const Multiples& y, double least, double bound) {
  return over_roots(arithmetic, x, y, least, bound, {}).results;
}

}  // namespace tacit::gnn
