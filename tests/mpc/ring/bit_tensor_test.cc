#include "mpc/ring/bit_tensor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace tacit::mpc {
namespace {

constexpr Shape kShape{7, 31};

void fill(BitTensor& bits, std::uint64_t word) { std::fill(bits.words().begin(), bits.words().end(), word); }

TEST(BitTensor, SeveralLieOneAfterTheOther) {
  std::vector<BitTensor> tensors = BitTensor::several(kShape, 5);
  const std::span<std::uint64_t> all = BitTensor::together(tensors);
  ASSERT_EQ(std::ssize(all), 5 * BitTensor::words_for(kShape.size()));
  for (std::size_t i = 0; i < tensors.size(); ++i) fill(tensors[i], i);
  for (std::size_t w = 0; w < all.size(); ++w) EXPECT_EQ(all[w], w / tensors[0].words().size());
}

TEST(BitTensor, TensorsOfDifferentMemoryAreNotTogether) {
  std::vector<BitTensor> tensors = BitTensor::several(kShape, 3);
  std::swap(tensors[0], tensors[1]);
  EXPECT_TRUE(BitTensor::together(tensors).empty());
  EXPECT_TRUE(BitTensor::together({}).empty());
}

TEST(BitTensor, ACopyIsATensorOfItsOwn) {
  std::vector<BitTensor> tensors = BitTensor::several(kShape, 2);
  fill(tensors[0], 1);
  fill(tensors[1], 2);
  BitTensor copy = tensors[1];
  EXPECT_TRUE(std::ranges::equal(copy.words(), tensors[1].words()));
  fill(copy, 3);
  EXPECT_EQ(tensors[1].words().front(), 2U);
  tensors[0] = tensors[1];
  fill(tensors[1], 4);
  EXPECT_EQ(tensors[0].words().front(), 2U);
}

TEST(BitTensor, OneOfSeveralOutlivesTheOthers) {
  BitTensor kept;
  {
    std::vector<BitTensor> tensors = BitTensor::several(kShape, 9);
    fill(tensors[8], 5);
    kept = std::move(tensors[8]);
  }
  EXPECT_EQ(kept.shape(), kShape);
  EXPECT_TRUE(std::ranges::all_of(kept.words(), [](std::uint64_t word) { return word == 5; }));
}

TEST(BitTensor, WordsBeginAtABorderOf64Bytes) {
  for (int i = 0; i < 20; ++i) {
    const BitTensor bits(kShape);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bits.words().data()) % 64, 0U);
  }
}

}  // namespace
}  // namespace tacit::mpc
