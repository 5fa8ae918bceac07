#include "tests/mpc/functions/clip_records.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "mpc/protocols/input.h"
#include "mpc/protocols/mask.h"
#include "mpc/session/inside.h"

namespace tacit::mpc {

namespace {

constexpr Shape kWidths[] = {{9, 50}, {50, 1}};  // inputs, outputs of each layer
constexpr double kUnit = 1.0 / (1 << kClipFraction);

using Reals = std::vector<std::vector<double>>;  // by tensor: the inputs and the gradients of each layer, alternately

double uniform(std::mt19937_64& random, double begin, double end) {
  return std::uniform_real_distribution<double>(begin, end)(random);
}

template <typename Of>
double one_of(std::mt19937_64& random, const Of& values) {
  return values[random() % std::size(values)];
}

// A value of at most `most`.
double value(RecordKind kind, std::mt19937_64& random) {
  constexpr double kSides[] = {-1, 1, 1, 0};
  return kind == RecordKind::kExtreme ? one_of(random, kSides) : uniform(random, -1, 1);
}

// The scale of one row.
double row_scale(RecordKind kind, std::mt19937_64& random) {
  constexpr double kScales[] = {1, 1, kUnit, 1.0 / 128};
  return kind == RecordKind::kExtreme ? one_of(random, kScales) : std::exp2(uniform(random, -kClipFraction, 0));
}

void round_into(Units& units, std::int64_t row, const std::vector<double>& values, double most) {
  for (std::int64_t col = 0; col < units.shape.cols; ++col) {
    const double v = std::clamp(values[static_cast<std::size_t>(col)], -most, most);
    units.at(row, col) = std::llround(v / kUnit);
  }
}

// The factor that moves the gradients of a record next to a place where the comparison or the table changes.
double to_the_edge(double squared, std::mt19937_64& random) {
  constexpr double kNear[] = {1 - 1e-6, 1, 1 + 1e-6, 1 + 1e-3, 1.5, 2.25};
  const auto octave = static_cast<int>(random() % static_cast<unsigned>(kClip.octaves));
  const double target = std::exp2(2 * (kClip.log_clip + octave)) * one_of(random, kNear);
  return std::sqrt(target / std::max(squared, 1e-30));
}

Records empty_records(std::int64_t count) {
  Records records;
  for (const Shape width : kWidths) records.push_back({Units({count, width.rows}), Units({count, width.cols}), true});
  return records;
}

void climb(Records& records, const Records& worst, std::mt19937_64& random) {
  for (std::int64_t row = 0; row < records[0].inputs.shape.rows; ++row) {
    const auto from = static_cast<std::int64_t>(random() % static_cast<std::size_t>(worst[0].inputs.shape.rows));
    for (std::size_t l = 0; l < records.size(); ++l) {
      const auto change = [&](Units& to, const Units& of, double most) {
        const double scale = uniform(random, 0.99, 1.01);
        std::vector<double> values;
        for (std::int64_t col = 0; col < of.shape.cols; ++col) {
          values.push_back(kUnit *
                           (scale * static_cast<double>(of.at(from, col)) + static_cast<double>(random() % 5) - 2));
        }
        round_into(to, row, values, most);
      };
      change(records[l].inputs, worst[l].inputs, kMostOf[l][0]);
      change(records[l].gradients, worst[l].gradients, kMostOf[l][1]);
    }
  }
}

void draw(Records& records, RecordKind kind, std::mt19937_64& random) {
  for (std::int64_t row = 0; row < records[0].inputs.shape.rows; ++row) {
    Reals values;
    for (std::size_t l = 0; l < records.size(); ++l) {
      for (const bool inputs : {true, false}) {
        const double scale = row_scale(kind, random) * kMostOf[l][inputs ? 0 : 1];
        std::vector<double>& row_values = values.emplace_back();
        const std::int64_t cols = inputs ? kWidths[l].rows : kWidths[l].cols;
        for (std::int64_t col = 0; col < cols; ++col) row_values.push_back(scale * value(kind, random));
      }
    }
    for (double& hidden : values[2]) hidden = std::abs(hidden);  // after a ReLU
    double move = 1;
    if (kind == RecordKind::kEdge) {
      double squared = 0;
      for (std::size_t l = 0; l < records.size(); ++l) {
        double a = 1, d = 0;
        for (const double v : values[2 * l]) a += v * v;
        for (const double v : values[2 * l + 1]) d += v * v;
        squared += a * d;
      }
      move = to_the_edge(squared, random);
    }
    for (std::size_t l = 0; l < records.size(); ++l) {
      for (double& gradient : values[2 * l + 1]) gradient *= move;
      round_into(records[l].inputs, row, values[2 * l], kMostOf[l][0]);
      round_into(records[l].gradients, row, values[2 * l + 1], kMostOf[l][1]);
    }
  }
}

Units picked(const Units& units, const std::vector<std::int64_t>& rows) {
  Units out({std::ssize(rows), units.shape.cols});
  for (std::int64_t row = 0; row < out.shape.rows; ++row) {
    for (std::int64_t col = 0; col < out.shape.cols; ++col) {
      out.at(row, col) = units.at(rows[static_cast<std::size_t>(row)], col);
    }
  }
  return out;
}

DoubleWord squared_row(const Units& units, std::int64_t row) {
  DoubleWord sum = 0;
  for (std::int64_t col = 0; col < units.shape.cols; ++col) {
    const std::int64_t v = units.at(row, col);
    sum += static_cast<DoubleWord>(v * v);
  }
  return sum;
}

Matrix real(const Units& units, int fraction_bits) {
  Matrix matrix(units.shape.rows, units.shape.cols);
  for (std::size_t i = 0; i < units.values.size(); ++i) {
    matrix.data()[i] = std::ldexp(static_cast<double>(units.values[i]), -fraction_bits);
  }
  return matrix;
}

void add_share(const Share& share, Units& sum) {
  if (!Inside::held(share)) return;
  if (sum.shape != share.shape()) sum = Units(share.shape());
  const RingTensor& words = Inside::words(share);
  for (std::size_t i = 0; i < sum.values.size(); ++i) {
    const auto word = static_cast<std::uint64_t>(sum.values[i]) + words.data()[i];
    sum.values[i] = signed_value(word, words.bits());
  }
}

}  // namespace

Records clip_records(RecordKind kind, std::int64_t count, std::mt19937_64& random, const Records& worst) {
  Records records = empty_records(count);
  kind == RecordKind::kClimb ? climb(records, worst, random) : draw(records, kind, random);
  return records;
}

std::vector<DoubleWord> squared_gradients(const Records& records) {
  std::vector<DoubleWord> squared(static_cast<std::size_t>(records[0].inputs.shape.rows));
  for (const LayerUnits& layer : records) {
    const DoubleWord one = layer.bias ? DoubleWord{1} << (2 * kClipFraction) : 0;
    for (std::size_t row = 0; row < squared.size(); ++row) {
      const auto at = static_cast<std::int64_t>(row);
      squared[row] += (squared_row(layer.inputs, at) + one) * squared_row(layer.gradients, at);
    }
  }
  return squared;
}

Records picked(const Records& records, const std::vector<std::int64_t>& rows) {
  Records out;
  for (const LayerUnits& layer : records) {
    out.push_back({picked(layer.inputs, rows), picked(layer.gradients, rows), layer.bias});
  }
  return out;
}

std::vector<LayerBounds> clip_bounds() {
  std::vector<LayerBounds> bounds;
  for (std::size_t l = 0; l < std::size(kWidths); ++l) {
    const auto squared = [&](std::int64_t columns, double most) { return static_cast<double>(columns) * most * most; };
    const Shape width = kWidths[l];
    bounds.push_back({width.rows,
                      width.cols,
                      true,
                      kClipFraction,
                      {squared(width.rows, kMostOf[l][0]), squared(width.cols, kMostOf[l][1])}});
  }
  return bounds;
}

Adding narrow_adding(const Clip& clip, std::int64_t records, int parties) {
  Adding adding;
  adding.rings.clear();
  for (const LayerBounds& layer : clip_bounds()) {
    adding.rings.push_back(record_rings(layer, {clip, records, 0, parties}, std::ldexp(0.7, clip.log_clip - 10)));
  }
  return adding;
}

std::vector<LayerRecords> masked_records(Session& session, const Records& records, const Adding& adding) {
  std::vector<Share> shares;
  for (std::size_t l = 0; l < records.size(); ++l) {
    const auto put_in = [&](const Units& units, int ring_bits) {
      const Matrix values = real(units, kClipFraction);
      shares.push_back(input(session, 0, units.shape, {ring_bits, kClipFraction}, &values, "records"));
    };
    put_in(records[l].inputs, adding.rings[l].inputs);
    put_in(records[l].gradients, adding.rings[l].gradients);
  }
  const std::vector<Masked> masked = mask(session, shares);
  const std::vector<LayerBounds> bounds = clip_bounds();
  std::vector<LayerRecords> layers;
  for (std::size_t l = 0; l < records.size(); ++l) {
    layers.push_back({masked[2 * l], masked[2 * l + 1], records[l].bias, bounds[l].squared});
  }
  return layers;
}

Clipped clipped_by(int parties, const Records& records, const Clip& clip, const ClipMargins& margins,
                   const Adding& adding) {
  const std::int64_t rows = records[0].inputs.shape.rows;
  Clipped clipped;
  clipped.weights.resize(records.size());
  clipped.bias.resize(records.size());
  clipped.scaled.resize(records.size());
  Matrix counts = Matrix::Ones(rows, 1);
  for (std::int64_t row = 0; adding.counted && row < rows; ++row) {
    counts(row, 0) = (*adding.counted)[static_cast<std::size_t>(row)] ? 1 : 0;
  }
  Units factors;
  std::mutex mutex;
  const auto program = [&](Session& session, int) {
    const std::vector<LayerRecords> layers = masked_records(session, records, adding);
    const bool chosen = adding.widths.empty();
    const std::vector<SumWidths> widths =
        chosen ? widths_of_sums(layers, {clip, rows, 0, session.parties()}) : adding.widths;
    const Clip rounded = chosen ? with_rounding(clip, widths) : clip;
    const Share counted = input(session, 0, {rows, 1}, {8, 0}, &counts, "counted");
    const Share factor = clip_factor_within(session, squared_lengths(session, layers), rounded, kWordBits, margins,
                                            adding.counted ? &counted : nullptr);
    const Masked masked = mask(session, factor);
    const std::vector<Share> sides = scaled_sides(session, layers, widths, masked);
    const std::vector<ClippedSum> sums = sums_of_sides(session, layers, masked, sides);
    const std::lock_guard lock(mutex);
    clipped.widths = widths;
    add_share(factor, factors);
    for (std::size_t l = 0; l < sums.size(); ++l) {
      add_share(sides[l], clipped.scaled[l]);
      add_share(sums[l].weights, clipped.weights[l]);
      if (sums[l].bias) add_share(*sums[l].bias, clipped.bias[l]);
    }
  };
  if (parties == 0) {
    ClearSession session(1, 1);
    program(session, -1);
    EXPECT_TRUE(session.range_violations().empty());
  } else {
    run_parties(parties, program, {.from = adding.pairwise ? CorrelationsFrom::kParties : CorrelationsFrom::kDealer});
  }
  clipped.factor = factors.values;
  return clipped;
}

std::vector<double> lengths_after(const Clipped& clipped, const Records& records, const Clip& clip) {
  const std::vector<DoubleWord> squared = squared_gradients(records);
  const DoubleWord most = DoubleWord{1} << (2 * clip.factor_bits + 4 * kClipFraction + 2 * clip.log_clip);
  std::vector<double> lengths;
  for (std::size_t i = 0; i < squared.size(); ++i) {
    const auto factor = static_cast<DoubleWord>(std::abs(clipped.factor[i]));
    const DoubleWord length = factor * factor * squared[i];
    const double ratio = std::sqrt(static_cast<double>(length) / static_cast<double>(most));
    lengths.push_back(length > most ? std::max(ratio, std::nextafter(1.0, 2.0)) : std::min(ratio, 1.0));
  }
  return lengths;
}

std::vector<double> lengths_added(const Clipped& clipped, const Records& records, const Clip& clip) {
  int finest = 0;
  for (const SumWidths& one : clipped.widths) finest = std::max(finest, one.scaled_bits);
  const DoubleWord one = DoubleWord{1} << (2 * kClipFraction);
  const DoubleWord most = DoubleWord{1} << (2 * (finest + kClipFraction + clip.log_clip));
  std::vector<double> lengths;
  for (std::int64_t row = 0; row < records[0].inputs.shape.rows; ++row) {
    DoubleWord sum = 0;  // units of 2^-2(finest + f)
    for (std::size_t l = 0; l < records.size(); ++l) {
      const DoubleWord side = squared_row(clipped.scaled[l], row);
      const DoubleWord a = squared_row(records[l].inputs, row), d = squared_row(records[l].gradients, row);
      const int coarser = 2 * (finest - clipped.widths[l].scaled_bits);
      if (clip_bounds()[l].scales_inputs()) {
        const auto factor = static_cast<DoubleWord>(clipped.factor[static_cast<std::size_t>(row)]);
        sum += ((side * d) << coarser) + ((factor * factor * d) << (2 * (finest - clip.factor_bits)));
      } else {
        sum += (side * (a + one)) << coarser;
      }
    }
    const double ratio = std::sqrt(static_cast<double>(sum) / static_cast<double>(most));
    lengths.push_back(sum > most ? std::max(ratio, std::nextafter(1.0, 2.0)) : std::min(ratio, 1.0));
  }
  return lengths;
}

}  // namespace tacit::mpc
