#include "mpc/random/poisson_sample.h"

#include <cmath>
#include <numeric>

#include "net/error.h"

namespace tacit::mpc {

PoissonSample::PoissonSample(PairSeed seed, double rate)
    : random_(std::move(seed)), rate_(rate), log_left_(std::log1p(-rate)) {
  TACIT_CHECK(rate > 0 && rate <= 1);
}

std::vector<std::int64_t> PoissonSample::draw(std::int64_t rows) {
  std::vector<std::int64_t> drawn;
  if (rate_ == 1) {
    drawn.resize(static_cast<std::size_t>(rows));
    std::iota(drawn.begin(), drawn.end(), 0);
    return drawn;
  }
  constexpr double kUnit = 0x1p-53;
  for (std::int64_t row = -1;;) {
    const double uniform = (static_cast<double>(random_.next() >> 11) + 1) * kUnit;  // in (0, 1]
    const double gap = std::floor(std::log(uniform) / log_left_);
    if (gap >= static_cast<double>(rows - row - 1)) return drawn;
    row += static_cast<std::int64_t>(gap) + 1;
    drawn.push_back(row);
  }
}

}  // namespace tacit::mpc
