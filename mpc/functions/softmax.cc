#include "mpc/functions/softmax.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>

#include "mpc/functions/exponential_cells.h"
#include "mpc/functions/maximum.h"
#include "mpc/protocols/add_public.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/look_up.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/session/local.h"

namespace tacit::mpc {

namespace {

constexpr int kFactorBits = 15;  // fraction bits of e^(x - max) and of 1/s
constexpr int kSumBits = 16;     // of s
constexpr double kSoftmaxRoom = 1.0 / 16;
constexpr int kExponentialWeightBits = 12;
constexpr int kOfSumDegree = 5;
constexpr CellTable::Precision kOfSum{17, 17};
constexpr int kOfSumBits = kOfSum.weight_bits + kOfSum.entry_bits;
constexpr int kReciprocalDropped = kOfSumBits - kFactorBits;

// e^(x - max). The errors of the c entries of a row add up in s. e more bits keep their sum at the
// error of one entry.
CellTable::Precision exponential_precision(std::int64_t columns) {
  const auto count_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(columns - 1)));
  return {kExponentialWeightBits, kFactorBits + 5 + std::max(0, count_bits - 1)};
}

// Functions of s for 1 <= s <= c, looked up at s - centre, with cells of width 1/2.
struct OfSum {
  explicit OfSum(std::int64_t columns) : most(static_cast<double>(columns)) {
    while (std::ldexp(1.0, cell_bits - 1) - 0.5 < most - 1 + 2 * kSoftmaxRoom) ++cell_bits;
    const double range = std::ldexp(1.0, cell_bits - 1);
    const double spare = (range - 0.5 - (most - 1)) / 2;
    centre = 1 + range / 2 - spare;
  }
  CellTable reciprocal() const {
    return table([this](double v) { return 1 / (v + centre); });
  }
  CellTable logarithm() const {
    return table([this](double v) { return std::log(v + centre); });
  }
  CellTable table(const std::function<double(double)>& f) const {
    return CellTable::polynomial({domain(), cell_bits}, {1 - kSoftmaxRoom - centre, most + kSoftmaxRoom - centre},
                                 kOfSumDegree, kOfSum, f);
  }
  Format domain() const { return {kSumBits + cell_bits - 1, kSumBits}; }

  double most;
  int cell_bits = 1;
  double centre = 0;
};

// Rings: of the product of e^(x - max) and 1/s, and of the two looked-up values.
int product_ring(Format result) { return result.ring_bits + 2 * kFactorBits - result.fraction_bits; }
int exponential_dropped(std::int64_t columns) {
  const CellTable::Precision precision = exponential_precision(columns);
  return precision.weight_bits + precision.entry_bits - kFactorBits;
}

// The parameters of the exponential for logits up to `most`.
struct Span {
  explicit Span(double most) : saturates(2 * most > ExponentialCells().span()) {
    if (!saturates) return;
    cells = {3};
    whole_bits = std::ilogb(most + cells.span() / 2.0 + 1) + 1;  // for comparisons with a threshold of the span
  }
  Near near(int near_bits) const { return {static_cast<double>(cells.span()), near_bits}; }

  bool saturates;
  ExponentialCells cells;
  int whole_bits = 5;
};

// e^(x - max) with all its fraction bits, in a ring of ring_bits.
Share below_maximum(Session& session, const Share& x, const Largest& largest, const Span& span, int ring_bits) {
  const std::int64_t columns = x.shape().cols;
  const int f = x.fraction_bits();
  const Share below = narrow(x, largest.value.ring_bits()) - repeat_cols(largest.value, columns);
  const CellTable table = span.cells.table(f, -span.cells.largest(), exponential_precision(columns));
  const Share moved = narrow(add_public(session, below, span.cells.largest()), span.cells.ring_bits(f));
  if (!span.saturates) return look_up(session, mask(session, moved), table, ring_bits).front();
  const std::vector<Masked> masked = mask(session, std::array{moved, *largest.near});
  return look_up(session, masked[0], table, ring_bits, std::span(masked).subspan(1))[1];
}

}  // namespace

int softmax_widest_ring(std::int64_t columns, int fraction_bits) {
  const int dropped = std::max(exponential_dropped(columns), kReciprocalDropped);
  return kWordBits - dropped - 2 * kFactorBits + fraction_bits;
}

int softmax_logit_ring(int fraction_bits, double most) {
  return maximum_ring_bits(fraction_bits, Span(most).whole_bits);
}

Classes softmax(Session& session, const Share& x, double most, Format result, LogSum log_sum) {
  const std::int64_t columns = x.shape().cols;
  TACIT_CHECK(columns >= 1 && columns <= 1 << 10);
  TACIT_CHECK(result.ring_bits <= softmax_widest_ring(columns, result.fraction_bits));
  const Span span(most);
  const int f = x.fraction_bits(), k = softmax_logit_ring(f, most), p = product_ring(result);
  const int dropped = exponential_dropped(columns);
  session.expect_between(x, -most, most, "softmax: a logit");
  const Largest largest = span.saturates ? maximum_and_near(session, x, span.whole_bits, k, span.near(p + dropped))
                                         : maximum(session, x, span.whole_bits, k);
  const Share exact = below_maximum(session, x, largest, span, p + dropped);

  const OfSum of_sum(columns);
  const Share sum = drop(session, row_sums(exact), exact.fraction_bits() - kSumBits);
  const std::array both{drop(session, exact, dropped),
                        narrow(add_public(session, sum, -of_sum.centre), of_sum.domain().ring_bits)};
  const std::vector<Masked> masked = mask(session, both);
  const Share found = look_up(session, masked[1], of_sum.reciprocal(), p + kReciprocalDropped).front();

  const Masked inverse = mask(session, drop(session, found, kReciprocalDropped));
  const Share product = mpc::product(session, masked[0], repeat_cols(inverse, columns));
  Classes classes{drop(session, product, 2 * kFactorBits - result.fraction_bits), largest.which, {}};
  if (log_sum == LogSum::kAsked) {
    const Share log = look_up(session, masked[1], of_sum.logarithm(), k + kOfSumBits - f).front();
    classes.log_sum = largest.value + drop(session, log, kOfSumBits - f);
  }
  return classes;
}

}  // namespace tacit::mpc
