#include "mpc/device/packing.h"

#include <gtest/gtest.h>

#include "mpc/device/bit_planes.h"
#include "tests/mpc/device/emulated_orders.h"

namespace tacit::mpc::device {
namespace {

constexpr int kPackers = 2;

std::size_t place(std::int64_t i) { return static_cast<std::size_t>(i); }

// Bit b of word i is bit i·bits + b of the packed ones: the format that net/collectives/pack.h states.
std::vector<Word> packed_by_definition(const std::vector<Word>& words, int bits) {
  const std::int64_t count = std::ssize(words);
  std::vector<Word> packed(place(ceil_div(count * bits, 64)), 0);
  for (std::int64_t i = 0; i < count; ++i) {
    for (int b = 0; b < bits; ++b)
      packed[place((i * bits + b) / 64)] |= (words[place(i)] >> b & 1) << ((i * bits + b) % 64);
  }
  return packed;
}

TEST(PackingOnDevice, PacksAsNetDoesAndTakesBackInEveryRing) {
  RandomWords random(5);
  for (int bits = 1; bits <= 64; ++bits) {
    for (const std::int64_t count : {1, 7, 65, 300}) {
      const std::vector<Word> words = random.words(count), expected = packed_by_definition(words, bits);
      std::vector<Word> packed(expected.size(), ~Word{0});
      ASSERT_EQ(pack(words.data(), count, bits, packed.data(), kPackers, Stream{}), 0);
      ASSERT_EQ(packed, expected) << count << " words of " << bits << " bits";
      for (const Unpack how : {Unpack::kStore, Unpack::kAdd, Unpack::kFlip}) {
        const std::vector<Word> before = random.words(count, mask_of(bits));
        std::vector<Word> out = before;
        ASSERT_EQ(unpack(packed.data(), how, count, bits, out.data(), kPackers, Stream{}), 0);
        for (std::int64_t i = 0; i < count; ++i) {
          const Word word = words[place(i)] & mask_of(bits), old = before[place(i)];
          const Word wanted = how == Unpack::kStore ? word : how == Unpack::kAdd ? old + word : old ^ word;
          ASSERT_EQ(out[place(i)], wanted & mask_of(bits))
              << "word " << i << " of " << bits << " bits, way " << static_cast<int>(how);
        }
      }
    }
  }
}

TEST(BitPlanesOnDevice, PlaneJHoldsBitJOfEveryWordAndNothingElseInEveryOrderOfThreads) {
  RandomWords random(6);
  in_every_order([&] {
    for (const std::int64_t count : {1, 33, 64, 257, 1000}) {
      for (const int planes : {1, 26, 32}) {
        const int first = planes % 13;
        const std::vector<Word> words = random.words(count);
        const std::int64_t stride = ceil_div(count, 64);
        std::vector<Word> out(place(stride * planes), ~Word{0}), expected(out.size(), 0);
        for (std::int64_t i = 0; i < count; ++i) {
          for (int j = 0; j < planes; ++j) {
            expected[place(j * stride + i / 64)] |= (words[place(i)] >> (first + j) & 1) << (i % 64);
          }
        }
        ASSERT_EQ(bit_planes(words.data(), count, first, planes, out.data(), stride, kPackers, Stream{}), 0);
        ASSERT_EQ(out, expected) << planes << " planes of " << count << " words";
      }
    }
  });
}

}  // namespace
}  // namespace tacit::mpc::device
