#include "mpc/protocols/drop.h"

#include "mpc/kernels/bit_slice.h"
#include "mpc/kernels/elementwise.h"
#include "mpc/session/inside.h"

namespace tacit::mpc {

namespace {

Format lower(Format format, int bits) { return {format.ring_bits - bits, format.fraction_bits - bits}; }

// The same words in a wider ring.
RingTensor in_ring(const RingTensor& narrow, int ring_bits, Workers& workers) {
  RingTensor wide(narrow.shape(), ring_bits);
  reduce(narrow, wide, workers);
  return wide;
}

}  // namespace

Cost drop_cost(const Spec&, int, const CostSetting&) { return {}; }

Share drop(Party& party, const Share& x, int bits) {
  if (bits == 0) return x;
  const Format format = lower(x.format(), bits);
  RingTensor out(x.shape(), format.ring_bits);
  const std::uint64_t half = std::uint64_t{1} << (bits - 1);
  const bool left_over = party.parties() % 2 == 1 && party.rank() == party.parties() - 1;
  if (!left_over) {
    drop_bits(Inside::words(x), bits, party.rank() % 2 == 0 ? half : half - 1, out, party.workers());
    return Inside::share(x.shape(), format, std::move(out));
  }
  RingTensor dithered(x.shape(), x.ring_bits());
  if (party.parties() == 1) {
    add(Inside::words(x), in_ring(party.own_random(x.shape(), bits), x.ring_bits(), party.workers()), dithered,
        party.workers());
    drop_bits(dithered, bits, 0, out, party.workers());
  } else {
    RingTensor less(x.shape(), x.ring_bits());
    widen(party.own_random_bits(x.shape()), less, party.workers());
    subtract(Inside::words(x), less, dithered, party.workers());
    drop_bits(dithered, bits, half, out, party.workers());
  }
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
