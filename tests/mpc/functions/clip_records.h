// Records of a dense network of two layers, 9-50-1, that are hard to clip: made for the bound s·|g| <= C.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "mpc/functions/clip_margins.h"
#include "mpc/functions/clipped_sum.h"
#include "mpc/random/uniform_words.h"
#include "tests/mpc/run_program.h"

namespace tacit::mpc {

// Whole numbers, a row for each record.
struct Units {
  Shape shape;
  std::vector<std::int64_t> values;

  explicit Units(Shape s = {}) : shape(s), values(static_cast<std::size_t>(s.size())) {}
  std::int64_t& at(std::int64_t row, std::int64_t col) {
    return values[static_cast<std::size_t>(row * shape.cols + col)];
  }
  std::int64_t at(std::int64_t row, std::int64_t col) const {
    return values[static_cast<std::size_t>(row * shape.cols + col)];
  }
};

// One layer of a batch, in units of 2^-fraction_bits.
struct LayerUnits {
  Units inputs, gradients;
  bool bias = true;
};
using Records = std::vector<LayerUnits>;

inline constexpr int kClipFraction = 13;
inline constexpr Clip kClip{2, 7, 19};                                   // C = 4; |g|² <= 2^18
inline constexpr double kMostOf[2][2] = {{1, 16.0 / 3}, {40, 4.0 / 3}};  // |a|, |d| of each layer

enum class RecordKind : unsigned char {
  kRandom,   // of all lengths
  kExtreme,  // the largest, the smallest, single units
  kEdge,     // a length near a threshold of the comparison, or of the table
  kClimb,    // the worst so far, changed a little
};
// `worst`: the records that kClimb begins with; at least one.
Records clip_records(RecordKind kind, std::int64_t count, std::mt19937_64& random, const Records& worst = {});

// |g|² of each record in units of 2^-4f, exactly.
std::vector<DoubleWord> squared_gradients(const Records& records);
// These rows of the records, in this order.
Records picked(const Records& records, const std::vector<std::int64_t>& rows);

// The bounds of each layer of such records.
std::vector<LayerBounds> clip_bounds();

// How the records are added up.
struct Adding {
  std::vector<RecordRings> rings = {{64, 64}, {64, 64}};
  std::vector<SumWidths> widths = {};             // empty: made of the rings, together with the clip's rounding
  std::optional<std::vector<bool>> counted = {};  // all, if it is left out
  bool pairwise = false;                          // the parties make the correlations among themselves
};
// Rings as narrow as record_rings() makes them.
Adding narrow_adding(const Clip& clip, std::int64_t records, int parties);

// Shares of the records, rank 0 owns them, masked.
std::vector<LayerRecords> masked_records(Session& session, const Records& records, const Adding& adding = {});

// Sums over ranks.
struct Clipped {
  std::vector<std::int64_t> factor;  // units
  std::vector<Units> weights, bias;  // of each layer, units of the grid
  std::vector<Units> scaled;         // the sides that s scaled
  std::vector<SumWidths> widths;
};
// 0 parties: in the clear session.
Clipped clipped_by(int parties, const Records& records, const Clip& clip, const ClipMargins& margins,
                   const Adding& adding = {});

// s·|g| / C, by record; exact up to a relative 2^-50, and above 1 only if the product of whole numbers exceeds C.
std::vector<double> lengths_after(const Clipped& clipped, const Records& records, const Clip& clip);
// The length of each record's contribution to the sums, in units of C, with its roundings, and computed exactly.
std::vector<double> lengths_added(const Clipped& clipped, const Records& records, const Clip& clip);

}  // namespace tacit::mpc
