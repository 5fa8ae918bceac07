#include "mpc/made/powers.h"

#include <algorithm>

#include "mpc/made/mask_parts.h"

namespace tacit::mpc {

namespace {

// Fraction bits of the powers, and the rings that they need.
class Rings {
 public:
  Rings(int gain, int degree, int width, int keep) : width_(width), keep_(keep) {
    for (int m = 0; m < degree; ++m) {
      fraction_.push_back(std::min(keep, fraction_.back() + gain));
      dropped_.push_back(fraction_[static_cast<std::size_t>(m)] + gain - fraction_.back());
    }
  }

  int fraction(int m) const { return fraction_[static_cast<std::size_t>(m)]; }
  int dropped(int m) const { return dropped_[static_cast<std::size_t>(m)]; }
  int missing(int m) const { return keep_ - fraction(m); }  // fraction bits
  int needed(int m) const { return width_ - missing(m); }
  // The ring from which no power after s^m has to be lifted, if there is one.
  int before(int m) const {
    int widest = needed(m), dropped_since = 0;
    for (int later = m + 1; later < static_cast<int>(fraction_.size()); ++later) {
      dropped_since += dropped(later);
      widest = std::max(widest, needed(later) + dropped_since);
    }
    return std::min(kWidestRing, widest);
  }

 private:
  int width_, keep_;
  std::vector<int> fraction_{0}, dropped_{0};
};

// The sum of the terms j, each shifted by j bits.
template <typename Terms>
SharedWords placed(const Terms& terms) {
  SharedWords total = terms.front();
  for (std::size_t j = 1; j < terms.size(); ++j) total = sum(total, shifted(terms[j], static_cast<int>(j)));
  return total;
}

SharedWords number_of(Engine& engine, std::span<const SharedBits> bits, int width) {
  std::vector<Engine::Widening> widenings;
  for (int j = 0; j < std::min(width, static_cast<int>(bits.size())); ++j) {
    widenings.push_back({bits[static_cast<std::size_t>(j)], width - j});
  }
  return placed(engine.widen(widenings));
}

SharedWords times_number(Engine& engine, std::span<const SharedBits> bits, const SharedWords& words) {
  std::vector<Engine::Selection> selections;
  for (int j = 0; j < std::min(words.width, static_cast<int>(bits.size())); ++j) {
    selections.push_back({bits[static_cast<std::size_t>(j)], narrowed(words, words.width - j)});
  }
  return placed(engine.times(selections));
}

}  // namespace

std::vector<SharedWords> powers(Engine& engine, std::span<const SharedBits> bits, std::int64_t rows, int degree,
                                int width, int keep) {
  const Rings rings(static_cast<int>(bits.size()), degree, width, keep);
  TACIT_CHECK(width > keep && width <= kWidestRing && (degree == 0 || !bits.empty()));
  std::vector<SharedWords> all{engine.constant(DoubleWord{1} << keep, rows, 1, width)};
  SharedWords power;
  for (int m = 1; m <= degree; ++m) {
    power = m == 1 ? number_of(engine, bits, rings.before(0)) : times_number(engine, bits, power);
    power = dropped(power, rings.dropped(m));
    if (power.width < rings.needed(m)) power = lifted(engine, power, rings.fraction(m), rings.before(m));
    all.push_back(shifted(narrowed(power, rings.needed(m)), rings.missing(m)));
  }
  return all;
}

std::vector<double> power_errors(int parties, int bits, int degree, int keep) {
  const Rings rings(bits, degree, keep + 1, keep);
  std::vector<double> errors{0};
  for (int m = 1; m <= degree; ++m) errors.push_back(errors.back() + (rings.dropped(m) > 0 ? parties / 2.0 : 0));
  return errors;
}

SharedWords lifted(Engine& engine, const SharedWords& x, int fraction_bits, int width) {
  const int bits = fraction_bits + 1;
  TACIT_CHECK(x.columns == 1 && bits >= 2 && bits <= kWordBits && bits <= x.width && bits < width);
  const DoubleWord offset = DoubleWord{1} << (fraction_bits - 1);
  const SharedWords positive = sum(x, engine.constant(offset, x.rows, 1, x.width));
  RingTensor low;
  RingView view{nullptr, {x.rows, 1}, 1, 1};
  if (!engine.planned()) {
    low = RingTensor::zeros({x.rows, 1}, bits);
    const std::int64_t step = limbs(positive.width);
    for (std::int64_t i = 0; i < x.rows && positive.own != nullptr; ++i) {
      low.data()[i] = positive.own->data()[i * step] & low_bits(bits);
    }
    view = low.view();
  }
  const Engine::Addition addition{view, bits, true};
  std::vector<Engine::Widening> widenings;
  const Engine::Sum added = engine.add(std::span(&addition, 1)).front();
  for (const SharedBits& carry : added.carries) widenings.push_back({carry, width - bits});
  const SharedWords carries = carries_of(engine, engine.widen(widenings), x.rows, width - bits);
  return difference(rho_of(engine, view, bits, carries, width), engine.constant(offset, x.rows, 1, width));
}

}  // namespace tacit::mpc
