// A session's results do not depend on how many threads its ranks compute on: every word that is opened, and every
// share, is the same. Two runs of a session draw other streams, so these sessions have a fixed nonce and fixed keys.
#include <gtest/gtest.h>

#include <mutex>
#include <random>

#include "mpc/correlations/dealer_correlations.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/reveal.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"
#include "mpc/session/inside.h"
#include "mpc/session/local.h"
#include "mpc/session/session_over.h"
#include "tests/mpc/run_program.h"

namespace tacit::mpc {
namespace {

constexpr int kParties = 2;  // of more, one rounds by random bits of its own
const net::AllReducePlan kDirect({{0, net::AllReduce::kDirect}});

class FixedParty final : public SessionOver<Party> {
 public:
  FixedParty(net::Mesh& mesh, Workers& workers)
      : SessionOver(workers), party_(mesh, Nonce{}, workers, kDirect, from_the_dealer(mesh, Nonce{}, workers)) {}
  int parties() const override { return party_.parties(); }
  void set_step(std::string) override {}

 private:
  Party& context() override { return party_; }
  const CostSetting* cost_setting() const override { return nullptr; }
  Party party_;
};

class FixedDealer final : public SessionOver<Dealer> {
 public:
  FixedDealer(net::Mesh& mesh, Workers& workers)
      : SessionOver(workers), dealer_(mesh, Nonce{}, workers, std::int64_t{64} << 20) {}
  int parties() const override { return dealer_.parties(); }
  void set_step(std::string) override {}
  void output(const std::function<void(const PublicReader&)>&) override {}
  void flush() { dealer_.flush(); }

 private:
  MeshDealer& context() override { return dealer_; }
  const CostSetting* cost_setting() const override { return nullptr; }
  MeshDealer dealer_;
};

using Words = std::vector<std::uint64_t>;

Words words_of(const Share& share) {
  if (!Inside::held(share)) return {};
  const auto words = Inside::words(share).words();
  return {words.begin(), words.end()};
}

// Shapes of several pieces and ranges each.
std::vector<Share> program(Session& session) {
  Matrix x(301, 400), w(400, 110);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-4, 4);
  for (double& value : x.reshaped()) value = uniform(random);
  for (double& value : w.reshaped()) value = uniform(random) / 16;
  const Format format{64, 13};
  const std::vector<Masked> masked = mask(session, std::vector{input(session, 0, shape_of(x), format, &x, "x"),
                                                               input(session, 1, shape_of(w), format, &w, "w")});
  const Share z = drop(session, matmul(session, masked[0], masked[1]), 13);
  const Shown shown = show(session, z);
  const Bits positive = non_negative(session, shown, 26);
  const Share lifted = lift(session, shown, 64);
  Workers& workers = session.workers();
  return {z,
          lifted,
          select(session, positive, shown, 64),
          indicator(session, positive, 51),
          product(session, masked[0], masked[0]),
          sum(z, lifted, workers),
          difference(lifted, z, 40, workers),
          scale(z, -3, 1, workers),
          narrow(lifted, 38, workers)};
}

// By rank, the words of each result. The ranks compute on so many threads, the dealer first.
std::vector<std::vector<Words>> results(const std::vector<int>& threads) {
  std::vector<std::vector<Words>> all(kParties);
  net::run_ranks(net::mesh_kind("Tcp").make(kParties, 1), [&](net::Mesh& mesh) {
    Workers workers(threads[mesh.world().is_party() ? static_cast<std::size_t>(1 + mesh.rank()) : 0]);
    if (!mesh.world().is_party()) {
      FixedDealer session(mesh, workers);
      reveal(session, program(session).front(), To::everyone(), "compares what the ranks have seen");
      return session.flush();
    }
    FixedParty session(mesh, workers);
    const std::vector<Share> shares = program(session);
    reveal(session, shares.front(), To::everyone(), "compares what the ranks have seen");
    for (const Share& share : shares) all[static_cast<std::size_t>(mesh.rank())].push_back(words_of(share));
  });
  return all;
}

TEST(Threads, ChangeNoShareOfAnyResult) {
  const auto serial = results({1, 1, 1});
  ASSERT_EQ(serial[0].size(), 9u);
  ASSERT_NE(serial[0][0], serial[1][0]);
  for (const int threads : {1, 2, 3, 5}) EXPECT_TRUE(results({threads, threads, threads}) == serial) << threads;
}

// In the narrower of the operands' rings, or in the one that is asked for.
TEST(LocalAlgebra, OnWorkersIsThatOfTheOperators) {
  std::mt19937_64 random(2);
  const auto share = [&](Shape shape, int bits) {
    RingTensor words(shape, bits);
    for (std::uint64_t& word : words.words()) word = random() & low_bits(bits);
    return Inside::share(shape, {bits, 13}, std::move(words));
  };
  for (const Shape shape : {Shape{0, 3}, Shape{1, 1}, Shape{7, 13}, Shape{301, 400}}) {
    const Share a = share(shape, 64), b = share(shape, 51);
    for (const int threads : {1, 3}) {
      Workers workers(threads);
      for (const auto& [found, expected] :
           {std::pair(sum(a, b, workers), a + b), std::pair(difference(a, b, workers), a - b),
            std::pair(difference(b, a, workers), b - a),
            std::pair(difference(a, b, 38, workers), narrow(a, 38) - narrow(b, 38)),
            std::pair(scale(a, -5, 2, workers), scale(a, -5, 2)), std::pair(narrow(a, 20, workers), narrow(a, 20))}) {
        EXPECT_EQ(found.format(), expected.format());
        EXPECT_EQ(found.shape(), shape);
        EXPECT_EQ(words_of(found), words_of(expected));
      }
    }
    EXPECT_EQ((a + b).ring_bits(), 51);
  }
}

// Each rank has its own number of threads. The ranks pack alike, and their hashes of the opened words are equal: the reveal
// compares them.
TEST(Threads, MayDifferFromRankToRank) {
  EXPECT_TRUE(results({2, 1, 3}) == results({1, 1, 1}));
  EXPECT_TRUE(results({1, 4, 1}) == results({1, 1, 1}));
}

TEST(Threads, ChangeNoResultInTheClear) {
  const auto revealed = [](int threads) {
    ClearSession session(3, 1, threads);
    std::vector<Words> all;
    for (const Share& share : program(session)) all.push_back(words_of(share));
    return all;
  };
  const auto serial = revealed(1);
  for (const int threads : {2, 3, 5}) EXPECT_TRUE(revealed(threads) == serial) << threads;
}

}  // namespace
}  // namespace tacit::mpc
