// The three products of a device, word by word against the definition.
#include "mpc/device/ring_product.h"

#include <gtest/gtest.h>

#include <string>

#include "mpc/device/limbs.h"
#include "tests/mpc/device/emulated_orders.h"
#include "tests/sanitized.h"

namespace tacit::mpc::device {
namespace {

using Product = int (*)(DeviceView, DeviceView, Into, Word*, int, int, Stream);
struct Way {
  std::string name;
  Product product;
};

enum class Fill { kRandom, kOnes, kTopBit, kBytes, kSparse };
struct Case {
  std::int64_t rows, depth, cols;
  int bits;
  bool left_transposed = false, right_transposed = false;
  Into into = Into::kAdd;
  Fill fill = Fill::kRandom;
  int processors = 1;  // more processors cut the inner dimension
};

// `words` is stored as rows × cols or as the transpose.
DeviceView view_of(const std::vector<Word>& words, std::int64_t rows, std::int64_t cols, bool transposed) {
  if (transposed) return {words.data(), rows, cols, 1, rows};
  return {words.data(), rows, cols, cols, 1};
}

class RingProductOnDevice : public testing::TestWithParam<Way> {
 protected:
  std::vector<Word> filled(std::int64_t count, Fill how, int bits) {
    std::vector<Word> words = random_.words(count);
    for (Word& w : words) {
      if (how == Fill::kOnes) w = ~Word{0};
      if (how == Fill::kTopBit) w = Word{1} << (bits - 1);
      if (how == Fill::kBytes) w = w % 2 != 0 ? 0xFF00FF00FF00FF00 : 0x00FF00FF00FF00FF;
      if (how == Fill::kSparse && w % 5 != 0) w = 0;
      w &= mask_of(bits);
    }
    return words;
  }

  void check(const Case& c) {
    const auto a = filled(c.rows * c.depth, c.fill, c.bits), b = filled(c.depth * c.cols, c.fill, c.bits);
    const DeviceView left = view_of(a, c.rows, c.depth, c.left_transposed);
    const DeviceView right = view_of(b, c.depth, c.cols, c.right_transposed);
    std::vector<Word> out = filled(c.rows * c.cols, Fill::kRandom, c.bits), expected = out;
    for (std::int64_t row = 0; row < c.rows; ++row) {
      for (std::int64_t col = 0; col < c.cols; ++col) {
        Word sum = 0;
        for (std::int64_t i = 0; i < c.depth; ++i) {
          sum += left.words[row * left.row_stride + i * left.col_stride] *
                 right.words[i * right.row_stride + col * right.col_stride];
        }
        Word& e = expected[static_cast<std::size_t>(row * c.cols + col)];
        e = (c.into == Into::kSet ? sum : c.into == Into::kAdd ? e + sum : e - sum) & mask_of(c.bits);
      }
    }
    ASSERT_EQ(GetParam().product(left, right, c.into, out.data(), c.bits, c.processors, Stream{}), 0);
    ASSERT_TRUE(out == expected) << c.rows << " x " << c.depth << " x " << c.cols << ", k = " << c.bits
                                 << (c.left_transposed ? ", left transposed" : "")
                                 << (c.right_transposed ? ", right transposed" : "") << ", into "
                                 << static_cast<int>(c.into) << ", fill " << static_cast<int>(c.fill) << ", "
                                 << c.processors << " processors";
  }

  RandomWords random_{7};
};

constexpr bool kFew = kSlowdown > 1;  // a sanitizer watches: one ring of each number of limbs

TEST_P(RingProductOnDevice, EqualsTheDefinitionInEveryRing) {
  for (int bits = 1; bits <= 64; bits += kFew ? 7 : 1) {
    check({19, 37, 11, bits, bits % 2 != 0, bits / 2 % 2 != 0, static_cast<Into>(bits % 3)});
  }
}

TEST_P(RingProductOnDevice, EqualsTheDefinitionInEveryOrderOfThreads) {
  in_every_order([this] {
    for (const int bits : kFew ? std::vector{64} : std::vector{64, 51, 38}) {
      check({70, 65, 33, bits, false, false, Into::kAdd});
      check({1, 300, 7, bits, false, true, Into::kSubtract, Fill::kRandom, 8});
    }
  });
}

TEST_P(RingProductOnDevice, EqualsTheDefinitionForTransposedOperandsAlsoCutAlongTheInnerDimension) {
  for (const bool left : {false, true}) {
    for (const bool right : {false, true}) {
      for (const int bits : kFew ? std::vector{51} : std::vector{64, 48, 25}) {
        const auto into = static_cast<Into>((bits + left + 2 * right) % 3);
        check({130, 65, 33, bits, left, right, into});
        check({5, 300, 7, bits, left, right, into, Fill::kRandom, 8});
      }
      if (!kFew) check({33, 512, 16, 51, left, right, Into::kSet, Fill::kRandom, 4});
    }
  }
}

TEST_P(RingProductOnDevice, EqualsTheDefinitionForTheWordsThatCarryMost) {
  for (const int bits : kFew ? std::vector{64} : std::vector{64, 57, 51, 38, 8}) {
    for (const Fill fill : {Fill::kOnes, Fill::kTopBit, Fill::kBytes, Fill::kSparse}) {
      check({130, 40, 17, bits, false, true, Into::kSubtract, fill});
    }
  }
}

TEST_P(RingProductOnDevice, EqualsTheDefinitionForUglyShapes) {
  for (const std::int64_t rows : kFew ? std::vector{1, 129} : std::vector{1, 16, 17, 129}) {
    for (const std::int64_t cols : kFew ? std::vector{9, 49} : std::vector{1, 8, 9, 33, 49}) {
      for (const std::int64_t depth : {1, 4, 33}) check({rows, depth, cols, 64, rows % 2 != 0, cols % 2 != 0});
    }
  }
}

TEST_P(RingProductOnDevice, OfAnEmptyInnerDimensionIsZeroAndNoRowsOrColumnsAreNothing) {
  for (const Into into : {Into::kSet, Into::kAdd, Into::kSubtract}) {
    check({3, 0, 5, 51, false, false, into});
    check({0, 4, 5, 51, false, false, into});
    check({3, 4, 0, 51, false, false, into});
  }
}

// Sums of more than kDeepest products of bytes 255 could overflow a matrix unit, so kernels merge them on the way.
TEST_P(RingProductOnDevice, IsExactForAnInnerDimensionOf8225OfAllOnes) {
  constexpr std::int64_t kDepth = 2 * kDeepest + 33;
  static_assert(kDepth == 8225);
  for (const int bits : kFew ? std::vector{64} : std::vector{64, 38}) {
    check({1, kDepth, 1, bits, false, false, Into::kAdd, Fill::kOnes});
  }
  if (!kFew) check({16, kDepth, 8, 51, false, true, Into::kSet, Fill::kOnes});
}

INSTANTIATE_TEST_SUITE_P(Ways, RingProductOnDevice,
                         testing::Values(Way{"ByWarps", product_by_warps}, Way{"ByWarpgroups", product_by_warpgroups},
                                         Way{"ByWords", product_by_words}),
                         [](const auto& of_way) { return of_way.param.name; });

}  // namespace
}  // namespace tacit::mpc::device
