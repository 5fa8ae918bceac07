#include "mpc/ring/word_memory.h"

#include <gtest/gtest.h>

#include <thread>
#include <utility>
#include <vector>

namespace tacit::mpc {
namespace {

const std::vector<std::int64_t> kSizes = {0, 1, 7, 8, 9, 120, 121, 1000, 8184, 8185, 100000};

void fill(WordMemory& memory, std::uint64_t word) { std::fill_n(memory.data(), memory.size(), word); }

bool holds(const WordMemory& memory, std::uint64_t word) {
  return std::all_of(memory.data(), memory.data() + memory.size(), [&](std::uint64_t its) { return its == word; });
}

TEST(WordMemory, BeginsAtABorderOf64Bytes) {
  for (const std::int64_t size : kSizes) {
    const WordMemory memory(size);
    EXPECT_EQ(memory.size(), size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % 64, 0U);
  }
}

// Blocks of all sizes are written to their ends while others live, are freed and taken again.
TEST(WordMemory, NoTwoShareAWord) {
  for (int round = 0; round < 3; ++round) {
    std::vector<WordMemory> all;
    for (std::uint64_t i = 0; i < 40; ++i) {
      for (const std::int64_t size : kSizes) fill(all.emplace_back(size), i);
    }
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_TRUE(holds(all[i], i / kSizes.size())) << i;
  }
}

TEST(WordMemory, ACopyIsSeparateAndAMoveLeavesNothing) {
  for (const std::int64_t size : kSizes) {
    WordMemory first(size);
    fill(first, 1);
    WordMemory copy = first;
    fill(first, 2);
    EXPECT_TRUE(holds(copy, 1));
    copy = first;
    EXPECT_TRUE(holds(copy, 2));
    const WordMemory moved = std::move(copy);
    EXPECT_TRUE(holds(moved, 2));
    EXPECT_EQ(copy.size(), 0);  // NOLINT(bugprone-use-after-move)
  }
}

TEST(WordMemory, AnotherThreadMayFreeIt) {
  for (const std::int64_t size : kSizes) {
    std::vector<WordMemory> taken;
    for (int i = 0; i < 40; ++i) fill(taken.emplace_back(size), 3);
    std::thread([&] { taken.clear(); }).join();
    WordMemory next(size);
    fill(next, 4);
    EXPECT_TRUE(holds(next, 4));
  }
}

}  // namespace
}  // namespace tacit::mpc
