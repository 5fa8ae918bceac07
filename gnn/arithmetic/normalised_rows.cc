#include "gnn/arithmetic/normalised_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "mpc/functions/reciprocal.h"
#include "mpc/protocols/add_public.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/session/local.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

using mpc::room_for;
using mpc::Share;

constexpr int kRowVarianceBits = 18;  // fraction bits of v: the least, 2^-8, is then exact to 2^-10 of itself
constexpr int kRowVarianceRing = kRowVarianceBits + 15;
constexpr int kRootBits = mpc::kInverseSquareRootFractionBits;

// A number of columns w: 2^power <= w, and 1/w is mantissa · 2^-exponent.
struct Width {
  int power = 0;
  std::int64_t mantissa = 1;
  int exponent = 0;
};

Width width_of(std::int64_t columns) {
  constexpr int kMantissaBits = 9;
  Width width;
  width.power = std::ilogb(static_cast<double>(columns));
  width.exponent = width.power + kMantissaBits;
  width.mantissa = std::llround(std::ldexp(1 / static_cast<double>(columns), width.exponent));
  for (; width.mantissa % 2 == 0; --width.exponent) width.mantissa /= 2;
  return width;
}

int root_ring(const Arithmetic& arithmetic) {
  constexpr int kWidest = 49;
  return std::min(kWidest, arithmetic.top().ring_bits);
}

void expect_room(const Arithmetic& arithmetic, int needed, int there, std::int64_t columns, const std::string& name) {
  if (needed <= there) return;
  throw ConfigError(
      fmt::format("{}: to normalise rows of {} columns with {} fraction bits needs a ring of {} bits, and there are "
                  "{}. Take a power "
                  "of two or fewer columns, a smaller ranges.gradients, fewer fraction bits, or a wider ring.",
                  name, columns, arithmetic.top().fraction_bits, needed, there));
}

// s · (x - the mean of its row), dropped to the fraction bits of x.
Share centred(mpc::Session& session, const Share& x, int power) {
  const Share sums = mpc::scale(mpc::row_sums(x), 1, power);
  return mpc::drop(session, mpc::scale(x, x.shape().cols, power) - mpc::repeat_cols(sums, x.shape().cols), power);
}

// The mean of each row of a product, with `fraction_bits` fraction bits. The mean of two columns with 8 fraction bits has fewer.
Share row_means(mpc::Session& session, const Share& product, const Width& width, int fraction_bits) {
  const Share means = mpc::scale(mpc::row_sums(product), width.mantissa, width.exponent);
  const int more = means.fraction_bits() - fraction_bits;
  return more < 0 ? mpc::refine(means, fraction_bits) : mpc::drop(session, means, more);
}

}  // namespace

NormalisedRows normalised_rows(Arithmetic& arithmetic, const Tensor& x, double epsilon, const std::string& name) {
  constexpr double kMostVariance = 4095;
  mpc::Session& session = arithmetic.session();
  const std::int64_t columns = x.shape().cols;
  const Width width = width_of(columns);
  const double scale = std::ldexp(static_cast<double>(columns), -width.power);
  const double largest = 1.01 * std::sqrt(static_cast<double>(columns));
  const int f = x.format().fraction_bits, squared = 2 * f + width.exponent;
  const int ring =
      std::max({room_for(squared, kMostVariance), std::max(squared - kRowVarianceBits, 0) + kRowVarianceRing,
                kRootBits + room_for(f, largest)});
  expect_room(arithmetic, ring + width.power, arithmetic.top().ring_bits, columns, name);
  if (x.format().ring_bits < ring + width.power) arithmetic.lifted(x);
  const Tensor rows(mpc::narrow(centred(session, x.share(), width.power), ring), kMostCentred, name);
  arithmetic.mask(std::array{rows});
  const mpc::Masked masked = arithmetic.masked(rows);
  const Share variance = row_means(session, mpc::product(session, masked, masked), width, kRowVarianceBits);
  const Share shifted = mpc::add_public(session, variance, scale * scale * epsilon);
  const mpc::Masked root = mpc::mask(session, mpc::inverse_square_root(session, shifted, root_ring(arithmetic)));
  const Share y = mpc::drop(session, mpc::product(session, mpc::repeat_cols(root, columns), masked), kRootBits);
  return {Tensor(y, largest, name).certain(), root};
}

Tensor normalised_rows_gradient(Arithmetic& arithmetic, const NormalisedRows& rows, const Tensor& gradient,
                                const std::string& name) {
  constexpr double kRounded = 1.02;  // |y|² of a row may be a little above w
  mpc::Session& session = arithmetic.session();
  const double bound = arithmetic.ranges().gradients;
  const std::int64_t columns = gradient.shape().cols;
  const Width width = width_of(columns);
  const int f = gradient.format().fraction_bits, squared = 2 * f + width.exponent;
  const int ring = std::max(room_for(squared, kRounded * bound), squared - f + room_for(f, kRounded * bound));
  const int last = room_for(f + kRootBits, bound);
  expect_room(arithmetic, ring + width.power, arithmetic.top().ring_bits, columns, name);
  expect_room(arithmetic, last, root_ring(arithmetic), columns, name);
  arithmetic.lifted(std::array{gradient, rows.y});
  const Share h = centred(session, gradient.share(), width.power);
  const Tensor around(mpc::narrow(h, ring), bound, name);
  arithmetic.mask(std::array{around, rows.y});
  const mpc::Masked y = arithmetic.masked(rows.y);
  const Share means = row_means(session, mpc::product(session, arithmetic.masked(around), y), width, f);
  const Tensor along = arithmetic.lifted(Tensor(means, kRounded * bound, name + " along it").certain());
  const mpc::Masked t = mpc::mask(session, along.share());
  const Share across = mpc::refine(h, 2 * f) - mpc::product(session, mpc::repeat_cols(t, columns), y);
  const Tensor inner(mpc::drop(session, across, f), bound, name);
  if (inner.format().ring_bits < last) arithmetic.lifted(inner);
  arithmetic.mask(std::array{inner});
  const Share product = mpc::product(session, mpc::repeat_cols(rows.inverse_roots, columns), arithmetic.masked(inner));
  return Tensor(mpc::drop(session, product, kRootBits), bound, name + " input gradient");
}

}  // namespace tacit::gnn
