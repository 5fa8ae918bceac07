// Products with kept ciphertexts: exact, at the stated cost, with answers alone from the second use on; and the conditions of
// masked_product.h for many answers to one ciphertext.
#include <gmock/gmock.h>

#include <set>

#include "mpc/kernels/matmul.h"
#include "mpc/lattice/kept_ciphertexts.h"
#include "mpc/lattice/leakage.h"
#include "mpc/lattice/masked_product.h"
#include "mpc/lattice/pair_product.h"
#include "net/memory/memory_mesh.h"
#include "tests/mpc/kernels/tensors.h"
#include "tests/net/meshes.h"

namespace tacit::mpc {
namespace {

using Use = Keeping::Use;

struct KeptSizes {
  std::int64_t m, c, p;
};

RingView empty_view(Shape shape) { return {nullptr, shape, shape.cols, 1}; }

RingTensor added_up(const std::vector<RingTensor>& shares, int bits) {
  RingTensor sum = RingTensor::zeros(shares.front().shape(), bits);
  for (const RingTensor& share : shares) {
    for (std::int64_t i = 0; i < sum.size(); ++i) sum.data()[i] = (sum.data()[i] + share.data()[i]) & low_bits(bits);
  }
  return sum;
}

std::vector<RingTensor> random_shares(int parties, Shape shape, std::uint64_t seed) {
  std::vector<RingTensor> shares;
  for (int rank = 0; rank < parties; ++rank) {
    shares.push_back(random_tensor(shape, 64, seed + 100 * static_cast<std::uint64_t>(rank)));
  }
  return shares;
}

// One operand times kProducts others: the first product keeps its ciphertexts.
void expect_kept_products(int parties, const KeptSizes& sizes, int bits, bool left, bool transposed = false,
                          int threads = 1) {
  SCOPED_TRACE(testing::Message() << parties << " parties, " << sizes.m << "x" << sizes.c << "x" << sizes.p << ", ring "
                                  << bits << (left ? ", left" : ", right"));
  constexpr std::size_t kProducts = 3;
  const Shape x{sizes.m, sizes.c}, y{sizes.c, sizes.p};
  const Shape fixed = left ? x : y, other = left ? y : x;
  const auto stored = [&](Shape shape) { return transposed ? shape.transposed() : shape; };
  const auto view = [&](const RingTensor& tensor) { return transposed ? tensor.view().transposed() : tensor.view(); };
  const auto stays = random_shares(parties, stored(fixed), 1);
  std::vector<std::vector<RingTensor>> others, shares(kProducts, std::vector<RingTensor>(stays.size()));
  for (std::size_t i = 0; i < kProducts; ++i) others.push_back(random_shares(parties, stored(other), 1000 * (i + 1)));
  net::run_ranks(net::memory_mesh(parties), [&](net::Mesh& mesh) {
    const auto rank = static_cast<std::size_t>(mesh.rank());
    Workers own(threads);
    PairNetwork network(mesh), plan(mesh.rank(), parties);
    MaskedProduct products(network, Nonce{}, own), planned(plan, Nonce{}, own);
    Keeping keeping{Use::kFirst, left, std::make_shared<lattice::KeptCiphertexts>()};
    const auto bytes = MaskedProduct::kept_pair_bytes(x, y, bits, parties, left);
    for (std::size_t i = 0; i < kProducts; ++i) {
      const RingView a = view(stays[rank]), b = view(others[i][rank]);
      const MadeCost before = network.cost();
      shares[i][rank] = products.multiply(left ? a : b, left ? b : a, bits, keeping);
      planned.multiply(empty_view(x), empty_view(y), bits, {keeping.use, left});
      EXPECT_EQ(network.cost(), plan.cost());
      MadeCost its = network.cost();
      its -= before;
      EXPECT_EQ(its.leakage, MaskedProduct::product_leakage(x, y, bits, parties, keeping));
      EXPECT_EQ(its.bytes, (parties - 1) * ((i == 0 ? bytes.ciphertexts : 0) + bytes.answers) / 2);
      keeping.use = Use::kAgain;
    }
  });
  Workers workers;
  for (std::size_t i = 0; i < kProducts; ++i) {
    RingTensor exact({sizes.m, sizes.p}, bits);
    const RingTensor a = added_up(stays, 64), b = added_up(others[i], 64);
    matmul(view(left ? a : b), view(left ? b : a), Into::kSet, exact, workers);
    EXPECT_EQ(words_of(added_up(shares[i], bits)), words_of(exact)) << "product " << i;
  }
}

TEST(KeptProduct, IsExactForUglyShapesAndRings) {
  for (const bool left : {true, false}) {
    expect_kept_products(2, {1, 1, 1}, 64, left);
    expect_kept_products(2, {129, 1, 63}, 52, left);
    expect_kept_products(2, {1, 1433, 16}, 39, left);
    expect_kept_products(2, {70, 90, 41}, 25, left, false, 2);
  }
}

TEST(KeptProduct, IsExactForThreePartiesAndTransposedViews) {
  expect_kept_products(3, {64, 65, 3}, 51, true);
  expect_kept_products(3, {7, 20, 5}, 38, false, true);
  expect_kept_products(2, {300, 300, 2}, 38, true, true);
}

TEST(KeptProduct, OfOnePartyAndOfNothingSendsNothing) {
  expect_kept_products(1, {3, 4, 5}, 64, true);
  expect_kept_products(2, {3, 0, 5}, 64, true);
}

TEST(KeptProduct, OfALargeOperandSendsAFewAnswers) {
  // The first layer of Cora: 478 ciphertexts once, then 16 answers (design: blocks of 2708 x 3 x 1).
  const auto kept = MaskedProduct::kept_pair_bytes({2708, 1433}, {1433, 16}, 51, 2, true);
  const std::int64_t fresh = MaskedProduct::pair_bytes({2708, 1433}, {1433, 16}, 51, 2);
  EXPECT_LT(kept.answers, fresh / 15);
  EXPECT_LT(kept.ciphertexts, 6 * fresh);
  std::int64_t answers = 0;
  for (const auto& part : lattice::kept_parts({2708, 1433, 16}, 51, 2, true)) {
    EXPECT_EQ(part.plan.encrypted, lattice::Encrypted::kLeft);
    answers += part.plan.blocks.count().m * part.plan.blocks.count().p;
    EXPECT_LE(part.plan.leakage, lattice::kMostLeakageOfProduct);
  }
  EXPECT_EQ(answers, 16);
}

TEST(KeptProduct, InPartsKeepsTheCiphertextsOfEachPart) {
  using namespace lattice;  // NOLINT(google-build-using-namespace): of the parts alone
  constexpr int kBits = 38;
  const ProductSize size{70, 90, 41};
  const auto parts = kept_parts(size, kBits, 2, true, 200'000);
  ASSERT_GT(parts.size(), 2U);
  std::int64_t volume = 0;
  for (const PlannedPart& part : parts) {
    volume += part.plan.blocks.size.volume();
    EXPECT_EQ(part.plan.encrypted, Encrypted::kLeft);
  }
  EXPECT_EQ(volume, size.volume());
}

// A holder and its peer, who answers twice to ciphertexts that came once.
struct KeptPair {
  explicit KeptPair(const lattice::PlannedPart& its)
      : part(its),
        holder(lattice::modulus(part.plan.modulus), {}, 0, 2),
        peer(lattice::modulus(part.plan.modulus), {}, 1, 2) {
    std::vector<std::byte> key(static_cast<std::size_t>(lattice::modulus(part.plan.modulus).message_bytes()));
    holder.write_public_key(key);
    peer.read_public_key(0, key);
  }

  const lattice::PlannedPart part;
  lattice::PartyKeys holder, peer;
};

// (b) Also of one multiplier and one kept ciphertext, no two answers are equal: each has its own zero.
TEST(KeptProduct, DrawsAZeroForEveryAnswerToAKeptCiphertext) {
  constexpr int kBits = 38;
  KeptPair pair(lattice::kept_parts({300, 40, 2}, kBits, 2, true).front());
  const auto& plan = pair.part.plan;
  const RingTensor x = random_tensor({300, 40}, 64, 1), y = random_tensor({40, 2}, 64, 2);
  Workers workers;
  lattice::PairProduct of_holder(pair.part, pair.holder, x.view(), y.view(), workers);
  lattice::PairProduct first(pair.part, pair.peer, x.view(), y.view(), workers);
  UninitialisedVector<std::byte> ciphertexts(static_cast<std::size_t>(plan.ciphertexts_bytes()));
  of_holder.encrypt(ciphertexts);
  const lattice::PeerCiphertexts kept = first.received(0, std::move(ciphertexts));
  std::set<std::vector<std::byte>> halves;
  std::vector<RingTensor> sums;
  constexpr int kAnswers = 3;
  for (int i = 0; i < kAnswers; ++i) {
    lattice::PairProduct again(pair.part, pair.peer, x.view(), y.view(), workers, false);
    std::vector<std::byte> message(static_cast<std::size_t>(plan.answers_bytes()));
    RingTensor of_peer = RingTensor::zeros({300, 2}, kBits), opened = RingTensor::zeros({300, 2}, kBits);
    again.answer(0, kept, message, of_peer);
    of_holder.open(message, opened);
    for (std::int64_t answer = 0, at = 0; answer < plan.blocks.count().m * plan.blocks.count().p; ++answer) {
      halves.insert({message.begin() + at, message.begin() + at + lattice::kDegree * (kBits + lattice::kSlack) / 8});
      at += plan.answer_bytes(answer / plan.blocks.count().p, answer % plan.blocks.count().p);
    }
    sums.push_back(added_up({of_peer, opened}, kBits));
    EXPECT_EQ(words_of(sums.back()), words_of(sums.front()));
  }
  EXPECT_EQ(std::ssize(halves), kAnswers * plan.blocks.count().m * plan.blocks.count().p);
}

// (c) A kept operand's names of `a` serve it alone: a product that does not encrypt takes none, and the next encryption has new ones.
TEST(KeptProduct, TakesItsNamesOnce) {
  KeptPair pair(lattice::kept_parts({7, 3, 5}, 38, 2, true).front());
  const RingTensor x = random_tensor({7, 3}, 64, 1), y = random_tensor({3, 5}, 64, 2);
  Workers workers;
  const std::int64_t begin = pair.holder.reserve(0);
  lattice::PairProduct first(pair.part, pair.holder, x.view(), y.view(), workers);
  EXPECT_EQ(pair.holder.reserve(0), begin + pair.part.plan.ciphertexts());
  const lattice::PairProduct again(pair.part, pair.holder, x.view(), y.view(), workers, false);
  EXPECT_EQ(pair.holder.reserve(0), begin + pair.part.plan.ciphertexts());
  UninitialisedVector<std::byte> message(static_cast<std::size_t>(pair.part.plan.ciphertexts_bytes()));
  first.received(1, message);
  EXPECT_THROW(first.received(1, message), BrokenInvariant);
}

TEST(KeptCiphertexts, AreThereOnceAndBeforeTheyAreRead) {
  lattice::KeptCiphertexts kept;
  const auto some = [] {
    lattice::PeerCiphertexts made;
    made.seeds.emplace_back(16);
    return made;
  };
  EXPECT_THROW(kept.of(0, 1), BrokenInvariant);
  kept.put(2, 1, some());
  EXPECT_EQ(kept.of(2, 1).seeds.size(), 1U);
  EXPECT_THROW(kept.of(2, 0), BrokenInvariant);
  EXPECT_THROW(kept.put(2, 1, some()), BrokenInvariant);
}

// (d) The leakage of a kept product counts the coefficients of its own multipliers, for each product.
TEST(KeptProduct, CountsTheLeakageOfItsLayout) {
  for (const bool left : {true, false}) {
    const auto parts = lattice::kept_parts({300, 300, 16}, 38, 3, left);
    double sum = 0;
    for (const auto& part : parts) {
      const auto& blocks = part.plan.blocks;
      const std::int64_t terms = blocks.size.c * (left ? blocks.width.p : blocks.width.m);
      sum += static_cast<double>(blocks.size.m * blocks.size.p) * 2 *
             lattice::hint_leakage(38, terms, lattice::modulus(part.plan.modulus).bits);
    }
    const Keeping keeping{Use::kAgain, left};
    EXPECT_EQ(MaskedProduct::product_leakage({300, 300}, {300, 16}, 38, 3, keeping), leakage_units(sum));
  }
}

}  // namespace
}  // namespace tacit::mpc
