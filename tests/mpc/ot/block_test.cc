// Secret blocks leave nothing in memory.
#include "mpc/ot/block.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tacit::mpc {
namespace {

TEST(SecretBlocks, AreWipedWhenFreed) {
  const std::int64_t count = 5000;
  const Block* place = nullptr;
  {
    SecretBlocks blocks(count);
    std::ranges::fill(blocks.blocks(), Block{77, 78});
    place = blocks.data();
  }
  const SecretBlocks again(count);  // not initialised
  if (again.data() != place) GTEST_SKIP() << "the memory was not given out again";
  EXPECT_TRUE(std::ranges::all_of(again.blocks(), [](const Block& block) { return block == Block{}; }));
}

TEST(SecretBlocks, GiveTheirFirstBits) {
  SecretBlocks blocks(128);
  for (std::int64_t k = 0; k < 128; ++k) blocks[k] = {static_cast<std::uint64_t>(k * k / 3), ~std::uint64_t{0}};
  for (const std::int64_t count : {0, 1, 63, 64, 65, 128}) {
    const Block bits = first_bits(blocks.blocks().first(static_cast<std::size_t>(count)));
    for (std::int64_t k = 0; k < 128; ++k) {
      const std::uint64_t expected = k < count ? blocks[k].low & 1 : 0;
      ASSERT_EQ((k < 64 ? bits.low : bits.high) >> (k % 64) & 1, expected);
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
