#include <immintrin.h>

#include <cstddef>

#include "mpc/kernels/aes_words.h"
#include "net/fetch_ahead.h"

namespace tacit::mpc {

namespace {

using Word = std::uint64_t;

constexpr int kRounds = 10;
constexpr int kAtOnce = 8;                             // registers, which hide the latency of a round
constexpr int kBlocks = 4;                             // in a register
constexpr std::int64_t kStep = kAtOnce * kBlocks * 2;  // words

// The next round key: each word is the XOR of this word and all words before it in the last key, and of the last key's rotated
// and substituted last word.
template <int kConstant>
__m128i next_key(__m128i key) {
  const __m128i turned = _mm_shuffle_epi32(_mm_aeskeygenassist_si128(key, kConstant), 0xff);
  key = _mm_xor_si128(key, _mm_slli_si128(key, 4));
  key = _mm_xor_si128(key, _mm_slli_si128(key, 8));
  return _mm_xor_si128(key, turned);
}

void start(const unsigned char* key, const unsigned char* counter, AesState& state) {
  __m128i k[kRounds + 1];
  k[0] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(key));
  k[1] = next_key<0x01>(k[0]);
  k[2] = next_key<0x02>(k[1]);
  k[3] = next_key<0x04>(k[2]);
  k[4] = next_key<0x08>(k[3]);
  k[5] = next_key<0x10>(k[4]);
  k[6] = next_key<0x20>(k[5]);
  k[7] = next_key<0x40>(k[6]);
  k[8] = next_key<0x80>(k[7]);
  k[9] = next_key<0x1b>(k[8]);
  k[10] = next_key<0x36>(k[9]);
  for (int r = 0; r <= kRounds; ++r) _mm_store_si128(reinterpret_cast<__m128i*>(state.rounds[r]), k[r]);
  Word halves[2];
  __builtin_memcpy(halves, counter, sizeof halves);
  state.high = __builtin_bswap64(halves[0]);
  state.low = __builtin_bswap64(halves[1]);
  state.second = 0;
  state.has_second = false;
}

struct Keys {
  __m512i of[kRounds + 1];
  explicit Keys(const AesState& state) {
    for (int r = 0; r <= kRounds; ++r) {
      of[r] = _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(state.rounds[r])));
    }
  }
};

// The next kStep words of the stream. `counters`: of the next four blocks, the low half first.
inline void encrypt(const Keys& keys, __m512i& counters, __m512i* blocks) {
  const __m512i reversed = _mm512_broadcast_i32x4(_mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  const __m512i next = _mm512_set_epi64(0, kBlocks, 0, kBlocks, 0, kBlocks, 0, kBlocks);
  for (int v = 0; v < kAtOnce; ++v) {
    blocks[v] = _mm512_xor_si512(_mm512_shuffle_epi8(counters, reversed), keys.of[0]);
    counters = _mm512_add_epi64(counters, next);
  }
  for (int r = 1; r < kRounds; ++r) {
    for (int v = 0; v < kAtOnce; ++v) blocks[v] = _mm512_aesenc_epi128(blocks[v], keys.of[r]);
  }
  for (int v = 0; v < kAtOnce; ++v) blocks[v] = _mm512_aesenclast_epi128(blocks[v], keys.of[kRounds]);
}

template <Combine kHow>
inline __m512i combined(__m512i word, __m512i stream, __m512i mask) {
  if constexpr (kHow == Combine::kFill) return _mm512_and_si512(stream, mask);
  if constexpr (kHow == Combine::kAdd) return _mm512_and_si512(_mm512_add_epi64(word, stream), mask);
  if constexpr (kHow == Combine::kSubtract) return _mm512_and_si512(_mm512_sub_epi64(word, stream), mask);
  if constexpr (kHow == Combine::kFlip) return _mm512_and_si512(_mm512_xor_si512(word, stream), mask);
}

inline Word word_of(__m512i words, std::int64_t lane) {
  const __m512i first = _mm512_permutexvar_epi64(_mm512_set1_epi64(lane), words);
  return static_cast<Word>(_mm_cvtsi128_si64(_mm512_castsi512_si128(first)));
}

// From the first word of a block. The low half of the counter does not wrap within these words.
template <Combine kHow>
void draw_some(AesState& state, Word* words, std::int64_t n, Word mask) {
  const Keys keys(state);
  const __m512i masks = _mm512_set1_epi64(static_cast<long long>(mask));
  const Word low = state.low, high = state.high;
  __m512i counters = _mm512_add_epi64(
      _mm512_set_epi64(static_cast<long long>(high), static_cast<long long>(low), static_cast<long long>(high),
                       static_cast<long long>(low), static_cast<long long>(high), static_cast<long long>(low),
                       static_cast<long long>(high), static_cast<long long>(low)),
      _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0));
  __m512i blocks[kAtOnce];
  std::int64_t at = 0;
  for (; at + kStep <= n; at += kStep) {
    encrypt(keys, counters, blocks);
    for (int v = 0; v < kAtOnce; ++v) {
      Word* to = words + at + 8 * v;
      net::fetch_ahead(to, sizeof(__m512i));
      const __m512i before = kHow == Combine::kFill ? __m512i{} : _mm512_loadu_si512(to);
      _mm512_storeu_si512(to, combined<kHow>(before, blocks[v], masks));
    }
  }
  if (at < n) {
    encrypt(keys, counters, blocks);
    for (int v = 0; v < kAtOnce && at < n; ++v, at += 8) {
      const std::int64_t rest = n - at;
      const auto lanes = static_cast<__mmask8>(rest >= 8 ? 0xff : (1U << rest) - 1);
      const __m512i before = _mm512_maskz_loadu_epi64(lanes, words + at);
      _mm512_mask_storeu_epi64(words + at, lanes, combined<kHow>(before, blocks[v], masks));
      if (rest < 8) state.second = word_of(blocks[v], rest);
    }
  }
  state.has_second = n % 2 != 0;
  const Word used = static_cast<Word>(n + 1) / 2;
  state.low += used;
  if (state.low < used) ++state.high;
}

template <Combine kHow>
Word combined(Word word, Word stream, Word mask) {
  if constexpr (kHow == Combine::kFill) return stream & mask;
  if constexpr (kHow == Combine::kAdd) return (word + stream) & mask;
  if constexpr (kHow == Combine::kSubtract) return (word - stream) & mask;
  if constexpr (kHow == Combine::kFlip) return (word ^ stream) & mask;
}

template <Combine kHow>
void draw_all(AesState& state, Word* words, std::int64_t n, Word mask) {
  if (n == 0) return;
  if (state.has_second) {
    *words = combined<kHow>(*words, state.second, mask);
    state.has_second = false;
    ++words;
    --n;
  }
  const Word before_wrap = 0 - state.low;  // blocks; 0 stands for 2^64
  const auto blocks = static_cast<Word>(n + 1) / 2;
  if (before_wrap != 0 && blocks > before_wrap) {
    const auto first = static_cast<std::int64_t>(before_wrap) * 2;
    draw_some<kHow>(state, words, first, mask);
    words += first;
    n -= first;
  }
  draw_some<kHow>(state, words, n, mask);
}

void draw(AesState& state, Combine how, Word* words, std::int64_t n, Word mask) {
  switch (how) {
    case Combine::kFill:
      return draw_all<Combine::kFill>(state, words, n, mask);
    case Combine::kAdd:
      return draw_all<Combine::kAdd>(state, words, n, mask);
    case Combine::kSubtract:
      return draw_all<Combine::kSubtract>(state, words, n, mask);
    case Combine::kFlip:
      return draw_all<Combine::kFlip>(state, words, n, mask);
  }
}

constexpr AesWords kAesWords = {start, draw};

}  // namespace

const AesWords& aes_words_vaes() { return kAesWords; }

}  // namespace tacit::mpc
