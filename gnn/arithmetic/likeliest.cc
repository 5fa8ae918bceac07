#include "gnn/arithmetic/likeliest.h"

#include <algorithm>
#include <cmath>

#include "gnn/arithmetic/rearranged.h"
#include "mpc/functions/maximum.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

Tensor widened(Arithmetic& arithmetic, const Tensor& z, int whole_bits) {
  const bool lifts =
      arithmetic.watches() || z.format().ring_bits < mpc::maximum_ring_bits(z.format().fraction_bits, whole_bits);
  return lifts ? arithmetic.lifted(z) : z;  // a lift is watched
}

int whole_bits_of(const Arithmetic& arithmetic) { return std::ilogb(arithmetic.ranges().activations) + 1; }

mpc::Share which_is_largest(Arithmetic& arithmetic, const mpc::Share& z, int whole_bits, int least_ring) {
  const int room = mpc::room_for(arithmetic.top().fraction_bits, static_cast<double>(z.shape().size()));
  const int ring = std::max({room, least_ring, mpc::maximum_ring_bits(z.fraction_bits(), whole_bits)});
  return mpc::maximum(arithmetic.session(), z, whole_bits, ring).which;
}

}  // namespace

Tensor largest_in_rows(Arithmetic& arithmetic, const Tensor& z) {
  const int whole_bits = whole_bits_of(arithmetic);
  const mpc::Share wide = widened(arithmetic, z, whole_bits).share();
  return Tensor(which_is_largest(arithmetic, wide, whole_bits, 0), 1, "likeliest class");
}

Tensor likeliest_classes(Arithmetic& arithmetic, const Tensor& z, std::int64_t count) {
  Matrix numbers(z.shape().cols, 1);
  for (Eigen::Index c = 0; c < numbers.rows(); ++c) numbers(c, 0) = static_cast<double>(c);
  const mpc::PublicMatrix column(numbers, 0, "the classes' numbers");
  // An element that was the largest is lowered below all others: from less than 2^b to less than -2^b.
  const int b = whole_bits_of(arithmetic), whole_bits = count == 1 ? b : b + 2;
  mpc::Share left = widened(arithmetic, z, whole_bits).share();
  Tensors found;
  for (std::int64_t i = 0; i < count; ++i) {
    const mpc::Share which = which_is_largest(arithmetic, left, whole_bits, count == 1 ? 0 : left.ring_bits());
    const mpc::Share number = mpc::matmul(which, column, arithmetic.session().workers());
    found.emplace_back(number, static_cast<double>(z.shape().cols), "likeliest class");
    if (i + 1 == count) break;
    const std::int64_t lower = std::int64_t{1} << (left.fraction_bits() + b + 1);
    left = left - mpc::scale(mpc::narrow(which, left.ring_bits()), lower, left.fraction_bits());
  }
  return found.size() == 1 ? found.front() : beside(found);
}

}  // namespace tacit::gnn
