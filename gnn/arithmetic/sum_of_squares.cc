#include "gnn/arithmetic/sum_of_squares.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "mpc/protocols/drop.h"
#include "mpc/protocols/lifted_product.h"
#include "mpc/protocols/product.h"
#include "mpc/session/local.h"
#include "net/error.h"

namespace tacit::gnn {

double most_unseen(double range) { return std::ldexp(1.0, std::ilogb(range) + 1); }

// Errors and sums are rounded, by so many units of their last place at most; a sum has at least one element.
SumOfSquares::SumOfSquares(Arithmetic& arithmetic, double range, std::int64_t elements, int most_bits,
                           const Named& named)
    : elements_(static_cast<double>(elements)) {
  const double rounding = std::max(1.0, arithmetic.session().parties() / 2.0);
  largest_square_ = std::pow(most_unseen(range) + std::ldexp(rounding, -kFewestErrorBits), 2);
  error_bits_ = std::min(arithmetic.top().fraction_bits, (mpc::kWordBits - mpc::room_for(0, most())) / 2);
  if (error_bits_ < kFewestErrorBits) {
    throw ConfigError(
        fmt::format("{}: the sum of {} squares of errors up to {:g} does not fit 64 bits; declare a smaller range in "
                    "{}, or scale the targets (preprocessing.targets = \"standardise\")",
                    named.what, elements, range, named.ranges));
  }
  sum_bits_ = std::min(most_bits, 2 * error_bits_);
}

Tensor SumOfSquares::rounded(Arithmetic& arithmetic, const Tensor& error) const {
  return error.format().fraction_bits == error_bits_ ? error : arithmetic.rounded(error, error_bits_);
}

int SumOfSquares::ring_for(const Tensor& rounded) const {
  const double most = most_of(static_cast<double>(rounded.shape().size()));
  const int exact_bits = 2 * error_bits_, drop = exact_bits - sum_bits_;
  return std::max({mpc::room_for(exact_bits, most), drop + mpc::room_for(sum_bits_, most), exact_bits + 1});
}

void SumOfSquares::open_with_next(Arithmetic& arithmetic, const Tensor& rounded) const {
  has_room(rounded) ? arithmetic.mask_with_next(std::span(&rounded, 1)) : arithmetic.show_with_next(rounded);
}

Tensor SumOfSquares::by_column(Arithmetic& arithmetic, const Tensor& rounded) const {
  mpc::Session& session = arithmetic.session();
  TACIT_CHECK(rounded.format().fraction_bits == error_bits_);
  mpc::Share sums;
  if (has_room(rounded)) {
    arithmetic.mask(std::array{rounded});
    const mpc::Masked masked = arithmetic.masked(rounded);
    const mpc::Share pairs = mpc::matmul(session, masked.transposed(), masked);
    const std::int64_t columns = rounded.shape().cols;
    const mpc::PublicMatrix diagonal(Matrix::Identity(columns, columns), 0, "the diagonal");
    sums = mpc::column_sums(mpc::product(diagonal, pairs, session.workers()));
  } else {
    const mpc::Shown& shown = arithmetic.shown(rounded);
    sums = mpc::column_sums(mpc::lifted_product(session, shown, shown, ring_for(rounded)));
  }
  return Tensor(mpc::drop(session, sums, 2 * error_bits_ - sum_bits_),
                most_of(static_cast<double>(rounded.shape().size())), "squared error");
}

Tensor SumOfSquares::of_all(Arithmetic& arithmetic, const Tensor& rounded) const {
  const Tensor sums = by_column(arithmetic, rounded);
  return Tensor(mpc::row_sums(sums.share()), sums.bound(), sums.name());
}

}  // namespace tacit::gnn
