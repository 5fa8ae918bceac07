#include "mpc/random/nonce.h"

#include <sodium.h>

#include <vector>

#include "net/collectives/tell_all.h"
#include "net/error.h"

namespace tacit::mpc {

Nonce fresh_nonce() {
  TACIT_CHECK(sodium_init() >= 0);
  Nonce fresh;
  randombytes_buf(fresh.data(), fresh.size());
  return fresh;
}

Nonce agree_on_nonce(net::Mesh& mesh) {
  std::vector<Nonce> contributions(static_cast<std::size_t>(mesh.size()));
  contributions[static_cast<std::size_t>(mesh.rank())] = fresh_nonce();

  std::vector<net::Bytes> all;
  for (Nonce& contribution : contributions) all.emplace_back(contribution);
  net::tell_all(mesh, all);

  crypto_generichash_state state;
  crypto_generichash_init(&state, nullptr, 0, Nonce().size());
  for (const Nonce& contribution : contributions) {
    crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(contribution.data()), contribution.size());
  }
  Nonce nonce;
  crypto_generichash_final(&state, reinterpret_cast<unsigned char*>(nonce.data()), nonce.size());
  return nonce;
}

}  // namespace tacit::mpc
