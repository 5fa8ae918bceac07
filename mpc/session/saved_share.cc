#include "mpc/session/saved_share.h"

#include "mpc/session/inside.h"
#include "net/collectives/pack.h"

namespace tacit::mpc {

std::int64_t SavedShare::content_bytes(Shape shape, Format format) {
  return net::packed_bytes(shape.size(), format.ring_bits);
}

SavedShare Inside::saved(const Share& share) {
  SavedShare saved(share.shape(), share.format());
  if (!held(share)) return saved;
  const RingTensor& own = words(share);
  saved.packed_ = net::Secret(SavedShare::content_bytes(share.shape(), share.format()));
  net::pack({own.words(), own.bits()}, saved.packed_.bytes());
  saved.held_ = true;
  return saved;
}

RingTensor Inside::words(const SavedShare& saved) {
  TACIT_CHECK(saved.held_);
  RingTensor own(saved.shape_, saved.format_.ring_bits);
  net::unpack(saved.packed_.bytes(), {own.words(), own.bits()});
  return own;
}

void SavedShare::write_to(Sealer& sealer) const {
  TACIT_CHECK(held_);
  sealer.append(packed_.bytes());
}

std::optional<SavedShare> SavedShare::read_from(Unsealer& unsealer, Shape shape, Format format) {
  SavedShare saved(shape, format);
  saved.packed_ = net::Secret(content_bytes(shape, format));
  if (!unsealer.read(saved.packed_.bytes())) return std::nullopt;
  saved.held_ = true;
  return saved;
}

}  // namespace tacit::mpc
