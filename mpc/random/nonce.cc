#include "mpc/random/nonce.h"

#include <sodium.h>

#include <vector>

#include "net/error.h"

namespace tacit::mpc {

Nonce agree_on_nonce(net::Mesh& mesh) {
  TACIT_CHECK(sodium_init() >= 0);
  std::vector<Nonce> contributions(static_cast<std::size_t>(mesh.size()));
  Nonce& own = contributions[static_cast<std::size_t>(mesh.rank())];
  randombytes_buf(own.data(), own.size());

  std::vector<net::Transfer> receives, sends;
  for (int peer = 0; peer < mesh.size(); ++peer) {
    if (peer == mesh.rank()) continue;
    net::Channel& channel = mesh.channel(peer);
    receives.push_back(channel.receive(net::kMainStream, net::Bytes(contributions[static_cast<std::size_t>(peer)])));
    sends.push_back(channel.send(net::kMainStream, net::ConstBytes(own)));
  }
  for (net::Transfer& transfer : receives) transfer.wait();
  for (net::Transfer& transfer : sends) transfer.wait();
  if (mesh.size() > 1) mesh.count_rounds(1);

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
