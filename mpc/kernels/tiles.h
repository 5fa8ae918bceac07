// Tiles — the innermost part of a matrix product: a few rows times a few columns, their sums kept in registers.
//
// Operands are read from panels. A panel of columns has, for every k, `cols` words side by side (zeros where the matrix
// has fewer columns); a panel of rows has every row's words side by side along k, `stride` words from row to row.
//
// A processor that multiplies fewer than 64 bits at once needs each word in two forms, the word itself and a second
// one; the panel of columns then has, for every k, the words and behind them their second forms, and the panel of rows
// has all rows of words and behind them (`rows` strides after the first) all rows of second forms:
//
//   whole       one form: the processor multiplies words, or the ring fits its multiplier
//   32-bit      second form: the upper half. a·b = a₀·b₀ + (a₀·b₁ + a₁·b₀)·2^32 mod 2^64
//   52-bit      a = a₀ + a₁·2^52. a·b = a₀·b₀ + (a₀·b₁ + a₁·b₀)·2^52 mod 2^64, where only 12 bits count of what stands
//               before 2^52, so only 12 of each factor. Second form: s(a) = (a₀ mod 2^12)·2^14 + a₁·2^38. Then
//               s(a)·s(b) = (a₀b₀ mod 2^12s)·2^28 + (a₀b₁ + a₁b₀)·2^52 + a₁b₁·2^76: bits 52 to 63 of one product are
//               both cross terms, with nothing carried into them since the first summand stays below 2^52.
#pragma once

#include <cstdint>
#include <vector>

#include "mpc/kernels/cpu.h"
#include "mpc/kernels/into.h"

namespace tacit::mpc {

// Where a tile goes: `cols` columns of rows that are `stride` words apart.
struct TileTarget {
  std::uint64_t* words;
  std::int64_t stride;
  std::int64_t cols;
  Into into;
  std::uint64_t mask;  // the bits of the ring
};

struct Tiles {
  const char* name;
  int widest_ring;
  int rows;  // at most
  int cols;
  int forms;  // 1 or 2

  // Reads `rows` rows and `depth` columns of a matrix into a panel of rows.
  void (*pack_rows)(const std::uint64_t* from, std::int64_t row_stride, std::int64_t depth_stride, std::int64_t rows,
                    std::int64_t depth, std::uint64_t* panel, std::int64_t stride);
  // Reads `depth` rows and `count` columns, at most `cols`, of a matrix into a panel of columns.
  void (*pack_cols)(const std::uint64_t* from, std::int64_t depth_stride, std::int64_t col_stride, std::int64_t depth,
                    std::int64_t count, std::uint64_t* panel);
  // The one for r rows is multiply[r - 1].
  void (*const* multiply)(std::int64_t depth, const std::uint64_t* rows, std::int64_t stride, const std::uint64_t* cols,
                          const TileTarget& target);
};

const Tiles& tiles(Instructions instructions, int ring_bits);
// Whatever this machine runs, chosen above or not.
std::vector<const Tiles*> available_tiles();

// Defined in tiles_*.cc; those of other machines only on them.
const Tiles& tiles_portable();
const Tiles& tiles_avx2();
const Tiles& tiles_avx512();
const Tiles& tiles_ifma();         // rings up to 52 bits
const Tiles& tiles_ifma_thrice();  // wider ones

}  // namespace tacit::mpc
