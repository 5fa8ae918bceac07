// LevelPlanner — where rings fall and where they are lifted, decided before anything runs, from declared ranges.
//
// A tensor of k ring bits and f fraction bits with |x| <= bound can be shown, compared and lifted if
//   f + ceil(log2 bound) + 2 <= k        ("room": |x| < 2^(k-2) units).
// A product adds the fraction bits of both and is taken in the narrower ring; dropping f bits afterwards costs f bits
// of ring. So a tensor falls with every product until the next one would not fit, and only then is it lifted to the top
// ring: one opening of its own k bits. The planner follows a program's tensors by name and says where that is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mpc/ring/fixed_point.h"

namespace tacit::mpc {

// What is known of a tensor in public: its format, and the range that was declared for it or follows for it.
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

// How a product is to be taken.
struct ProductPlan {
  bool lift_left = false;  // to the top ring, first
  bool lift_right = false;
  int drop = 0;  // bits, afterwards
  Level result;
};

class LevelPlanner {
 public:
  // Top ring K and fraction bits f: 64, 56 or 48 and 16, 13 or 12 are what is tested. Every drop adds to a bound what
  // its rounding may add with so many parties.
  LevelPlanner(int top_ring, int fraction_bits, int parties = 2);

  int top_ring() const { return top_ring_; }
  int fraction_bits() const { return fraction_bits_; }
  Format top() const { return {top_ring_, fraction_bits_}; }

  // An input, in the top ring. Throws ConfigError if the bound does not fit.
  Level input(std::string_view name, double bound);

  // x·y summed over `inner` terms (1: element by element), dropped to f fraction bits. Its bound is inner times both
  // bounds, or what is declared if that is less. Throws ConfigError that names the product, what it needs and what to
  // do, if it would not fit even in the top ring.
  ProductPlan product(std::string_view name, const Level& left, const Level& right, std::int64_t inner,
                      std::optional<double> declared = std::nullopt);

  // A sum or difference: in the narrower ring, the bounds added.
  Level sum(std::string_view name, const Level& left, const Level& right,
            std::optional<double> declared = std::nullopt);

  // Back in the top ring: what a lift makes of it.
  Level lifted(const Level& level) const { return {level.name, {top_ring_, level.format.fraction_bits}, level.bound}; }

  // The widest comparison that is needed: hi such that |x| < 2^(hi-1) units. The level must fit.
  static int comparison_bits(const Level& level);

  // The decisions so far, one line each, however often each was taken; for `tacit plan`.
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
