#include "mpc/protocols/input.h"

#include "mpc/session/inside.h"

namespace tacit::mpc {

Cost input_cost(const Spec&, const CostSetting&) { return {}; }

Share input(Party& party, int owner, Shape shape, Format format, const Matrix* mine, std::string_view name) {
  const StreamName stream = party.next(Draw::kInput);
  if (party.rank() != owner) {
    RingTensor share(shape, format.ring_bits);
    party.seed(owner).fill(stream, share);
    return Inside::share(shape, format, std::move(share));
  }
  TACIT_CHECK(mine != nullptr);
  RingTensor share = encode(*mine, format, name);
  for (int peer = 0; peer < party.parties(); ++peer) {
    if (peer != owner) party.seed(peer).subtract(stream, share);
  }
  return Inside::share(shape, format, std::move(share));
}

Share input(Dealer&, int, Shape shape, Format format, const Matrix*, std::string_view) {
  return Inside::nothing(shape, format);
}

Share input(Clear&, int, Shape shape, Format format, const Matrix* mine, std::string_view name) {
  TACIT_CHECK(mine != nullptr);
  return Inside::share(shape, format, encode(*mine, format, name));
}

Share constant(Party& party, Shape shape, const std::function<Matrix()>& value, Format format, std::string_view name) {
  RingTensor words = encode_public(value(), format, name);
  TACIT_CHECK(words.shape() == shape);
  if (!party.first()) words = RingTensor::zeros(shape, words.bits());
  return Inside::share(shape, format, std::move(words));
}

Share constant(Dealer&, Shape shape, const std::function<Matrix()>&, Format format, std::string_view) {
  return Inside::nothing(shape, format);
}

Share constant(Clear&, Shape shape, const std::function<Matrix()>& value, Format format, std::string_view name) {
  return Inside::share(shape, format, encode_public(value(), format, name));
}

}  // namespace tacit::mpc
