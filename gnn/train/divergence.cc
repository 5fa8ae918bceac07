#include "gnn/train/divergence.h"

#include <fmt/format.h>

#include <cmath>

namespace tacit::gnn {

void expect_converging(double loss, double first, std::int64_t epoch, std::optional<std::int64_t> good) {
  constexpr double kGrowth = 100, kRounding = 1e-2;
  const bool grew = !std::isfinite(loss) || loss > kGrowth * std::max(first, kRounding);
  if (!grew && loss >= -kRounding) return;
  throw TrainingDiverged(
      fmt::format("training diverged: the loss of epoch {} {}. Lower the learning rate, scale the data, or declare "
                  "wider ranges; {}",
                  epoch, grew ? "is more than a hundred times that of the first" : "left the range of its ring",
                  good ? fmt::format("the last good checkpoint is that of epoch {}", *good)
                       : "there is no good checkpoint to go on from"),
      fmt::format("first loss {:.6g}, now {:.6g}", first, loss));
}

}  // namespace tacit::gnn
