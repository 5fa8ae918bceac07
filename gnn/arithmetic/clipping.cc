#include "gnn/arithmetic/clipping.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "mpc/protocols/add_public.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/select.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

std::vector<Tensor> clipped(Arithmetic& arithmetic, const std::vector<Tensor>& tensors, double most, double range) {
  mpc::Session& session = arithmetic.session();
  const int f = arithmetic.top().fraction_bits;
  const auto at = static_cast<std::int64_t>(std::llround(std::ldexp(most, f)));
  double bound = range;
  for (const Tensor& tensor : tensors) bound = std::max(bound, tensor.bound() + most);
  std::vector<Tensor> narrow;
  for (const Tensor& tensor : tensors) {
    if (tensor.format().ring_bits < mpc::room_for(f, bound)) narrow.push_back(tensor);
  }
  arithmetic.lifted(narrow);
  // All of them side by side, so that they share the rounds.
  std::vector<mpc::Share> rows;
  for (const Tensor& tensor : tensors) {
    rows.push_back(mpc::reshaped(arithmetic.rounded(tensor, f).share(), {1, tensor.shape().size()}));
  }
  const Tensor all = arithmetic.narrowed(Tensor(mpc::beside(rows), bound, tensors.front().name()));
  const mpc::Shown& shown = arithmetic.shown(all);
  const int hi = mpc::LevelPlanner::comparison_bits(all.level());
  const std::array<mpc::Comparison, 2> comparisons{{{shown, hi, -at}, {shown, hi, at}}};
  const std::vector<mpc::Bits> bits = mpc::non_negative(session, comparisons);
  const int ring = all.format().ring_bits;
  const mpc::Share kept = mpc::select(session, bits[0], shown, ring) - mpc::select(session, bits[1], shown, ring);
  const mpc::Share sides = mpc::indicator(session, bits[0], ring) + mpc::indicator(session, bits[1], ring);
  const mpc::Share edges = mpc::scale(mpc::add_public_units(session, sides, -1), at, f);
  const mpc::Share result = kept + edges;
  std::vector<Tensor> each;
  std::int64_t begin = 0;
  for (const Tensor& tensor : tensors) {
    const std::int64_t end = begin + tensor.shape().size();
    each.emplace_back(mpc::reshaped(mpc::columns(result, begin, end), tensor.shape()), most, tensor.name());
    begin = end;
  }
  return each;
}

}  // namespace tacit::gnn
