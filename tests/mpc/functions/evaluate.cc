#include "tests/mpc/functions/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <mutex>

#include "mpc/protocols/input.h"
#include "mpc/protocols/reveal.h"

namespace tacit::mpc {

namespace {

Matrix rounded(Matrix values, int fraction_bits) {
  return values.unaryExpr(
      [=](double v) { return std::ldexp(std::nearbyint(std::ldexp(v, fraction_bits)), -fraction_bits); });
}

}  // namespace

Matrix in_the_clear(const Evaluated& evaluated, const Matrix& x, Format format) {
  ClearSession session(8, 1);
  const Share result = evaluated.function(session, input(session, 0, shape_of(x), format, &x, "x"));
  const Matrix seen = value_of(reveal(session, result, To::everyone(), "the result of a test"));
  EXPECT_TRUE(session.range_violations().empty()) << session.range_violations().front().what;
  return seen;
}

Matrix by_parties(int parties, const Evaluated& evaluated, const Matrix& x, Format format) {
  std::mutex mutex;
  Matrix seen;
  run_parties(parties, [&](Session& session, int rank) {
    const Share shared = input(session, 0, shape_of(x), format, &x, "x");
    const std::int64_t before = session.stated().rounds;
    const Share result = evaluated.function(session, shared);
    if (rank < parties && parties > 1 && x.size() > 0) {
      EXPECT_EQ(session.stated().rounds - before, evaluated.rounds(x.cols())) << x.cols() << " columns";
    }
    const Public revealed = reveal(session, result, To::everyone(), "the result of a test");
    if (rank != 0) return;
    const std::lock_guard lock(mutex);
    seen = value_of(revealed);
  });
  return seen;
}

Matrix evenly(double begin, double end, std::int64_t count, int fraction_bits) {
  Matrix values(count, 1);
  for (Eigen::Index i = 0; i < count; ++i) {
    values(i, 0) =
        begin + (end - begin) * static_cast<double>(i) / static_cast<double>(std::max<Eigen::Index>(1, count - 1));
  }
  return rounded(values, fraction_bits);
}

Matrix evenly_by_factor(double begin, double end, std::int64_t count, int fraction_bits) {
  const Matrix logarithms = evenly(std::log2(begin), std::log2(end), count, 40);
  return rounded(logarithms.unaryExpr([](double v) { return std::exp2(v); }), fraction_bits);
}

double largest_difference(const Matrix& a, const Matrix& b) {
  return a.size() == 0 ? 0 : (a - b).cwiseAbs().maxCoeff();
}

}  // namespace tacit::mpc
