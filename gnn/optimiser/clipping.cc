#include "gnn/optimiser/clipping.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "mpc/session/local.h"

namespace tacit::gnn {

std::vector<Tensor> clipped(Arithmetic& arithmetic, const std::vector<Tensor>& gradients, double most) {
  mpc::Session& session = arithmetic.session();
  const int f = arithmetic.top().fraction_bits;
  const auto at = static_cast<std::int64_t>(std::llround(std::ldexp(most, f)));
  double bound = arithmetic.ranges().weight_gradients;  // so wide that an optimiser can add to it
  for (const Tensor& gradient : gradients) bound = std::max(bound, gradient.bound() + most);
  std::vector<Tensor> narrow;
  for (const Tensor& gradient : gradients) {
    if (gradient.format().ring_bits < mpc::room_for(f, bound)) narrow.push_back(gradient);
  }
  arithmetic.lifted(narrow);
  // All of them side by side, so that they share the rounds.
  std::vector<mpc::Share> rows;
  for (const Tensor& gradient : gradients) {
    rows.push_back(mpc::reshaped(arithmetic.rounded(gradient, f).share(), {1, gradient.shape().size()}));
  }
  const Tensor all = arithmetic.narrowed(Tensor(mpc::beside(rows), bound, "gradients"));
  const mpc::Shown& shown = arithmetic.shown(all);
  const int hi = mpc::LevelPlanner::comparison_bits(all.level());
  const std::array<mpc::Session::Comparison, 2> comparisons{{{shown, hi, -at}, {shown, hi, at}}};
  const std::vector<mpc::Bits> bits = session.non_negative(comparisons);
  const int ring = all.format().ring_bits;
  const mpc::Share kept = session.select(bits[0], shown, ring) - session.select(bits[1], shown, ring);
  const mpc::Share sides = session.indicator(bits[0], ring) + session.indicator(bits[1], ring);
  const mpc::Share edges = mpc::scale(session.add_public_units(sides, -1), at, f);
  const mpc::Share result = kept + edges;
  std::vector<Tensor> each;
  std::int64_t begin = 0;
  for (const Tensor& gradient : gradients) {
    const std::int64_t end = begin + gradient.shape().size();
    each.emplace_back(mpc::reshaped(mpc::columns(result, begin, end), gradient.shape()), most, gradient.name());
    begin = end;
  }
  return each;
}

}  // namespace tacit::gnn
