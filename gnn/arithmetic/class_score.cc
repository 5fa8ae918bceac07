#include "gnn/arithmetic/class_score.h"

#include <vector>

#include "gnn/arithmetic/rearranged.h"
#include "gnn/arithmetic/softmax.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

Tensor class_score(Arithmetic& arithmetic, const Tensor& z, std::int64_t of_class) {
  constexpr double kLargestLogOfColumns = 7;
  const std::int64_t classes = z.shape().cols;
  const double bound = 2 * arithmetic.ranges().activations + kLargestLogOfColumns;
  const int ring = mpc::room_for(arithmetic.top().fraction_bits, 2 * bound);
  const bool lifts = arithmetic.watches() || z.format().ring_bits < ring;
  const mpc::Share wide = (lifts ? arithmetic.lifted(z) : z).share();  // a lift is watched
  std::vector<mpc::Share> others;
  for (std::int64_t c = 0; c < classes; ++c) {
    if (c != of_class) others.push_back(mpc::columns(wide, c, c + 1));
  }
  mpc::Share below = others.front();
  if (others.size() > 1) {
    const Tensor rest(mpc::beside(others), arithmetic.ranges().activations, "logits of the others");
    below = arithmetic.lifted(softmax(arithmetic, rest.certain(), true).log_sums).share();
  }
  const mpc::Share score = mpc::columns(wide, of_class, of_class + 1) - below;
  return Tensor(mpc::narrow(score, ring), bound, "log-odds");
}

}  // namespace tacit::gnn
