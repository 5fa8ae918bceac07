// A product with few blocks cuts its inner dimension into parts, so that all processors have work. The parts add to the
// output atomically. Addition modulo 2^64 has the same result in any order, so the output is exact.
#pragma once

#include "mpc/device/kernel_language.h"

namespace tacit::mpc::device {

// Before the parts of out = a·b: zeros to add to. Queued; 0, or the error of CUDA.
int clear_words(Word* out, std::int64_t count, Stream stream);

// After the last part: reduces modulo 2^bits, which the parts do not. Queued; 0, or the error of CUDA.
int reduce_words(Word* out, std::int64_t count, Word mask, Stream stream);

// Rows begin at multiples of 16 bytes, so that a thread can read two words at once.
inline bool in_pairs(const Word* words, std::int64_t stride) {
  return stride % 2 == 0 && reinterpret_cast<std::uintptr_t>(words) % 16 == 0;
}

}  // namespace tacit::mpc::device
