// This file calls no inline function of the standard library: the linker might keep this file's copy for the whole program, and
// older processors would fail on its instructions.
#include <immintrin.h>

#include "net/collectives/wide_pack.h"
#include "net/fetch_ahead.h"

namespace tacit::net {

namespace {

using Word = WidePack::Word;
using Lanes = long long[8];

constexpr int kBlock = 8;  // words

__m512i all(Word word) { return _mm512_set1_epi64(static_cast<long long>(word)); }
Word low_bits(int bits) { return ~Word{0} >> (64 - bits); }
__mmask8 packed_words(int bits) { return static_cast<__mmask8>((1 << ((bits + 7) / 8)) - 1); }

// A packed word begins within a word of the block, and kMore further words follow in it.
template <int kMore>
void pack_blocks(const Word* words, std::int64_t blocks, int bits, std::byte* out) {
  Lanes first, right, left[std::size_t{kMore}];
  for (int j = 0; j < kBlock; ++j) {
    first[j] = 64 * j / bits;
    right[j] = 64 * j % bits;
    for (int more = 0; more < kMore; ++more) {
      const long long word = first[j] + more + 1;
      left[more][j] = word < kBlock ? word * bits - 64 * j : 64;  // a shift by 64 gives zero
    }
  }
  const __m512i firsts = _mm512_loadu_si512(first), rights = _mm512_loadu_si512(right), one = all(1);
  const __m512i mask = all(low_bits(bits));
  const __mmask8 made = packed_words(bits);
  for (std::int64_t b = 0; b < blocks; ++b, words += kBlock, out += bits) {
    fetch_ahead(words, sizeof *words * kBlock);
    const __m512i block = _mm512_and_si512(_mm512_loadu_si512(words), mask);
    __m512i word = firsts;
    __m512i packed = _mm512_srlv_epi64(_mm512_permutexvar_epi64(word, block), rights);
#pragma GCC unroll 4
    for (int more = 0; more < kMore; ++more) {
      word = _mm512_add_epi64(word, one);
      const __m512i shifted = _mm512_sllv_epi64(_mm512_permutexvar_epi64(word, block), _mm512_loadu_si512(left[more]));
      packed = _mm512_or_si512(packed, shifted);
    }
    _mm512_mask_storeu_epi64(out, made, packed);
  }
}

void pack(const Word* words, std::int64_t blocks, int bits, std::byte* out) {
  if (bits == 63) return pack_blocks<1>(words, blocks, bits, out);
  bits >= 32 ? pack_blocks<2>(words, blocks, bits, out) : pack_blocks<3>(words, blocks, bits, out);
}

// A word begins in one packed word, and may end in the next one.
template <bool kAdd>
void unpack_blocks(const std::byte* in, std::int64_t blocks, int bits, Word* words) {
  Lanes first, right, left;
  for (int i = 0; i < kBlock; ++i) {
    first[i] = i * bits / 64;
    right[i] = i * bits % 64;
    left[i] = 64 - right[i];
  }
  const __m512i firsts = _mm512_loadu_si512(first), seconds = _mm512_add_epi64(firsts, all(1));
  const __m512i rights = _mm512_loadu_si512(right), lefts = _mm512_loadu_si512(left);
  const __m512i mask = all(low_bits(bits));
  const __mmask8 there = packed_words(bits);
  for (std::int64_t b = 0; b < blocks; ++b, words += kBlock, in += bits) {
    fetch_ahead(in, bits);
    fetch_ahead(words, sizeof *words * kBlock);
    const __m512i packed = _mm512_maskz_loadu_epi64(there, in);
    __m512i word = _mm512_or_si512(_mm512_srlv_epi64(_mm512_permutexvar_epi64(firsts, packed), rights),
                                   _mm512_sllv_epi64(_mm512_permutexvar_epi64(seconds, packed), lefts));
    if constexpr (kAdd) word = _mm512_add_epi64(word, _mm512_loadu_si512(words));
    _mm512_storeu_si512(words, _mm512_and_si512(word, mask));
  }
}

constexpr WidePack kWidePack = {pack, unpack_blocks<false>, unpack_blocks<true>};

}  // namespace

const WidePack& wide_pack_avx512() { return kWidePack; }

}  // namespace tacit::net
