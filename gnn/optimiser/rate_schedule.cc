#include "gnn/optimiser/rate_schedule.h"

#include <cmath>
#include <numbers>

namespace tacit::gnn {

double RateSchedule::at(std::int64_t epoch, std::int64_t epochs) const {
  if (epoch <= warm_up) return initial * static_cast<double>(epoch) / static_cast<double>(warm_up + 1);
  const std::int64_t done = epoch - warm_up - 1;  // epochs done after the warm-up
  switch (kind) {
    case Kind::kConstant:
      return initial;
    case Kind::kStep:
      return initial * std::pow(factor, static_cast<double>(done / every));
    case Kind::kCosine: {
      const std::int64_t last = epochs - warm_up - 1;
      const double way = last > 0 ? static_cast<double>(done) / static_cast<double>(last) : 0;
      return least + (initial - least) * (1 + std::cos(std::numbers::pi * way)) / 2;
    }
  }
  return initial;
}

}  // namespace tacit::gnn
