// Matrix units multiply 16 rows of 64 bytes by 64 rows of 16 bytes into 16 × 16 sums of 32 bits, all at once. Words are
// taken apart into bytes, their limbs: with a = Σ a_i·2^(8i) and b = Σ b_j·2^(8j), weight w of the product is the sum
// of a_i·b_j over i + j = w, to be multiplied by 2^(8w). For a ring of at most 8·n bits, weights 0 … n-1 count, each
// modulo 2^(64-8w): n(n+1)/2 products of bytes for one of words, and still faster.
//
// No overflow changes the result. For weights below 4, kAmxDeepest · 4 · 255² < 2^32. Sums of higher weights may wrap
// at 2^32, but they are multiplied by 2^32 at least.
//
// A panel is made of blocks of 64 along the inner dimension; a block of its limbs, one after the other; a limb of two
// tiles of 1 KiB: 16 rows of 64 bytes along the inner dimension, or 16 rows of 16 columns of 4 bytes along it.
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "mpc/kernels/merge_512.h"

namespace tacit::mpc {

namespace {

using Word = std::uint64_t;

constexpr int kSide = 16;  // side of a tile of sums
constexpr int kPanelTiles = 2;
constexpr int kPanelSide = kPanelTiles * kSide;
constexpr int kBlock = 64;  // along the inner dimension
constexpr int kTileBytes = 1024;
constexpr int kRowBytes = 64;
constexpr int kAmxDeepest = 512;
constexpr int kLimbs = 8;  // limbs in a word
static_assert(kAmxDeepest * 4LL * 255 * 255 < 1LL << 32);

template <class Byte>
Byte* tile_of(Byte* panel, std::int64_t block, int limbs, int limb, int tile) {
  return panel + ((block * limbs + limb) * kPanelTiles + tile) * kTileBytes;
}

std::int64_t blocks_of(std::int64_t depth) { return (depth + kBlock - 1) / kBlock; }

// Lane l of out[m] = lane m of in[l], lanes of 128 bits.
void transpose_lanes(const __m512i* in, __m512i* out) {
  const __m512i a = _mm512_shuffle_i64x2(in[0], in[1], 0x44), b = _mm512_shuffle_i64x2(in[2], in[3], 0x44);
  const __m512i c = _mm512_shuffle_i64x2(in[0], in[1], 0xEE), d = _mm512_shuffle_i64x2(in[2], in[3], 0xEE);
  out[0] = _mm512_shuffle_i64x2(a, b, 0x88);
  out[1] = _mm512_shuffle_i64x2(a, b, 0xDD);
  out[2] = _mm512_shuffle_i64x2(c, d, 0x88);
  out[3] = _mm512_shuffle_i64x2(c, d, 0xDD);
}

// Byte 8·i + m = byte i of word m: a limb of the eight words in every 64 bits.
__m512i limbs_of(__m512i words) {
  alignas(64) static constexpr unsigned char kPlaces[64] = {
      0,  8,  16, 24, 32, 40, 48, 56, 1,  9,  17, 25, 33, 41, 49, 57, 2,  10, 18, 26, 34, 42,
      50, 58, 3,  11, 19, 27, 35, 43, 51, 59, 4,  12, 20, 28, 36, 44, 52, 60, 5,  13, 21, 29,
      37, 45, 53, 61, 6,  14, 22, 30, 38, 46, 54, 62, 7,  15, 23, 31, 39, 47, 55, 63};
  return _mm512_permutexvar_epi8(_mm512_load_si512(kPlaces), words);
}

// Packs the first `here` of 64 words of a row. The limbs of these words, 64 bytes each, go to row `row` of a block's tiles.
template <int kN>
void pack_row(const Word* words, std::int64_t here, unsigned char* block_tile, int row) {
  __m512i v[kLimbs], even[4], odd[4], out[2][4];
  if (here == kBlock) {
    for (int m = 0; m < kLimbs; ++m) v[m] = limbs_of(_mm512_loadu_si512(words + m * kLanes));
  } else {
    for (int m = 0; m < kLimbs; ++m) {
      v[m] = limbs_of(_mm512_maskz_loadu_epi64(existing(here, m * kLanes), words + m * kLanes));
    }
  }
  for (int m = 0; m < 4; ++m) {
    even[m] = _mm512_unpacklo_epi64(v[2 * m], v[2 * m + 1]);
    odd[m] = _mm512_unpackhi_epi64(v[2 * m], v[2 * m + 1]);
  }
  transpose_lanes(even, out[0]);
  transpose_lanes(odd, out[1]);
  for (int i = 0; i < kN; ++i) {
    _mm512_store_si512(tile_of(block_tile, 0, kN, i, 0) + row * kRowBytes, out[i % 2][i / 2]);
  }
}

// Prefetches the words that the next panel reads here, so that memory is busy during this panel's product. Prefetches
// nothing beyond a matrix.
void expect(const Word* words) {
  for (int i = 0; i < kBlock; i += kLanes) __builtin_prefetch(words + i, 0, 2);
}

// Block by block: rows of a tile lie one after the other.
template <int kN>
void pack_rows(const Word* from, std::int64_t row_stride, std::int64_t depth_stride, std::int64_t rows,
               std::int64_t depth, Word* panel, std::int64_t) {
  auto* bytes = reinterpret_cast<unsigned char*>(panel);
  const int side = rows > kSide ? kPanelSide : kSide;
  for (std::int64_t block = 0; block < blocks_of(depth); ++block) {
    const std::int64_t at = block * kBlock, there = depth - at < kBlock ? depth - at : kBlock;
    for (int r = 0; r < side; ++r) {
      const Word* in = from + r * row_stride + at * depth_stride;
      const std::int64_t here = r < rows ? there : 0;
      unsigned char* to = tile_of(bytes, block, kN, 0, r / kSide);
      if (depth_stride == 1) {
        expect(in + kPanelSide * row_stride);
        pack_row<kN>(in, here, to, r % kSide);
      } else {
        Word copy[kBlock];
        for (std::int64_t k = 0; k < here; ++k) copy[k] = in[k * depth_stride];
        pack_row<kN>(copy, here, to, r % kSide);
      }
    }
  }
}

// Packs four rows of 16 columns: 16 times 4 bytes of every limb go to row `row` of a block's tiles.
template <int kN>
void pack_quad(const __m512i (&words)[4][2], unsigned char* block_tile, std::int64_t row) {
  __m512i even[4], odd[4], out[2][4];
  for (int half = 0; half < 2; ++half) {
    const __m512i a = limbs_of(words[0][half]), b = limbs_of(words[1][half]);
    const __m512i c = limbs_of(words[2][half]), d = limbs_of(words[3][half]);
    const __m512i even_ab = _mm512_unpacklo_epi8(a, b), even_cd = _mm512_unpacklo_epi8(c, d);
    const __m512i odd_ab = _mm512_unpackhi_epi8(a, b), odd_cd = _mm512_unpackhi_epi8(c, d);
    even[2 * half] = _mm512_unpacklo_epi16(even_ab, even_cd);
    even[2 * half + 1] = _mm512_unpackhi_epi16(even_ab, even_cd);
    odd[2 * half] = _mm512_unpacklo_epi16(odd_ab, odd_cd);
    odd[2 * half + 1] = _mm512_unpackhi_epi16(odd_ab, odd_cd);
  }
  transpose_lanes(even, out[0]);
  transpose_lanes(odd, out[1]);
  for (int i = 0; i < kN; ++i) {
    _mm512_store_si512(tile_of(block_tile, 0, kN, i, 0) + row * kRowBytes, out[i % 2][i / 2]);
  }
}

// Packs `here` rows, at most 64, of `count` columns side by side into a block of every panel. Reads row by row, in the
// order of memory.
template <int kN>
void pack_col_block(const Word* from, std::int64_t stride, std::int64_t here, std::int64_t count,
                    unsigned char* block_tile, std::int64_t panel_bytes) {
  for (std::int64_t quad = 0; quad < kSide; ++quad) {
    for (std::int64_t first = 0; first < count; first += kSide) {
      __m512i words[4][2];
      for (int k = 0; k < 4; ++k) {
        const std::int64_t row = quad * 4 + k;
        for (int half = 0; half < 2; ++half) {
          const std::int64_t col = first + half * kLanes;
          const __mmask8 mask = row < here ? existing(count, col) : __mmask8{0};
          words[k][half] = _mm512_maskz_loadu_epi64(mask, from + row * stride + col);
        }
      }
      const std::int64_t tile = first / kSide;
      unsigned char* panel_tile = block_tile + tile / kPanelTiles * panel_bytes + tile % kPanelTiles * kTileBytes;
      pack_quad<kN>(words, panel_tile, quad);
    }
  }
}

template <int kN>
void pack_cols(const Word* from, std::int64_t depth_stride, std::int64_t col_stride, std::int64_t depth,
               std::int64_t count, Word* panels, std::int64_t panel_words) {
  constexpr std::int64_t kWordBytes = sizeof(Word);
  auto* bytes = reinterpret_cast<unsigned char*>(panels);
  for (std::int64_t block = 0; block < blocks_of(depth); ++block) {
    const std::int64_t at = block * kBlock, here = depth - at < kBlock ? depth - at : kBlock;
    unsigned char* to = tile_of(bytes, block, kN, 0, 0);
    if (col_stride == 1) {
      pack_col_block<kN>(from + at * depth_stride, depth_stride, here, count, to, panel_words * kWordBytes);
      continue;
    }
    for (std::int64_t first = 0; first < count; first += kPanelSide, to += panel_words * kWordBytes) {
      const Word* in = from + at * depth_stride + first * col_stride;
      const std::int64_t cols = count - first < kPanelSide ? count - first : kPanelSide;
      Word copy[kBlock * kPanelSide];
      for (std::int64_t c = 0; c < cols; ++c) {
        for (std::int64_t k = 0; k < here; ++k) copy[k * kPanelSide + c] = in[k * depth_stride + c * col_stride];
      }
      pack_col_block<kN>(copy, kPanelSide, here, cols, to, 0);
    }
  }
}

// The sums of every weight. For a product of two by two tiles: [row tile][column tile]. With fewer tiles, each product
// function has its own order.
struct alignas(64) Sums {
  std::int32_t of[kLimbs][4][kSide * kSide];
};

struct alignas(64) TileShapes {
  unsigned char palette = 1, start_row = 0, reserved[14] = {};
  std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  unsigned char rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

// The sums stay in the cache beside two blocks while all limbs of the two blocks are multiplied.
constexpr std::int64_t kBlocksAtOnce = 2;

void begin_sums(std::int32_t (*sums)[kSide * kSide], bool first) {
  if (first) {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  } else {
    _tile_loadd(0, sums[0], kRowBytes);
    _tile_loadd(1, sums[1], kRowBytes);
    _tile_loadd(2, sums[2], kRowBytes);
    _tile_loadd(3, sums[3], kRowBytes);
  }
}

void end_sums(std::int32_t (*sums)[kSide * kSide]) {
  _tile_stored(0, sums[0], kRowBytes);
  _tile_stored(1, sums[1], kRowBytes);
  _tile_stored(2, sums[2], kRowBytes);
  _tile_stored(3, sums[3], kRowBytes);
}

// 32 rows by 32 columns: four tiles of sums of one weight at a time.
template <int kN>
void multiply_square(const unsigned char* a, const unsigned char* b, std::int64_t blocks, bool first, Sums& sums) {
  for (int weight = 0; weight < kN; ++weight) {
    begin_sums(sums.of[weight], first);
    for (std::int64_t block = 0; block < blocks; ++block) {
      for (int i = 0; i <= weight; ++i) {
        const unsigned char* rows = tile_of(a, block, kN, i, 0);
        const unsigned char* cols = tile_of(b, block, kN, weight - i, 0);
        _tile_loadd(4, rows, kRowBytes);
        _tile_loadd(6, cols, kRowBytes);
        _tile_dpbuud(0, 4, 6);
        _tile_loadd(7, cols + kTileBytes, kRowBytes);
        _tile_dpbuud(1, 4, 7);
        _tile_loadd(5, rows + kTileBytes, kRowBytes);
        _tile_dpbuud(2, 5, 6);
        _tile_dpbuud(3, 5, 7);
      }
    }
    end_sums(sums.of[weight]);
  }
}

// Multiplies two tiles of one operand by one tile of the other: four tiles of sums, for two weights at a time. For 32
// rows by 16 columns, sums.of[weight] has the rows' sums for this weight, and then for the next weight.
template <int kN>
void multiply_tall(const unsigned char* a, const unsigned char* b, std::int64_t blocks, bool first, Sums& sums) {
  for (int weight = 0; weight < kN; weight += 2) {
    begin_sums(sums.of[weight], first);
    for (std::int64_t block = 0; block < blocks; ++block) {
      for (int i = 0; i <= weight + 1 && i < kN; ++i) {
        const unsigned char* rows = tile_of(a, block, kN, i, 0);
        _tile_loadd(4, rows, kRowBytes);
        _tile_loadd(5, rows + kTileBytes, kRowBytes);
        if (i <= weight) {
          _tile_loadd(6, tile_of(b, block, kN, weight - i, 0), kRowBytes);
          _tile_dpbuud(0, 4, 6);
          _tile_dpbuud(1, 5, 6);
        }
        if (weight + 1 < kN) {
          _tile_loadd(7, tile_of(b, block, kN, weight + 1 - i, 0), kRowBytes);
          _tile_dpbuud(2, 4, 7);
          _tile_dpbuud(3, 5, 7);
        }
      }
    }
    end_sums(sums.of[weight]);
  }
}

// The same for 16 rows by 32 columns.
template <int kN>
void multiply_flat(const unsigned char* a, const unsigned char* b, std::int64_t blocks, bool first, Sums& sums) {
  for (int weight = 0; weight < kN; weight += 2) {
    begin_sums(sums.of[weight], first);
    for (std::int64_t block = 0; block < blocks; ++block) {
      for (int j = 0; j <= weight + 1 && j < kN; ++j) {
        const unsigned char* cols = tile_of(b, block, kN, j, 0);
        _tile_loadd(6, cols, kRowBytes);
        _tile_loadd(7, cols + kTileBytes, kRowBytes);
        if (j <= weight) {
          _tile_loadd(4, tile_of(a, block, kN, weight - j, 0), kRowBytes);
          _tile_dpbuud(0, 4, 6);
          _tile_dpbuud(1, 4, 7);
        }
        if (weight + 1 < kN) {
          _tile_loadd(5, tile_of(a, block, kN, weight + 1 - j, 0), kRowBytes);
          _tile_dpbuud(2, 5, 6);
          _tile_dpbuud(3, 5, 7);
        }
      }
    }
    end_sums(sums.of[weight]);
  }
}

// Merges row `row` of 16 sums of all weights. where[w] is the tile of weight w.
template <int kN>
void merge_sums(const std::int32_t* const* where, int row, int target_row, int vector, const TileTarget& target) {
  __m512i lower[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()}, upper = _mm512_setzero_si512();
  for (int w = kN - 1; w >= 4; --w) {
    upper = _mm512_add_epi32(_mm512_slli_epi32(upper, 8), _mm512_loadu_si512(where[w] + row * kSide));
  }
  for (int half = 0; half < 2; ++half) {
    for (int w = (kN < 4 ? kN : 4) - 1; w >= 0; --w) {
      const auto* sums = reinterpret_cast<const __m256i*>(where[w] + row * kSide + half * kLanes);
      lower[half] =
          _mm512_add_epi64(_mm512_slli_epi64(lower[half], 8), _mm512_cvtepu32_epi64(_mm256_loadu_si256(sums)));
    }
    const __m256i part = half == 0 ? _mm512_castsi512_si256(upper) : _mm512_extracti64x4_epi64(upper, 1);
    const __m512i wide = _mm512_slli_epi64(_mm512_cvtepu32_epi64(part), 32);
    merge(_mm512_add_epi64(lower[half], wide), target_row, vector + half, target);
  }
}

// `blocks` blocks of the inner dimension of a product of `rows` by `cols`.
template <int kN>
void multiply_blocks(std::int64_t rows, std::int64_t cols, const unsigned char* a, const unsigned char* b,
                     std::int64_t blocks, bool first, Sums& sums) {
  if (rows <= kSide) {
    multiply_flat<kN>(a, b, blocks, first, sums);
  } else if (cols <= kSide) {
    multiply_tall<kN>(a, b, blocks, first, sums);
  } else {
    multiply_square<kN>(a, b, blocks, first, sums);
  }
}

template <int kN>
void merge_all(std::int64_t rows, const Sums& sums, const TileTarget& target) {
  const bool one_row_tile = rows <= kSide, one_col_tile = target.cols <= kSide;
  const bool pairs = one_row_tile || one_col_tile;
  for (int tile = 0; tile < (pairs ? 2 : 4); ++tile) {
    const int row_tile = one_row_tile ? 0 : one_col_tile ? tile : tile / 2;
    const int col_tile = one_row_tile ? tile : one_col_tile ? 0 : tile % 2;
    const std::int32_t* where[kLimbs];
    for (int w = 0; w < kN; ++w) where[w] = pairs ? sums.of[w - w % 2][w % 2 * 2 + tile] : sums.of[w][tile];
    if (col_tile * kSide >= target.cols) continue;
    for (int r = 0; r < kSide && row_tile * kSide + r < rows; ++r) {
      merge_sums<kN>(where, r, row_tile * kSide + r, col_tile * 2, target);
    }
  }
}

template <int kN>
void multiply(std::int64_t rows, std::int64_t depth, const Word* row_panel, std::int64_t, const Word* col_panel,
              std::int64_t, const TileTarget& target) {
  const auto* a = reinterpret_cast<const unsigned char*>(row_panel);
  const auto* b = reinterpret_cast<const unsigned char*>(col_panel);
  Sums sums;
  static constexpr TileShapes kShapes;
  _tile_loadconfig(&kShapes);
  for (std::int64_t begin = 0; begin < blocks_of(depth); begin += kBlocksAtOnce) {
    const std::int64_t rest = blocks_of(depth) - begin;
    multiply_blocks<kN>(rows, target.cols, tile_of(a, begin, kN, 0, 0), tile_of(b, begin, kN, 0, 0),
                        rest < kBlocksAtOnce ? rest : kBlocksAtOnce, begin == 0, sums);
  }
  _tile_release();
  merge_all<kN>(rows, sums, target);
}

// Works block by block, so that packed words are in the first-level cache when they are multiplied.
template <int kN>
void multiply_once(std::int64_t rows, std::int64_t depth, const Word* from, std::int64_t row_stride,
                   std::int64_t depth_stride, const Word* col_panel, const TileTarget& target) {
  const auto* b = reinterpret_cast<const unsigned char*>(col_panel);
  alignas(64) unsigned char packed[std::size_t{kN} * kPanelTiles * kTileBytes];
  Sums sums;
  static constexpr TileShapes kShapes;
  _tile_loadconfig(&kShapes);
  for (std::int64_t block = 0; block < blocks_of(depth); ++block) {
    const std::int64_t at = block * kBlock, here = depth - at < kBlock ? depth - at : kBlock;
    pack_rows<kN>(from + at * depth_stride, row_stride, depth_stride, rows, here, reinterpret_cast<Word*>(packed), 0);
    multiply_blocks<kN>(rows, target.cols, packed, tile_of(b, block, kN, 0, 0), 1, block == 0, sums);
  }
  _tile_release();
  merge_all<kN>(rows, sums, target);
}

template <int kN>
constexpr Tiles kTilesOf = {"amx",         8 * kN,        kPanelSide,   kPanelSide,       1, kBlock, kAmxDeepest, false,
                            pack_rows<kN>, pack_cols<kN>, multiply<kN>, multiply_once<kN>};

}  // namespace

const Tiles& tiles_amx(int ring_bits) {
  switch ((ring_bits + 7) / 8) {
    case 1:
      return kTilesOf<1>;
    case 2:
      return kTilesOf<2>;
    case 3:
      return kTilesOf<3>;
    case 4:
      return kTilesOf<4>;
    case 5:
      return kTilesOf<5>;
    case 6:
      return kTilesOf<6>;
    case 7:
      return kTilesOf<7>;
    default:
      return kTilesOf<8>;
  }
}

}  // namespace tacit::mpc
