// Every pair of parties has correlated transfers in both directions, each under a Delta of its own.
#include "mpc/ot/soft_spoken_ot.h"

#include <gtest/gtest.h>

#include "tests/mpc/ot/correlated_pair.h"
#include "tests/net/meshes.h"

namespace tacit::mpc {
namespace {

TEST(SoftSpokenOt, ServesBothDirectionsOfEveryPair) {
  constexpr int kParties = 3;
  std::vector<std::vector<Block>> deltas(kParties, std::vector<Block>(kParties));  // by sender, receiver
  std::vector<std::vector<SecretBlocks>> q(kParties), t(kParties);                 // by rank, peer
  std::mt19937_64 random(1);
  const SecretBlocks choices = random_blocks(9, random);
  net::run_ranks(net::mesh_kind("Memory").make(kParties, 0), [&](net::Mesh& mesh) {
    PairNetwork network(mesh);
    Workers workers;
    SoftSpokenOt transfers(network, Nonce{}, workers);
    const auto own = static_cast<std::size_t>(mesh.rank());
    auto out = network.messages(), in = network.messages();
    for (std::size_t peer = 0; peer < kParties; ++peer) {
      q[own].emplace_back(choices.size() * kBlockBits);
      t[own].emplace_back(choices.size() * kBlockBits);
      if (peer == own) continue;
      out[peer].resize(static_cast<std::size_t>(choices.size() * kCorrectionBytes));
      in[peer].resize(out[peer].size());
      transfers.receiver(static_cast<int>(peer)).take(choices.blocks(), t[own][peer].blocks(), out[peer], workers);
    }
    network.exchange(out, in);
    for (std::size_t peer = 0; peer < kParties; ++peer) {
      if (peer == own) continue;
      transfers.sender(static_cast<int>(peer)).take(in[peer], q[own][peer].blocks(), workers);
      deltas[own][peer] = transfers.sender(static_cast<int>(peer)).delta();
    }
  });
  for (std::size_t s = 0; s < kParties; ++s) {
    for (std::size_t r = 0; r < kParties; ++r) {
      if (s == r) continue;
      EXPECT_NE(deltas[s][r], deltas[r][s]);
      EXPECT_NE(deltas[s][r], deltas[s][3 - s - r]);
      for (std::int64_t i = 0; i < choices.size() * kBlockBits; ++i) {
        const Block masked = std::uint64_t{bit_at(choices.blocks(), i)} * deltas[s][r];
        ASSERT_EQ(t[r][s][i], q[s][r][i] ^ masked);
      }
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
