#include "mpc/ring/kept_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "tests/sanitized.h"

namespace tacit::mpc {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
const std::vector<std::size_t> kBytes = {0, 1, 63, 64, 65, 4096, 65536, 65537, kMiB - 1, kMiB, kMiB + 1, 3 * kMiB};

#ifdef TACIT_ADDRESS_SANITIZER
constexpr bool kKeeps = false;  // every block goes back
#else
constexpr bool kKeeps = true;
#endif

TEST(KeptMemory, NoTwoBlocksShareAByte) {
  for (int round = 0; round < 3; ++round) {
    std::vector<std::pair<unsigned char*, std::size_t>> taken;
    for (int i = 0; i < 20; ++i) {
      for (const std::size_t bytes : kBytes) {
        auto* const block = static_cast<unsigned char*>(take_memory(bytes));
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 16, 0U);
        std::memset(block, static_cast<int>(taken.size() % 251), bytes);
        taken.emplace_back(block, bytes);
      }
    }
    for (std::size_t i = 0; i < taken.size(); ++i) {
      const auto [block, bytes] = taken[i];
      EXPECT_TRUE(std::all_of(block, block + bytes, [&](unsigned char byte) { return byte == i % 251; })) << bytes;
      return_memory(block, bytes);
    }
  }
}

TEST(KeptMemory, IsTakenAgainBySizesOfTheSameBlock) {
  if (!kKeeps) GTEST_SKIP() << "an address sanitizer gets every block back";
  for (const auto& [first, second] :
       {std::pair<std::size_t, std::size_t>{1, 128}, {1088, 577}, {kMiB / 2 + 64, kMiB / 4 + 65}}) {
    void* const block = take_memory(first);
    return_memory(block, first);
    void* const next = take_memory(second);
    EXPECT_EQ(next, block) << first;
    return_memory(next, second);
  }
}

TEST(KeptMemory, OfAThreadIsAtMostFourMiB) {
  if (!kKeeps) GTEST_SKIP() << "an address sanitizer gets every block back";
  std::thread([&] {  // a thread that keeps nothing yet
    const std::vector<std::size_t> bytes = {3 * kMiB / 4, kMiB / 2, 2 * kMiB, kMiB / 4, kMiB / 2};
    std::vector<std::pair<void*, std::size_t>> taken;
    for (int i = 0; i < 6; ++i) {
      for (const std::size_t one : bytes) taken.emplace_back(take_memory(one), one);
    }
    for (const auto& [block, size] : taken) return_memory(block, size);
    // Three rounds have 3.75 MiB in blocks of at most half a MiB, and the fourth one begins with half a MiB, for which there is
    // no room, and then has a quarter, for which there is. The last kept block of a size is the first that is taken again.
    const auto expect_kept = [&](std::size_t index) {
      const auto [block, size] = taken[index];
      void* const kept = take_memory(size);
      EXPECT_EQ(kept, block) << index;
      return std::pair(kept, size);
    };
    std::vector<std::pair<void*, std::size_t>> again;
    for (const std::size_t index : {18U, 13U, 8U, 3U, 14U, 11U, 9U, 6U, 4U, 1U}) again.push_back(expect_kept(index));
    for (const auto& [block, size] : again) return_memory(block, size);
  })
      .join();
}

TEST(KeptMemory, AnotherThreadMayReturnIt) {
  for (const std::size_t bytes : kBytes) {
    std::vector<void*> taken;
    for (int i = 0; i < 40; ++i) taken.push_back(take_memory(bytes));
    std::thread([&] {
      for (void* const block : taken) return_memory(block, bytes);
    }).join();
    void* const next = take_memory(bytes);
    std::memset(next, 1, bytes);
    return_memory(next, bytes);
  }
}

TEST(KeptMemory, HoldsContainersAndSharedObjects) {
  std::vector<int, KeptAllocator<int>> numbers;
  for (int i = 0; i < 1000; ++i) numbers.push_back(i);
  EXPECT_EQ(numbers[999], 999);
  const auto shared = std::allocate_shared<std::vector<int>>(KeptAllocator<int>(), 3, 7);
  EXPECT_EQ(*shared, std::vector<int>(3, 7));
  EXPECT_THROW(KeptAllocator<std::uint64_t>().allocate(static_cast<std::size_t>(-1) / 4), std::bad_array_new_length);
}

}  // namespace
}  // namespace tacit::mpc
