// The blocks of the wide cipher follow their definitions over OpenSSL's AES-128.
#include "mpc/kernels/aes_blocks.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <array>
#include <memory>
#include <random>
#include <vector>

namespace tacit::mpc {
namespace {

using BlockWords = std::array<std::uint64_t, 2>;

BlockWords operator^(const BlockWords& a, const BlockWords& b) { return {a[0] ^ b[0], a[1] ^ b[1]}; }

class AesBlocksTest : public testing::Test {
 protected:
  void SetUp() override {
    if (wide_ == nullptr)
      GTEST_SKIP() << "this processor has no VAES and AVX-512, or TACIT_INSTRUCTIONS leaves them out";
    for (unsigned char& byte : key_) byte = static_cast<unsigned char>(random_());
    const std::array<unsigned char, 16> counter{};
    aes_words(best_instructions())->start(key_.data(), counter.data(), state_);
    ASSERT_EQ(EVP_EncryptInit_ex(context_.get(), EVP_aes_128_ecb(), nullptr, key_.data(), nullptr), 1);
  }

  std::vector<BlockWords> random_blocks(std::int64_t count) {
    std::vector<BlockWords> blocks(static_cast<std::size_t>(count));
    for (BlockWords& block : blocks) block = {random_(), random_()};
    return blocks;
  }

  BlockWords pi(BlockWords block) const {
    auto* const bytes = reinterpret_cast<unsigned char*>(block.data());
    int done = 0;
    EXPECT_EQ(EVP_EncryptUpdate(context_.get(), bytes, &done, bytes, 16), 1);
    return block;
  }

  static std::uint64_t* words(std::vector<BlockWords>& blocks) { return blocks.data()->data(); }

  const AesBlocks* wide_ = aes_blocks(best_instructions());
  std::mt19937_64 random_{6};
  std::array<unsigned char, 16> key_{};
  AesState state_{};
  std::unique_ptr<EVP_CIPHER_CTX, void (*)(EVP_CIPHER_CTX*)> context_{EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free};
};

// One block more than is asked for: it must not change.
constexpr BlockWords kUntouched{77, 78};

TEST_F(AesBlocksTest, PermuteEveryCount) {
  for (std::int64_t n = 0; n <= 100; ++n) {
    auto blocks = random_blocks(n);
    std::vector<BlockWords> expected;
    for (const BlockWords& block : blocks) expected.push_back(pi(block));
    blocks.push_back(kUntouched);
    expected.push_back(kUntouched);
    wide_->permute(state_, words(blocks), n);
    ASSERT_EQ(blocks, expected) << n;
  }
}

TEST_F(AesBlocksTest, HashEveryCount) {
  for (std::int64_t n = 0; n <= 100; ++n) {
    auto x = random_blocks(n), out = x, offset = random_blocks(1);
    const std::uint64_t first = n % 2 == 0 ? random_() : ~std::uint64_t{0} - 40, name = random_();
    std::vector<BlockWords> expected;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const BlockWords inner = pi(x[k] ^ offset[0]);
      expected.push_back(pi(inner ^ BlockWords{first + k, name}) ^ inner);
    }
    out.push_back(kUntouched);
    expected.push_back(kUntouched);
    wide_->hash(state_, words(x), words(offset), first, name, words(out), n);
    ASSERT_EQ(out, expected) << n;
  }
}

TEST_F(AesBlocksTest, ExpandEveryCount) {
  for (const std::int64_t size : {1, 8}) {
    for (std::int64_t n = 1; n <= 40; ++n) {
      auto seeds = random_blocks(n), out = random_blocks(n * size);
      const std::uint64_t first = random_();
      std::vector<BlockWords> expected;
      for (const BlockWords& seed : seeds) {
        for (std::int64_t m = 0; m < size; ++m) {
          const BlockWords y = seed ^ BlockWords { 0, first + static_cast<std::uint64_t>(m) };
          expected.push_back(pi(y) ^ y);
        }
      }
      out.push_back(kUntouched);
      expected.push_back(kUntouched);
      wide_->expand(state_, words(seeds), n, first, size, words(out));
      ASSERT_EQ(out, expected) << n << " seeds, " << size;
    }
  }
}

TEST_F(AesBlocksTest, GrowEveryCount) {
  for (std::int64_t n = 0; n <= 100; n += 4) {
    auto nodes = random_blocks(n), expected = nodes, sums = random_blocks(4), expected_sums = sums;
    expected.resize(static_cast<std::size_t>(2 * n));
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const BlockWords y{nodes[k][0] ^ nodes[k][1], nodes[k][0]};
      expected[k] = pi(y) ^ y;
      expected[nodes.size() + k] = expected[k] ^ nodes[k];
      expected_sums[k % 4] = expected_sums[k % 4] ^ expected[k];
    }
    nodes.resize(static_cast<std::size_t>(2 * n));
    nodes.push_back(kUntouched);
    expected.push_back(kUntouched);
    wide_->grow(state_, words(nodes), n, words(sums));
    ASSERT_EQ(nodes, expected) << n;
    ASSERT_EQ(sums, expected_sums) << n;
  }
}

}  // namespace
}  // namespace tacit::mpc
