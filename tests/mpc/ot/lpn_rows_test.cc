// Rows of the public matrix follow their definition, on every kind of instructions.
#include "mpc/ot/lpn_rows.h"

#include <gtest/gtest.h>

#include <cstring>

#include "net/error.h"
#include "tests/mpc/ot/correlated_pair.h"

namespace tacit::mpc {
namespace {

constexpr std::string_view kRowsKey = "sixteen letters.";

TEST(LpnRows, FollowTheirDefinition) {
  std::mt19937_64 random(1);
  const int log_base = 7;
  const SecretBlocks base = random_blocks(1 << log_base, random);
  FixedKeyAes pi(kRowsKey, Instructions::kPortable);
  for (const std::uint64_t round : {std::uint64_t{0}, std::uint64_t{3}}) {
    std::vector<Block> stream(5000);
    for (std::size_t b = 0; b < stream.size(); ++b) stream[b] = {round, b};
    pi.permute(stream);
    std::vector<std::uint64_t> words(stream.size() * 2);
    std::memcpy(words.data(), stream.data(), words.size() * sizeof(std::uint64_t));
    for (const Instructions instructions : available_instructions()) {
      LpnRows rows(kRowsKey, log_base, instructions);
      for (const std::int64_t first : {0, 1, 128}) {
        for (const std::int64_t count : {0, 1, 2, 17, 512, 513, 1500}) {
          const SecretBlocks before = random_blocks(count, random);
          SecretBlocks after = copy_of(before);
          rows.add(round, first, base.blocks(), after.blocks());
          for (std::int64_t r = 0; r < count; ++r) {
            Block sum = before[r];
            for (std::int64_t j = 0; j < 10; ++j) {
              const std::uint64_t word = words[static_cast<std::size_t>((first + r) * 4 + j / 3)];
              sum ^= base[static_cast<std::int64_t>((word >> (21 * (j % 3))) % (1U << log_base))];
            }
            ASSERT_EQ(after[r], sum) << name(instructions) << ", row " << first + r;
          }
        }
      }
    }
  }
}

TEST(LpnRows, RefuseOtherBasesAndKeys) {
  LpnRows rows(kRowsKey, 3);
  SecretBlocks base = SecretBlocks::zeros(8), out = SecretBlocks::zeros(2);
  EXPECT_THROW(rows.add(0, 0, base.blocks().first(7), out.blocks()), BrokenInvariant);
  EXPECT_THROW(LpnRows("short", 3), BrokenInvariant);
  EXPECT_THROW(LpnRows(kRowsKey, 22), BrokenInvariant);
}

}  // namespace
}  // namespace tacit::mpc
