// TransferLoops — the loops of correlated oblivious transfers (mpc/ot) that a compiler makes wide by itself, compiled once for each
// kind of instructions.
//
// A block is two words, the low one first. Matrices have 128 × 128 bits, and kTogether of them lie side by side, or one alone: row r
// of matrix m is block r·matrices + m, and column c is bit c.
#pragma once

#include <cstdint>

#include "mpc/kernels/cpu.h"

namespace tacit::mpc {

struct TransferLoops {
  using Word = std::uint64_t;
  static constexpr int kTogether = 8;
  static constexpr int kTreeDepth = 4;
  static constexpr int kLeaves = 1 << kTreeDepth;

  // The same for 1 and for kTogether matrices, which the suffix tells.
  void (*transpose_one)(Word* blocks);
  void (*transpose_together)(Word* blocks);
  // Of the leaves of one tree, leaf x of matrix m is block x·matrices + m: row b is the XOR of the leaves whose number has bit b, and
  // `sum` that of all leaves. Overwrites the leaves.
  void (*add_leaves_one)(Word* leaves, Word* rows, Word* sum);
  void (*add_leaves_together)(Word* leaves, Word* rows, Word* sum);

  // Four trees side by side, node x of tree i is block 4x + i. Keeps the bits of `kept` in all nodes, and adds change i to the node at
  // places[2i] of tree i, for a place below `size`. The time and the addresses do not depend on the places. `kept`, `places` and
  // `changes` have four blocks; a place is in both words of its block.
  void (*change_nodes)(Word* nodes, std::int64_t size, const Word* kept, const Word* places, const Word* changes);
  // out[r] ^= the sum of the blocks of `base` in ten columns. Column j is (numbers[4r + j / 3] >> 21·(j % 3)) & mask; the mask has at
  // most kColumnBits bits.
  static constexpr int kColumns = 10;
  static constexpr int kColumnBits = 21;
  static constexpr int kNumbers = 4;  // for a row
  void (*add_rows)(Word* out, std::int64_t rows, const Word* base, const Word* numbers, Word mask);
};

const TransferLoops& transfer_loops(Instructions instructions);

const TransferLoops& transfer_loops_portable();
const TransferLoops& transfer_loops_avx2();
const TransferLoops& transfer_loops_avx512();

}  // namespace tacit::mpc
