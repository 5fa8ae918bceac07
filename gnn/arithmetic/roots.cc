#include "gnn/arithmetic/roots.h"

#include <algorithm>
#include <array>
#include <functional>

#include "mpc/functions/reciprocal.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

constexpr int kRing = 48;        // holds both
constexpr int kRingOfRoot = 49;  // the widest of an inverse root
constexpr int kWholeShift = 8;   // whole numbers are divided by 2^8, so that they reach 2^20 and not 2^12
constexpr double kMostOfWhole = 1.01;

Tensor narrower(const Tensor& x, int ring) {
  return x.format().ring_bits <= ring ? x : Tensor(mpc::narrow(x.share(), ring), x.bound(), x.name());
}

// In a ring of a word. One round.
mpc::Share in_words(mpc::Session& session, const Tensor& x) {
  return mpc::lift(session, mpc::show(session, x.share()), mpc::kWordBits);
}

// For the rows begin … end - 1: the products of each row's number and each column's.
using Pairs = std::function<mpc::Share(std::int64_t begin, std::int64_t end)>;

Pairs rounded_pairs(Arithmetic& arithmetic, const Tensor& rows, const Tensor& columns, double bound,
                    const std::string& name) {
  const int ring = std::min(rows.format().ring_bits, columns.format().ring_bits);
  const Tensor all = narrower(rows, ring), each = narrower(columns, ring);
  return [&arithmetic, all, each, bound, name](std::int64_t begin, std::int64_t end) {
    const Tensor some = end - begin == all.shape().rows ? all : all.part(begin, end);
    return arithmetic.matmul({some, each, bound, name}).share();
  };
}

// Pairs that are weighted later. A weight of a thousand would enlarge the error of a rounded pair a thousand times, so a pair
// keeps kPairBits fraction bits until then.
Pairs finer_pairs(Arithmetic& arithmetic, const Tensor& rows, const Tensor& columns) {
  constexpr int kPairBits = 24;
  mpc::Session& session = arithmetic.session();
  const mpc::Share row = in_words(session, rows);
  if (columns.format().fraction_bits == 0) {  // ones
    const mpc::Share pair = mpc::drop(session, row, row.fraction_bits() - kPairBits);
    return [pair, count = columns.shape().cols](std::int64_t begin, std::int64_t end) {
      return mpc::repeat_cols(mpc::rows(pair, begin, end), count);
    };
  }
  return [&session, all = mpc::mask(session, row)](std::int64_t begin, std::int64_t end) {
    const mpc::Share exact = mpc::matmul(session, all.rows(begin, end), all.transposed());
    return mpc::drop(session, exact, exact.fraction_bits() - kPairBits);
  };
}

// |result| < 2^8.
mpc::Share weighted(Arithmetic& arithmetic, const mpc::Share& pairs, const mpc::Share& weights) {
  constexpr int kProductRing = 50;
  mpc::Session& session = arithmetic.session();
  const std::vector<mpc::Masked> factors =
      mpc::mask(session, std::array{mpc::narrow(pairs, kProductRing), mpc::narrow(weights, kProductRing)});
  const mpc::Share exact = mpc::product(session, factors[0], factors[1]);
  return mpc::drop(session, exact, exact.fraction_bits() - arithmetic.top().fraction_bits);
}

// The products are rounded first and multiplied by zeros and ones afterwards, because rounding a share of zero adds
// noise. Each is rounded on its own, so that the errors of a row do not add up.
mpc::Share with_zeros(Arithmetic& arithmetic, const mpc::Share& places, const mpc::Share& pairs) {
  constexpr int kWholeBits = 10;  // the range watch compares those above the bound
  const int ring = arithmetic.top().fraction_bits + kWholeBits;
  const std::vector<mpc::Masked> factors =
      mpc::mask(arithmetic.session(), std::array{mpc::narrow(places, ring), mpc::narrow(pairs, ring)});
  return mpc::product(arithmetic.session(), factors[0], factors[1]);
}

}  // namespace

Tensor reciprocal(Arithmetic& arithmetic, const Tensor& x) {
  return Tensor(mpc::reciprocal(arithmetic.session(), x.share(), kRing), 1 << 9, x.name() + ", inverse");
}

Tensor inverse_root(Arithmetic& arithmetic, const Tensor& x) {
  return Tensor(mpc::inverse_square_root(arithmetic.session(), x.share(), kRing), 1 << 5, x.name() + ", inverse root");
}

Tensor reciprocal_of_whole(Arithmetic& arithmetic, const Tensor& x) {
  const mpc::Share inverse = mpc::reciprocal(arithmetic.session(), mpc::scale(x.share(), 1, kWholeShift), kRing);
  return Tensor(mpc::scale(inverse, 1, kWholeShift), kMostOfWhole, x.name() + ", inverse");
}

// A product of two roots keeps ten whole bits in the ring of the roots, because they have no more than 16 fraction bits.
Tensor inverse_root_of_whole(Arithmetic& arithmetic, const Tensor& x) {
  constexpr int kRootOfWholeBits = 16;
  mpc::Session& session = arithmetic.session();
  const mpc::Share inverse = mpc::inverse_square_root(session, mpc::scale(x.share(), 1, kWholeShift), kRingOfRoot);
  const mpc::Share root = mpc::scale(inverse, 1, kWholeShift / 2);
  return Tensor(mpc::drop(session, root, root.fraction_bits() - kRootOfWholeBits), kMostOfWhole,
                x.name() + ", inverse root");
}

// A block of rows needs about fifteen words an element while it is computed, and three later.
Tensor products_of_pairs(Arithmetic& arithmetic, const Places& places, const Tensor& rows, const Tensor& columns,
                         double bound, const std::string& name, std::int64_t at_once) {
  const Pairs pairs =
      places.weights ? finer_pairs(arithmetic, rows, columns) : rounded_pairs(arithmetic, rows, columns, bound, name);
  const std::int64_t all = rows.shape().rows;
  const std::int64_t height = std::max<std::int64_t>(1, at_once / columns.shape().cols);
  const auto entries = [&](std::int64_t begin, std::int64_t end) {
    const auto of_block = [&](const Tensor& x) {
      return end - begin == all ? x.share() : mpc::rows(x.share(), begin, end);
    };
    mpc::Share block = pairs(begin, end);
    if (places.weights) block = weighted(arithmetic, block, of_block(*places.weights));
    return arithmetic.refreshed(Tensor(with_zeros(arithmetic, of_block(places.at), block), bound, name));
  };
  if (height >= all) return entries(0, all);
  std::vector<mpc::Share> blocks;  // no opened forms, which would take most of the memory
  for (std::int64_t begin = 0; begin < all; begin += height) {
    blocks.push_back(entries(begin, std::min(begin + height, all)).share());
  }
  return {mpc::stacked(blocks), bound, name};
}

Tensor in_top_ring(Arithmetic& arithmetic, const Tensor& x) { return narrower(x, arithmetic.top().ring_bits); }

}  // namespace tacit::gnn
