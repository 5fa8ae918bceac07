#include "gnn/train/divergence.h"

#include <fmt/format.h>

#include <cmath>

namespace tacit::gnn {

void expect_converging(double loss, double first, std::int64_t epoch) {
  constexpr double kGrowth = 100, kRounding = 1e-2;
  const bool grew = !std::isfinite(loss) || loss > kGrowth * std::max(first, kRounding);
  if (!grew && loss >= -kRounding) return;
  throw TrainingDiverged(
      fmt::format("training diverged: the loss of epoch {} {}. Lower the learning rate, scale the data, or declare "
                  "wider ranges; a run from the last checkpoint goes on from before it",
                  epoch, grew ? "is more than a hundred times that of the first" : "left the range of its ring"),
      fmt::format("first loss {:.6g}, now {:.6g}", first, loss));
}

}  // namespace tacit::gnn
