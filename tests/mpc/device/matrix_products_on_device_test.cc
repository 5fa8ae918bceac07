// A session's matrix products on the emulated device: words as on the processor, operands that stay, and memory that is given
// back.
#include "mpc/session/matrix_products.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "tests/mpc/device/emulated_device.h"

namespace tacit::mpc {
namespace {

using device::Device;
using device::EmulatedDevice;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;
using Owner = std::shared_ptr<const RingTensor>;
using Term = MatrixProducts::Term;

class MatrixProductsOnDevice : public testing::Test {
 protected:
  RingTensor random(Shape shape, int bits = kWordBits) {
    RingTensor tensor(shape, bits);
    for (std::uint64_t& word : tensor.words()) word = generator_() & low_bits(bits);
    return tensor;
  }
  Owner owned(Shape shape, int bits = kWordBits) { return std::make_shared<const RingTensor>(random(shape, bits)); }

  // The same terms on the processor and by `products`.
  void expect_equal(MatrixProducts& products, const std::vector<Term>& terms, int bits) {
    const Shape shape{terms.front().a.view.shape.rows, terms.front().b.view.shape.cols};
    RingTensor expected = random(shape, bits), found = expected;
    MatrixProducts(workers_, nullptr).multiply(terms, expected);
    products.multiply(terms, found);
    EXPECT_TRUE(std::ranges::equal(found.words(), expected.words())) << bits << " bits";
  }

  static std::int64_t put_since(const EmulatedDevice& device, std::int64_t before) {
    return device.counts().words_put - before;
  }

  std::mt19937_64 generator_{5};
  Workers workers_;
};

TEST_F(MatrixProductsOnDevice, AreThoseOfTheProcessorForEveryRingAndOrientation) {
  EmulatedDevice device;
  {
    MatrixProducts products(workers_, &device);
    for (const int bits : {64, 51, 38, 13}) {
      const Owner a = owned({33, 70}, 64), turned = owned({70, 33}, 64), b = owned({70, 9}), c = owned({9, 70}, bits);
      for (const Into into : {Into::kSet, Into::kAdd, Into::kSubtract}) {
        const RingTensor passing = random({70, 9}, bits), passing_turned = random({9, 70}, bits);
        expect_equal(products,
                     {{{a->view(), a}, {passing.view()}, into}, {{a->view(), a}, {b->view(), b}, Into::kSubtract}},
                     bits);
        expect_equal(products, {{{turned->view().transposed(), turned}, {passing_turned.view().transposed()}, into}},
                     bits);
        expect_equal(products, {{{turned->view().transposed(), turned}, {c->view().transposed(), c}, into}}, bits);
      }
    }
    const Owner row = owned({1, 40}), column = owned({40, 1});
    expect_equal(products, {{{row->view(), row}, {column->view(), column}, Into::kSet}}, 64);
    expect_equal(products, {{{column->view(), column}, {row->view(), row}, Into::kAdd}}, 64);
    expect_equal(products, {{{column->view().transposed(), column}, {row->view().transposed(), row}, Into::kAdd}}, 64);
    EXPECT_GT(device.counts().products, 4 * 3 * 4);
  }
  EXPECT_EQ(device.used(), 0) << "and the emulated device fails if words that are given back are not zeros";
}

TEST_F(MatrixProductsOnDevice, MoveAnOperandThatStaysOnce) {
  EmulatedDevice device;
  MatrixProducts products(workers_, &device);
  const Owner a = owned({50, 60});
  const RingTensor x = random({60, 4}), y = random({50, 4});
  std::int64_t before = device.counts().words_put;
  expect_equal(products, {{{a->view(), a}, {x.view()}, Into::kSet}}, 64);
  EXPECT_EQ(put_since(device, before), a->size() + x.size());
  before = device.counts().words_put;
  expect_equal(products, {{{a->view(), a}, {x.view()}, Into::kSet}}, 64);
  EXPECT_EQ(put_since(device, before), x.size());
  before = device.counts().words_put;
  expect_equal(products, {{{a->view().transposed(), a}, {y.view()}, Into::kAdd}}, 64);
  EXPECT_EQ(put_since(device, before), y.size() + 60 * 4) << "the transposed view is of the same words";
}

TEST_F(MatrixProductsOnDevice, MultiplySomeRowsOfAnOperandThatStays) {
  EmulatedDevice device;
  MatrixProducts products(workers_, &device);
  const Owner a = owned({50, 60});
  const auto rows = [&](std::int64_t begin, std::int64_t end) {
    return RingView{a->data() + begin * 60, {end - begin, 60}, 60, 1};
  };
  const RingTensor x = random({60, 4}), y = random({20, 4});
  std::int64_t before = device.counts().words_put;
  expect_equal(products, {{{rows(10, 30), a}, {x.view()}, Into::kSet}}, 64);
  EXPECT_EQ(put_since(device, before), a->size() + x.size()) << "all rows cross, for other products";
  before = device.counts().words_put;
  expect_equal(products, {{{rows(30, 50).transposed(), a}, {y.view()}, Into::kSet}}, 51);
  expect_equal(products, {{{a->view(), a}, {x.view()}, Into::kSet}}, 64);
  EXPECT_EQ(put_since(device, before), y.size() + x.size());
}

// The new tensor lies where the old one lay.
TEST_F(MatrixProductsOnDevice, NeverTakeWordsForThoseOfAnOwnerThatIsGone) {
  EmulatedDevice device;
  MatrixProducts products(workers_, &device);
  const RingTensor x = random({8, 3});
  Owner a = owned({8, 8});
  const std::uint64_t* const where = a->data();
  expect_equal(products, {{{a->view(), a}, {x.view()}, Into::kSet}}, 64);
  a.reset();
  std::vector<Owner> others;
  while (others.size() < 100 && (others.empty() || others.back()->data() != where)) others.push_back(owned({8, 8}));
  ASSERT_EQ(others.back()->data(), where) << "the allocator gave no tensor the old place";
  expect_equal(products, {{{others.back()->view(), others.back()}, {x.view()}, Into::kSet}}, 64);
}

TEST_F(MatrixProductsOnDevice, GiveBackTheMemoryOfAnOwnerThatIsGone) {
  EmulatedDevice device;
  MatrixProducts products(workers_, &device);
  const RingTensor x = random({30, 2});
  Owner large = owned({40, 30});
  const Owner small = owned({2, 30});
  expect_equal(products, {{{large->view(), large}, {x.view()}, Into::kSet}}, 64);
  const std::int64_t used = device.used();
  large.reset();
  expect_equal(products, {{{small->view(), small}, {x.view()}, Into::kSet}}, 64);
  EXPECT_EQ(device.used(), used - 40 * 30 * 8 + 2 * 30 * 8);
}

TEST_F(MatrixProductsOnDevice, StayOnTheProcessorIfTheWayToTheDeviceTakesLonger) {
  constexpr Device::Price kPrice{.call = 100, .word = 10};
  EmulatedDevice device(1 << 20, kPrice);
  MatrixProducts products(workers_, &device);
  const std::int64_t known = device.counts().products;
  const Owner a = owned({40, 40});
  const RingTensor narrow = random({40, 2}), wide = random({40, 50});
  // 3200 multiply-adds; 1600 + 80 + 80 words would cross, and the products on the processor cost as much after the fifth.
  for (int i = 0; i < 4; ++i) {
    expect_equal(products, {{{a->view(), a}, {narrow.view()}, Into::kSet}}, 64);
    EXPECT_EQ(device.counts().products, known) << "product " << i;
  }
  expect_equal(products, {{{a->view(), a}, {narrow.view()}, Into::kSet}}, 64);
  EXPECT_EQ(device.counts().products, known + 1);
  // 80,000 multiply-adds; a passing operand crosses, too.
  const RingTensor passing = random({40, 40});
  expect_equal(products, {{{passing.view()}, {narrow.view()}, Into::kSet}}, 64);
  EXPECT_EQ(device.counts().products, known + 1);
  expect_equal(products, {{{passing.view()}, {wide.view()}, Into::kSet}}, 64);
  EXPECT_EQ(device.counts().products, known + 2);
}

TEST_F(MatrixProductsOnDevice, TakeAPartOfATensorOnlyIfItsWordsLieSideBySide) {
  EmulatedDevice device;
  MatrixProducts products(workers_, &device);
  const std::int64_t known = device.counts().products;
  const RingTensor whole = random({20, 30}), x = random({10, 4});
  const RingView part{whole.data(), {20, 10}, 30, 1};
  expect_equal(products, {{{part}, {x.view()}, Into::kSet}}, 64);
  EXPECT_EQ(device.counts().products, known);
}

TEST_F(MatrixProductsOnDevice, SayHowMuchMemoryIsNeededAndFree) {
  EmulatedDevice device(1 << 18);
  MatrixProducts products(workers_, &device);
  const Owner a = owned({300, 300});
  const RingTensor x = random({300, 2});
  RingTensor out({300, 2}, 64);
  const Term term{{a->view(), a}, {x.view()}, Into::kSet};
  EXPECT_THAT(
      [&] {
        products.multiply({&term, 1}, out);
      },
      ThrowsMessage<ConfigError>(AllOf(HasSubstr("emulated"), HasSubstr("are needed, and"), HasSubstr("are free"),
                                       HasSubstr("--device none"))));
}

// A driver or a card that multiplies wrongly, in one ring alone.
class WrongDevice final : public EmulatedDevice {
 public:
  explicit WrongDevice(int bits) : bits_(bits) {}
  void matmul(device::DeviceView a, device::DeviceView b, Into into, std::uint64_t* out, int bits) override {
    EmulatedDevice::matmul(a, b, into, out, bits);
    std::uint64_t& last = out[a.rows * b.cols - 1];
    if (bits == bits_) last = (last + 1) & low_bits(bits);
  }

 private:
  const int bits_;
};

TEST_F(MatrixProductsOnDevice, OfADeviceThatMultipliesWronglyAreRefusedBeforeTheFirst) {
  for (const int bits : {64, 51}) {
    WrongDevice wrong(bits);
    EXPECT_THAT([&] { MatrixProducts(workers_, &wrong); },
                ThrowsMessage<ConfigError>(AllOf(HasSubstr("multiplies wrongly"), HasSubstr("--device none"))));
    EXPECT_EQ(wrong.used(), 0);
  }
}

}  // namespace
}  // namespace tacit::mpc
