// Words as dense bits, in the format of net/collectives/pack.h: word i takes the bits from i·bits on. `packed` is whole
// words of 64 bits; the bits after the last are zero.
#pragma once

#include "mpc/device/kernel_language.h"

namespace tacit::mpc::device {

// The ways to store an unpacked word: replace the old word, add to it modulo 2^bits, or flip its bits.
enum class Unpack : int { kStore, kAdd, kFlip };

// Queued on the stream; return 0, or the error of CUDA.
int pack(const Word* words, std::int64_t count, int bits, Word* packed, int processors, Stream stream);
int unpack(const Word* packed, Unpack how, std::int64_t count, int bits, Word* words, int processors, Stream stream);

}  // namespace tacit::mpc::device
