#include "gnn/arithmetic/clipping.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "gnn/arithmetic/rearranged.h"
#include "mpc/protocols/add_public.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/select.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

Tensors clipped(Arithmetic& arithmetic, std::span<const Tensor> tensors, double most, double range) {
  mpc::Session& session = arithmetic.session();
  const int f = arithmetic.top().fraction_bits;
  const auto at = static_cast<std::int64_t>(std::llround(std::ldexp(most, f)));
  double bound = range;
  for (const Tensor& tensor : tensors) bound = std::max(bound, tensor.bound() + most);
  Tensors narrow, values;
  std::copy_if(tensors.begin(), tensors.end(), std::back_inserter(narrow),
               [&](const Tensor& tensor) { return tensor.format().ring_bits < mpc::room_for(f, bound); });
  arithmetic.lifted(narrow);
  for (const Tensor& tensor : tensors) values.push_back(arithmetic.rounded(tensor, Precision::kValue));
  const Tensor all = arithmetic.narrowed(in_one_row(values).within(bound));
  const mpc::Shown& shown = arithmetic.shown(all);
  const int hi = mpc::LevelPlanner::comparison_bits(all.level());
  const std::array<mpc::Comparison, 2> comparisons{{{shown, hi, -at}, {shown, hi, at}}};
  const std::vector<mpc::Bits> bits = mpc::non_negative(session, comparisons);
  const int ring = all.format().ring_bits;
  const mpc::Share kept = mpc::select(session, bits[0], shown, ring) - mpc::select(session, bits[1], shown, ring);
  const mpc::Share sides = mpc::indicator(session, bits[0], ring) + mpc::indicator(session, bits[1], ring);
  const mpc::Share edges = mpc::scale(mpc::add_public_units(session, sides, -1), at, f);
  return shaped_like(tensors, Tensor(kept + edges, most, all.name()));
}

}  // namespace tacit::gnn
