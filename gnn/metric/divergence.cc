#include "gnn/metric/divergence.h"

#include <fmt/format.h>

#include <cmath>

namespace tacit::gnn {

void expect_converging(double loss, double first, std::int64_t epoch, std::optional<std::int64_t> good) {
  constexpr double kGrowth = 100, kRounding = 1e-2;
  const bool grew = !std::isfinite(loss) || loss > kGrowth * std::max(first, kRounding);
  if (!grew && loss >= -kRounding) return;
  const std::string what =
      grew ? fmt::format(
                 "training diverged: the loss of epoch {} is more than a hundred times the first loss. Lower the "
                 "learning rate, or scale the data",
                 epoch)
           : fmt::format(
                 "the loss of epoch {} is negative, which is impossible: a value left its declared range. Declare "
                 "wider ranges",
                 epoch);
  throw TrainingDiverged(what + (good ? fmt::format("; the last good checkpoint is from epoch {}", *good)
                                      : "; there is no good checkpoint to go on from"),
                         fmt::format("first loss {:.6g}, now {:.6g}", first, loss));
}

}  // namespace tacit::gnn
