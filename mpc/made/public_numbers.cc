#include "mpc/made/public_numbers.h"

#include <cmath>
#include <cstring>

namespace tacit::mpc {

std::vector<DoubleWord> from_first_party(Engine& engine, std::vector<DoubleWord> own) {
  if (engine.parties() == 1) return own;
  PairNetwork& network = engine.network();
  PairNetwork::Messages out = network.messages(), in = network.messages();
  const std::size_t bytes = own.size() * sizeof(DoubleWord);
  if (engine.rank() > 0) in[0].resize(bytes);
  for (std::size_t peer = 1; peer < out.size() && engine.rank() == 0; ++peer) {
    out[peer].resize(bytes);
    std::memcpy(out[peer].data(), own.data(), bytes);
  }
  network.exchange(out, in);
  if (engine.rank() > 0 && !engine.planned()) std::memcpy(own.data(), in[0].data(), bytes);
  return own;
}

DoubleWord whole_number(double value) {
  TACIT_CHECK(std::abs(value) < 0x1p126);
  __extension__ using Signed = __int128;
  return static_cast<DoubleWord>(static_cast<Signed>(std::nearbyint(value)));
}

}  // namespace tacit::mpc
