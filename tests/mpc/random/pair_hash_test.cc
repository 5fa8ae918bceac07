// Equal tags for equal words under equal keys; different tags for every difference.
#include "mpc/random/pair_hash.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace tacit::mpc {
namespace {

using Words = std::vector<std::uint64_t>;

PairSeed seed(unsigned char key) {
  net::Secret secret(PairSeed::kSeedBytes);
  secret.bytes().front() = std::byte{key};
  return PairSeed(std::move(secret), Nonce{});
}

HashTag tag_of(const std::vector<Words>& tensors, unsigned char key = 1) {
  PairSeed own = seed(key);
  PairHash hash(own, 0);
  for (const Words& tensor : tensors) hash.absorb(tensor);
  return hash.tag();
}

Words sample(std::size_t count) {
  std::mt19937_64 random(count);
  Words words(count);
  for (std::uint64_t& word : words) word = random();
  return words;
}

TEST(PairHash, IsEqualForEqualWordsAndKeysAndGoesOnAfterATag) {
  PairSeed ours = seed(1), theirs = seed(1);
  PairHash a(ours, 0), b(theirs, 0);
  for (const std::size_t size : {0u, 1u, 2u, 127u, 128u, 129u, 1000u, 4096u, 10'001u}) {
    a.absorb(sample(size));
    EXPECT_EQ(a.tag(), a.tag());
    b.absorb(sample(size));
    EXPECT_EQ(a.tag(), b.tag()) << size;
  }
}

TEST(PairHash, OfDigestsIsThatOfTheWords) {
  PairSeed ours = seed(1), theirs = seed(1);
  PairHash a(ours, 0), b(theirs, 0);
  for (const std::size_t size : {0u, 1u, 2u, 3u, 127u, 128u, 129u, 255u, 256u, 1000u, 2048u, 10'001u}) {
    const Words first = sample(size), second = sample(size + 1);
    a.absorb(first);
    a.absorb(second);
    const auto of_first = static_cast<std::size_t>(PairHash::digest_entries(std::ssize(first)));
    const auto of_second = static_cast<std::size_t>(PairHash::digest_entries(std::ssize(second)));
    std::vector<PairHash::Entry> digests(of_first + of_second, 1);
    b.digest(second, std::span(digests).subspan(of_first));
    b.digest(first, std::span(digests).first(of_first));
    b.absorb_digests(digests);
    EXPECT_EQ(a.tag(), b.tag()) << size;
  }
}

TEST(PairHash, OfAMessageDoesNotDependOnItsPieces) {
  const Words words = sample(1000);
  const net::ConstBytes bytes = std::as_bytes(std::span(words)).first(7997);
  const auto tag_in = [&](std::vector<std::size_t> cuts) {
    cuts.push_back(bytes.size());
    std::vector<net::ConstBytes> pieces;
    std::size_t at = 0;
    for (const std::size_t cut : cuts) pieces.push_back(bytes.subspan(at, cut - at)), at = cut;
    PairSeed own = seed(1);
    PairHash hash(own, 0);
    hash.absorb(pieces);
    return hash.tag();
  };
  const HashTag whole = tag_in({});
  EXPECT_EQ(tag_in({0, 0, 1, 1023, 1024, 1025, 3000}), whole);
  EXPECT_EQ(tag_in({1024, 2048, 7996}), whole);
  EXPECT_EQ(tag_in({5000, 5001, 5002}), whole);
}

TEST(PairHash, OfAnotherNumberHasAnotherKey) {
  std::set<HashTag> tags;
  PairSeed own = seed(1);
  for (const int number : {0, 1, 2}) {
    PairHash hash(own, number);
    hash.absorb(sample(5));
    tags.insert(hash.tag());
  }
  EXPECT_EQ(tags.size(), 3U);
}

TEST(PairHash, DiffersForEveryBitThatDiffers) {
  for (const std::size_t size : {1u, 2u, 127u, 128u, 129u, 300u}) {
    const HashTag whole = tag_of({sample(size)});
    for (std::size_t at = 0; at < size; ++at) {
      for (const int bit : {0, 1, 31, 32, 63}) {
        Words other = sample(size);
        other[at] ^= std::uint64_t{1} << bit;
        EXPECT_NE(tag_of({other}), whole) << size << " words, word " << at << ", bit " << bit;
      }
    }
  }
}

TEST(PairHash, DiffersForOtherLengthsOrdersAndKeys) {
  const Words zero(1), zeros(2), block(128), blocks(256);
  const std::set<HashTag> tags{tag_of({}),
                               tag_of({{}}),
                               tag_of({zero}),
                               tag_of({zeros}),
                               tag_of({zero, zero}),
                               tag_of({block}),
                               tag_of({blocks}),
                               tag_of({block, block}),
                               tag_of({zero}, 2),
                               tag_of({sample(7), zero}),
                               tag_of({zero, sample(7)})};
  EXPECT_EQ(tags.size(), 11U);
}

TEST(PairSeed, DrawsOtherStreamsAtEndsThatSawDifferentThings) {
  const auto drawn = [](std::optional<HashTag> seen) {
    PairSeed own = seed(1);
    RingTensor words({64, 1}, 51);
    own.fill({5, Draw::kZero, 0, seen}, words);
    return Words(words.words().begin(), words.words().end());
  };
  const HashTag one{std::byte{1}}, two{std::byte{2}};
  EXPECT_EQ(drawn(one), drawn(one));
  EXPECT_EQ((std::set<Words>{drawn(one), drawn(two), drawn({})}.size()), 3U);
}

}  // namespace
}  // namespace tacit::mpc
