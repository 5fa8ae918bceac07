#include "net/collectives/pack.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tacit::net {
namespace {

constexpr std::byte kGuard{0xA5};
constexpr std::size_t kGuardBytes = 16;

std::vector<std::uint64_t> random_words(std::int64_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> words(static_cast<std::size_t>(count));
  for (auto& word : words) word = random();
  return words;
}

// One bit at a time, following the definition.
std::vector<std::byte> packed_by_definition(const std::vector<std::uint64_t>& words, int bits) {
  std::vector<std::byte> packed((words.size() * static_cast<std::size_t>(bits) + 7) / 8);
  std::size_t at = 0;
  for (const std::uint64_t word : words) {
    for (int b = 0; b < bits; ++b, ++at) {
      if ((word >> b & 1) != 0) packed[at / 8] |= std::byte{1} << (at % 8);
    }
  }
  return packed;
}

class Pack : public testing::TestWithParam<int> {
 protected:
  const int bits_ = GetParam();
  const std::uint64_t mask_ = word_mask(bits_);
  const std::vector<std::int64_t> counts_{0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 63, 64, 65, 127, 333};
};

TEST_P(Pack, EqualsItsDefinitionAndTouchesNothingElse) {
  for (const std::int64_t count : counts_) {
    const auto words = random_words(count, static_cast<std::uint64_t>(count + 1));  // not reduced
    const auto expected = packed_by_definition(words, bits_);
    ASSERT_EQ(packed_bytes(count, bits_), std::ssize(expected));

    std::vector<std::byte> out(expected.size() + kGuardBytes, kGuard);
    pack({words, bits_}, Bytes(out).first(expected.size()));
    EXPECT_EQ(std::vector(out.begin(), out.end() - kGuardBytes), expected) << count << " words";
    EXPECT_EQ(std::vector(out.end() - kGuardBytes, out.end()), std::vector(kGuardBytes, kGuard)) << count << " words";
  }
}

TEST_P(Pack, UnpackGivesTheReducedWordsWhateverThePaddingHolds) {
  for (const std::int64_t count : counts_) {
    auto words = random_words(count, 7);
    auto packed = packed_by_definition(words, bits_);
    const int padding = static_cast<int>(std::ssize(packed) * 8 - count * bits_);
    if (padding > 0) packed.back() |= std::byte{0xFF} << (8 - padding);

    std::vector<std::uint64_t> out(words.size() + 1, 99);
    unpack(packed, {std::span(out).first(words.size()), bits_});
    for (auto& word : words) word &= mask_;
    words.push_back(99);
    EXPECT_EQ(out, words) << count << " words";
  }
}

TEST_P(Pack, AddPackedAddsModuloTwoToTheK) {
  for (const std::int64_t count : counts_) {
    const auto received = random_words(count, 3);
    auto sum = random_words(count, 4);  // not reduced
    std::vector<std::uint64_t> expected;
    for (std::size_t i = 0; i < sum.size(); ++i) expected.push_back((sum[i] + received[i]) & mask_);
    expected.push_back(99);

    sum.push_back(99);
    add_packed(packed_by_definition(received, bits_), {std::span(sum).first(received.size()), bits_});
    EXPECT_EQ(sum, expected) << count << " words";
  }
}

TEST_P(Pack, ReduceClearsTheUpperBits) {
  auto words = random_words(65, 5);
  auto expected = words;
  for (auto& word : expected) word &= mask_;
  reduce({words, bits_});
  EXPECT_EQ(words, expected);
}

TEST_P(Pack, CuttingAfterEveryEighthWordChangesNoByte) {
  const auto words = random_words(100, 6);
  const auto whole = packed_by_definition(words, bits_);
  std::vector<std::byte> joined;
  for (std::size_t at = 0; at < words.size(); at += 24) {
    const auto part = std::span(words).subspan(at, std::min<std::size_t>(24, words.size() - at));
    std::vector<std::byte> bytes(static_cast<std::size_t>(packed_bytes(std::ssize(part), bits_)));
    pack({part, bits_}, bytes);
    joined.insert(joined.end(), bytes.begin(), bytes.end());
  }
  EXPECT_EQ(joined, whole);
}

INSTANTIATE_TEST_SUITE_P(EveryWidth, Pack, testing::Range(1, 65));

TEST(PackLimits, AWrongWidthOrAWrongLengthIsABug) {
  std::vector<std::uint64_t> words(3);
  std::vector<std::byte> bytes(24);
  EXPECT_THROW((void)packed_bytes(1, 0), BrokenInvariant);
  EXPECT_THROW((void)packed_bytes(1, 65), BrokenInvariant);
  EXPECT_THROW((void)packed_bytes(-1, 8), BrokenInvariant);
  EXPECT_THROW(pack({words, 51}, bytes), BrokenInvariant);
  EXPECT_THROW(unpack(Bytes(bytes).first(23), {words, 64}), BrokenInvariant);
  EXPECT_THROW((void)as_bytes({words, 63}), BrokenInvariant);
}

TEST(PackLimits, SixtyFourBitWordsAreTheirOwnBytes) {
  const auto words = random_words(9, 8);
  const ConstBytes bytes = as_bytes({words, 64});
  EXPECT_EQ(static_cast<const void*>(bytes.data()), static_cast<const void*>(words.data()));
  EXPECT_EQ(std::vector(bytes.begin(), bytes.end()), packed_by_definition(words, 64));
}

}  // namespace
}  // namespace tacit::net
