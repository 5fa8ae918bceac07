#include "tests/mpc/suites/claims.h"

#include <mutex>
#include <random>

#include "mpc/protocols/compare.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/reveal.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"

namespace tacit::mpc {

namespace {

Share shared(Session& session, const Matrix& values, Format format, int owner = 0) {
  return input(session, owner, shape_of(values), format, &values, "values");
}

std::vector<Masked> both_masked(Session& session, const Share& x, const Share& y) {
  const std::vector<Share> both{x, y};
  return mask(session, both);
}

// Values of all magnitudes that the format holds, including its edges and zero.
Matrix anything(Shape shape, Format format, unsigned seed) {
  Matrix values(shape.rows, shape.cols);
  std::mt19937_64 random(seed);
  const double unit = std::ldexp(1.0, -format.fraction_bits);
  const double edge = std::min(largest(format), std::ldexp(unit, 52)) - unit;
  std::uniform_real_distribution<double> magnitude(-format.fraction_bits, std::log2(edge));
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const double size = i % 64 == 0 ? edge : i % 64 == 1 ? 0 : std::min(edge, std::exp2(magnitude(random)));
    values.data()[i] = (random() & 1) != 0 ? size : -size;
  }
  return values;
}

Matrix other_factor(Factor other, Shape shape, Format format) {
  return other == Factor::kZero ? Matrix(Matrix::Zero(shape.rows, shape.cols)) : anything(shape, format, 3);
}

void add_distances_from_zero(const Total& total, Errors& errors) {
  for (std::int64_t i = 0; i < total.size(); ++i) errors.add(static_cast<double>(total.units(i)));
}

// How far `dropped` is from raw / 2^bits, raw as a signed number.
void add_distances(const Total& dropped, const RingTensor& raw, int bits, Errors& errors) {
  for (std::int64_t i = 0; i < dropped.size(); ++i) {
    const auto exact = static_cast<std::int64_t>(raw.data()[i]);
    const double fraction = std::ldexp(static_cast<double>(raw.data()[i] & low_bits(bits)), -bits);
    errors.add(static_cast<double>(dropped.units(i) - (exact >> bits)) - fraction);
  }
}

Matrix uniform(Shape shape, double low, double high, unsigned seed) {
  Matrix values(shape.rows, shape.cols);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> draw(low, high);
  for (Eigen::Index i = 0; i < values.size(); ++i) values.data()[i] = draw(random);
  return values;
}

}  // namespace

Errors zero_products(const Interpreter& interpreter, Format format, std::int64_t elements) {
  const std::int64_t batch = std::min<std::int64_t>(elements, 15625);  // in the cache
  const Matrix zeros = Matrix::Zero(1, batch), factor = anything({1, batch}, format, 3);
  Errors errors(drop_bound(interpreter.parties));
  for (std::int64_t done = 0; done < elements; done += batch) {
    const std::vector<Total> sums = totals(interpreter, [&](Session& s, int) {
      const int last = s.parties() - 1;
      const std::vector<Share> all{shared(s, zeros, format), shared(s, zeros, format, last),
                                   shared(s, factor, format, last)};
      const std::vector<Masked> m = mask(s, all);
      const Share zero = product(s, m[0], m[1]), any = product(s, m[0], m[2]);
      return std::vector{zero, any, drop(s, zero, format.fraction_bits), drop(s, any, format.fraction_bits)};
    });
    for (const Total& raw : {sums[0], sums[1]}) {
      for (const std::uint64_t word : raw.words.words()) {
        if (word != 0) errors.add(std::ldexp(1.0, format.ring_bits));  // wrong before bits were dropped
      }
    }
    add_distances_from_zero(sums[2], errors);
    add_distances_from_zero(sums[3], errors);
  }
  return errors;
}

Errors listed_zero_products(const Interpreter& interpreter, Format format, int times) {
  const Matrix zeros = Matrix::Zero(1, 5);
  const double unit = std::ldexp(1.0, -format.fraction_bits);
  Errors errors(drop_bound(interpreter.parties));
  std::mutex mutex;
  interpreter.run([&](Session& session, int rank) {
    for (int i = 0; i < times; ++i) {
      const std::vector<Masked> m =
          both_masked(session, shared(session, zeros, format), shared(session, zeros, format));
      const Share product = drop(session, mpc::product(session, m[0], m[1]), format.fraction_bits);
      const Public seen = reveal(session, product, To::everyone(), "zero times zero");
      if (rank > 0) continue;
      const std::lock_guard lock(mutex);
      const Matrix off = value_of(seen) / unit;
      for (Eigen::Index at = 0; at < off.size(); ++at) errors.add(off.data()[at]);
    }
  });
  return errors;
}

Errors zero_matrix_products(const Interpreter& interpreter, Format format, Factor other, MatrixSizes sizes, int times) {
  const Matrix zeros = Matrix::Zero(sizes.rows, sizes.inner);
  const Matrix factor = other_factor(other, {sizes.inner, sizes.cols}, format);
  const std::vector<Total> sums = totals(interpreter, [&](Session& s, int) {
    std::vector<Share> both, results;
    for (int i = 0; i < times; ++i) {
      both.push_back(shared(s, zeros, format));
      both.push_back(shared(s, factor, format, s.parties() - 1));
    }
    const std::vector<Masked> m = mask(s, both);
    for (std::size_t i = 0; i < m.size(); i += 2) {
      results.push_back(drop(s, matmul(s, m[i], m[i + 1]), format.fraction_bits));
      results.push_back(drop(s, matmul(s, m[i + 1].transposed(), m[i].transposed()), format.fraction_bits));
    }
    return results;
  });
  Errors errors(drop_bound(interpreter.parties));
  for (const Total& sum : sums) add_distances_from_zero(sum, errors);
  return errors;
}

Errors truncated_products(const Interpreter& interpreter, Format format, double largest, std::int64_t elements,
                          unsigned seed) {
  constexpr std::int64_t kSide = 1000;
  Errors errors(drop_bound(interpreter.parties));
  for (std::int64_t done = 0; done < elements; done += kSide * kSide, ++seed) {
    const Matrix x = uniform({kSide, 1}, -largest, largest, 2 * seed);
    const Matrix y = uniform({1, kSide}, -largest, largest, 2 * seed + 1);
    const std::vector<Total> sums = totals(interpreter, [&](Session& s, int) {
      const std::vector<Masked> m = both_masked(s, shared(s, x, format), shared(s, y, format, s.parties() - 1));
      return std::vector{drop(s, matmul(s, m[0], m[1]), format.fraction_bits)};
    });
    const RingTensor xs = encode(x, format, "x"), ys = encode(y, format, "y");
    RingTensor raw({kSide, kSide}, kWordBits);
    for (std::int64_t r = 0; r < kSide; ++r) {
      const std::int64_t left = signed_value(xs.data()[r], format.ring_bits);
      for (std::int64_t c = 0; c < kSide; ++c) {
        raw.data()[r * kSide + c] = static_cast<std::uint64_t>(left * signed_value(ys.data()[c], format.ring_bits));
      }
    }
    add_distances(sums[0], raw, format.fraction_bits, errors);
  }
  return errors;
}

Errors products_at_the_edge(const Interpreter& interpreter, Format format) {
  const int f = format.fraction_bits;
  // The range must leave room for the error that drop may add: raw values up to 2^(K-2) - n 2^f.
  const std::uint64_t edge =
      (std::uint64_t{1} << (format.ring_bits - 2)) - (static_cast<std::uint64_t>(interpreter.parties) << f);
  const int shift = (format.ring_bits - 2) / 2;
  const std::uint64_t factor = (std::uint64_t{1} << shift) - 1;  // odd, so that there are fractions to drop
  constexpr Eigen::Index kCount = 5000;
  Matrix x(1, kCount), y(1, kCount);
  RingTensor raw({1, kCount}, kWordBits);
  for (Eigen::Index i = 0; i < kCount; ++i) {
    const std::uint64_t multiple = edge / factor - static_cast<std::uint64_t>(i / 4 % 100);
    const double sign_x = (i & 1) != 0 ? -1 : 1, sign_y = (i & 2) != 0 ? -1 : 1;
    x(0, i) = sign_x * std::ldexp(static_cast<double>(multiple), -f);
    y(0, i) = sign_y * std::ldexp(static_cast<double>(factor), -f);
    raw.data()[i] = sign_x * sign_y > 0 ? multiple * factor : std::uint64_t{0} - multiple * factor;
  }
  const std::vector<Total> sums = totals(interpreter, [&](Session& s, int) {
    const std::vector<Masked> m = both_masked(s, shared(s, x, format), shared(s, y, format, s.parties() - 1));
    const Share dropped = drop(s, mpc::product(s, m[0], m[1]), f);
    return std::vector{dropped, lift(s, show(s, dropped), format.ring_bits)};
  });
  Errors errors(drop_bound(interpreter.parties));
  add_distances(sums[0], raw, f, errors);
  add_distances(sums[1], raw, f, errors);
  return errors;
}

Errors multiply_truncate_chain(const Interpreter& interpreter, Format format, int steps) {
  constexpr double kDamping = 0.95;
  constexpr Shape kShape{8, 8};
  const double room = std::ldexp(1.0, format.ring_bits - 2 * format.fraction_bits - 3);  // for x: at most b / 0.05
  std::vector<Matrix> y, b;
  for (int step = 0; step < steps; ++step) {
    const auto seed = static_cast<unsigned>(2 * step);
    y.push_back(uniform(kShape, -kDamping, kDamping, seed));
    b.push_back(uniform(kShape, 0, room * (1 - kDamping), seed + 1));
  }
  const SharesOf chain = [&](Session& s, int) {
    Share x = shared(s, b[0], format);
    std::vector<Share> on_the_way;
    for (std::size_t step = 0; step < y.size(); ++step) {
      const std::vector<Masked> m = both_masked(s, x, shared(s, y[step], format, s.parties() - 1));
      const Share product =
          lift(s, show(s, drop(s, mpc::product(s, m[0], m[1]), format.fraction_bits)), format.ring_bits);
      x = product + shared(s, b[step], format);
      if (step % 10 == 9) on_the_way.push_back(x);
    }
    return on_the_way;
  };
  const std::vector<Total> got = totals(interpreter, chain), expected = totals(in_the_clear(), chain);
  const double each = drop_bound(interpreter.parties) + 1;
  Matrix bound = Matrix::Zero(kShape.rows, kShape.cols);
  double worst = 0;
  for (const Matrix& factor : y) {
    bound = bound.cwiseProduct(factor.cwiseAbs()).array() + each;
    worst = std::max(worst, bound.maxCoeff());
  }
  Errors errors(worst);
  for (std::size_t at = 0; at < got.size(); ++at) {
    for (std::int64_t i = 0; i < got[at].size(); ++i) {
      errors.add(static_cast<double>(got[at].units(i)) - static_cast<double>(expected[at].units(i)));
    }
  }
  return errors;
}

Errors transposed_products(const Interpreter& interpreter) {
  constexpr Format kFormat{64, 16};
  Errors errors(drop_bound(interpreter.parties) + 0.01);
  for (const MatrixSizes size : {MatrixSizes{5, 5, 5}, {7, 3, 11}, {1, 40, 6}}) {
    for (int turned = 0; turned < 4; ++turned) {
      const bool turn_x = (turned & 1) != 0, turn_y = (turned & 2) != 0;
      const Matrix x = uniform({size.rows, size.inner}, -100, 100, 1), y = uniform({size.inner, size.cols}, -9, 9, 2);
      const Matrix stored_x = turn_x ? Matrix(x.transpose()) : x, stored_y = turn_y ? Matrix(y.transpose()) : y;
      const std::vector<Total> sums = totals(interpreter, [&](Session& s, int) {
        const std::vector<Masked> m =
            both_masked(s, shared(s, stored_x, kFormat), shared(s, stored_y, kFormat, s.parties() - 1));
        const Share raw = matmul(s, turn_x ? m[0].transposed() : m[0], turn_y ? m[1].transposed() : m[1]);
        return std::vector{drop(s, raw, kFormat.fraction_bits)};
      });
      const Matrix exact = decode(encode(x, kFormat, "x"), 16) * decode(encode(y, kFormat, "y"), 16);
      for (std::int64_t i = 0; i < sums[0].size(); ++i) {
        errors.add(static_cast<double>(sums[0].units(i)) - std::ldexp(exact.data()[i], kFormat.fraction_bits));
      }
    }
  }
  return errors;
}

Errors revealed_negatives(const Interpreter& interpreter, Format format) {
  const double unit = std::ldexp(1.0, -format.fraction_bits);
  const double edge = std::min(largest(format), std::ldexp(unit, 52)) - unit;
  Matrix values = uniform({20, 50}, -1000, 0, 4);
  const double special[] = {-unit, -2 * unit, -0.5, -1, -1 + unit, -1 - unit, -1000, -edge, unit - edge, 0, unit, edge};
  for (std::size_t i = 0; i < std::size(special); ++i) values.data()[i] = special[i];
  values = decode(encode(values, format, "values"), format.fraction_bits);  // whole units
  Errors errors(0);
  std::mutex mutex;
  interpreter.run([&](Session& session, int rank) {
    const Public seen = reveal(session, shared(session, values, format), To::everyone(), "negatives");
    if (rank > 0) return;
    const std::lock_guard lock(mutex);
    const Matrix difference = (value_of(seen) - values) / unit;
    for (Eigen::Index i = 0; i < difference.size(); ++i) errors.add(difference.data()[i]);
  });
  return errors;
}

Errors public_constants(const ConstantEncoder& encode) {
  Errors errors(1);
  for (const int f : {0, 12, 13, 16, 20, 30}) {
    const Format format{64, f};
    for (const double constant : {1e-9, -1e-9, 1e-5, -1e-5, 3e-5, 0.0001, 0.001, -0.01, 0.1, 0.5, 1.0}) {
      try {
        const double got = std::ldexp(static_cast<double>(signed_value(encode(constant, format), 64)), -f);
        errors.add((got - constant) / constant * 100);
      } catch (const ConfigError&) {
        errors.add(0);  // refused with an error
      }
    }
  }
  return errors;
}

namespace {

// Shares of words that may have more digits than a double.
Share exactly(Session& session, const std::vector<std::int64_t>& values, int k) {
  constexpr int kLow = 24;
  const auto size = static_cast<Eigen::Index>(values.size());
  Matrix high(1, size), low(1, size);
  const bool split = k > 50;
  for (Eigen::Index i = 0; i < size; ++i) {
    const std::int64_t value = values[static_cast<std::size_t>(i)];
    high(0, i) = static_cast<double>(split ? value >> kLow : value);
    low(0, i) = static_cast<double>(split ? value & ((1 << kLow) - 1) : 0);
  }
  const Share upper = shared(session, high, {k, 0});
  return split ? scale(upper, 1 << kLow, 0) + shared(session, low, {k, 0}) : upper;
}

struct Case {
  int k, hi;
  std::vector<std::int64_t> values;
};

Errors lifts_and_signs_of(const Interpreter& interpreter, const std::vector<Case>& cases) {
  const auto wides = [](int k) { return std::array{k, std::min(k + 1, kWordBits), kWordBits}; };
  const std::vector<Total> sums = totals(interpreter, [&](Session& s, int) {
    std::vector<Share> shares, results;
    for (const Case& c : cases) shares.push_back(exactly(s, c.values, c.k));
    const std::vector<Shown> shown = show(s, shares);
    std::vector<Comparison> comparisons;
    for (std::size_t i = 0; i < cases.size(); ++i) comparisons.push_back({shown[i], cases[i].hi});
    const std::vector<Bits> signs = non_negative(s, comparisons);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      for (const int wide : wides(cases[i].k)) {
        results.push_back(lift(s, shown[i], wide));
        results.push_back(select(s, signs[i], shown[i], wide));
      }
    }
    return results;
  });
  Errors errors(0);
  auto sum = sums.begin();
  for (const Case& c : cases) {
    for (std::size_t wide = 0; wide < wides(c.k).size(); ++wide) {
      const Total &lifted = *sum++, &selected = *sum++;
      for (std::size_t i = 0; i < c.values.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        errors.add(static_cast<double>(lifted.units(at) - c.values[i]));
        errors.add(static_cast<double>(selected.units(at) - std::max<std::int64_t>(c.values[i], 0)));
      }
    }
  }
  return errors;
}

}  // namespace

Errors lifts_and_signs_of_every_value(const Interpreter& interpreter, int times) {
  std::vector<Case> cases;
  for (int k = 3; k <= 12; ++k) {
    for (int hi = 2; hi <= k - 1; ++hi) {
      Case& c = cases.emplace_back(Case{k, hi, {}});
      const std::int64_t edge = (std::int64_t{1} << (hi - 1)) - 1;
      for (int time = 0; time < times; ++time) {
        for (std::int64_t value = -edge; value <= edge; ++value) c.values.push_back(value);
      }
    }
  }
  return lifts_and_signs_of(interpreter, cases);
}

Errors lifts_and_signs_at_the_edges(const Interpreter& interpreter, int times) {
  std::vector<Case> cases;
  for (int k = 3; k <= kWordBits; ++k) {
    for (int hi = 2; hi <= k - 1; ++hi) {
      if (hi > 4 && hi < k - 2 && hi != k / 2) continue;
      const std::int64_t edge = (std::int64_t{1} << (hi - 1)) - 1;
      Case& c = cases.emplace_back(Case{k, hi, {}});
      for (int time = 0; time < times; ++time) {
        for (const std::int64_t value : {edge, edge - 1, edge / 2, std::int64_t{1}, std::int64_t{0}}) {
          c.values.push_back(value);
          c.values.push_back(-value);
        }
      }
    }
  }
  return lifts_and_signs_of(interpreter, cases);
}

Errors fixed_fractions(const Interpreter& interpreter, int bits, double value, std::int64_t samples) {
  const std::int64_t batch = std::min<std::int64_t>(samples, 15625);
  const Matrix values = Matrix::Constant(1, batch, std::ldexp(value, -bits));
  const RingTensor raw = encode(values, {64, 2 * bits}, "values");
  Errors errors(drop_bound(interpreter.parties));
  for (std::int64_t done = 0; done < samples; done += batch) {
    const std::vector<Total> sums = totals(interpreter, [&](Session& s, int) {
      return std::vector{drop(s, shared(s, values, {64, 2 * bits}), bits)};
    });
    add_distances(sums[0], raw, bits, errors);
  }
  return errors;
}

Errors scaled_fractions(const Interpreter& interpreter, int bits, std::int64_t samples) {
  constexpr int kStepBits = 20;
  constexpr double kUnits = 5;
  const std::int64_t batch = std::min<std::int64_t>(samples, 15625);
  const Matrix values = Matrix::Constant(1, batch, std::ldexp(kUnits, -16));
  const RingTensor raw = encode(values * std::ldexp(1.0, bits), {64, 16}, "values");
  Errors errors(drop_bound(interpreter.parties));
  for (std::int64_t done = 0; done < samples; done += batch) {
    const std::vector<Total> sums = totals(interpreter, [&](Session& s, int) {
      return std::vector{drop(s, scale(shared(s, values, {64, 16}), std::int64_t{1} << bits, kStepBits), kStepBits)};
    });
    add_distances(sums[0], raw, kStepBits, errors);
  }
  return errors;
}

Errors small_updates(const Interpreter& interpreter, int updates) {
  constexpr Format kFormat{64, 16};
  constexpr int kStepBits = 20;
  constexpr double kGradient = 12345 / 65536.0;
  const auto step = static_cast<std::int64_t>(0.3 / 12345 * (1 << kStepBits));  // odd: 25
  const Matrix gradient = Matrix::Constant(20, 50, kGradient);
  const double exact = -12345.0 * static_cast<double>(step) / (1 << kStepBits) * updates;
  const std::vector<Total> sums = totals(interpreter, [&](Session& s, int) {
    Share weight = shared(s, Matrix::Zero(20, 50), {kFormat.ring_bits - kStepBits, kFormat.fraction_bits});
    for (int update = 0; update < updates; ++update) {
      weight = weight - drop(s, scale(shared(s, gradient, kFormat), step, kStepBits), kStepBits);
    }
    return std::vector{weight};
  });
  double mean = 0;
  for (std::int64_t i = 0; i < sums[0].size(); ++i) mean += static_cast<double>(sums[0].units(i));
  mean /= static_cast<double>(sums[0].size());
  Errors errors(0.02);
  errors.add((mean - exact) / updates);
  return errors;
}

}  // namespace tacit::mpc
