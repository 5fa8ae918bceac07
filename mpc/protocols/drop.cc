#include "mpc/protocols/drop.h"

#include "mpc/kernels/elementwise.h"
#include "mpc/session/inside.h"

namespace tacit::mpc {

namespace {

Format lower(Format format, int bits) { return {format.ring_bits - bits, format.fraction_bits - bits}; }

}  // namespace

Cost drop_cost(const Spec&, int, const CostSetting&) { return {}; }

Share drop(Party& party, const Share& x, int bits) {
  if (bits == 0) return x;
  const Format format = lower(x.format(), bits);
  const std::uint64_t half = std::uint64_t{1} << (bits - 1);
  RingTensor out(x.shape(), format.ring_bits);
  drop_bits(Inside::words(x), bits, party.rank() % 2 == 0 ? half : half - 1, out, party.workers());
  return Inside::share(x.shape(), format, std::move(out));
}

Share drop(Dealer&, const Share& x, int bits) { return Inside::nothing(x.shape(), lower(x.format(), bits)); }

Share drop(Clear& clear, const Share& x, int bits) {
  if (bits == 0) return x;
  const Format format = lower(x.format(), bits);
  const RingTensor dithered = clear.dither(x.shape(), x.ring_bits(), bits);
  RingTensor sum(x.shape(), x.ring_bits()), out(x.shape(), format.ring_bits);
  add(Inside::words(x), dithered, sum, clear.workers());
  drop_bits(sum, bits, 0, out, clear.workers());
  return Inside::share(x.shape(), format, std::move(out));
}

}  // namespace tacit::mpc
