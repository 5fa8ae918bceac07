// The bodies on the emulated device, against the sums and products that the protocols promise.
#include "mpc/device/elementwise.h"

#include <gtest/gtest.h>

#include "tests/mpc/device/emulated_orders.h"

namespace tacit::mpc::device {
namespace {

constexpr int kProcessors = 2;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

class ElementwiseOnDevice : public testing::TestWithParam<std::int64_t> {
 protected:
  template <typename Body>
  void run(const Body& body) {
    ASSERT_EQ(for_each(body, count_, kProcessors, Stream{}), 0);
  }

  const std::int64_t count_ = GetParam();
  RandomWords random_{9};
  std::vector<std::vector<Word>> operands_ = std::vector<std::vector<Word>>(8);
  std::vector<Word> out_ = std::vector<Word>(at(GetParam()), ~Word{0});

  void SetUp() override {
    for (auto& operand : operands_) operand = random_.words(count_);
  }
};

TEST_P(ElementwiseOnDevice, DropDividesTheSumOfShareAndOffsetInTheRing) {
  constexpr int kBits = 13, kRing = 61;
  constexpr Word kOffset = 1 << 12;
  run(DropBits{operands_[0].data(), out_.data(), kBits, kOffset, mask_of(kRing)});
  for (std::int64_t i = 0; i < count_; ++i) {
    const Word ring = Word{1} << kRing, sum = operands_[0][at(i)] % ring + kOffset;
    ASSERT_EQ(out_[at(i)], sum % ring / (1 << kBits)) << i;
  }
}

TEST_P(ElementwiseOnDevice, PartiesProductsAddUpToTheProductOfTheSharedValues) {
  // Two parties: x = dx - lx0 - lx1, y alike, and gamma0 + gamma1 = (lx0 + lx1)·(ly0 + ly1).
  const Word mask = mask_of(51);
  const auto &dx = operands_[0], &dy = operands_[1], &lx0 = operands_[2], &lx1 = operands_[3], &ly0 = operands_[4],
             &ly1 = operands_[5], &gamma0 = operands_[6];
  std::vector<Word> gamma1(at(count_)), other(at(count_));
  for (std::size_t i = 0; i < gamma1.size(); ++i) gamma1[i] = (lx0[i] + lx1[i]) * (ly0[i] + ly1[i]) - gamma0[i];
  run(PartyProduct{dx.data(), lx0.data(), dy.data(), ly0.data(), gamma0.data(), out_.data(), ~Word{0}, mask});
  run(PartyProduct{dx.data(), lx1.data(), dy.data(), ly1.data(), gamma1.data(), other.data(), 0, mask});
  for (std::size_t i = 0; i < other.size(); ++i) {
    const Word x = dx[i] - lx0[i] - lx1[i], y = dy[i] - ly0[i] - ly1[i];
    ASSERT_EQ((out_[i] + other[i]) & mask, x * y & mask) << i;
    ASSERT_LE(out_[i], mask);
  }
}

// One party alone holds all shares: m = x + 2^(k-2) + r, delta = bit + mu modulo 2.
TEST_P(ElementwiseOnDevice, SelectionIsTheValueWhereTheBitIsSetAndZeroElsewhere) {
  const int k = 64;
  std::vector<Word> x = operands_[0], r = operands_[1], m(at(count_)), mu(at(count_)), mu_r(at(count_));
  std::vector<Word> delta(at(ceil_div(count_, 64)), 0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    m[i] = x[i] + (Word{1} << (k - 2)) + r[i];
    mu[i] = operands_[2][i] & 1;
    mu_r[i] = mu[i] * r[i];
    delta[i / 64] |= ((operands_[3][i] ^ mu[i]) & 1) << (i % 64);
  }
  run(Select{m.data(), r.data(), mu.data(), mu_r.data(), nullptr, nullptr, nullptr, nullptr, delta.data(), out_.data(),
             k, ~Word{0}, ~Word{0}});
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(out_[i], operands_[3][i] % 2 == 1 ? x[i] : 0) << i;
}

// With a lift from k to 64 bits: over and sigma are the terms of the wrap, so x gains (over + sigma · (m < 2^(k-1)))·2^k.
TEST_P(ElementwiseOnDevice, SelectionWithALiftAddsTheWrapAboveTheRing) {
  const int k = 51;
  const auto &m = operands_[0], &r = operands_[1], &mu = operands_[2], &mu_r = operands_[3], &over = operands_[4],
             &sigma = operands_[5], &mu_over = operands_[6], &mu_sigma = operands_[7];
  const std::vector<Word> delta = random_.words(ceil_div(count_, 64));
  std::vector<Word> narrow = m;
  for (Word& w : narrow) w &= mask_of(k);
  run(Select{narrow.data(), r.data(), mu.data(), mu_r.data(), over.data(), sigma.data(), mu_over.data(),
             mu_sigma.data(), delta.data(), out_.data(), k, ~Word{0}, ~Word{0}});
  for (std::size_t i = 0; i < narrow.size(); ++i) {
    const Word c = narrow[i] - (Word{1} << (k - 2)), ring = Word{1} << k;
    const bool low = narrow[i] < Word{1} << (k - 1);
    const Word x = c - r[i] + over[i] * ring + (low ? sigma[i] * ring : 0);
    const Word mu_x = c * mu[i] - mu_r[i] + mu_over[i] * ring + (low ? mu_sigma[i] * ring : 0);
    ASSERT_EQ(out_[i], (delta[i / 64] >> (i % 64) & 1) != 0 ? x - mu_x : mu_x) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, ElementwiseOnDevice, testing::Values(1, 64, 777, 5000));

}  // namespace
}  // namespace tacit::mpc::device
