#include "gnn/train/predictions.h"

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

mpc::Share likeliest_classes(Arithmetic& arithmetic, const Tensor& z) {
  Matrix numbers(z.shape().cols, 1);
  for (Eigen::Index c = 0; c < numbers.rows(); ++c) numbers(c, 0) = static_cast<double>(c);
  const mpc::PublicMatrix column(numbers, 0, "the classes' numbers");
  return mpc::matmul(largest_in_rows(arithmetic, z).share(), column, arithmetic.session().workers());
}

mpc::Share in_own_unit(Arithmetic& arithmetic, const Tensor& z, const Tensor& unit, const Tensor& zero) {
  const std::int64_t columns = z.shape().cols;
  const mpc::PublicMatrix diagonal(Matrix::Identity(columns, columns), 0, "the diagonal");
  const mpc::Share units =
      mpc::product(diagonal, mpc::repeat_rows(unit.share(), columns), arithmetic.session().workers());
  const int fraction = arithmetic.top().fraction_bits + unit.format().fraction_bits;
  const double held = std::ldexp(1.0, arithmetic.top().ring_bits - fraction - 2) - 1;
  const double bound = std::min(z.bound(), held);
  const Tensor scaled =
      arithmetic.matmul({z, Tensor(units, unit.bound(), "units"), bound, "predictions in their own unit"});
  const mpc::Share zeros = mpc::repeat_rows(zero.share(), z.shape().rows);
  const Tensor wide = scaled.format().ring_bits < mpc::room_for(zero.format().fraction_bits, zero.bound() + bound)
                          ? arithmetic.lifted(scaled)
                          : scaled;
  return wide.share() + zeros;
}

}  // namespace tacit::gnn
