#include "gnn/arithmetic/softmax.h"

#include <algorithm>

#include "mpc/functions/softmax.h"

namespace tacit::gnn {

Softmax softmax(Arithmetic& arithmetic, const Tensor& z, bool with_log_sums, int spare_bits) {
  constexpr double kLargestLogOfColumns = 7;  // log 2^10
  const int f = arithmetic.top().fraction_bits;
  if (z.format().ring_bits < mpc::softmax_logit_ring(f, z.bound())) arithmetic.lifted(z);
  const int ring = std::min(mpc::softmax_widest_ring(z.shape().cols, f), mpc::room_for(f, 2) + spare_bits);
  const mpc::Classes classes = mpc::softmax(arithmetic.session(), z.share(), z.bound(), {ring, f},
                                            with_log_sums ? mpc::LogSum::kAsked : mpc::LogSum::kNotAsked);
  Softmax result;
  result.probability = Tensor(classes.probability, 1, "softmax").certain();
  if (with_log_sums) {
    result.log_sums = Tensor(classes.log_sum, z.bound() + kLargestLogOfColumns, "log sum").certain();
  }
  return result;
}

}  // namespace tacit::gnn
