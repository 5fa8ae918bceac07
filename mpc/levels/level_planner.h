// LevelPlanner decides from declared ranges, before a run, how far rings fall and where they are lifted.
//
// A tensor of k ring bits and f fraction bits with |x| <= bound can be shown, compared and lifted if
//   f + floor(log2 bound) + 3 <= k       ("room": |x| < 2^(k-2) units).
// A product adds the fraction bits of both factors and uses the narrower ring. The drop (truncation) of f
// bits afterwards takes f bits off the ring. The ring of a tensor therefore falls with every product. When
// the next product would not fit, a lift moves the tensor to the top ring: one opening of its own k bits.
// The planner follows a program's tensors by name and returns these decisions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mpc/ring/fixed_point.h"

namespace tacit::mpc {

// The public properties of a tensor: its format, and its declared or derived range.
struct Level {
  std::string name;
  Format format;
  double bound = 1;  // |x| <= bound
};

// The ring that a tensor needs to be shown.
int room_for(int fraction_bits, double bound);
inline bool fits(const Level& level) {
  return room_for(level.format.fraction_bits, level.bound) <= level.format.ring_bits;
}

// The plan of a product.
struct ProductPlan {
  bool lift_left = false;  // to the top ring, before the product
  bool lift_right = false;
  int drop = 0;  // bits, after the product
  Level result;
};

class LevelPlanner {
 public:
  // Top ring K and fraction bits f. The tests cover K = 64, 56 and 48, and f = 16, 13 and 12. Every
  // drop increases a bound by its largest rounding error for `parties` parties.
  LevelPlanner(int top_ring, int fraction_bits, int parties = 2);

  int top_ring() const { return top_ring_; }
  int fraction_bits() const { return fraction_bits_; }
  Format top() const { return {top_ring_, fraction_bits_}; }

  // An input in the top ring. Throws ConfigError if the bound does not fit.
  Level input(std::string_view name, double bound);

  // x·y summed over `inner` terms (1: element by element), dropped to f fraction bits. The bound is
  // inner times both bounds, or the declared bound if that is less. Throws ConfigError, with the
  // product's name, the ring that it needs and the remedy, if it would not fit even in the top
  // ring.
  ProductPlan product(std::string_view name, const Level& left, const Level& right, std::int64_t inner,
                      std::optional<double> declared = std::nullopt);

  // A sum or difference: in the narrower ring, with the sum of the bounds.
  Level sum(std::string_view name, const Level& left, const Level& right,
            std::optional<double> declared = std::nullopt);

  // The level after a lift: in the top ring.
  Level lifted(const Level& level) const { return {level.name, {top_ring_, level.format.fraction_bits}, level.bound}; }

  // The widest comparison that the level needs: hi such that |x| < 2^(hi-1) units. The level must
  // fit.
  static int comparison_bits(const Level& level);

  // The decisions so far, one line for each, without repetitions; for `tacit plan`.
  std::string text() const;

 private:
  void note(const Level& level, std::string how);

  int top_ring_;
  int fraction_bits_;
  int parties_;
  struct Line {
    std::string name;
    Format format;
    double bound;
    std::string how;

    bool operator==(const Line&) const = default;
  };
  std::vector<Line> lines_;
};

}  // namespace tacit::mpc
