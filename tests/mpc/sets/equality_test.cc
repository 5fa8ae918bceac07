// Comparing with peers tells only whether two ranks hold equal texts, and reveals nothing against
// which guesses could be tested.
#include "mpc/sets/equality.h"

#include <gmock/gmock.h>

#include <thread>

#include "mpc/sets/ristretto.h"
#include "net/error.h"
#include "net/memory/memory_mesh.h"

namespace tacit::mpc {
namespace {

using testing::ElementsAre;

Digest digest_of_text(std::string_view text) { return digest_of(std::as_bytes(std::span(text))); }

// With a dealer, which does not take part.
std::vector<std::vector<bool>> compared(const std::vector<std::string>& texts, const std::vector<bool>& takes_part) {
  const auto meshes = net::memory_mesh(static_cast<int>(texts.size()), 1);
  std::vector<std::vector<bool>> equal(texts.size());
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank <= texts.size(); ++rank) {
    threads.emplace_back([&, rank] {
      if (rank < texts.size()) equal[rank] = compare_with_peers(*meshes[rank], digest_of_text(texts[rank]), takes_part);
      meshes[rank]->close();
      EXPECT_EQ(meshes[rank]->traffic().peers[texts.size()].payload_sent, 0) << "to the dealer";
    });
  }
  for (std::thread& thread : threads) thread.join();
  return equal;
}

TEST(Equality, TellsEachPairWhetherItHasTheSame) {
  const auto two = compared({"a", "a"}, {true, true});
  EXPECT_THAT(two[0], ElementsAre(true, true));
  const auto five = compared({"a", "b", "a", "b", "c"}, {true, true, true, true, true});
  EXPECT_THAT(five[0], ElementsAre(true, false, true, false, false));
  EXPECT_THAT(five[3], ElementsAre(false, true, false, true, false));
  EXPECT_THAT(five[4], ElementsAre(false, false, false, false, true));
}

TEST(Equality, CostsWhatItStates) {
  for (const int parties : {2, 3, 5}) {
    for (const bool last_takes_part : {true, false}) {
      const auto meshes = net::memory_mesh(parties, 1);
      std::vector<bool> takes_part(static_cast<std::size_t>(parties), true);
      takes_part.back() = last_takes_part;
      const net::Cost stated = compare_cost(last_takes_part ? parties : parties - 1);
      std::vector<std::jthread> threads;
      for (int rank = 0; rank < parties; ++rank) {
        threads.emplace_back([&, rank] {
          net::Mesh& mesh = *meshes[static_cast<std::size_t>(rank)];
          const net::Traffic before = mesh.traffic();
          compare_with_peers(mesh, digest_of_text("a"), takes_part);
          const net::Traffic moved = mesh.traffic() - before;
          const net::Cost measured{moved.rounds, moved.total().payload_sent, moved.total().messages_sent};
          const bool takes = takes_part[static_cast<std::size_t>(rank)];
          EXPECT_EQ(measured, takes ? stated : net::Cost{}) << rank << " of " << parties;
          mesh.close();
        });
      }
      threads.emplace_back([&] { meshes.back()->close(); });
    }
  }
}

TEST(Equality, PassesOverWhoTakesNoPart) {
  const auto three = compared({"a", "", "b"}, {true, false, true});
  EXPECT_THAT(three[0], ElementsAre(true, true, false));
  EXPECT_THAT(three[1], ElementsAre(true, true, true));
}

}  // namespace
}  // namespace tacit::mpc
