#include "mpc/protocols/drop.h"

#include "mpc/kernels/bit_slice.h"
#include "mpc/kernels/elementwise.h"
#include "mpc/session/inside.h"
#include "mpc/session/operation.h"

namespace tacit::mpc {

namespace {

Format lower(Format format, int bits) { return {format.ring_bits - bits, format.fraction_bits - bits}; }

// Copies the words into a wider ring.
RingTensor in_ring(const RingTensor& narrow, int ring_bits, Workers& workers) {
  RingTensor wide(narrow.shape(), ring_bits);
  reduce(narrow, wide, workers);
  return wide;
}

}  // namespace

Share Drop::at(Party& party) {
  if (bits_ == 0) return x_;
  const Format format = lower(x_.format(), bits_);
  RingTensor out(x_.shape(), format.ring_bits);
  const std::uint64_t half = std::uint64_t{1} << (bits_ - 1);
  const bool left_over = party.parties() % 2 == 1 && party.rank() == party.parties() - 1;
  if (!left_over) {
    drop_bits(Inside::words(x_), bits_, party.rank() % 2 == 0 ? half : half - 1, out, party.workers());
    return Inside::share(x_.shape(), format, std::move(out));
  }
  RingTensor dithered(x_.shape(), x_.ring_bits());
  if (party.parties() == 1) {
    add(Inside::words(x_), in_ring(party.own_random(x_.shape(), bits_), x_.ring_bits(), party.workers()), dithered,
        party.workers());
    drop_bits(dithered, bits_, 0, out, party.workers());
  } else {
    RingTensor less(x_.shape(), x_.ring_bits());
    widen(party.own_random_bits(x_.shape()), less, party.workers());
    subtract(Inside::words(x_), less, dithered, party.workers());
    drop_bits(dithered, bits_, half, out, party.workers());
  }
  return Inside::share(x_.shape(), format, std::move(out));
}

Share Drop::at(Dealer&) { return Inside::nothing(x_.shape(), lower(x_.format(), bits_)); }

Share Drop::at(Planner& planner) { return planner.made(x_.shape(), lower(x_.format(), bits_)); }

Share Drop::at(Clear& clear) {
  if (bits_ == 0) return x_;
  const Format format = lower(x_.format(), bits_);
  const RingTensor dithered = clear.dither(x_.shape(), x_.ring_bits(), bits_);
  RingTensor sum(x_.shape(), x_.ring_bits()), out(x_.shape(), format.ring_bits);
  add(Inside::words(x_), dithered, sum, clear.workers());
  drop_bits(sum, bits_, 0, out, clear.workers());
  return Inside::share(x_.shape(), format, std::move(out));
}

Share drop(Session& session, const Share& x, int bits) {
  TACIT_CHECK(bits >= 0 && bits < x.ring_bits() && bits <= x.fraction_bits());
  return session.run(Drop(x, bits));
}

}  // namespace tacit::mpc
