// Streams of AES-128 in counter mode on a device, with the bytes of OpenSSL's: a party with a device and a party without
// one draw the same masks. The time depends on the count alone, not on key or bytes.
#pragma once

#include "mpc/device/kernel_language.h"

namespace tacit::mpc::device {

// The start of a stream, expanded on the host. Kernels take it by value, so it never lies in device memory that others
// allocate.
struct StreamKey {
  std::uint32_t round_keys[44];
  std::uint32_t counter[4];  // big-endian: the first is the highest
};
// `key` and `counter` have 16 bytes each.
StreamKey expand(const unsigned char* key, const unsigned char* counter);

enum class Draw : int { kFill, kAdd, kSubtract, kFlip };

// words = stream, words += stream or words -= stream, each & mask; or words ^= stream, without the mask. `first` is the
// stream's word to begin with, an even number. Queued on `stream`; returns 0, or the error of CUDA.
int draw(const StreamKey& key, Draw how, Word* words, std::int64_t count, Word mask, std::int64_t first, int processors,
         Stream stream);

}  // namespace tacit::mpc::device
