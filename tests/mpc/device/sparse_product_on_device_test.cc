#include "mpc/device/sparse_product.h"

#include <gtest/gtest.h>

#include "tests/mpc/device/emulated_orders.h"

namespace tacit::mpc::device {
namespace {

TEST(SparseProductOnDevice, EqualsTheDefinitionForRowsWithAndWithoutEntries) {
  constexpr std::int64_t kRows = 57, kInner = 40;
  RandomWords random(8);
  std::vector<std::int64_t> begin = {0};
  std::vector<std::int32_t> cols_of;
  for (std::int64_t row = 0; row < kRows; ++row) {
    for (std::int32_t col = 0; row % 7 != 3 && col < kInner; ++col) {
      if (random.word() % 4 == 0) cols_of.push_back(col);
    }
    begin.push_back(std::ssize(cols_of));
  }
  const std::vector<Word> values = random.words(std::ssize(cols_of));
  const Word mask = mask_of(51);
  const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  in_every_order([&] {
    for (const std::int64_t cols : {1, 7, 16, 32, 33, 100}) {
      const std::vector<Word> x = random.words(kInner * cols);
      std::vector<Word> out(at(kRows * cols), ~Word{0}), expected(out.size(), 0);
      for (std::int64_t row = 0; row < kRows; ++row) {
        for (std::int64_t e = begin[at(row)]; e < begin[at(row + 1)]; ++e) {
          for (std::int64_t c = 0; c < cols; ++c) {
            expected[at(row * cols + c)] += values[at(e)] * x[at(cols_of[at(e)] * cols + c)];
          }
        }
      }
      for (Word& w : expected) w &= mask;
      const SparseRows m{kRows, begin.data(), cols_of.data(), values.data()};
      ASSERT_EQ(sparse_product(m, x.data(), cols, out.data(), mask, 2, Stream{}), 0);
      ASSERT_EQ(out, expected) << cols << " columns";
    }
  });
}

}  // namespace
}  // namespace tacit::mpc::device
