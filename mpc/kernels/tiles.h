// Tiles — the innermost part of a matrix product: a few rows times a few columns, their sums kept in registers.
//
// A tile reads its operands from panels: the left operand from a panel of rows, the right one from a panel of columns,
// each in the tile's own order. For tiles that multiply words or 52 bits at once, a panel of columns has, for every k,
// `cols` words side by side (zeros if the matrix has fewer columns). A panel of rows has each row's words side by side
// along k. If the memory of a matrix has one of these orders already, the tile reads its rows or whole tiles of its columns in
// place.
#pragma once

#include <cstdint>
#include <vector>

#include "mpc/kernels/cpu.h"
#include "mpc/kernels/into.h"

namespace tacit::mpc {

// The destination of a tile: `cols` columns of rows that are `stride` words apart.
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
  int forms;       // words that a panel holds for each of the matrix
  int depth_step;  // panels are as deep as a multiple of this, beyond the matrix filled with zeros
  int deepest;     // largest depth that fits the caches and the sums
  bool reads_in_place;

  // Reads `rows` rows and `depth` columns of a matrix into a panel of rows, `stride` words for each.
  void (*pack_rows)(const std::uint64_t* from, std::int64_t row_stride, std::int64_t depth_stride, std::int64_t rows,
                    std::int64_t depth, std::uint64_t* panel, std::int64_t stride);
  // Reads `depth` rows and `count` columns of a matrix into panels of columns, `panel_words` from one to the next.
  void (*pack_cols)(const std::uint64_t* from, std::int64_t depth_stride, std::int64_t col_stride, std::int64_t depth,
                    std::int64_t count, std::uint64_t* panels, std::int64_t panel_words);
  // `cols_stride`: words from one k to the next in the panel of columns, or in the matrix if its columns are read in place.
  void (*multiply)(std::int64_t rows, std::int64_t depth, const std::uint64_t* row_panel, std::int64_t stride,
                   const std::uint64_t* cols, std::int64_t cols_stride, const TileTarget& target);
  // Rows of the matrix itself, packed a little at a time: faster where a panel would be read once, by at most half the
  // columns of a tile. Null for tiles that read in place.
  void (*multiply_once)(std::int64_t rows, std::int64_t depth, const std::uint64_t* from, std::int64_t row_stride,
                        std::int64_t depth_stride, const std::uint64_t* col_panel, const TileTarget& target);
};

// Which tiles multiply rows × depth by depth × cols best.
struct TileTask {
  Instructions instructions;
  int ring_bits;
  std::int64_t rows, depth, cols;
};
const Tiles& tiles(const TileTask& task);
// All tiles that this machine can run, including the ones that tiles() never chooses.
std::vector<const Tiles*> available_tiles();

// Defined in tiles_*.cc. The functions for other processor architectures exist only there.
const Tiles& tiles_portable();
const Tiles& tiles_avx2();
const Tiles& tiles_avx512();
const Tiles& tiles_ifma();
const Tiles& tiles_amx(int ring_bits);  // a kind for every eight bits

}  // namespace tacit::mpc
