#include "net/collectives/pack.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "net/collectives/wide_pack.h"

namespace tacit::net {

namespace {

std::uint64_t load(const std::byte* from) {
  std::uint64_t value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

void store(std::uint64_t value, std::byte* to) { std::memcpy(to, &value, sizeof value); }

// Eight words as K bytes. Works in whole 64-bit stores and loads, so it may touch up to kSlack bytes after the block.
// Every shift is a constant: the index sequences unroll the block for each K.
template <int K>
struct Block {
  static constexpr std::int64_t kSlack = 8;
  static constexpr std::uint64_t kMask = ~std::uint64_t{0} >> (64 - K);
  static constexpr std::size_t kStores = (static_cast<std::size_t>(K) + 7) / 8;

  static void pack(const std::uint64_t* words, std::byte* out) {
    pack_words(words, out, std::make_index_sequence<kStores>());
  }

  static void unpack(const std::byte* in, std::uint64_t* words) {
    unpack_words(in, words, std::make_index_sequence<kPackBlock>());
  }

  static void add(const std::byte* in, std::uint64_t* words) {
    add_words(in, words, std::make_index_sequence<kPackBlock>());
  }

 private:
  template <std::size_t... J>
  static void pack_words(const std::uint64_t* words, std::byte* out, std::index_sequence<J...>) {
    (store(packed_word<static_cast<int>(J)>(words, std::make_index_sequence<kPackBlock>()), out + 8 * J), ...);
  }

  // Bits [64·J, 64·J + 64) of the block, from the bits of the eight words.
  template <int J, std::size_t... I>
  static std::uint64_t packed_word(const std::uint64_t* words, std::index_sequence<I...>) {
    return (contribution<static_cast<int>(I) * K - 64 * J>(words[I]) | ...);
  }

  template <int Shift>
  static std::uint64_t contribution(std::uint64_t word) {
    if constexpr (Shift >= 64 || Shift <= -K) {
      return 0;
    } else if constexpr (Shift >= 0) {
      return (word & kMask) << Shift;
    } else {
      return (word & kMask) >> -Shift;
    }
  }

  template <std::size_t... I>
  static void unpack_words(const std::byte* in, std::uint64_t* words, std::index_sequence<I...>) {
    ((words[I] = word<static_cast<int>(I) * K>(in)), ...);
  }

  template <std::size_t... I>
  static void add_words(const std::byte* in, std::uint64_t* words, std::index_sequence<I...>) {
    ((words[I] = (words[I] + word<static_cast<int>(I) * K>(in)) & kMask), ...);
  }

  template <int Bit>
  static std::uint64_t word(const std::byte* in) {
    constexpr int kByte = Bit / 8;
    constexpr int kShift = Bit % 8;
    std::uint64_t value = load(in + kByte) >> kShift;
    if constexpr (kShift + K > 64) value |= std::to_integer<std::uint64_t>(in[kByte + 8]) << (64 - kShift);
    return value & kMask;
  }
};

// How many blocks from the front may be touched together with their slack.
template <int K>
std::int64_t roomy_blocks(std::int64_t count) {
  const std::int64_t room = packed_bytes(count, K) - Block<K>::kSlack;
  return room < K ? 0 : std::min(count / kPackBlock, room / K);
}

// Null for words that are packed one by one.
template <int K>
const WidePack* wide_pack_of() {
  return K >= WidePack::kFewestBits && K < kWordBits ? wide_pack() : nullptr;
}

template <int K>
using BlockBytes = std::array<std::byte, static_cast<std::size_t>(K + Block<K>::kSlack)>;
using BlockWords = std::array<std::uint64_t, static_cast<std::size_t>(kPackBlock)>;

// The blocks at the end, with a copy in between that has the slack (and the words that the last block lacks).
// visit(first word, its words, its byte offset, its bytes)
template <int K, typename Visit>
void for_last_blocks(std::int64_t first_block, std::int64_t count, const Visit& visit) {
  for (std::int64_t at = first_block * kPackBlock; at < count; at += kPackBlock) {
    const std::int64_t words = std::min(kPackBlock, count - at);
    visit(at, words, at / kPackBlock * K, packed_bytes(words, K));
  }
}

template <int K>
void pack_all(const std::uint64_t* words, std::int64_t count, std::byte* out) {
  const std::int64_t blocks = roomy_blocks<K>(count);
  if (const WidePack* const wide = wide_pack_of<K>()) {
    wide->pack(words, blocks, K, out);
  } else {
    for (std::int64_t b = 0; b < blocks; ++b) Block<K>::pack(words + b * kPackBlock, out + b * K);
  }
  for_last_blocks<K>(blocks, count, [&](std::int64_t at, std::int64_t n, std::int64_t offset, std::int64_t bytes) {
    BlockWords last{};
    BlockBytes<K> packed;
    std::memcpy(last.data(), words + at, static_cast<std::size_t>(n) * sizeof(std::uint64_t));
    Block<K>::pack(last.data(), packed.data());
    std::memcpy(out + offset, packed.data(), static_cast<std::size_t>(bytes));
  });
}

template <int K>
void unpack_all(const std::byte* in, std::uint64_t* words, std::int64_t count) {
  const std::int64_t blocks = roomy_blocks<K>(count);
  if (const WidePack* const wide = wide_pack_of<K>()) {
    wide->unpack(in, blocks, K, words);
  } else {
    for (std::int64_t b = 0; b < blocks; ++b) Block<K>::unpack(in + b * K, words + b * kPackBlock);
  }
  for_last_blocks<K>(blocks, count, [&](std::int64_t at, std::int64_t n, std::int64_t offset, std::int64_t bytes) {
    BlockWords last;
    BlockBytes<K> packed{};
    std::memcpy(packed.data(), in + offset, static_cast<std::size_t>(bytes));
    Block<K>::unpack(packed.data(), last.data());
    std::memcpy(words + at, last.data(), static_cast<std::size_t>(n) * sizeof(std::uint64_t));
  });
}

template <int K>
void add_all(const std::byte* in, std::uint64_t* words, std::int64_t count) {
  const std::int64_t blocks = roomy_blocks<K>(count);
  if (const WidePack* const wide = wide_pack_of<K>()) {
    wide->add(in, blocks, K, words);
  } else {
    for (std::int64_t b = 0; b < blocks; ++b) Block<K>::add(in + b * K, words + b * kPackBlock);
  }
  for_last_blocks<K>(blocks, count, [&](std::int64_t at, std::int64_t n, std::int64_t offset, std::int64_t bytes) {
    BlockWords last{};
    BlockBytes<K> packed{};
    std::memcpy(last.data(), words + at, static_cast<std::size_t>(n) * sizeof(std::uint64_t));
    std::memcpy(packed.data(), in + offset, static_cast<std::size_t>(bytes));
    Block<K>::add(packed.data(), last.data());
    std::memcpy(words + at, last.data(), static_cast<std::size_t>(n) * sizeof(std::uint64_t));
  });
}

struct Kernels {
  void (*pack)(const std::uint64_t*, std::int64_t, std::byte*);
  void (*unpack)(const std::byte*, std::uint64_t*, std::int64_t);
  void (*add)(const std::byte*, std::uint64_t*, std::int64_t);
};

template <std::size_t... I>
constexpr std::array<Kernels, sizeof...(I)> make_kernels(std::index_sequence<I...>) {
  return {Kernels{pack_all<static_cast<int>(I) + 1>, unpack_all<static_cast<int>(I) + 1>,
                  add_all<static_cast<int>(I) + 1>}...};
}

constexpr auto kKernels = make_kernels(std::make_index_sequence<kWordBits>());

void xor_words(ConstBytes packed, Words sum) {
  TACIT_CHECK(sum.bits == kWordBits);
  for (std::size_t i = 0; i < sum.words.size(); ++i) sum.words[i] ^= load(packed.data() + i * sizeof(std::uint64_t));
}

const Kernels& kernels(int bits) { return kKernels[static_cast<std::size_t>(bits - 1)]; }

}  // namespace

std::int64_t packed_bytes(std::int64_t count, int bits) {
  TACIT_CHECK(bits >= 1 && bits <= kWordBits);
  TACIT_CHECK(count >= 0 && count <= std::numeric_limits<std::int64_t>::max() / kWordBits - 1);
  return (count * bits + 7) / 8;
}

void pack(ConstWords words, Bytes packed) {
  TACIT_CHECK(std::ssize(packed) == packed_bytes(words.count(), words.bits));
  kernels(words.bits).pack(words.words.data(), words.count(), packed.data());
}

void unpack(ConstBytes packed, Words words) {
  TACIT_CHECK(std::ssize(packed) == packed_bytes(words.count(), words.bits));
  kernels(words.bits).unpack(packed.data(), words.words.data(), words.count());
}

void add_packed(ConstBytes packed, Words sum) {
  TACIT_CHECK(std::ssize(packed) == packed_bytes(sum.count(), sum.bits));
  if (sum.sum == Sum::kXor) return xor_words(packed, sum);
  kernels(sum.bits).add(packed.data(), sum.words.data(), sum.count());
}

void reduce(Words words) {
  if (words.bits == kWordBits) return;
  const std::uint64_t mask = word_mask(words.bits);
  for (std::uint64_t& word : words.words) word &= mask;
}

ConstBytes as_bytes(ConstWords words) {
  TACIT_CHECK(words.bits == kWordBits);
  return std::as_bytes(words.words);
}

Bytes as_writable_bytes(Words words) {
  TACIT_CHECK(words.bits == kWordBits);
  return std::as_writable_bytes(words.words);
}

}  // namespace tacit::net
