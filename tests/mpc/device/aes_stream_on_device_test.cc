// Streams of a device against OpenSSL's, word by word.
#include "mpc/device/aes_stream.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <array>
#include <cstring>

#include "mpc/device/check/plain_aes.h"
#include "tests/mpc/device/emulated_orders.h"

namespace tacit::mpc::device {
namespace {

using Bytes16 = std::array<unsigned char, 16>;

Bytes16 random_bytes(RandomWords& random) {
  Bytes16 bytes;
  for (unsigned char& b : bytes) b = static_cast<unsigned char>(random.word());
  return bytes;
}

// The last `carries` groups of 32 bits are all ones but for the last bits, so that a counter soon carries through them.
Bytes16 counter_that_carries(RandomWords& random, int carries) {
  Bytes16 counter = random_bytes(random);
  if (carries == 0) return counter;
  std::memset(counter.data() + 16 - 4 * carries, 0xFF, 4 * static_cast<std::size_t>(carries));
  counter[15] = static_cast<unsigned char>(0xF0 + random.word() % 16);
  return counter;
}

std::vector<Word> openssl_stream(const Bytes16& key, const Bytes16& counter, std::int64_t count) {
  std::vector<Word> words(static_cast<std::size_t>(count), 0);
  EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
  EVP_EncryptInit_ex(context, EVP_aes_128_ctr(), nullptr, key.data(), counter.data());
  int written = 0;
  auto* bytes = reinterpret_cast<unsigned char*>(words.data());
  EVP_EncryptUpdate(context, bytes, &written, bytes, static_cast<int>(count * 8));
  EVP_CIPHER_CTX_free(context);
  return words;
}

TEST(AesStreamOnDevice, ExpandsTheKeyOfTheStandardsAppendix) {
  const Bytes16 key = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
  EXPECT_EQ(expand(key.data(), key.data()).round_keys[43], 0xb6630ca6U);  // FIPS 197, A.1
}

TEST(AesStreamOnDevice, IsOpensslsAlsoWhereTheCounterCarriesThrough32To128Bits) {
  RandomWords random(11);
  for (int carries = 0; carries <= 4; ++carries) {
    const Bytes16 key = random_bytes(random), counter = counter_that_carries(random, carries);
    for (const std::int64_t count : {0, 1, 2, 3, 64, 511, 1025, 5000}) {
      const std::vector<Word> stream = openssl_stream(key, counter, count);
      const Word mask = mask_of(1 + static_cast<int>(random.word() % 64));
      const std::vector<Word> before = random.words(count, mask);
      for (const Draw how : {Draw::kFill, Draw::kAdd, Draw::kSubtract, Draw::kFlip}) {
        std::vector<Word> words = before, expected = before;
        for (std::size_t i = 0; i < words.size(); ++i) {
          if (how == Draw::kFill) expected[i] = stream[i] & mask;
          if (how == Draw::kAdd) expected[i] = (before[i] + stream[i]) & mask;
          if (how == Draw::kSubtract) expected[i] = (before[i] - stream[i]) & mask;
          if (how == Draw::kFlip) expected[i] = before[i] ^ stream[i];
        }
        ASSERT_EQ(draw(expand(key.data(), counter.data()), how, words.data(), count, mask, 0, 2, Stream{}), 0);
        ASSERT_EQ(words, expected) << count << " words, way " << static_cast<int>(how) << ", carries " << carries;
      }
    }
  }
}

TEST(AesStreamOnDevice, BeginsAtAnyEvenWordInEveryOrderOfThreads) {
  RandomWords random(12);
  in_every_order([&] {
    const Bytes16 key = random_bytes(random), counter = random_bytes(random);
    const std::vector<Word> stream = openssl_stream(key, counter, 1000);
    std::vector<Word> words(300);
    ASSERT_EQ(draw(expand(key.data(), counter.data()), Draw::kFill, words.data(), 300, ~Word{0}, 700, 1, Stream{}), 0);
    ASSERT_TRUE(std::equal(words.begin(), words.end(), stream.begin() + 700));
  });
}

TEST(PlainAes, IsOpensslsStreamToo) {
  RandomWords random(13);
  for (int carries = 0; carries <= 4; ++carries) {
    const Bytes16 key = random_bytes(random), counter = counter_that_carries(random, carries);
    EXPECT_EQ(PlainAes(key.data()).stream(counter.data(), 777), openssl_stream(key, counter, 777));
  }
}

}  // namespace
}  // namespace tacit::mpc::device
