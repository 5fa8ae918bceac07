// Streams are equal at both ends, different for any difference in their names, and used once.
#include "mpc/random/pair_seed.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <numeric>
#include <set>

#include "mpc/session/dealer_session.h"
#include "mpc/session/party_session.h"
#include "tests/mpc/security/chi_square.h"
#include "tests/net/meshes.h"

namespace tacit::mpc {
namespace {

PairSeed seed_of(unsigned char seed, unsigned char nonce = 0, Workers* workers = nullptr) {
  net::Secret key(PairSeed::kSeedBytes);
  for (std::byte& byte : key.bytes()) byte = static_cast<std::byte>(seed);
  Nonce session;
  session.fill(static_cast<std::byte>(nonce));
  return PairSeed(std::move(key), session, workers);
}

std::vector<std::uint64_t> words_of(PairSeed seed, const StreamName& name, Shape shape, int bits) {
  RingTensor words(shape, bits);
  seed.fill(name, words);
  return {words.words().begin(), words.words().end()};
}

std::vector<std::uint64_t> bits_of(PairSeed seed, const StreamName& name, Shape shape) {
  BitTensor bits(shape);
  seed.fill(name, bits);
  return {bits.words().begin(), bits.words().end()};
}

constexpr StreamName kName{7, Draw::kMask, 3};
constexpr Shape kShape{5, 13};

// FNV-1a, for a short name of a long trace.
class Trace {
 public:
  void add(std::span<const std::uint64_t> words) {
    for (const std::uint64_t word : words) {
      for (int byte = 0; byte < 8; ++byte) hash_ = (hash_ ^ ((word >> (8 * byte)) & 255)) * 0x100000001b3;
    }
  }
  std::uint64_t hash() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

TEST(PairSeed, StreamsAreEqualAtBothEndsOfALinkAndOthersElsewhere) {
  std::mutex mutex;
  std::map<std::pair<int, int>, std::vector<std::uint64_t>> seen;
  net::run_ranks(net::mesh_kind("Tls").make(2, 1), [&](net::Mesh& mesh) {
    const Nonce nonce = agree_on_nonce(mesh);
    for (int peer = 0; peer < mesh.size(); ++peer) {
      if (peer == mesh.rank()) continue;
      const auto words = words_of(PairSeed(mesh.channel(peer), nonce), kName, kShape, 64);
      const std::lock_guard lock(mutex);
      seen[{mesh.rank(), peer}] = words;
    }
  });
  EXPECT_EQ(seen.at({0, 1}), seen.at({1, 0}));
  EXPECT_EQ(seen.at({0, 2}), seen.at({2, 0}));
  EXPECT_EQ(seen.at({1, 2}), seen.at({2, 1}));
  EXPECT_EQ(std::set({seen.at({0, 1}), seen.at({0, 2}), seen.at({1, 2})}).size(), 3U);
}

// Sessions of both roles refuse: the keys of a plaintext link would be public.
TEST(PairSeed, NoSessionRunsOverAPlaintextMesh) {
  const auto errors = net::errors_of_ranks(net::mesh_kind("Plaintext").make(2, 1), [&](net::Mesh& mesh) {
    if (mesh.rank() == 2) {
      DealerSession dealer(mesh);
    } else {
      PartySession party(mesh, net::AllReducePlan::unmeasured(2));
    }
  });
  int refused = 0;
  for (const auto& error : errors) {
    ASSERT_NE(error, nullptr);
    refused += net::message_of(error).find("this mesh is in plaintext") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(refused, 0);
}

TEST(PairSeed, AnyDifferenceInANameIsAnotherStream) {
  std::vector<std::vector<std::uint64_t>> streams{words_of(seed_of(1), kName, kShape, 64)};
  const auto add = [&](PairSeed seed, const StreamName& name, Shape shape, int bits) {
    streams.push_back(words_of(std::move(seed), name, shape, bits));
  };
  add(seed_of(2), kName, kShape, 64);
  add(seed_of(1, 1), kName, kShape, 64);
  add(seed_of(1), {8, Draw::kMask, 3}, kShape, 64);
  add(seed_of(1), {7 + (std::int64_t{1} << 32), Draw::kMask, 3}, kShape, 64);
  for (const Draw draw : {Draw::kInput, Draw::kDealt, Draw::kZero}) {
    add(seed_of(1), {7, draw, 3}, kShape, 64);
  }
  add(seed_of(1), {7, Draw::kMask, 4}, kShape, 64);
  add(seed_of(1), kName, {13, 5}, 64);
  add(seed_of(1), kName, {1, 65}, 64);
  add(seed_of(1), kName, {5, 14}, 64);
  add(seed_of(1), kName, kShape, 63);
  add(seed_of(1), kName, kShape, 51);
  for (std::size_t i = 0; i < streams.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      std::size_t equal = 0;
      for (std::size_t w = 0; w < 65; ++w) {
        equal += (streams[i][w] & low_bits(51)) == (streams[j][w] & low_bits(51)) ? 1U : 0U;
      }
      EXPECT_EQ(equal, 0U) << "streams " << j << " and " << i;
    }
  }
}

TEST(PairSeed, AddingSubtractingAndFlippingDrawWhatFillingDraws) {
  const Shape shape{37, 111};  // more than a chunk
  for (const int bits : {1, 13, 51, 64}) {
    const std::vector<std::uint64_t> stream = words_of(seed_of(1), kName, shape, bits);
    RingTensor sum = RingTensor::zeros(shape, bits), difference = RingTensor::zeros(shape, bits);
    seed_of(1).add(kName, sum);
    seed_of(1).subtract(kName, difference);
    EXPECT_TRUE(std::equal(stream.begin(), stream.end(), sum.words().begin()));
    for (std::size_t i = 0; i < stream.size(); ++i) {
      EXPECT_EQ((difference.words()[i] + stream[i]) & low_bits(bits), 0U);
      EXPECT_LE(difference.words()[i], low_bits(bits));
    }
  }
  std::vector<BitTensor> flipped(3, BitTensor::zeros(shape)), filled = flipped;
  seed_of(1).flip(kName, flipped);
  seed_of(1).fill(kName, filled);
  std::set<std::vector<std::uint64_t>> all;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::vector<std::uint64_t> words(filled[i].words().begin(), filled[i].words().end());
    EXPECT_TRUE(std::equal(words.begin(), words.end(), flipped[i].words().begin()));
    EXPECT_TRUE(all.insert(words).second) << "two tensors of one draw are the same";
  }
}

// Long enough for several pieces, and odd: a piece ends within a block of the cipher, and a tensor of bits does.
TEST(PairSeed, StreamsAreTheSameForAnyNumberOfThreads) {
  const Shape words{331, 307}, bits{331 * 64, 83};
  const auto draw = [&](Workers* workers) {
    Trace trace;
    for (std::int64_t operation = 0; operation < 20; ++operation) {  // counters from several beginnings
      for (const int ring : {13, 64})
        trace.add(words_of(seed_of(1, 0, workers), {operation, Draw::kMask}, words, ring));
    }
    RingTensor sum = RingTensor::zeros(words, 51);
    seed_of(1, 0, workers).add(kName, sum);
    seed_of(2, 0, workers).subtract(kName, sum);
    trace.add(sum.words());
    std::vector<BitTensor> several = BitTensor::several(bits, 3);
    seed_of(1, 0, workers).fill(kName, several);
    seed_of(2, 0, workers).flip(kName, several);
    for (const BitTensor& one : several) trace.add(one.words());
    return trace.hash();
  };
  const std::uint64_t serial = draw(nullptr);
  for (const int threads : {1, 2, 3, 5}) {
    Workers workers(threads);
    EXPECT_EQ(draw(&workers), serial) << threads;
  }
}

TEST(PairSeed, WordsAreReducedAndPaddingIsZero) {
  for (int bits = 1; bits <= 64; ++bits) {
    for (const std::uint64_t word : words_of(seed_of(1), kName, {1, 50}, bits)) EXPECT_LE(word, low_bits(bits));
  }
  for (const std::int64_t size : {1, 63, 64, 65, 130}) {
    const std::vector<std::uint64_t> words = bits_of(seed_of(1), kName, {1, size});
    if (size % 64 != 0) {
      EXPECT_EQ(words.back() >> (size % 64), 0U) << size;
    }
  }
}

TEST(PairSeed, ASecondUseOfANameIsABug) {
  const auto twice = [](const auto& first, const auto& second) {
    PairSeed seed = seed_of(1);
    RingTensor words(kShape, 51), others({2, 2}, 64);
    BitTensor bits = BitTensor::zeros(kShape);
    first(seed, words, others, bits);
    second(seed, words, others, bits);
  };
  const auto fill = [](PairSeed& s, RingTensor& w, RingTensor&, BitTensor&) { s.fill(kName, w); };
  const auto fill_other = [](PairSeed& s, RingTensor&, RingTensor& o, BitTensor&) { s.fill(kName, o); };
  const auto fill_bits = [](PairSeed& s, RingTensor&, RingTensor&, BitTensor& b) { s.fill(kName, b); };
  const auto add = [](PairSeed& s, RingTensor& w, RingTensor&, BitTensor&) { s.add(kName, w); };
  const auto subtract = [](PairSeed& s, RingTensor& w, RingTensor&, BitTensor&) { s.subtract(kName, w); };
  const auto flip = [](PairSeed& s, RingTensor&, RingTensor&, BitTensor& b) { s.flip(kName, b); };
  EXPECT_THROW(twice(fill, fill), BrokenInvariant);
  EXPECT_THROW(twice(fill, fill_other), BrokenInvariant);
  EXPECT_THROW(twice(fill, fill_bits), BrokenInvariant);
  EXPECT_THROW(twice(fill, add), BrokenInvariant);
  EXPECT_THROW(twice(add, subtract), BrokenInvariant);
  EXPECT_THROW(twice(subtract, flip), BrokenInvariant);
  EXPECT_THROW(twice(flip, fill), BrokenInvariant);

  const auto earlier = [](PairSeed& s, RingTensor& w, RingTensor&, BitTensor&) { s.fill({6, Draw::kMask, 9}, w); };
  const auto later = [](PairSeed& s, RingTensor& w, RingTensor&, BitTensor&) { s.fill({8, Draw::kMask, 3}, w); };
  const auto next = [](PairSeed& s, RingTensor& w, RingTensor&, BitTensor&) { s.fill({7, Draw::kMask, 4}, w); };
  EXPECT_NO_THROW(twice(fill, later));
  EXPECT_NO_THROW(twice(fill, next));
  EXPECT_THROW(twice(fill, earlier), BrokenInvariant) << "an operation that is over";
}

TEST(PairSeed, OfNobodyIsNotDrawnFrom) {
  PairSeed nobody;
  RingTensor words(kShape, 64);
  EXPECT_THROW(nobody.fill(kName, words), BrokenInvariant);
}

TEST(PairSeed, OfOneRankAloneIsNobodyElses) {
  std::set<std::vector<std::uint64_t>> streams;
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(streams.insert(words_of(PairSeed::own(Nonce()), kName, kShape, 64)).second);
  }
}

TEST(PairSeed, AMaskThatIsAddedAsItIsDrawnIsTheSameMask) {
  constexpr std::uint64_t kConstant = 12345;
  for (const Shape shape : {Shape{0, 3}, Shape{1, 1}, Shape{3, 5}, Shape{1, 1025}, Shape{77, 301}}) {
    for (const int threads : {1, 3}) {
      Workers workers(threads);
      RingTensor x(shape, 51);
      seed_of(2).fill(kName, x);
      const std::vector<std::uint64_t> mask = words_of(seed_of(1), kName, shape, 64);
      RingTensor drawn(shape, 64), sum(shape, 51);
      PairSeed seed = seed_of(1, 0, &workers);
      seed.fill_and_add(kName, drawn, x, kConstant, sum);
      for (std::size_t i = 0; i < mask.size(); ++i) {
        ASSERT_EQ(drawn.words()[i], mask[i]);
        ASSERT_EQ(sum.words()[i], (x.words()[i] + kConstant + mask[i]) & low_bits(51));
      }
    }
  }
}

TEST(PairSeed, WordsAreUniform) {
  const std::vector<std::uint64_t> words = words_of(seed_of(1), kName, {1, 200000}, 51);
  for (const int at : {0, 20, 43}) EXPECT_LT(unevenness_of_bits(words, at), kTooUneven);
}

// Pins the key schedule and the streams. They change only on purpose: after a change, a party of one version and a
// dealer of another compute nonsense, so the protocol's version changes too.
TEST(PairSeed, KeySchedule) {
  Trace trace;
  for (const Draw draw : {Draw::kInput, Draw::kMask, Draw::kDealt, Draw::kZero}) {
    for (const int bits : {13, 51, 64}) trace.add(words_of(seed_of(1, 2), {7, draw, 3}, kShape, bits));
    trace.add(bits_of(seed_of(1, 2), {7, draw, 3}, kShape));
    std::vector<BitTensor> several = BitTensor::several(kShape, 3);
    seed_of(1, 2).fill({7, draw, 3}, several);
    for (const BitTensor& bits : several) trace.add(bits.words());
  }
  EXPECT_EQ(trace.hash(), 0x3e3fc32708777810U);
}

}  // namespace
}  // namespace tacit::mpc
