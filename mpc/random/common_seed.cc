#include "mpc/random/common_seed.h"

#include <sodium.h>

#include <algorithm>

namespace tacit::mpc {

PairSeed common_seed(net::Mesh& mesh, const Nonce& nonce) {
  net::Secret own(PairSeed::kSeedBytes), sum(PairSeed::kSeedBytes);
  randombytes_buf(own.bytes().data(), own.bytes().size());
  std::copy(own.bytes().begin(), own.bytes().end(), sum.bytes().begin());
  std::vector<net::Secret> others;
  std::vector<net::Transfer> transfers;
  for (int peer = 0; peer < mesh.parties(); ++peer) {
    if (peer == mesh.rank()) continue;
    net::Secret& its = others.emplace_back(PairSeed::kSeedBytes);
    net::Channel& channel = mesh.channel(peer);
    transfers.push_back(channel.receive(net::kMainStream, its.bytes()));
    transfers.push_back(channel.send(net::kMainStream, own.bytes()));
  }
  for (net::Transfer& transfer : transfers) transfer.wait();
  if (!transfers.empty()) mesh.count_rounds(1);
  for (const net::Secret& its : others) {
    std::transform(sum.bytes().begin(), sum.bytes().end(), its.bytes().begin(), sum.bytes().begin(),
                   [](std::byte a, std::byte b) { return a ^ b; });
  }
  return PairSeed(std::move(sum), nonce);
}

}  // namespace tacit::mpc
