#include "mpc/levels/level_planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "net/error.h"

namespace tacit::mpc {

namespace {

// The smallest b with bound < 2^b. A value may equal its bound, and one more unit must fit below
// 2^(k-2), so a bound that is a power of two takes one bit more.
int magnitude_bits(double bound) {
  TACIT_CHECK(std::isfinite(bound) && bound >= 0);
  if (bound == 0) return 0;
  return std::ilogb(bound) + 1;
}

}  // namespace

int room_for(int fraction_bits, double bound) { return std::max(fraction_bits + magnitude_bits(bound), 1) + 2; }

LevelPlanner::LevelPlanner(int top_ring, int fraction_bits, int parties)
    : top_ring_(top_ring), fraction_bits_(fraction_bits), parties_(parties) {
  TACIT_CHECK(top_ring >= 8 && top_ring <= kWordBits);
  TACIT_CHECK(fraction_bits >= 0 && 2 * fraction_bits + 2 < top_ring);
}

Level LevelPlanner::input(std::string_view name, double bound) {
  Level level{std::string(name), top(), bound};
  if (!fits(level)) {
    throw ConfigError(
        fmt::format("{}: values up to {} with {} fraction bits need a ring of {} bits, and the top ring has {}. Scale "
                    "the data, declare "
                    "a smaller range, or take fewer fraction bits.",
                    name, bound, fraction_bits_, room_for(fraction_bits_, bound), top_ring_));
  }
  note(level, "input");
  return level;
}

ProductPlan LevelPlanner::product(std::string_view name, const Level& left, const Level& right, std::int64_t inner,
                                  std::optional<double> declared) {
  TACIT_CHECK(inner >= 0);
  const double follows = static_cast<double>(std::max<std::int64_t>(inner, 1)) * left.bound * right.bound;
  const double bound = std::min(follows, declared.value_or(follows));
  const int fraction = left.format.fraction_bits + right.format.fraction_bits;
  const int drop = std::max(fraction - fraction_bits_, 0);
  // The bound after the drop, including the error of its rounding. The format must also keep a bit
  // above its fraction bits.
  const double rounded = bound + (drop > 0 ? std::ldexp(std::max(1.0, parties_ / 2.0), drop - fraction) : 0.0);
  const int need = std::max({room_for(fraction, bound), drop + room_for(fraction - drop, rounded), fraction + 1});
  if (need > top_ring_) {
    throw ConfigError(
        fmt::format("{}: a product of {} and {} fraction bits with values up to {} needs a ring of {} bits, and the "
                    "top ring has {}. "
                    "Declare a smaller range for it, take fewer fraction bits, or a wider ring.",
                    name, left.format.fraction_bits, right.format.fraction_bits, bound, need, top_ring_));
  }
  ProductPlan plan;
  plan.lift_left = left.format.ring_bits < need;
  plan.lift_right = right.format.ring_bits < need;
  plan.drop = drop;
  const int ring = std::min(plan.lift_left ? top_ring_ : left.format.ring_bits,
                            plan.lift_right ? top_ring_ : right.format.ring_bits);
  plan.result = {std::string(name), {ring - plan.drop, fraction - plan.drop}, rounded};
  TACIT_CHECK(fits(plan.result));
  std::string how = fmt::format("{} x {} in {} bits, drop {}", left.name, right.name, ring, plan.drop);
  for (const auto& [lift, operand] : {std::pair{plan.lift_left, &left}, std::pair{plan.lift_right, &right}}) {
    if (!lift) continue;
    how += fmt::format("; first lift {} from {} to {}: the product needs {}", operand->name, operand->format.ring_bits,
                       top_ring_, need);
  }
  note(plan.result, std::move(how));
  return plan;
}

Level LevelPlanner::sum(std::string_view name, const Level& left, const Level& right, std::optional<double> declared) {
  TACIT_CHECK(left.format.fraction_bits == right.format.fraction_bits);
  const double follows = left.bound + right.bound;
  Level level{std::string(name),
              {std::min(left.format.ring_bits, right.format.ring_bits), left.format.fraction_bits},
              std::min(follows, declared.value_or(follows))};
  if (!fits(level)) {
    throw ConfigError(fmt::format("{}: values up to {} need a ring of {} bits, and it has {}: lift {} or {} before",
                                  name, level.bound, room_for(level.format.fraction_bits, level.bound),
                                  level.format.ring_bits, left.name, right.name));
  }
  note(level, fmt::format("{} + {}", left.name, right.name));
  return level;
}

int LevelPlanner::comparison_bits(const Level& level) {
  TACIT_CHECK(fits(level));
  return std::max(room_for(level.format.fraction_bits, level.bound) - 1, 2);
}

std::string LevelPlanner::text() const {
  std::string text = fmt::format("top ring {}, {} fraction bits\n", top_ring_, fraction_bits_);
  std::size_t widest = 6;
  for (const Line& line : lines_) widest = std::max(widest, line.name.size());
  text += fmt::format("{:<{}}  ring  fraction  |x| up to  how\n", "tensor", widest);
  for (const Line& line : lines_) {
    text += fmt::format("{:<{}}  {:>4}  {:>8}  {:>9.4g}  {}\n", line.name, widest, line.format.ring_bits,
                        line.format.fraction_bits, line.bound, line.how);
  }
  return text;
}

void LevelPlanner::note(const Level& level, std::string how) {
  Line line{level.name, level.format, level.bound, std::move(how)};
  if (std::find(lines_.begin(), lines_.end(), line) == lines_.end()) lines_.push_back(std::move(line));
}

}  // namespace tacit::mpc
