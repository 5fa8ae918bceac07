#include <immintrin.h>

#include <cstddef>

#include "mpc/kernels/aes_blocks.h"

namespace tacit::mpc {

namespace {

using Word = std::uint64_t;

constexpr int kRounds = 10;
constexpr int kAtOnce = 8;             // registers, which hide the latency of a round
constexpr std::int64_t kRegister = 8;  // words
constexpr std::int64_t kStep = kAtOnce * kRegister;

struct Keys {
  __m512i of[kRounds + 1];
  explicit Keys(const AesState& state) {
    for (int r = 0; r <= kRounds; ++r) {
      of[r] = _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(state.rounds[r])));
    }
  }
};

inline void encrypt(const Keys& keys, __m512i* blocks) {
  for (int v = 0; v < kAtOnce; ++v) blocks[v] = _mm512_xor_si512(blocks[v], keys.of[0]);
  for (int r = 1; r < kRounds; ++r) {
    for (int v = 0; v < kAtOnce; ++v) blocks[v] = _mm512_aesenc_epi128(blocks[v], keys.of[r]);
  }
  for (int v = 0; v < kAtOnce; ++v) blocks[v] = _mm512_aesenclast_epi128(blocks[v], keys.of[kRounds]);
}

// The words of register v that lie below `words`.
inline __mmask8 lanes_of(std::int64_t words, int v) {
  const std::int64_t rest = words - v * kRegister;
  if (rest <= 0) return 0;
  return static_cast<__mmask8>(rest >= kRegister ? 0xff : (1U << rest) - 1);
}

inline void load(const Word* words, std::int64_t n, __m512i* blocks) {
  for (int v = 0; v < kAtOnce; ++v) blocks[v] = _mm512_maskz_loadu_epi64(lanes_of(n, v), words + v * kRegister);
}

inline void store(const __m512i* blocks, Word* words, std::int64_t n) {
  for (int v = 0; v < kAtOnce; ++v) _mm512_mask_storeu_epi64(words + v * kRegister, lanes_of(n, v), blocks[v]);
}

// Four blocks (low + step·lane, high).
inline __m512i numbers(Word low, Word high, Word step) {
  const __m512i lanes = _mm512_set_epi64(0, static_cast<long long>(3 * step), 0, static_cast<long long>(2 * step), 0,
                                         static_cast<long long>(step), 0, 0);
  return _mm512_add_epi64(
      _mm512_set_epi64(static_cast<long long>(high), static_cast<long long>(low), static_cast<long long>(high),
                       static_cast<long long>(low), static_cast<long long>(high), static_cast<long long>(low),
                       static_cast<long long>(high), static_cast<long long>(low)),
      lanes);
}

void permute(const AesState& key, Word* blocks, std::int64_t n) {
  const Keys keys(key);
  __m512i some[kAtOnce];
  for (std::int64_t at = 0; at < 2 * n; at += kStep) {
    load(blocks + at, 2 * n - at, some);
    encrypt(keys, some);
    store(some, blocks + at, 2 * n - at);
  }
}

void hash(const AesState& key, const Word* x, const Word* offset, Word first, Word name, Word* out, std::int64_t n) {
  const Keys keys(key);
  const __m512i offsets = _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(offset)));
  const __m512i next = numbers(4, 0, 0);
  __m512i names = numbers(first, name, 1);
  __m512i some[kAtOnce], inner[kAtOnce];
  for (std::int64_t at = 0; at < 2 * n; at += kStep) {
    load(x + at, 2 * n - at, inner);
    for (int v = 0; v < kAtOnce; ++v) inner[v] = _mm512_xor_si512(inner[v], offsets);
    encrypt(keys, inner);
    for (int v = 0; v < kAtOnce; ++v) {
      some[v] = _mm512_xor_si512(inner[v], names);
      names = _mm512_add_epi64(names, next);
    }
    encrypt(keys, some);
    for (int v = 0; v < kAtOnce; ++v) some[v] = _mm512_xor_si512(some[v], inner[v]);
    store(some, out + at, 2 * n - at);
  }
}

// Eight blocks of a seed are two registers.
void expand_eight(const Keys& keys, const Word* seeds, std::int64_t n, Word first, Word* out) {
  // The number is in the high word.
  const __m512i low = _mm512_shuffle_epi32(numbers(first, 0, 1), _MM_PERM_BADC);
  const __m512i high = _mm512_shuffle_epi32(numbers(first + 4, 0, 1), _MM_PERM_BADC);
  __m512i some[kAtOnce], inputs[kAtOnce];
  for (std::int64_t s = 0; s < n; s += kAtOnce / 2) {
    for (int v = 0; v < kAtOnce; ++v) {
      const std::int64_t seed = s + v / 2;
      const __m128i one = seed < n ? _mm_loadu_si128(reinterpret_cast<const __m128i*>(seeds + 2 * seed)) : __m128i{};
      inputs[v] = _mm512_xor_si512(_mm512_broadcast_i32x4(one), v % 2 == 0 ? low : high);
      some[v] = inputs[v];
    }
    encrypt(keys, some);
    for (int v = 0; v < kAtOnce; ++v) some[v] = _mm512_xor_si512(some[v], inputs[v]);
    store(some, out + 16 * s, 16 * (n - s));
  }
}

void expand_one(const Keys& keys, const Word* seeds, std::int64_t n, Word first, Word* out) {
  const __m512i number = _mm512_shuffle_epi32(numbers(first, 0, 0), _MM_PERM_BADC);
  __m512i some[kAtOnce], inputs[kAtOnce];
  for (std::int64_t at = 0; at < 2 * n; at += kStep) {
    load(seeds + at, 2 * n - at, inputs);
    for (int v = 0; v < kAtOnce; ++v) some[v] = inputs[v] = _mm512_xor_si512(inputs[v], number);
    encrypt(keys, some);
    for (int v = 0; v < kAtOnce; ++v) some[v] = _mm512_xor_si512(some[v], inputs[v]);
    store(some, out + at, 2 * n - at);
  }
}

void expand(const AesState& key, const Word* seeds, std::int64_t n, Word first, std::int64_t size, Word* out) {
  const Keys keys(key);
  if (size == 1) return expand_one(keys, seeds, n, first, out);
  expand_eight(keys, seeds, n, first, out);
}

void grow(const AesState& key, Word* nodes, std::int64_t n, Word* sums) {
  const Keys keys(key);
  __m512i sum = _mm512_loadu_si512(sums);
  __m512i some[kAtOnce], inputs[kAtOnce], parents[kAtOnce];
  for (std::int64_t at = 0; at < 2 * n; at += kStep) {
    load(nodes + at, 2 * n - at, parents);
    for (int v = 0; v < kAtOnce; ++v) {
      const __m512i turned = _mm512_shuffle_epi32(parents[v], _MM_PERM_BADC);
      some[v] = inputs[v] = _mm512_mask_xor_epi64(turned, 0x55, turned, parents[v]);
    }
    encrypt(keys, some);
    for (int v = 0; v < kAtOnce; ++v) {
      some[v] = _mm512_xor_si512(some[v], inputs[v]);
      sum = _mm512_mask_xor_epi64(sum, lanes_of(2 * n - at, v), sum, some[v]);
      parents[v] = _mm512_xor_si512(parents[v], some[v]);
    }
    store(some, nodes + at, 2 * n - at);
    store(parents, nodes + 2 * n + at, 2 * n - at);
  }
  _mm512_storeu_si512(sums, sum);
}

constexpr AesBlocks kAesBlocks = {permute, hash, expand, grow};

}  // namespace

const AesBlocks& aes_blocks_vaes() { return kAesBlocks; }

}  // namespace tacit::mpc
