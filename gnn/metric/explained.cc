#include "gnn/metric/explained.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gnn/arithmetic/quotients.h"
#include "gnn/metric/divergence.h"
#include "mpc/functions/normalise.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

constexpr int kSpreadBits = 16;
constexpr mpc::Octaves kOctaves{-16, 12, 1};
constexpr std::int64_t kLeastSpread = 4;  // 2^-14: above the rounding of a spread of zero
constexpr int kInvertedBits = 20;

int doublings(std::int64_t nodes) { return static_cast<int>(std::ceil(std::log2(static_cast<double>(nodes)))); }

}  // namespace

// Rounded, and in the ring of 64 bits.
mpc::Share Explained::wide(mpc::Session& session, const mpc::Share& x) const {
  constexpr int kMostBits = 13, kBitsOfProduct = 23;
  const int bits = std::min(kMostBits, kBitsOfProduct - doublings(nodes_));
  const int less = std::max(x.fraction_bits() - bits, 0);
  return in_words(session, {less > 0 ? mpc::drop(session, x, less) : x}).front();
}

mpc::Share Explained::spread(mpc::Session& session, const mpc::Share& x, bool centred) const {
  const std::vector<mpc::Masked> masked = mpc::mask(session, std::array{x, mpc::column_sums(x)});
  const mpc::PublicMatrix diagonal(Matrix::Identity(targets_, targets_), 0, "the diagonal");
  const mpc::Share pairs = mpc::matmul(session, masked[0].transposed(), masked[0]);
  mpc::Share sum = mpc::scale(mpc::column_sums(mpc::product(diagonal, pairs, session.workers())),
                              static_cast<std::int64_t>(nodes_), 0);
  if (centred) sum = sum - mpc::product(session, masked[1], masked[1]);
  const mpc::Share halved = mpc::scale(sum, 1, 2 * doublings(nodes_));
  return mpc::drop(session, halved, halved.fraction_bits() - kSpreadBits);
}

Explained::Explained(Arithmetic& arithmetic, Metric metric, const Tensor& y)
    : metric_(metric),
      nodes_(y.shape().rows),
      targets_(y.shape().cols),
      rounding_(rounding_of(arithmetic.session().parties(), targets_)),
      y_(y) {
  mpc::Session& session = arithmetic.session();
  const mpc::Share all = spread(session, wide(session, y.share()), true);
  const mpc::Share narrow = mpc::narrow(all, kSpreadBits + kOctaves.highest + 3);
  const mpc::Shown shown = mpc::show(session, narrow);
  const std::array comparison{mpc::Comparison{shown, shown.ring_bits() - 1, kLeastSpread}};
  const mpc::Share varies = mpc::indicator(session, mpc::non_negative(session, comparison).front(), mpc::kWordBits);
  const mpc::Normalised normal = mpc::normalise(session, narrow, kOctaves, mpc::kWordBits);
  const mpc::Share u = in_words(session, {normal.u}).front();
  const mpc::Share exact = inverse(session, u);
  const std::vector<mpc::Share> factors =
      in_words(session, {mpc::drop(session, exact, exact.fraction_bits() - kInvertedBits), varies, normal.power});
  const std::vector<mpc::Masked> masked = mpc::mask(session, factors);
  // The last product is with the inverse: it is exactly 0 where a target does not vary.
  inverse_ = mpc::mask(session, mpc::product(session, masked[1], masked[0]));
  power_ = masked[2];
  varies_ = varies;
}

Tensor Explained::of(Arithmetic& arithmetic, Outputs& outputs) const {
  mpc::Session& session = arithmetic.session();
  const Tensor error = arithmetic.lifted(arithmetic.difference(outputs.z(), y_, {}, "error"));  // a lift is watched
  const mpc::Share e = wide(session, error.share());
  const mpc::Share unexplained = spread(session, e, metric_ == Metric::kExplainedVariance);
  const mpc::Masked above = mpc::mask(session, in_words(session, {unexplained}).front());
  const mpc::Share scaled = mpc::product(session, above, power_);
  const mpc::Share rounded = mpc::drop(session, scaled, scaled.fraction_bits() - kSpreadBits);
  const mpc::Masked ratio = mpc::mask(session, in_words(session, {rounded}).front());
  const mpc::Share exact = mpc::product(session, ratio, inverse_);
  const mpc::Share explained = mpc::refine(varies_, exact.fraction_bits()) - exact;
  return to_reveal(session, mpc::row_sums(explained), 1 << 14, std::string(name_of(metric_)));
}

Measured Explained::read(const Matrix& revealed) const {
  constexpr double kRounding = 1e-2;
  if (std::abs(revealed(0, 0)) <= rounding_) return {0, {}};  // no target varies, or none is explained
  const double value = revealed(0, 0) / static_cast<double>(targets_);
  if (value > 1 + kRounding) {
    throw TrainingDiverged(
        fmt::format("the {} left the range of its ring: predictions are very far off", name_of(metric_)));
  }
  return {value, {}};
}

}  // namespace tacit::gnn
