#include "mpc/functions/known_answer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "mpc/protocols/compare.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/reveal.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"
#include "net/error.h"

namespace tacit::mpc {

namespace {

constexpr Eigen::Index kRows = 256;
constexpr int kFraction = 13;
constexpr Format kFormat{64, kFraction};
constexpr Format kSquare{64 - 2 * kFraction, kFraction};  // after two drops: the revealed columns
constexpr int kComparedBits = 26;                         // the product is below 2 in magnitude
constexpr double kUnits = 1 << kFraction;                 // units to 1
enum Column { kLifted, kSelected, kIndicated, kScaled, kSquared, kColumns };

// Away from zero, so that no rounding changes a sign; with low bits, so that the roundings have an
// effect.
Matrix left() {
  Matrix x(kRows, 1);
  for (Eigen::Index i = 0; i < kRows; ++i) x(i, 0) = static_cast<double>(2 * (i % 16) - 15) / 8 + 3 / kUnits;
  return x;
}

Matrix right() {
  Matrix y(kRows, 1);
  for (Eigen::Index i = 0; i < kRows; ++i) y(i, 0) = static_cast<double>(i % 7 + 1) / 8 + 1 / kUnits;
  return y;
}

Matrix factor() { return Matrix::Constant(1, 1, 0.75 + 5 / kUnits); }

// The first owner inputs the value, every other owner zero: the sum contains the streams of all owners.
Share shared_by_all(Session& session, const Matrix& value) {
  const Matrix nothing = Matrix::Zero(value.rows(), value.cols());
  Share sum;
  for (int owner = 0; owner < session.parties(); ++owner) {
    const Share own = input(session, owner, shape_of(value), kFormat, owner == 0 ? &value : &nothing, "a test value");
    sum = owner == 0 ? own : sum + own;
  }
  return sum;
}

Share answer(Session& session) {
  const std::array operands{shared_by_all(session, left()), constant(session, right(), kFormat, "a test value"),
                            constant(session, factor(), kFormat, "a test value")};
  const std::vector<Masked> masked = mask(session, operands);
  const Share product = drop(session, mpc::product(session, masked[0], masked[1]), kFraction);
  const Share scaled = drop(session, matmul(session, masked[0], masked[2]), kFraction);
  const Shown shown = show(session, product);
  const Share lifted = lift(session, shown, kFormat.ring_bits);
  const Bits not_negative = non_negative(session, shown, kComparedBits);
  const Share selected = select(session, not_negative, shown, kFormat.ring_bits);
  const Share indicated = indicator(session, not_negative, kFormat.ring_bits);
  const Masked again = mpc::masked(session, shown);
  const Share squared = drop(session, mpc::product(session, again, again), kFraction);
  std::vector<Share> columns;
  for (const Share& column : {lifted, selected, refine(indicated, kFraction), scaled, squared}) {
    columns.push_back(narrow(column, kSquare.ring_bits));
  }
  return beside(columns);
}

// The largest error of a drop among `parties`, in units.
double largest_error(int parties) { return std::max(1.0, parties / 2.0); }
double largest_mean_error(int parties) {
  constexpr double kDeviations = 7;
  return kDeviations * std::sqrt(std::max(parties, 2) / 12.0 / static_cast<double>(kRows));
}

bool is_right(const Matrix& seen, int parties) {
  const Matrix x = left(), y = right();
  const double most = largest_error(parties), c = factor()(0, 0);
  double error_of_products = 0, error_of_scaled = 0, error_of_squares = 0;
  for (Eigen::Index i = 0; i < kRows; ++i) {
    const double product = seen(i, kLifted);
    const double off = (product - x(i, 0) * y(i, 0)) * kUnits;
    const double scaled_off = (seen(i, kScaled) - x(i, 0) * c) * kUnits;
    const double squared_off = (seen(i, kSquared) - product * product) * kUnits;
    const bool positive = x(i, 0) > 0;
    const bool exact = seen(i, kIndicated) == (positive ? 1 : 0) && seen(i, kSelected) == (positive ? product : 0);
    if (!exact || std::max({std::abs(off), std::abs(scaled_off), std::abs(squared_off)}) > most) return false;
    error_of_products += off / static_cast<double>(kRows);
    error_of_scaled += scaled_off / static_cast<double>(kRows);
    error_of_squares += squared_off / static_cast<double>(kRows);
  }
  return std::max({std::abs(error_of_products), std::abs(error_of_scaled), std::abs(error_of_squares)}) <=
         largest_mean_error(parties);
}

}  // namespace

void expect_known_answer(Session& session) {
  const Public seen = reveal(session, answer(session), To::everyone(), kKnownAnswer);
  session.output([&](const PublicReader& read) {
    if (!read.seen(seen) || is_right(read(seen), session.parties())) return;
    throw ProtocolError(
        "the test value that all ranks compute before any data are shared came out wrong: one or more ranks run "
        "another build of Tacit or are damaged. No data were shared. Install the same build at every rank, the dealer "
        "too, and run it again; if it stays, test the machines' memory");
  });
}

std::vector<Reveal> with_test_value_last(std::vector<Reveal> account) {
  std::stable_partition(account.begin(), account.end(), [](const Reveal& line) { return line.reason != kKnownAnswer; });
  return account;
}

}  // namespace tacit::mpc
