#include "mpc/kernels/elementwise.h"

#include <gtest/gtest.h>

#include "tests/mpc/kernels/tensors.h"

namespace tacit::mpc {
namespace {

const std::vector<Shape> kLoopShapes = {{0, 0}, {0, 5}, {1, 1}, {1, 7}, {9, 1}, {5, 13}, {31, 33}};
constexpr Shape kShared = {150, 501};  // by all threads

using OfWords = std::function<std::uint64_t(std::size_t)>;

RingTensor by_definition(Shape shape, int bits, const OfWords& word) {
  RingTensor result(shape, bits);
  for (std::size_t i = 0; i < result.words().size(); ++i) result.words()[i] = word(i) & low_bits(bits);
  return result;
}

class ElementwiseOn : public testing::TestWithParam<int> {
 protected:
  // Runs `kernel` into a tensor of every shape and ring, from operands of that ring and of the widest.
  using Kernel = std::function<void(const std::vector<RingTensor>&, RingTensor&)>;
  using Definition = std::function<std::uint64_t(const std::vector<std::uint64_t>&)>;
  void expect_equal(std::size_t operands, const Kernel& kernel, const Definition& definition) {
    expect_equal(operands, kShared, 51, kWordBits, kernel, definition);
    for (const Shape shape : kLoopShapes) {
      for (const int bits : kRings) {
        for (const int operand_bits : {bits, kWordBits}) {
          expect_equal(operands, shape, bits, operand_bits, kernel, definition);
        }
      }
    }
  }

  void expect_equal(std::size_t operands, Shape shape, int bits, int operand_bits, const Kernel& kernel,
                    const Definition& definition) {
    std::vector<RingTensor> inputs;
    for (std::size_t i = 0; i < operands; ++i) {
      inputs.push_back(i == 0 ? largest_tensor(shape, operand_bits) : random_tensor(shape, operand_bits, i));
      if (!inputs[i].words().empty()) inputs[i].words()[0] = i == 0 ? 0 : low_bits(operand_bits);
    }
    const RingTensor expected = by_definition(shape, bits, [&](std::size_t at) {
      std::vector<std::uint64_t> words;
      for (const RingTensor& input : inputs) words.push_back(input.words()[at]);
      return definition(words);
    });
    RingTensor out = random_tensor(shape, bits, 77);
    kernel(inputs, out);
    ASSERT_EQ(words_of(out), words_of(expected)) << text(shape) << ", " << bits << " bits from " << operand_bits;
  }

  Workers workers_{GetParam()};
};

TEST_P(ElementwiseOn, Add) {
  expect_equal(
      2, [&](const auto& in, RingTensor& out) { add(in[0], in[1], out, workers_); },
      [](const auto& w) { return w[0] + w[1]; });
}

TEST_P(ElementwiseOn, Subtract) {
  expect_equal(
      2, [&](const auto& in, RingTensor& out) { subtract(in[0], in[1], out, workers_); },
      [](const auto& w) { return w[0] - w[1]; });
}

TEST_P(ElementwiseOn, Negate) {
  expect_equal(
      1, [&](const auto& in, RingTensor& out) { negate(in[0], out, workers_); },
      [](const auto& w) { return 0 - w[0]; });
}

TEST_P(ElementwiseOn, Multiply) {
  expect_equal(
      2, [&](const auto& in, RingTensor& out) { multiply(in[0], in[1], out, workers_); },
      [](const auto& w) { return w[0] * w[1]; });
}

TEST_P(ElementwiseOn, ScaleAndAddAConstant) {
  for (const std::uint64_t constant : {std::uint64_t{0}, std::uint64_t{3}, ~std::uint64_t{0}}) {
    expect_equal(
        1, [&](const auto& in, RingTensor& out) { scale(in[0], constant, out, workers_); },
        [=](const auto& w) { return w[0] * constant; });
    expect_equal(
        1, [&](const auto& in, RingTensor& out) { add_constant(in[0], constant, out, workers_); },
        [=](const auto& w) { return w[0] + constant; });
  }
}

TEST_P(ElementwiseOn, Product) {
  for (const bool first : {false, true}) {
    expect_equal(
        5,
        [&](const auto& in, RingTensor& out) {
          product({in[0], in[1], in[2], in[3], in[4], first}, out, workers_);
        },
        [first](const auto& w) {
          const std::uint64_t dx = w[0], lx = w[1], dy = w[2], ly = w[3], gamma = w[4];
          return dx * ((first ? dy : 0) - ly) - lx * dy + gamma;
        });
  }
}

TEST_P(ElementwiseOn, ReduceIntoANarrowerRing) {
  expect_equal(
      1, [&](const auto& in, RingTensor& out) { reduce(in[0], out, workers_); }, [](const auto& w) { return w[0]; });
}

TEST_P(ElementwiseOn, ReduceIntoAWiderRingKeepsTheWords) {
  const RingTensor a = random_tensor({31, 33}, 20, 1);
  RingTensor out(a.shape(), 64);
  reduce(a, out, workers_);
  EXPECT_EQ(words_of(out), words_of(a));
}

TEST_P(ElementwiseOn, DropBitsAddsInTheWiderRing) {
  for (const Shape shape : kLoopShapes) {
    for (const int wide : {2, 33, 52, 64}) {
      for (const int bits : {1, wide / 2, wide - 1}) {
        RingTensor a = random_tensor(shape, wide, 1);
        if (!a.words().empty()) a.words().back() = low_bits(wide);  // an addition leaves the ring
        for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{1} << (bits - 1), ~std::uint64_t{0}}) {
          const RingTensor expected = by_definition(
              shape, wide - bits, [&](std::size_t i) { return ((a.words()[i] + offset) & low_bits(wide)) >> bits; });
          RingTensor out(shape, wide - bits);
          drop_bits(a, bits, offset, out, workers_);
          ASSERT_EQ(words_of(out), words_of(expected)) << text(shape) << ", " << bits << " of " << wide << " bits";
        }
      }
    }
  }
}

TEST_P(ElementwiseOn, AnOperandMayBeTheResult) {
  const RingTensor a = random_tensor(kShared, 51, 1), b = random_tensor(kShared, 51, 2);
  RingTensor expected(a.shape(), 51), out = a;
  multiply(a, b, expected, workers_);
  multiply(out, b, out, workers_);
  EXPECT_EQ(words_of(out), words_of(expected));
  out = a;
  multiply(b, out, out, workers_);
  EXPECT_EQ(words_of(out), words_of(expected));
  add(a, a, expected, workers_);
  out = a;
  add(out, out, out, workers_);
  EXPECT_EQ(words_of(out), words_of(expected));
  product({a, a, b, b, a, true}, expected, workers_);
  out = a;
  product({out, out, b, b, out, true}, out, workers_);
  EXPECT_EQ(words_of(out), words_of(expected));
}

INSTANTIATE_TEST_SUITE_P(Threads, ElementwiseOn, testing::Values(1, 3));

TEST(Elementwise, RefusesOtherShapesAndNarrowerOperands) {
  Workers workers;
  const RingTensor a = RingTensor::zeros({2, 3}, 40), turned = RingTensor::zeros({3, 2}, 40);
  RingTensor same = RingTensor::zeros({2, 3}, 40), wider = RingTensor::zeros({2, 3}, 41);
  EXPECT_THROW(add(a, turned, same, workers), BrokenInvariant);
  EXPECT_THROW(add(a, a, wider, workers), BrokenInvariant);
  EXPECT_THROW(negate(a, wider, workers), BrokenInvariant);
  EXPECT_THROW(drop_bits(a, 1, 0, same, workers), BrokenInvariant);
  EXPECT_THROW(drop_bits(a, 0, 0, same, workers), BrokenInvariant);
  EXPECT_THROW(reduce(turned, same, workers), BrokenInvariant);
}

}  // namespace
}  // namespace tacit::mpc
