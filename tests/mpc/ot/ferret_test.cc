// Ferret's transfers have t = q ^ b·Delta over all extensions, and no part of them comes twice.
#include "mpc/ot/ferret.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "net/error.h"
#include "tests/mpc/ot/correlated_pair.h"
#include "tests/mpc/security/chi_square.h"

namespace tacit::mpc {
namespace {

// An extension has 512 rows in 4 groups, of which 208 are kept: a group and a half.
constexpr FerretSet kSmall{16, 7, 5};
static_assert(kSmall.rows() == 512 && kSmall.left() == 304);
static_assert(kFerretSet.left() == 3811856);

static_assert(!std::is_copy_constructible_v<FerretSender> && !std::is_copy_constructible_v<FerretReceiver>);

constexpr FerretName kName{Nonce{}, 0, 1};

// Both ends of one direction, from a dealt base.
struct FerretPair {
  explicit FerretPair(unsigned seed, const FerretSet& parameters = kSmall, const FerretName& receivers_name = kName)
      : random(seed), set(parameters) {
    Block delta = random_block(random);
    delta.low |= 1;
    SecretBlocks q = random_blocks(set.kept(), random), t(set.kept());
    for (std::int64_t i = 0; i < t.size(); ++i) {
      q[i].low &= ~std::uint64_t{1};
      t[i] = q[i] ^ (random() & 1) * delta;
    }
    sender.emplace(kName, set, delta, std::move(q));
    receiver.emplace(receivers_name, set, std::move(t));
  }

  void extend(Workers& workers) {
    std::vector<std::byte> choices(static_cast<std::size_t>(choice_bytes(set.trees, set.depth)));
    std::vector<std::byte> sums(static_cast<std::size_t>(sum_bytes(set.trees, set.depth)));
    receiver->choose(choices);
    sender->extend(choices, sums, workers);
    receiver->extend(sums, workers);
  }

  std::mt19937_64 random;
  FerretSet set;
  std::optional<FerretSender> sender;
  std::optional<FerretReceiver> receiver;
};

struct Taken {
  SecretBlocks choices, t, q;
  std::vector<std::byte> corrections;
};

SecretBlocks blocks_of(net::ConstBytes bytes) {
  SecretBlocks blocks(std::ssize(bytes) / kFerretCorrectionBytes);
  std::ranges::copy(bytes, reinterpret_cast<std::byte*>(blocks.data()));
  return blocks;
}

Taken take(FerretPair& pair, SecretBlocks choices, Workers& workers) {
  const std::int64_t blocks = choices.size();
  Taken all{std::move(choices), SecretBlocks(blocks * kBlockBits), SecretBlocks(blocks * kBlockBits), {}};
  all.corrections.resize(static_cast<std::size_t>(blocks * kFerretCorrectionBytes));
  pair.receiver->take(all.choices.blocks(), all.t.blocks(), all.corrections, workers);
  pair.sender->take(all.q.blocks(), workers);
  pair.sender->correct(blocks_of(all.corrections).blocks(), all.q.blocks(), workers);
  return all;
}

void expect_correlated(const Taken& all, const Block& delta) {
  for (std::int64_t i = 0; i < all.t.size(); ++i) {
    ASSERT_EQ(all.t[i], all.q[i] ^ std::uint64_t{bit_at(all.choices.blocks(), i)} * delta) << "transfer " << i;
  }
}

TEST(Ferret, IsCorrelatedForAllSizesOverManyExtensions) {
  FerretPair pair(1);
  Workers workers(3);
  std::uint64_t used = std::uint64_t{1} << 63;
  std::int64_t left = 0;
  for (const std::int64_t blocks : {1, 2, 3, 0, 1, 1, 40, 7, 9, 100, 1}) {
    while (left < blocks * kBlockBits) {
      pair.extend(workers);
      left += kSmall.left();
    }
    EXPECT_EQ(pair.receiver->left(), left);
    EXPECT_EQ(pair.sender->left(), left);
    EXPECT_EQ(pair.receiver->used(), used);
    EXPECT_EQ(pair.sender->used(), used);
    expect_correlated(take(pair, random_blocks(blocks, pair.random), workers), pair.sender->delta());
    used += static_cast<std::uint64_t>(blocks * kBlockBits);
    left -= blocks * kBlockBits;
  }
}

TEST(Ferret, IsCorrelatedWithTheSetOfSessions) {
  FerretPair pair(2, kFerretSet);
  Workers workers(2);
  pair.extend(workers);
  pair.extend(workers);
  EXPECT_EQ(pair.receiver->left(), 2 * kFerretSet.left());
  for (const std::int64_t blocks : {1, 100, 29600, 20000}) {  // the last ones are of both extensions
    expect_correlated(take(pair, random_blocks(blocks, pair.random), workers), pair.sender->delta());
  }
}

// u and the keys of all transfers look uniform, and no key comes twice.
TEST(Ferret, MakesUniformTransfers) {
  FerretPair pair(3);
  Workers workers;
  for (int i = 0; i < 100; ++i) pair.extend(workers);
  const Taken all = take(pair, SecretBlocks::zeros(100 * kSmall.left() / kBlockBits), workers);
  std::vector<std::uint64_t> u, q, sums;
  for (const Block& key : all.q.blocks()) {
    q.push_back(key.high);
    q.push_back((key.low >> 1) | (key.high << 63));  // without bit 0
  }
  for (std::size_t i = 2; i < q.size(); ++i) sums.push_back(q[i] ^ q[i - 2]);
  for (std::size_t i = 0; i < all.corrections.size(); ++i)
    u.push_back(std::to_integer<std::uint64_t>(all.corrections[i]));
  EXPECT_LT(unevenness_of_words(u, 8), kTooUneven);
  EXPECT_LT(unevenness_of_words(q, 63), kTooUneven);
  EXPECT_LT(unevenness_of_words(sums, 63), kTooUneven);
  std::ranges::sort(q);
  EXPECT_EQ(std::ranges::adjacent_find(q), q.end());
}

// Corrections of choices that are all zero or all one look uniform.
TEST(Ferret, HidesChoices) {
  for (const std::uint64_t choice : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    FerretPair pair(4);
    Workers workers;
    for (int i = 0; i < 50; ++i) pair.extend(workers);
    SecretBlocks choices(50 * kSmall.left() / kBlockBits);
    for (Block& block : choices.blocks()) block = {choice, choice};
    const Taken all = take(pair, std::move(choices), workers);
    std::vector<std::uint64_t> words(all.corrections.size() / sizeof(std::uint64_t));
    std::memcpy(words.data(), all.corrections.data(), words.size() * sizeof(std::uint64_t));
    EXPECT_LT(unevenness_of_words(words, 64), kTooUneven);
  }
}

// The two messages of an extension show neither the noise nor Delta: choices, and sums under fresh transfers, look uniform.
TEST(Ferret, SendsUniformMessages) {
  FerretPair pair(5);
  Workers workers;
  std::vector<std::uint64_t> choices, sums;
  for (int i = 0; i < 200; ++i) {
    std::vector<std::byte> sent(static_cast<std::size_t>(choice_bytes(kSmall.trees, kSmall.depth)));
    std::vector<std::byte> answer(static_cast<std::size_t>(sum_bytes(kSmall.trees, kSmall.depth)));
    pair.receiver->choose(sent);
    pair.sender->extend(sent, answer, workers);
    pair.receiver->extend(answer, workers);
    for (const std::byte byte : sent) choices.push_back(std::to_integer<std::uint64_t>(byte));
    std::vector<std::uint64_t> words(answer.size() / sizeof(std::uint64_t));
    std::memcpy(words.data(), answer.data(), answer.size());
    sums.insert(sums.end(), words.begin(), words.end());
  }
  EXPECT_LT(unevenness_of_words(choices, 8), kTooUneven);
  EXPECT_LT(unevenness_of_words(sums, 64), kTooUneven);
}

// The transfers do not depend on how many are taken at a time, or by how many threads: each end takes them in its own way.
TEST(Ferret, CountsOnFromCallToCall) {
  FerretPair pair(6, {64, 7, 7});
  Workers one, three(3);
  pair.extend(one);
  pair.extend(three);
  const std::int64_t blocks = 2 * pair.set.left() / kBlockBits;
  Taken all{
      random_blocks(blocks, pair.random), SecretBlocks(blocks * kBlockBits), SecretBlocks(blocks * kBlockBits), {}};
  all.corrections.resize(static_cast<std::size_t>(blocks * kFerretCorrectionBytes));
  pair.receiver->take(all.choices.blocks(), all.t.blocks(), all.corrections, three);
  std::int64_t begin = 0;
  for (std::int64_t some = 1; begin < blocks; begin += some, some = std::min(some + 3, blocks - begin)) {
    const auto at = [&](std::int64_t each) { return static_cast<std::size_t>(begin * each); };
    const auto size = [&](std::int64_t each) { return static_cast<std::size_t>(some * each); };
    const std::span<Block> q = all.q.blocks().subspan(at(kBlockBits), size(kBlockBits));
    pair.sender->take(q, one);
    const auto bytes = std::span(all.corrections).subspan(at(kFerretCorrectionBytes), size(kFerretCorrectionBytes));
    pair.sender->correct(blocks_of(bytes).blocks(), q, one);
  }
  expect_correlated(all, pair.sender->delta());
}

// Ends that disagree on the direction or the session have two public matrices, and no transfers in common.
TEST(Ferret, HasAMatrixForEachDirectionAndSession) {
  Nonce nonce{};
  nonce[31] = std::byte{1};
  for (const FerretName& name :
       {FerretName{Nonce{}, 1, 0}, FerretName{Nonce{}, 0, 2}, FerretName{Nonce{}, 2, 1}, FerretName{nonce, 0, 1}}) {
    FerretPair pair(7, kSmall, name);
    Workers workers;
    pair.extend(workers);
    const Taken all = take(pair, random_blocks(2, pair.random), workers);
    int correlated = 0;
    for (std::int64_t i = 0; i < all.t.size(); ++i) {
      const Block masked = std::uint64_t{bit_at(all.choices.blocks(), i)} * pair.sender->delta();
      correlated += all.t[i] == (all.q[i] ^ masked) ? 1 : 0;
    }
    EXPECT_EQ(correlated, 0);
  }
}

TEST(Ferret, RefusesMoreThanItsStock) {
  FerretPair pair(8);
  Workers workers;
  pair.extend(workers);
  take(pair, SecretBlocks::zeros(2), workers);
  EXPECT_EQ(pair.receiver->left(), 48);
  SecretBlocks choices = SecretBlocks::zeros(1), t(kBlockBits);
  std::vector<std::byte> corrections(static_cast<std::size_t>(kFerretCorrectionBytes));
  EXPECT_THROW(pair.receiver->take(choices.blocks(), t.blocks(), corrections, workers), BrokenInvariant);
  EXPECT_THROW(pair.sender->take(t.blocks(), workers), BrokenInvariant);
  EXPECT_EQ(pair.receiver->left(), 48);
  EXPECT_EQ(pair.sender->left(), 48);
}

// Any bytes are messages: a wrong one spoils transfers and nothing else.
TEST(Ferret, TakesAnyMessages) {
  FerretPair pair(9);
  Workers workers;
  std::vector<std::byte> choices(static_cast<std::size_t>(choice_bytes(kSmall.trees, kSmall.depth)), std::byte{0xff});
  std::vector<std::byte> sums(static_cast<std::size_t>(sum_bytes(kSmall.trees, kSmall.depth)), std::byte{0xff});
  pair.sender->extend(choices, sums, workers);
  pair.receiver->choose(choices);
  std::ranges::fill(sums, std::byte{0xff});
  pair.receiver->extend(sums, workers);
  EXPECT_EQ(pair.receiver->left(), kSmall.left());
  EXPECT_EQ(pair.sender->left(), kSmall.left());
}

TEST(Ferret, RefusesStepsOutOfOrderAndEvenDeltas) {
  FerretPair pair(10);
  Workers workers;
  std::vector<std::byte> choices(static_cast<std::size_t>(choice_bytes(kSmall.trees, kSmall.depth)));
  const std::vector<std::byte> sums(static_cast<std::size_t>(sum_bytes(kSmall.trees, kSmall.depth)));
  EXPECT_THROW(pair.receiver->extend(sums, workers), BrokenInvariant);
  pair.receiver->choose(choices);
  EXPECT_THROW(pair.receiver->choose(choices), BrokenInvariant);
  EXPECT_THROW(FerretSender({}, kSmall, Block{2, 1}, SecretBlocks(kSmall.kept())), BrokenInvariant);
}

}  // namespace
}  // namespace tacit::mpc
