#include "gnn/arithmetic/likeliest.h"

#include <algorithm>
#include <cmath>

#include "mpc/functions/maximum.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

Tensor largest_in_rows(Arithmetic& arithmetic, const Tensor& z) {
  const int whole_bits = std::ilogb(arithmetic.ranges().activations) + 1;
  const int f = z.format().fraction_bits;
  const int room = mpc::room_for(arithmetic.top().fraction_bits, static_cast<double>(z.shape().size()));
  const int ring = std::max(room, mpc::maximum_ring_bits(f, whole_bits));
  const bool lifts = arithmetic.watches() || z.format().ring_bits < mpc::maximum_ring_bits(f, whole_bits);
  const Tensor wide = lifts ? arithmetic.lifted(z) : z;  // a lift is watched
  return Tensor(mpc::maximum(arithmetic.session(), wide.share(), whole_bits, ring).which, 1, "likeliest class");
}

Tensor likeliest_classes(Arithmetic& arithmetic, const Tensor& z) {
  Matrix numbers(z.shape().cols, 1);
  for (Eigen::Index c = 0; c < numbers.rows(); ++c) numbers(c, 0) = static_cast<double>(c);
  const mpc::PublicMatrix column(numbers, 0, "the classes' numbers");
  const mpc::Share which = largest_in_rows(arithmetic, z).share();
  const mpc::Share number = mpc::matmul(which, column, arithmetic.session().workers());
  return Tensor(number, static_cast<double>(z.shape().cols), "likeliest class");
}

}  // namespace tacit::gnn
