#include "bench/tables/moved_twins.h"

#include <algorithm>

#include "bench/data/random_source.h"
#include "bench/tables/training_end.h"
#include "gnn/data/preparation.h"

namespace tacit::launcher {

bool LastLosses::admit(double loss, double allowed) const {
  return std::max(least - loss, loss - most) <= std::max(allowed, range());
}

LastLosses losses_of_moved_twins(const gnn::Plans& plans, const gnn::GraphData& whole, double own) {
  LastLosses losses{own, own};
  const gnn::Matrix deviations = gnn::deviations(*whole.x);
  for (int twin = 1; twin <= kMovedTwins; ++twin) {
    gnn::RandomSource random(static_cast<std::uint64_t>(twin));
    gnn::GraphData moved = whole;
    for (Eigen::Index row = 0; row < moved.x->rows(); ++row) {
      for (Eigen::Index column = 0; column < moved.x->cols(); ++column) {
        (*moved.x)(row, column) += kMovedBy * deviations(0, column) * random.normal();
      }
    }
    const TrainingEnd end = end_of_twin(plans, moved);
    if (!end.trained() || !end.loss) continue;
    losses.least = std::min(losses.least, *end.loss);
    losses.most = std::max(losses.most, *end.loss);
  }
  return losses;
}

}  // namespace tacit::launcher
