#include "mpc/kernels/bit_slice.h"

#include <gtest/gtest.h>

#include "tests/mpc/kernels/tensors.h"

namespace tacit::mpc {
namespace {

const std::vector<Shape> kShapes = {{0, 0},  {0, 3},   {1, 1},  {1, 63},   {8, 8},
                                    {5, 13}, {1, 128}, {43, 3}, {1, 1000}, {100, 701}};

class BitSliceOn : public testing::TestWithParam<int> {
 protected:
  Workers workers_{GetParam()};
};

TEST_P(BitSliceOn, PlaneJHoldsBitJOfEveryElementAndNothingElse) {
  for (const Shape shape : kShapes) {
    for (const int bits : {1, 32, 51, 64}) {
      const RingTensor tensor = random_tensor(shape, bits, 1);
      for (const int first : {0, bits / 2, bits - 1}) {
        std::vector<BitTensor> planes = BitTensor::several(shape, bits - first);
        for (BitTensor& plane : planes) std::ranges::fill(plane.words(), ~std::uint64_t{0});  // simulate used storage
        bit_planes(tensor, first, planes, workers_);
        for (int j = first; j < bits; ++j) {
          BitTensor expected = BitTensor::zeros(shape);
          for (std::size_t i = 0; i < tensor.words().size(); ++i) {
            expected.words()[i / 64] |= (tensor.words()[i] >> j & 1) << (i % 64);
          }
          ASSERT_TRUE(std::ranges::equal(planes[static_cast<std::size_t>(j - first)].words(), expected.words()))
              << "plane " << j << " of " << bits << ", " << text(shape);
        }
      }
    }
  }
}

TEST_P(BitSliceOn, PlanesOfAViewAreThoseOfItsTensor) {
  for (const Shape shape : kShapes) {
    const RingTensor tensor = random_tensor(shape, 64, 7);
    std::vector<BitTensor> planes = BitTensor::several(shape, 20), expected = BitTensor::several(shape, 20);
    bit_planes(tensor.view(), 44, planes, workers_);
    bit_planes(tensor, 44, expected, workers_);
    for (std::size_t j = 0; j < planes.size(); ++j) {
      ASSERT_TRUE(std::ranges::equal(planes[j].words(), expected[j].words())) << "plane " << j << ", " << text(shape);
    }
  }
}

TEST_P(BitSliceOn, PlanesOfADifferenceAreThoseOfConstantMinusWord) {
  for (const Shape shape : kShapes) {
    for (const std::uint64_t constant :
         {std::uint64_t{0}, std::uint64_t{5}, ~std::uint64_t{0}, std::uint64_t{1} << 49}) {
      const RingTensor tensor = random_tensor(shape, 51, 4);
      for (const int first : {0, 13}) {
        std::vector<BitTensor> planes = BitTensor::several(shape, 26);
        bit_planes_of_difference(constant, tensor, first, planes, workers_);
        for (std::size_t j = 0; j < planes.size(); ++j) {
          const std::size_t bit = static_cast<std::size_t>(first) + j;
          BitTensor expected = BitTensor::zeros(shape);
          for (std::size_t i = 0; i < tensor.words().size(); ++i) {
            expected.words()[i / 64] |= ((constant - tensor.words()[i]) >> bit & 1) << (i % 64);
          }
          ASSERT_TRUE(std::ranges::equal(planes[j].words(), expected.words()))
              << "plane " << bit << ", " << text(shape);
        }
      }
    }
  }
}

TEST_P(BitSliceOn, WidenGivesEachBitAWord) {
  for (const Shape shape : kShapes) {
    const BitTensor bits = random_bits(shape, 2);
    RingTensor out = random_tensor(shape, 33, 3);
    widen(bits, out, workers_);
    for (std::int64_t i = 0; i < out.size(); ++i) ASSERT_EQ(out.data()[i], bits.at(i) ? 1u : 0u) << text(shape);
  }
}

TEST_P(BitSliceOn, AskingForNoPlanesIsFine) {
  bit_planes(random_tensor({3, 3}, 64, 1), 0, {}, workers_);
  bit_planes(random_tensor({3, 3}, 64, 1), 64, {}, workers_);
}

INSTANTIATE_TEST_SUITE_P(Threads, BitSliceOn, testing::Values(1, 3));

TEST(BitSlice, RefusesOtherShapesAndPlanesThatTheRingLacks) {
  Workers workers;
  const RingTensor tensor = RingTensor::zeros({3, 3}, 10);
  std::vector<BitTensor> planes = BitTensor::several({3, 3}, 2);
  EXPECT_THROW(bit_planes(tensor, 9, planes, workers), BrokenInvariant);
  EXPECT_THROW(bit_planes(tensor, -1, planes, workers), BrokenInvariant);
  EXPECT_THROW(bit_planes(tensor.view(), 63, planes, workers), BrokenInvariant);
  EXPECT_THROW(bit_planes(tensor.view().transposed(), 0, planes, workers), BrokenInvariant);
  planes = BitTensor::several({9, 1}, 2);
  EXPECT_THROW(bit_planes(tensor, 0, planes, workers), BrokenInvariant);
  RingTensor out = RingTensor::zeros({9, 1}, 10);
  EXPECT_THROW(widen(BitTensor::zeros({3, 3}), out, workers), BrokenInvariant);
}

}  // namespace
}  // namespace tacit::mpc
