#include "gnn/arithmetic/clipping.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "gnn/arithmetic/rearranged.h"
#include "mpc/protocols/add_public.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/select.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

// x, which was shown, cut at -most and most; in a ring of `ring_bits`.
mpc::Share cut(Arithmetic& arithmetic, const Tensor& x, double most, int ring_bits) {
  mpc::Session& session = arithmetic.session();
  const int f = arithmetic.top().fraction_bits;
  const auto at = static_cast<std::int64_t>(std::llround(std::ldexp(most, f)));
  const mpc::Shown& shown = arithmetic.shown(x);
  const int hi = mpc::LevelPlanner::comparison_bits(x.level());
  const std::array<mpc::Comparison, 2> comparisons{{{shown, hi, -at}, {shown, hi, at}}};
  const std::vector<mpc::Bits> bits = mpc::non_negative(session, comparisons);
  const mpc::Share kept =
      mpc::select(session, bits[0], shown, ring_bits) - mpc::select(session, bits[1], shown, ring_bits);
  const mpc::Share sides = mpc::indicator(session, bits[0], ring_bits) + mpc::indicator(session, bits[1], ring_bits);
  return kept + mpc::scale(mpc::add_public_units(session, sides, -1), at, f);
}

}  // namespace

Tensors clipped(Arithmetic& arithmetic, std::span<const Tensor> tensors, double most, double range) {
  const int f = arithmetic.top().fraction_bits;
  double bound = range;
  for (const Tensor& tensor : tensors) bound = std::max(bound, tensor.bound() + most);
  Tensors narrow, values;
  std::copy_if(tensors.begin(), tensors.end(), std::back_inserter(narrow),
               [&](const Tensor& tensor) { return tensor.format().ring_bits < mpc::room_for(f, bound); });
  arithmetic.lifted(narrow);
  for (const Tensor& tensor : tensors) values.push_back(arithmetic.rounded(tensor, Precision::kValue));
  const Tensor all = arithmetic.narrowed(in_one_row(values).within(bound));
  return shaped_like(tensors, Tensor(cut(arithmetic, all, most, all.format().ring_bits), most, all.name()));
}

Clamped clamped(Arithmetic& arithmetic, std::span<const Tensor> tensors, double most) {
  double bound = most;
  for (const Tensor& tensor : tensors) bound = std::max(bound, tensor.bound());
  // The thresholds lie within the range, so differences from them need one bit more.
  const Tensor all = arithmetic.narrowed(in_one_row(tensors).within(bound + most));
  const int ring = arithmetic.top().ring_bits;
  const mpc::Share values = cut(arithmetic, all, most, ring);
  const mpc::Share before = mpc::lift(arithmetic.session(), arithmetic.shown(all), ring);
  return {shaped_like(tensors, Tensor(values, most, all.name())),
          shaped_like(tensors, Tensor(values - before, bound, all.name()))};
}

}  // namespace tacit::gnn
