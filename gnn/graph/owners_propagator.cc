#include "gnn/graph/owners_propagator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gnn/data/graph_data.h"
#include "mpc/functions/reciprocal.h"
#include "mpc/protocols/add_public.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/lifted_product.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/own_matrix_sum.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr int kRing = 48;        // holds a reciprocal and an inverse root
constexpr int kDegreeShift = 8;  // degrees of whole numbers are divided by 2^8, so that they reach 2^20 and not 2^12
constexpr int kBitsOfLeast = 9;  // fraction bits of a number that is as small as it can be, about
constexpr int kLeastBits = 16;   // fraction bits of a number of a small graph

int fraction_bits_for(double least) {
  return std::max(kLeastBits, kBitsOfLeast + static_cast<int>(std::ceil(-std::log2(least))));
}

// Shown with so many fraction bits that the least number is exact to 2^-10.
NodeNumbers shown(mpc::Session& session, const mpc::Share& inverse, double least, double most) {
  const mpc::Share rounded =
      mpc::drop(session, inverse, std::max(0, inverse.fraction_bits() - fraction_bits_for(least)));
  const int ring = std::min(mpc::room_for(rounded.fraction_bits(), most), rounded.ring_bits());
  return {mpc::show(session, mpc::narrow(rounded, ring)), least, most};
}

enum class Inverse { kOfDegree, kOfRoot };

// One step of Newton's method, from y that is off by 2^-9 of itself: y + y·(1 - d·y), or y + y·(1 - d·y²)/2 for a root. Then it is off by
// 2^-17 of itself, and by a unit. In a ring of a word.
mpc::Share refined(mpc::Session& session, const mpc::Share& degrees, const mpc::Share& inverse, Inverse kind,
                   double least, double most) {
  constexpr int kBitsOfRest = 20;
  constexpr double kMostRest = 1;  // the rest of a node without neighbours
  const int fraction_bits = fraction_bits_for(least);
  const mpc::Share coarse = mpc::drop(session, inverse, std::max(0, inverse.fraction_bits() - fraction_bits));
  const int ring = std::min(mpc::room_for(coarse.fraction_bits(), most), coarse.ring_bits());
  const mpc::Shown opened = mpc::show(session, mpc::narrow(coarse, ring));
  const mpc::Share y = mpc::lift(session, opened, mpc::kWordBits);
  const std::vector<mpc::Masked> masked = mpc::mask(session, std::array{y, degrees});
  const bool root = kind == Inverse::kOfRoot;
  const mpc::Share once = mpc::product(session, masked[0], root ? masked[0] : masked[1]);
  const mpc::Share one = root ? mpc::product(session, mpc::mask(session, once), masked[1]) : once;
  const mpc::Share rest = mpc::add_public(session, -one, 1);
  const mpc::Share rounded = mpc::drop(session, rest, std::max(0, rest.fraction_bits() - kBitsOfRest));
  const mpc::Share narrow = mpc::narrow(rounded, mpc::room_for(rounded.fraction_bits(), kMostRest));
  const mpc::Share step = mpc::lifted_product(session, mpc::show(session, narrow), opened, mpc::kWordBits);
  const mpc::Share scaled = mpc::scale(step, 1, root ? 1 : 0);
  return y + mpc::drop(session, scaled, scaled.fraction_bits() - y.fraction_bits());
}

bool have_weights(const Degrees& degrees) { return degrees.column.format().fraction_bits > 0; }

// Rows of one node side by side, which are one below the other in x.
Tensor rows_of_nodes(const Tensor& x, std::int64_t snapshots) {
  if (snapshots == 1) return x;
  const Shape wide{x.shape().rows / snapshots, x.shape().cols * snapshots};
  return Tensor(mpc::reshaped(x.share(), wide), x.bound(), x.name()).as_watched_as(x);
}

[[noreturn]] void refuse(const std::string& name, double bound, int needed) {
  throw ConfigError(
      fmt::format("{}: values up to {:g} along a sparse graph of several ranks need {} bits, and no ring has more than "
                  "{}; declare a smaller range, take fewer fraction bits, or hold the graph as a dense matrix "
                  "(data.adjacency = \"dense\")",
                  name, bound, needed, mpc::kWordBits));
}

// The bits that a sum of rows with this bound needs, if the rows have so many fraction bits.
int room_of_sum(std::span<const mpc::OwnMatrix> edges, int fraction_bits, double bound) {
  return mpc::room_for(fraction_bits + (edges.empty() ? 0 : edges.front().fraction_bits()), bound);
}

// Lifted into a ring that may be wider than the job's. One round.
Tensor in_wide_ring(Arithmetic& arithmetic, const Tensor& x, int ring) {
  const Tensor narrow = arithmetic.narrowed(x);
  const mpc::Shown& opened = arithmetic.shown(narrow);
  const mpc::Share wide = mpc::lift(arithmetic.session(), opened, ring);
  arithmetic.watch_lifted(narrow, opened, wide);
  return Tensor(wide, x.bound(), x.name()).as_watched_as(x);
}

}  // namespace

NodeNumbers inverse_degrees(Arithmetic& arithmetic, const Degrees& degrees) {
  mpc::Session& session = arithmetic.session();
  const mpc::Share d = degrees.column.share();
  const double least = 1 / degrees.largest, most = have_weights(degrees) ? 1 / kLeastWeight : 1;
  const int shift = have_weights(degrees) ? 0 : kDegreeShift;
  const mpc::Share inverse = mpc::scale(mpc::reciprocal(session, mpc::scale(d, 1, shift), kRing), 1, shift);
  return shown(session, refined(session, d, inverse, Inverse::kOfDegree, least, most), least, most);
}

InverseRoots inverse_roots(Arithmetic& arithmetic, const Degrees& degrees, double factor) {
  mpc::Session& session = arithmetic.session();
  const mpc::Share d = degrees.column.share();
  const double least = 1 / std::sqrt(degrees.largest);
  const mpc::Share inverse =
      mpc::scale(mpc::inverse_square_root(session, mpc::scale(d, 1, kDegreeShift), kRing), 1, kDegreeShift / 2);
  const mpc::Share roots = refined(session, d, inverse, Inverse::kOfRoot, least, 1);
  const NodeNumbers plain = shown(session, roots, least, 1);
  if (factor == 1) return {plain, plain};
  const int bits = Arithmetic::kFactorBits - 1 - std::ilogb(factor);  // the factor is exact to 2^-12 of itself
  const auto units = static_cast<std::int64_t>(std::llround(std::ldexp(factor, bits)));
  const mpc::Share wide = mpc::lift(session, plain.shown, mpc::kWordBits);
  return {plain, shown(session, mpc::scale(wide, units, bits), least * factor, 1)};
}

Tensor OwnersPropagator::forward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) {
  return gathered(arithmetic, edges_->forward, numbers_.before, numbers_.after, x, bound, name);
}

Tensor OwnersPropagator::backward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) {
  return gathered(arithmetic, edges_->backward, numbers_.after, numbers_.before, x, bound, name);
}

Tensor OwnersPropagator::gathered(Arithmetic& arithmetic, std::span<const mpc::OwnMatrix> edges, Of before, Of after,
                                  const Tensor& x, double bound, const std::string& name) const {
  const int values = arithmetic.top().fraction_bits;
  const double of_sums = after ? bound / after->least : bound;
  const int ring = std::max(arithmetic.top().ring_bits, room_of_sum(edges, values + kMoreBits, of_sums));
  const Tensor rows =
      before ? multiplied(arithmetic, *before, x, values + kMoreBits, ring, x.bound() * before->most, name) : x;
  // The inverse of a small weight enlarges the rounding of a sum.
  const int more_bits = after && after->most > 1 ? static_cast<int>(std::ceil(std::log2(after->most))) + kMoreBits : 0;
  const Tensor sum = summed(arithmetic, edges, rows, more_bits, of_sums, name);
  if (after) return multiplied(arithmetic, *after, sum, values, arithmetic.top().ring_bits, bound, name);
  return before ? arithmetic.rounded(sum, Precision::kValue) : sum;
}

// Each row is shown in the narrowest ring of its range. The product is in a ring of a word, which has bits to spare after the drop.
Tensor OwnersPropagator::multiplied(Arithmetic& arithmetic, const NodeNumbers& numbers, const Tensor& x,
                                    int fraction_bits, int most_ring, double bound, const std::string& name) const {
  mpc::Session& session = arithmetic.session();
  const Tensor opened = arithmetic.narrowed(rows_of_nodes(x, snapshots_));
  const int product_bits = mpc::room_for(numbers.shown.fraction_bits() + x.format().fraction_bits, bound);
  if (product_bits > mpc::kWordBits) refuse(name, bound, product_bits);
  const mpc::Share exact = mpc::lifted_product(session, numbers.shown, arithmetic.shown(opened), mpc::kWordBits);
  const mpc::Share product = mpc::drop(session, exact, std::max(0, exact.fraction_bits() - fraction_bits));
  const mpc::Share fitting = mpc::narrow(product, std::min(product.ring_bits(), most_ring));
  return Tensor(mpc::reshaped(fitting, x.shape()), bound, name);
}

Tensor OwnersPropagator::summed(Arithmetic& arithmetic, std::span<const mpc::OwnMatrix> edges, const Tensor& x,
                                int more_bits, double bound, const std::string& name) const {
  mpc::Session& session = arithmetic.session();
  const int of_weights = edges.empty() ? 0 : edges.front().fraction_bits();
  const int fraction_bits = x.format().fraction_bits + of_weights;
  const int room =
      std::max(room_of_sum(edges, x.format().fraction_bits, bound), mpc::room_for(x.format().fraction_bits, x.bound()));
  if (room > mpc::kWordBits) refuse(name, bound, room);
  const int top = arithmetic.top().ring_bits;
  const int watched = std::min(mpc::room_for(fraction_bits, arithmetic.room_to_watch(bound)), top);
  const Tensor wide = x.format().ring_bits >= std::max(room, watched) ? x
                      : room > top                                    ? in_wide_ring(arithmetic, x, room)
                                                                      : arithmetic.lifted(x);
  const int spare = std::max(room, Arithmetic::spare_ring(fraction_bits, bound));
  const Tensor rows = rows_of_nodes(Arithmetic::in_ring(wide, std::min(spare, wide.format().ring_bits)), snapshots_);
  Tensor sum = arithmetic.zeros_like(x);
  if (!edges.empty()) {
    const mpc::Share exact = mpc::sum_of_products(session, edges, rows.share());
    // Sums of whole numbers by weights have fractions.
    const int kept = std::clamp(arithmetic.top().fraction_bits + more_bits - x.format().fraction_bits, 0, of_weights);
    sum = Tensor(mpc::reshaped(mpc::drop(session, exact, of_weights - kept), x.shape()), bound, name);
  }
  if (loop_ == 0) return Tensor(sum.share(), bound, name);
  const Arithmetic::Scaling seen{
      .most = bound, .least_bits = Arithmetic::kFactorBits, .least_ring = arithmetic.ring_to_watch(bound)};
  return arithmetic.sum(sum, loop_ == 1 ? wide : arithmetic.scaled(wide, loop_, seen), bound, name);
}

}  // namespace tacit::gnn
