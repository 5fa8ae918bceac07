#include "gnn/arithmetic/target_unit.h"

#include <algorithm>
#include <cmath>

#include "gnn/arithmetic/rearranged.h"
#include "mpc/protocols/drop.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

ErrorSum::Unit TargetUnit::common(Arithmetic& arithmetic) const {
  const int largest = *std::max_element(exponents.begin(), exponents.end());
  if (exponents.size() == 1) return {unit, largest};
  constexpr int kPowerBits = 12;  // a unit that is smaller by more than this many powers of two counts as zero
  Matrix powers(1, std::ssize(exponents));
  for (std::size_t c = 0; c < exponents.size(); ++c) {
    const int power = exponents[c] - largest;
    powers(0, static_cast<Eigen::Index>(c)) = power < -kPowerBits ? 0 : std::ldexp(1.0, power);
  }
  mpc::Session& session = arithmetic.session();
  const mpc::PublicMatrix factors(powers, kPowerBits, "powers of two of the targets' units");
  const mpc::Share scaled = mpc::drop(session, mpc::product(factors, unit.share(), session.workers()), kPowerBits);
  return {Tensor(scaled, unit.bound(), "common unit"), largest};
}

Tensor TargetUnit::of(Arithmetic& arithmetic, const Tensor& z) const {
  const std::int64_t columns = z.shape().cols;
  const mpc::PublicMatrix diagonal(Matrix::Identity(columns, columns), 0, "the diagonal");
  const mpc::Share units = mpc::product(diagonal, repeated(unit, columns).share(), arithmetic.session().workers());
  const int fraction = arithmetic.top().fraction_bits + unit.format().fraction_bits;
  const double held = std::ldexp(1.0, arithmetic.top().ring_bits - fraction - 2) - 1;
  const double bound = std::min(z.bound(), held);
  const Tensor scaled =
      arithmetic.matmul({z, Tensor(units, unit.bound(), "units"), bound, "predictions in their own unit"});
  return arithmetic.sum(scaled, repeated(zero, z.shape().rows), zero.bound() + bound);
}

Matrix exponents_of(const Matrix& deviations) {
  return deviations.unaryExpr([](double deviation) { return static_cast<double>(std::ilogb(deviation) + 1); });
}

Matrix times_powers(const Matrix& columns, const std::vector<int>& exponents) {
  Matrix scaled = columns;
  for (Eigen::Index c = 0; c < scaled.cols(); ++c) {
    const int exponent = exponents[static_cast<std::size_t>(c)];
    for (double& value : scaled.col(c)) value = std::ldexp(value, exponent);
  }
  return scaled;
}

}  // namespace tacit::gnn
