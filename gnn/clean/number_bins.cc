#include "gnn/clean/number_bins.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tacit::gnn {

namespace {

constexpr double kFinest = 0x1p-24;  // bins below this part of the largest magnitude are equally wide

// Rises by 1 from 0 to `finest`, and by 1 with each further power of two. Straight in between, so every machine gives the same bits.
double powers_of_two(double number, double finest) {
  const double magnitude = std::abs(number) / finest;
  if (magnitude < 1) return number / finest;
  int exponent = 0;
  const double part = std::frexp(magnitude, &exponent);  // 1/2 ... 1
  return std::copysign(exponent + 2 * (part - 0.5), number);
}

// The place of a number in the range, from 0 to 1.
class Places {
 public:
  explicit Places(const CleaningColumn& column)
      : low_(column.range->first),
        high_(column.range->second),
        finest_(std::max(std::max(std::abs(low_), std::abs(high_)) * kFinest, std::numeric_limits<double>::min())),
        first_(powers_of_two(low_, finest_)),
        last_(powers_of_two(high_, finest_)) {}

  double place(double number) const {
    const double equal = (number - low_) / (high_ - low_);
    return (equal + (powers_of_two(number, finest_) - first_) / (last_ - first_)) / 2;
  }
  // The first number at this place.
  double number(double place) const {
    double below = low_, above = high_;
    for (;;) {
      const double middle = below / 2 + above / 2;
      if (middle <= below || middle >= above) return above;
      (this->place(middle) < place ? below : above) = middle;
    }
  }

 private:
  const double low_, high_;
  const double finest_, first_, last_;
};

}  // namespace

bool counts_each(const CleaningColumn& column) {
  return column.whole && column.range->second - column.range->first < kCleaningBins;
}

std::size_t bins_of_numbers(const CleaningColumn& column) {
  if (!counts_each(column)) return kCleaningBins;
  return static_cast<std::size_t>(column.range->second - column.range->first) + 1;
}

std::size_t bin_of(const CleaningColumn& column, double number) {
  if (counts_each(column)) return static_cast<std::size_t>(number - column.range->first);
  const double bin = std::floor(Places(column).place(number) * kCleaningBins);
  return static_cast<std::size_t>(std::clamp<double>(bin, 0, kCleaningBins - 1));
}

NumberBin number_bin(const CleaningColumn& column, std::size_t bin) {
  if (counts_each(column)) return {column.range->first + static_cast<double>(bin), 0};
  const Places places(column);
  const auto edge = [&](std::size_t at) {
    return at == 0 ? column.range->first : places.number(static_cast<double>(at) / kCleaningBins);
  };
  const double low = edge(bin), high = edge(bin + 1);
  return {low / 2 + high / 2, high / 2 - low / 2};
}

}  // namespace tacit::gnn
