// The hash of keys follows its definition over AES-128.
#include "mpc/ot/correlation_hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "net/error.h"
#include "tests/mpc/ot/correlated_pair.h"

namespace tacit::mpc {
namespace {

Block block_of(const unsigned char (&bytes)[16]) {
  Block block;
  std::memcpy(&block, bytes, sizeof block);
  return block;
}

// FIPS 197, appendix C.1.
TEST(FixedKeyAes, IsAes128) {
  const std::string_view key("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f", 16);
  const Block plain =
      block_of({0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff});
  const Block cipher =
      block_of({0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a});
  for (const std::size_t count : {1U, 2U, 3U, 4U, 31U, 32U, 33U, 100U}) {
    const std::vector<Block> blocks(count, plain);
    for (const Instructions instructions : {Instructions::kPortable, best_instructions()}) {
      std::vector<Block> images = blocks;
      FixedKeyAes(key, instructions).permute(images);
      for (const Block& image : images) EXPECT_EQ(image, cipher);
    }
  }
}

// The functions of pi are the same on every kind of instructions.
TEST(FixedKeyAes, HashesAndExpandsAlike) {
  std::mt19937_64 random(3);
  FixedKeyAes portable("a key", Instructions::kPortable), best("a key");
  for (const std::int64_t count : {1, 16, 17, 200}) {
    const SecretBlocks x = random_blocks(count, random);
    const Block offset = random_block(random);
    const std::uint64_t first = random(), name = random();
    auto one = SecretBlocks::zeros(8 * count), other = SecretBlocks::zeros(8 * count);
    portable.hash(x.blocks(), offset, first, name, one.data());
    best.hash(x.blocks(), offset, first, name, other.data());
    EXPECT_TRUE(std::ranges::equal(one.blocks(), other.blocks()));
    for (const std::int64_t size : {1, 8}) {
      portable.expand(x.blocks(), first, size, one.data());
      best.expand(x.blocks(), first, size, other.data());
      EXPECT_TRUE(std::ranges::equal(one.blocks(), other.blocks()));
    }
  }
}

TEST(CorrelationHash, FollowsItsDefinition) {
  std::mt19937_64 random(1);
  const auto pi = [](Block x) {
    FixedKeyAes("tacit pads").permute(std::span(&x, 1));
    return x;
  };
  CorrelationHash hash;
  for (const std::int64_t count : {0, 1, 3, 128, 129, 300}) {
    for (const std::int64_t blocks : {0, 1, 2, 5}) {
      const SecretBlocks x = random_blocks(count, random);
      const Block offset = random_block(random);
      const std::uint64_t first = random() >> 1;
      const auto use = static_cast<std::int64_t>(random() >> 24);
      SecretBlocks out(count * blocks);
      hash.hash(x.blocks(), offset, first, use, blocks, out.blocks());
      for (std::int64_t k = 0; k < count; ++k) {
        for (std::int64_t b = 0; b < blocks; ++b) {
          const Block inner = pi(x[k] ^ offset);
          const Block name{first + static_cast<std::uint64_t>(k),
                           static_cast<std::uint64_t>(use) << 24 | static_cast<std::uint64_t>(b)};
          ASSERT_EQ(out[k * blocks + b], pi(inner ^ name) ^ inner);
        }
      }
    }
  }
}

TEST(CorrelationHash, RefusesNumbersThatOverflow) {
  CorrelationHash hash;
  std::mt19937_64 random(2);
  const SecretBlocks x = random_blocks(2, random);
  SecretBlocks out(2);
  hash.hash(x.blocks(), Block{}, ~std::uint64_t{0} - 2, CorrelationHash::kMostUses - 1, 1, out.blocks());
  EXPECT_THROW(hash.hash(x.blocks(), Block{}, ~std::uint64_t{0}, 0, 1, out.blocks()), BrokenInvariant);
  EXPECT_THROW(hash.hash(x.blocks(), Block{}, 0, CorrelationHash::kMostUses, 1, out.blocks()), BrokenInvariant);
  SecretBlocks none(0);
  EXPECT_THROW(hash.hash({}, Block{}, 0, 0, CorrelationHash::kMostBlocks + 1, none.blocks()), BrokenInvariant);
}

}  // namespace
}  // namespace tacit::mpc
