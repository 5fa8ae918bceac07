#include "mpc/kernels/packing.h"

#include <gtest/gtest.h>

#include "tests/mpc/kernels/tensors.h"

namespace tacit::mpc {
namespace {

class PackingOn : public testing::TestWithParam<int> {
 protected:
  Workers workers_{GetParam()};
};

TEST_P(PackingOn, ThreadsMakesTheBytesThatOneMakes) {
  for (const int bits : kRings) {
    for (const Shape shape : {Shape{0, 3}, Shape{1, 1}, Shape{7, 9}, Shape{331, 307}, Shape{512, 256}}) {
      RingTensor tensor = random_tensor(shape, bits, 1);
      std::vector<std::byte> packed(static_cast<std::size_t>(net::packed_bytes(shape.size(), bits))), expected = packed;
      net::pack({tensor.words(), bits}, expected);
      pack({tensor.words(), bits}, packed, workers_);
      EXPECT_EQ(packed, expected) << bits << " bits, " << text(shape);
      RingTensor back(shape, bits);
      unpack(packed, {back.words(), bits}, workers_);
      EXPECT_EQ(words_of(back), words_of(tensor)) << bits << " bits, " << text(shape);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Several, PackingOn, testing::Values(1, 2, 3, 5));

}  // namespace
}  // namespace tacit::mpc
