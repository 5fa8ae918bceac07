#include "gnn/arithmetic/sharing.h"

#include <cmath>

#include "mpc/functions/maximum.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/reveal.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

constexpr int kExponentBits = 11;
constexpr mpc::Format kExponents{mpc::maximum_ring_bits(0, kExponentBits), 0};
constexpr double kLargestExponent = (1 << kExponentBits) - 1;

}  // namespace

Tensor share_input(Arithmetic& arithmetic, int owner, Shape shape, const Matrix* mine, Precision precision,
                   double bound, const std::string& name) {
  const mpc::Format format = arithmetic.format_of(precision);
  return Tensor(mpc::input(arithmetic.session(), owner, shape, format, mine, name), bound, name);
}

Tensor share_known(Arithmetic& arithmetic, Shape shape, const std::function<Matrix()>& values, Precision precision,
                   double bound, const std::string& name) {
  const mpc::Format format = arithmetic.format_of(precision);
  // Rounds as input() does: encode_public() refuses a constant that becomes zero, but a number of public data may.
  const auto rounded = [&] {
    const int bits = format.fraction_bits;
    return Matrix(
        values().unaryExpr([&](double one) { return std::ldexp(std::nearbyint(std::ldexp(one, bits)), -bits); }));
  };
  return Tensor(mpc::constant(arithmetic.session(), shape, rounded, format, name), bound, name);
}

Tensor share_known(Arithmetic& arithmetic, const Matrix& values, double bound, const std::string& name) {
  return Tensor(mpc::constant(arithmetic.session(), values, arithmetic.top(), name), bound, name);
}

Tensor share_exponents(Arithmetic& arithmetic, int owner, Shape shape, const Matrix* mine, const std::string& name) {
  return Tensor(mpc::input(arithmetic.session(), owner, shape, kExponents, mine, name), kLargestExponent, name);
}

Tensor largest_exponents(Arithmetic& arithmetic, const Tensor& exponents) {
  const mpc::Largest largest =
      mpc::maximum(arithmetic.session(), exponents.share(), kExponentBits, kExponents.ring_bits);
  return Tensor(mpc::transposed(largest.value), kLargestExponent, exponents.name());
}

mpc::Public reveal(Arithmetic& arithmetic, const Tensor& x, mpc::To to, std::string_view reason) {
  return mpc::reveal(arithmetic.session(), x.share(), to, reason);
}

std::vector<int> revealed_whole_numbers(Arithmetic& arithmetic, const Tensor& row, std::string_view reason) {
  std::vector<int> numbers(static_cast<std::size_t>(row.shape().cols), 0);
  const mpc::Public seen = reveal(arithmetic, row, mpc::To::everyone(), reason);
  arithmetic.session().output([&](const mpc::PublicReader& read) {
    if (!read.seen(seen)) return;
    for (std::size_t c = 0; c < numbers.size(); ++c) {
      numbers[c] = static_cast<int>(std::lround(read(seen)(0, static_cast<Eigen::Index>(c))));
    }
  });
  return numbers;
}

}  // namespace tacit::gnn
