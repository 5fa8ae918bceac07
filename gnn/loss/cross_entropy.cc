#include "gnn/loss/cross_entropy.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "mpc/functions/softmax.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

CrossEntropy::CrossEntropy(Arithmetic& arithmetic, const Tensor& y, Selection labelled)
    : labelled_(std::move(labelled)), y_(labelled_.pick(arithmetic, y, y.bound(), y.name())) {}

CrossEntropy::Result CrossEntropy::of(Arithmetic& arithmetic, const Tensor& z, Value value) {
  const int f = arithmetic.top().fraction_bits;
  const bool wanted = value == Value::kWanted;
  const Tensor picked = labelled_.pick(arithmetic, z, z.bound(), "logits");
  const double most = picked.bound();
  const bool narrow = picked.format().ring_bits < mpc::softmax_logit_ring(f, most);
  const Tensor logits = narrow ? arithmetic.lifted(picked) : picked;
  const int ring = std::min(mpc::softmax_widest_ring(logits.shape().cols, f), mpc::room_for(f, 2));
  const mpc::Classes classes = mpc::softmax(arithmetic.session(), logits.share(), most, {ring, f},
                                            wanted ? mpc::LogSum::kAsked : mpc::LogSum::kNotAsked);
  const Tensor gradient = Tensor(classes.probability - y_.share(), 1.5, "softmax less y").certain();
  if (!wanted) {
    if (arithmetic.watches()) arithmetic.lifted(std::array{gradient, logits});  // logits: to be watched
    return {scattered(arithmetic, gradient), {}};
  }
  constexpr double kLargestLogOfColumns = 7;  // log 2^10
  const Tensor log_sums = Tensor(classes.log_sum, most + kLargestLogOfColumns, "log sum").certain();
  arithmetic.lifted(std::array{gradient, logits, log_sums});
  // Many rows take more than a narrow ring holds if all of them reach the range of logits: then a loss of 16 a row.
  const double held = std::ldexp(1.0, arithmetic.top().ring_bits - 2 * f - 2) - 1;
  const double bound = std::min(rows() * log_sums.bound(), std::max(held, 16 * rows()));
  const Tensor of_class = sum_of_products(arithmetic, y_, logits, bound, "logit of the class");
  const Tensor sum =
      arithmetic.rounded(arithmetic.column_sums(log_sums, bound, "log sum"), of_class.format().fraction_bits);
  return {scattered(arithmetic, gradient), arithmetic.difference(sum, of_class, bound, "cross entropy")};
}

// Lifted as few rows, not as all of them.
Tensor CrossEntropy::scattered(Arithmetic& arithmetic, const Tensor& gradient) const {
  return labelled_.put_back(arithmetic, arithmetic.lifted(gradient), gradient.bound(), gradient.name());
}

}  // namespace tacit::gnn
