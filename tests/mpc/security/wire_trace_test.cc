// Every byte that every protocol sends, at two and three parties, changes only on purpose.
#include "tests/mpc/wire_trace.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mpc/random/nonce.h"
#include "tests/mpc/security/recorded_run.h"

namespace tacit::mpc {
namespace {

std::string trace_of_every_protocol(int parties) {
  net::Record record;
  net::run_ranks(net::recorded(with_fixed_randomness(net::mesh_kind("Memory").make(parties, 1)), record),
                 [&](net::Mesh& mesh) { run_rank(mesh, every_protocol(random_secrets(1))); });
  return wire_trace(record);
}

TEST(WireTrace, OfEveryProtocolIsThatOfTheFile) {
  std::string found;
  for (const int parties : {2, 3}) found += fmt::format("{} parties\n{}", parties, trace_of_every_protocol(parties));
  expect_wire_trace(WIRE_TRACES "/protocols.wire.txt", found);
}

TEST(WireTrace, ChangesWithAWord) {
  net::Record record;
  record.add({0, 1, "open", std::vector<std::byte>(8)});
  const std::string before = wire_trace(record);
  net::Record other;
  other.add({0, 1, "open", std::vector<std::byte>(8, std::byte{1})});
  EXPECT_NE(wire_trace(other), before);
}

// Tests of noise and of nonces may run later in the same process.
TEST(WireTrace, LeavesTheProcessWithTheSystemsRandomness) {
  const Nonce before = fresh_nonce();
  {
    const net::Meshes meshes = with_fixed_randomness(net::mesh_kind("Memory").make(2, 1));
    {
      const net::Meshes others = with_fixed_randomness(net::mesh_kind("Memory").make(2, 1));
      EXPECT_EQ(fresh_nonce(), fresh_nonce());
    }
    EXPECT_EQ(fresh_nonce(), fresh_nonce());
  }
  const Nonce after = fresh_nonce();
  EXPECT_NE(after, before);
  EXPECT_NE(fresh_nonce(), after);
}

}  // namespace
}  // namespace tacit::mpc
