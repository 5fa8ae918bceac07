// The words of the wide cipher are OpenSSL's, for any counter, count and cut into draws.
#include "mpc/kernels/aes_words.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <vector>

#include "mpc/ring/ring.h"

namespace tacit::mpc {
namespace {

using Bytes16 = std::array<unsigned char, 16>;
using Words = std::vector<std::uint64_t>;

Words openssl_words(const Bytes16& key, const Bytes16& counter, std::size_t count) {
  const std::unique_ptr<EVP_CIPHER_CTX, void (*)(EVP_CIPHER_CTX*)> context(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  EXPECT_EQ(EVP_EncryptInit_ex(context.get(), EVP_aes_128_ctr(), nullptr, key.data(), counter.data()), 1);
  const Words zeros(count);
  Words words(count);
  int written = 0;
  EXPECT_EQ(EVP_EncryptUpdate(context.get(), reinterpret_cast<unsigned char*>(words.data()), &written,
                              reinterpret_cast<const unsigned char*>(zeros.data()), static_cast<int>(count * 8)),
            1);
  return words;
}

class AesWordsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (wide_ == nullptr)
      GTEST_SKIP() << "this processor has no VAES and AVX-512, or TACIT_INSTRUCTIONS leaves them out";
  }
  Bytes16 random_bytes() {
    Bytes16 bytes;
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random_());
    return bytes;
  }
  AesState start(const Bytes16& key, const Bytes16& counter) const {
    AesState state;
    wide_->start(key.data(), counter.data(), state);
    return state;
  }

  const AesWords* wide_ = aes_words(best_instructions());
  std::mt19937_64 random_{5};
};

TEST_F(AesWordsTest, AreThoseOfOpenSslForEveryCount) {
  for (std::int64_t n = 0; n <= 300; ++n) {
    const Bytes16 key = random_bytes(), counter = random_bytes();
    const Words expected = openssl_words(key, counter, static_cast<std::size_t>(n));
    Words words(static_cast<std::size_t>(n) + 1, 77);
    AesState state = start(key, counter);
    wide_->draw(state, Combine::kFill, words.data(), n, low_bits(64));
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), words.begin())) << n;
    EXPECT_EQ(words.back(), 77U) << "written behind " << n << " words";
  }
}

// The counter has 128 bits, in four registers' worth of blocks at once.
TEST_F(AesWordsTest, CarryIntoTheCountersUpperHalf) {
  constexpr std::int64_t kWords = 301;
  for (int before = 0; before <= 80; ++before) {
    for (const int upper : {0x00, 0x7f, 0xff}) {
      Bytes16 counter;
      counter.fill(0xff);
      std::fill_n(counter.begin(), 8, static_cast<unsigned char>(upper));
      counter[15] = static_cast<unsigned char>(0xff - before);
      const Bytes16 key = random_bytes();
      Words words(kWords);
      AesState state = start(key, counter);
      wide_->draw(state, Combine::kFill, words.data(), kWords, low_bits(64));
      ASSERT_EQ(words, openssl_words(key, counter, kWords)) << before;
    }
  }
}

TEST_F(AesWordsTest, GoOnWhereTheLastDrawEnded) {
  for (int repeat = 0; repeat < 100; ++repeat) {
    const Bytes16 key = random_bytes();
    Bytes16 counter = random_bytes();
    if (repeat % 2 == 0) std::fill(counter.begin() + 8, counter.end(), static_cast<unsigned char>(0xff));
    Words words(1000);
    AesState state = start(key, counter);
    for (std::size_t at = 0; at < words.size();) {
      const std::size_t count = std::min<std::size_t>(random_() % 150, words.size() - at);
      wide_->draw(state, Combine::kFill, words.data() + at, static_cast<std::int64_t>(count), low_bits(64));
      at += count;
    }
    ASSERT_EQ(words, openssl_words(key, counter, words.size()));
  }
}

TEST_F(AesWordsTest, AreCombinedAndReduced) {
  for (const std::int64_t n : {1, 63, 64, 65, 1000, 1001}) {
    for (const int bits : {1, 13, 51, 64}) {
      const Bytes16 key = random_bytes(), counter = random_bytes();
      const Words stream = openssl_words(key, counter, static_cast<std::size_t>(n));
      Words before(static_cast<std::size_t>(n));
      for (std::uint64_t& word : before) word = random_();
      const auto drawn = [&](Combine how) {
        Words words = before;
        AesState state = start(key, counter);
        // In two draws, so that one begins within a block.
        const std::int64_t first = n / 2;
        wide_->draw(state, how, words.data(), first, low_bits(bits));
        wide_->draw(state, how, words.data() + first, n - first, low_bits(bits));
        return words;
      };
      const Words filled = drawn(Combine::kFill), added = drawn(Combine::kAdd), subtracted = drawn(Combine::kSubtract),
                  flipped = drawn(Combine::kFlip);
      for (std::size_t i = 0; i < before.size(); ++i) {
        ASSERT_EQ(filled[i], stream[i] & low_bits(bits));
        ASSERT_EQ(added[i], (before[i] + stream[i]) & low_bits(bits));
        ASSERT_EQ(subtracted[i], (before[i] - stream[i]) & low_bits(bits));
        ASSERT_EQ(flipped[i], (before[i] ^ stream[i]) & low_bits(bits));
      }
    }
  }
}

TEST(AesWords, AreLeftOutWithTheWideInstructions) {
  EXPECT_EQ(aes_words(Instructions::kPortable), nullptr);
  EXPECT_EQ(aes_words(Instructions::kAvx2), nullptr);
}

}  // namespace
}  // namespace tacit::mpc
