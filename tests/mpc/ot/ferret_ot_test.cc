// Every pair of parties has Ferret's transfers in both directions, and a plan states their bytes and rounds.
#include "mpc/ot/ferret_ot.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "net/error.h"
#include "tests/mpc/ot/correlated_pair.h"
#include "tests/net/meshes.h"

namespace tacit::mpc {
namespace {

using testing::HasSubstr;

constexpr FerretSet kTestSet{16, 7, 5};  // 304 transfers an extension

// Blocks of 128 transfers that each party takes with each peer, in each step, after a reserve() of this many blocks.
struct Step {
  std::int64_t reserved;
  std::vector<std::int64_t> taken;  // by party
};

struct Ends {
  std::vector<SecretBlocks> q, t;  // by peer, of a step
  SecretBlocks choices;
};

// The transfers of one party in all steps.
std::vector<Ends> run_at(PairNetwork& network, const FerretSet& set, const std::vector<Step>& steps,
                         std::vector<Block>& deltas) {
  Workers workers(2);
  SoftSpokenOt first(network, Nonce{}, workers);
  FerretOt transfers(network, Nonce{}, workers, first, set);
  const auto own = static_cast<std::size_t>(network.rank());
  const auto parties = static_cast<std::size_t>(network.parties());
  std::mt19937_64 random(own);
  std::vector<Ends> all;
  for (const Step& step : steps) {
    transfers.reserve(step.reserved * kBlockBits);
    for (std::size_t p = 0; p < parties; ++p) transfers.count(static_cast<int>(p), step.taken[p] * kBlockBits);
    Ends& ends = all.emplace_back();
    ends.choices = random_blocks(step.taken[own], random);
    auto out = network.messages(), in = network.messages();
    for (std::size_t p = 0; p < parties; ++p) {
      ends.t.emplace_back(step.taken[own] * kBlockBits);
      ends.q.emplace_back(step.taken[p] * kBlockBits);
      if (p == own) continue;
      out[p].resize(static_cast<std::size_t>(step.taken[own] * kFerretCorrectionBytes));
      in[p].resize(static_cast<std::size_t>(step.taken[p] * kFerretCorrectionBytes));
      if (network.planned()) continue;
      transfers.receiver(static_cast<int>(p)).take(ends.choices.blocks(), ends.t[p].blocks(), out[p], workers);
    }
    network.exchange(out, in);
    for (std::size_t p = 0; p < parties && !network.planned(); ++p) {
      if (p == own) continue;
      FerretSender& sender = transfers.sender(static_cast<int>(p));
      sender.take(ends.q[p].blocks(), workers);
      SecretBlocks corrections(std::ssize(in[p]) / kFerretCorrectionBytes);
      std::ranges::copy(in[p], reinterpret_cast<std::byte*>(corrections.data()));
      sender.correct(corrections.blocks(), ends.q[p].blocks(), workers);
      deltas[p] = sender.delta();
    }
  }
  return all;
}

void expect_correlated_and_planned(int parties, const FerretSet& set, const std::vector<Step>& steps) {
  const auto count = static_cast<std::size_t>(parties);
  std::vector<std::vector<Ends>> all(count);  // by rank
  std::vector<std::vector<Block>> deltas(count, std::vector<Block>(count));
  net::run_ranks(net::mesh_kind("Memory").make(parties, 0), [&](net::Mesh& mesh) {
    PairNetwork network(mesh), plan(mesh.rank(), parties);
    const auto own = static_cast<std::size_t>(mesh.rank());
    all[own] = run_at(network, set, steps, deltas[own]);
    std::vector<Block> none(count);
    run_at(plan, set, steps, none);
    EXPECT_EQ(network.cost(), plan.cost()) << "rank " << own;
    const net::Traffic traffic = mesh.traffic();
    const MadeCost measured{traffic.rounds, traffic.total().payload_sent, traffic.total().messages_sent};
    EXPECT_EQ(measured, plan.cost()) << "rank " << own;
  });
  for (std::size_t step = 0; step < steps.size(); ++step) {
    for (std::size_t s = 0; s < count; ++s) {
      for (std::size_t r = 0; r < count; ++r) {
        if (s == r) continue;
        EXPECT_NE(deltas[s][r], deltas[r][s]);
        const SecretBlocks &t = all[r][step].t[s], &q = all[s][step].q[r], &choices = all[r][step].choices;
        ASSERT_EQ(t.size(), q.size());
        for (std::int64_t i = 0; i < t.size(); ++i) {
          const Block masked = std::uint64_t{bit_at(choices.blocks(), i)} * deltas[s][r];
          ASSERT_EQ(t[i], q[i] ^ masked) << "step " << step << ", from " << s << " to " << r << ", transfer " << i;
        }
      }
    }
  }
}

TEST(FerretOt, ServesBothDirectionsOfEveryPairOverManyExtensions) {
  expect_correlated_and_planned(2, kTestSet, {{3, {2, 3}}, {10, {10, 4}}, {1, {0, 1}}, {40, {40, 39}}});
  expect_correlated_and_planned(3, kTestSet, {{3, {2, 3, 0}}, {10, {10, 4, 1}}, {2, {0, 1, 2}}, {30, {30, 30, 30}}});
}

TEST(FerretOt, ServesWithTheSetOfSessions) {
  expect_correlated_and_planned(3, kFerretSet, {{100, {100, 80, 0}}, {29780, {100, 29780, 10}}});
}

MadeCost after(const PairNetwork& plan, MadeCost before) {
  MadeCost cost = plan.cost();
  return cost -= before;
}

TEST(FerretOt, CostsWhatItsHeaderStates) {
  for (int rank = 0; rank < 3; ++rank) {
    PairNetwork plan(rank, 3);
    Workers workers;
    SoftSpokenOt first(plan, Nonce{}, workers);
    MadeCost before = plan.cost();
    FerretOt transfers(plan, Nonce{}, workers, first);
    EXPECT_EQ(after(plan, before), (MadeCost{1, 2 * 4 * 284160, 2}));  // 262,144 + 22,000 transfers, in blocks of 128
    before = plan.cost();
    transfers.reserve(3'811'856);
    EXPECT_EQ(after(plan, before), (MadeCost{2, 2 * (2750 + 352'000), 4}));
    before = plan.cost();
    transfers.reserve(3'811'856);
    EXPECT_EQ(after(plan, before), MadeCost{});
    transfers.count(1, 1);
    transfers.reserve(3'811'856);  // for rank 1's transfers alone
    EXPECT_EQ(after(plan, before), rank == 1 ? (MadeCost{2, 2 * 2750, 2}) : (MadeCost{2, 352'000, 1}));
  }
}

TEST(FerretOt, RefusesMoreThanAnyStock) {
  net::run_ranks(net::mesh_kind("Memory").make(2, 0), [&](net::Mesh& mesh) {
    PairNetwork network(mesh);
    Workers workers;
    SoftSpokenOt first(network, Nonce{}, workers);
    FerretOt transfers(network, Nonce{}, workers, first, kTestSet);
    EXPECT_THROW(transfers.count(0, 1), BrokenInvariant);
    transfers.reserve(300);
    transfers.count(1, 300);
    EXPECT_THROW(transfers.count(1, 5), BrokenInvariant);
    transfers.count(1, 4);
    transfers.count(0, 304);
  });
}

// Rank 1 extends with another set, so its messages have other lengths.
TEST(FerretOt, RefusesMessagesOfAWrongLength) {
  for (const FerretSet& other : {FerretSet{20, 7, 5}, FerretSet{16, 7, 6}}) {
    const auto errors = net::errors_of_ranks(net::mesh_kind("Memory").make(3, 0), [&](net::Mesh& mesh) {
      PairNetwork network(mesh);
      Workers workers;
      SoftSpokenOt first(network, Nonce{}, workers);
      FerretOt transfers(network, Nonce{}, workers, first, mesh.rank() == 1 ? other : kTestSet);
      transfers.reserve(1);
    });
    EXPECT_THROW(std::rethrow_exception(errors[0]), ProtocolError);
    EXPECT_THAT(net::message_of(errors[0]), HasSubstr("rank 1"));
    EXPECT_NE(errors[2], nullptr);
  }
}

}  // namespace
}  // namespace tacit::mpc
